from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from generator.cli import verb_selftest
from tests.cli import browser, once
from tests.cli.run import muster, studio

CODE = "K7Q2M-9FHN5"
SMALL = ("--mirror", "--machines", "2", "--turns", "4")
"""A duel of ATs whose games are soon played, all of those that a grade hangs on."""
Made = Callable[..., Path]


@contextlib.contextmanager
def working(folder: Path) -> Iterator[Path]:
    """In an empty folder within this one, without settings, on a terminal that speaks English."""
    here = folder / "here"
    here.mkdir()
    with pytest.MonkeyPatch.context() as changed:
        changed.chdir(here)
        changed.setenv("LC_ALL", "C.UTF-8")
        changed.setenv("MUSTER_CONFIG", str(folder / "settings"))
        yield here


@pytest.fixture(autouse=True)
def here(tmp_path: Path) -> Iterator[Path]:
    """The folder of a test."""
    with working(tmp_path) as folder:
        yield folder


@pytest.fixture(autouse=True)
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command prints and proves as one before it did is not done again; modules that are about that do."""
    once.share(monkeypatch)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The folder that a command was given in: every command is run once for all tests, which copy what it left."""

    @cache
    def run(*args: str) -> Path:
        with working(tmp_path_factory.mktemp("made")) as folder:
            assert muster(*args).code == 0
        return folder

    return run


@pytest.fixture(scope="session")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Page]:
    """A tab of a real browser."""
    if browser.PROGRAM is None:
        pytest.skip("no Chromium is installed")
    with browser.browser(browser.PROGRAM, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="session")
def page(tab: browser.Page) -> Iterator[tuple[browser.Page, str]]:
    """The tab, and the address of a studio."""
    with studio() as told:
        yield tab, told["address"]


@pytest.fixture(scope="session")
def found() -> Callable[[verb_selftest.Case], str]:
    """What a case of `muster selftest` comes to: each is made once, however it is asked."""
    find, known = verb_selftest.Case.found, dict[object, str]()

    def once_found(case: verb_selftest.Case) -> str:
        asked = case.game.name, case.code, case.options, case.lang
        if asked not in known:
            known[asked] = find(case)
        return known[asked]

    return once_found


@pytest.fixture
def found_once(monkeypatch: pytest.MonkeyPatch, found: Callable[[verb_selftest.Case], str]) -> None:
    monkeypatch.setattr(verb_selftest.Case, "found", found)


@pytest.fixture
def scenario(here: Path, made: Made) -> Path:
    """A scenario as a code drew it."""
    return Path(shutil.copy(made("draw", "--seed", CODE) / "scenario.toml", here))


@pytest.fixture
def kit(here: Path, made: Made) -> Path:
    """A whole kit."""
    return Path(shutil.copytree(made("kit", "--seed", CODE, "-o", "kit") / "kit", here / "kit"))
