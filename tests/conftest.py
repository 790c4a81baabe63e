from __future__ import annotations

import gc

import pytest

from tests import hear_ctrl_c


def pytest_configure(config: pytest.Config) -> None:
    """Before any of them runs."""
    hear_ctrl_c()


def pytest_collection_finish(session: pytest.Session) -> None:
    """What lives as long as the tests, fonts and tables, is not looked through for garbage over and over."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
