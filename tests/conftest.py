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
    """Restore the handling of Ctrl-C, and disable garbage collection until the tests are collected."""
    hear_ctrl_c()
    gc.disable()  # collected modules stay in memory


def pytest_collection_finish(session: pytest.Session) -> None:
    """Exclude long-lived objects such as fonts and tables from garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def opened() -> Iterator[None]:
    """Open each font once for all tests, because opening a font takes longer than subsetting it."""
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
    """Report only the results of tests. Start, end and successful fixtures are not reported."""
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed random codes and secrets with the test's id, so that a test uses the same values in every run."""
    vars(secrets)["randbits"] = Random(item.nodeid).getrandbits
