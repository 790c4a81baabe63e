from __future__ import annotations

import functools
import gc
import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random

import hypothesis
import pytest
from _pytest.runner import runtestprotocol

from generator.press.pdf import letters, system_fonts
from tests import hear_ctrl_c

hypothesis.settings.register_profile("alike", derandomize=True, deadline=None)
hypothesis.settings.load_profile("alike")


def pytest_configure(config: pytest.Config) -> None:
    """Restore Ctrl-C, and delay garbage collection until the tests are collected."""
    hear_ctrl_c()
    gc.disable()  # collected modules stay alive


def pytest_collection_finish(session: pytest.Session) -> None:
    """Freeze objects that live as long as the tests, such as fonts and tables, so that no collection scans them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def opened() -> Iterator[None]:
    """Open each font once for all tests: opening takes longer than making the fonts of a print."""
    opening = letters._open_sources
    with ExitStack() as every, pytest.MonkeyPatch.context() as patch:

        @functools.cache
        def drawn(taken: tuple[letters.Source, ...], weight: system_fonts.Weight) -> letters.Letters:
            made, closing = opening(taken, weight)
            every.push(closing)
            return made

        patch.setattr(letters, "_open_sources", lambda taken, weight: (drawn(taken, weight), ExitStack()))
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Report the results of tests, but not their start and end, nor fixtures that succeed."""
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed random codes and secrets by the test's id, so that a test draws the same ones in every run."""
    vars(secrets)["randbits"] = Random(item.nodeid).getrandbits
