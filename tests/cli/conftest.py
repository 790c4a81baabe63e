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
"""Options of a duel with short games, sufficient for a fairness grade."""
Made = Callable[..., Path]


@contextlib.contextmanager
def working(folder: Path) -> Iterator[Path]:
    """Change to a new, empty subfolder of `folder`, with an English terminal and no settings."""
    here = folder / "here"
    here.mkdir()
    with pytest.MonkeyPatch.context() as changed:
        changed.chdir(here)
        changed.setenv("LC_ALL", "C.UTF-8")
        changed.setenv("MUSTER_CONFIG", str(folder / "settings"))
        yield here


@pytest.fixture(autouse=True)
def here(tmp_path: Path) -> Iterator[Path]:
    """Return an empty working folder for a test."""
    with working(tmp_path) as folder:
        yield folder


@pytest.fixture(autouse=True)
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reuse the results of earlier commands in prints and proofs.

    Modules that test prints or proofs override this fixture.
    """
    once.share(monkeypatch)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return a function that runs a command and returns its output folder. Each command runs once for all tests."""

    @cache
    def run(*args: str) -> Path:
        with working(tmp_path_factory.mktemp("made")) as folder:
            assert muster(*args).code == 0
        return folder

    return run


@pytest.fixture(scope="session")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Page]:
    """Yield a tab of a real browser, or skip the test if Chromium is not installed."""
    if browser.PROGRAM is None:
        pytest.skip("no Chromium is installed")
    with browser.browser(browser.PROGRAM, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="session")
def page(tab: browser.Page) -> Iterator[tuple[browser.Page, str]]:
    """Yield the tab and the address of a running studio."""
    with studio() as started:
        yield tab, started["address"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[browser.Page, str, Path]]:
    """Yield a tab, the address of a studio started without an option, and the folder in which it was started.

    Downloads arrive in this folder.
    """
    if browser.PROGRAM is None:
        pytest.skip("no Chromium is installed")
    folder = tmp_path_factory.mktemp("served")
    with (
        studio(cwd=folder) as started,
        browser.browser(browser.PROGRAM, tmp_path_factory.mktemp("profile")) as opened,
    ):
        opened.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        yield opened, started["address"], folder


@pytest.fixture(scope="session")
def found() -> Callable[[verb_selftest.Case], str]:
    """Return a function that computes the digest of a `muster selftest` case, once per case."""
    find, known = verb_selftest.Case.found, dict[object, str]()

    def once_found(case: verb_selftest.Case) -> str:
        request = case.game.name, case.code, case.options, case.lang
        if request not in known:
            known[request] = find(case)
        return known[request]

    return once_found


@pytest.fixture
def found_once(monkeypatch: pytest.MonkeyPatch, found: Callable[[verb_selftest.Case], str]) -> None:
    monkeypatch.setattr(verb_selftest.Case, "found", found)


@pytest.fixture
def scenario(here: Path, made: Made) -> Path:
    """Return the path of an unedited scenario."""
    return Path(shutil.copy(made("draw", "--seed", CODE) / "scenario.toml", here))


@pytest.fixture
def kit(here: Path, made: Made) -> Path:
    """Return the folder of a complete kit."""
    return Path(shutil.copytree(made("kit", "--seed", CODE, "-o", "kit") / "kit", here / "kit"))
