from __future__ import annotations

import gc
import secrets
from random import Random

import hypothesis
import pytest

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


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What nobody gives a code or a secret is drawn alike whenever a test is run."""
    vars(secrets)["randbits"] = Random(item.nodeid).getrandbits
