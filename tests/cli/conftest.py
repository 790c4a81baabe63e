from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from generator import games
from generator.cli import verb_selftest
from generator.model.words import Lang
from tests.cli import once
from tests.cli.run import muster

CODE = "K7Q2M-9FHN5"
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
def printed() -> Callable[[str, str, Lang], str]:
    """What a code's kit holds for `muster selftest`: each is printed once for all the ways in which it is asked."""
    print_ = verb_selftest.printed
    return cache(lambda game, code, lang: print_(games.load(game), code, lang))


@pytest.fixture
def printed_once(monkeypatch: pytest.MonkeyPatch, printed: Callable[[str, str, Lang], str]) -> None:
    monkeypatch.setattr(verb_selftest, "printed", lambda game, code, lang: printed(game.name, code, lang))


@pytest.fixture
def scenario(here: Path, made: Made) -> Path:
    """A scenario as a code drew it."""
    return Path(shutil.copy(made("draw", "--seed", CODE) / "scenario.toml", here))


@pytest.fixture
def kit(here: Path, made: Made) -> Path:
    """A whole kit."""
    return Path(shutil.copytree(made("kit", "--seed", CODE, "-o", "kit") / "kit", here / "kit"))
