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
    """Before any of them runs."""
    hear_ctrl_c()
    gc.disable()  # what is collected stays


def pytest_collection_finish(session: pytest.Session) -> None:
    """What lives as long as the tests, fonts and tables, is not looked through for garbage over and over."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def opened() -> Iterator[None]:
    """Each font is opened once for all tests: that takes longer than to found what they print."""
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
    """What a test came to is told; not that it began and ended, nor what was made ready and put away all right."""
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What nobody gives a code or a secret is drawn alike whenever a test is run."""
    vars(secrets)["randbits"] = Random(item.nodeid).getrandbits
