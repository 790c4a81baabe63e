"""What is imported as if something were not installed."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from generator.cli import without


def test_a_module_is_missing_for_as_long_as_it_is_to_be() -> None:
    sys.modules.pop("this", None)
    with without("this"), pytest.raises(ImportError):
        import_module("this")
    assert "this" not in sys.modules
