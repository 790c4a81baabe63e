"""What is put off until it is asked for, and what is imported as if something were not installed."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from generator import put_off
from generator.cli import without

STRANGER = "xml.etree.ElementInclude"


@pytest.fixture
def unread() -> None:
    """A module that nobody has read yet."""
    sys.modules.pop(STRANGER, None)
    put_off(STRANGER, XINCLUDE="known")


@pytest.mark.usefixtures("unread")
def test_a_module_is_read_once_something_unknown_is_asked_for() -> None:
    later = sys.modules[STRANGER]
    assert later.XINCLUDE == "known"
    assert sys.modules[STRANGER] is later
    assert callable(later.include)
    assert sys.modules[STRANGER] is not later
    assert import_module(STRANGER).XINCLUDE == later.XINCLUDE == "{http://www.w3.org/2001/XInclude}"


@pytest.mark.usefixtures("unread")
def test_a_module_that_is_put_off_lacks_what_it_lacks() -> None:
    with pytest.raises(AttributeError, match="nonesuch"):
        _ = sys.modules[STRANGER].nonesuch


def test_what_is_read_already_is_not_put_off() -> None:
    before = sys.modules["json"]
    put_off("json")
    assert sys.modules["json"] is before


def test_a_module_is_missing_for_as_long_as_it_is_to_be() -> None:
    sys.modules.pop("this", None)
    with without("this"), pytest.raises(ImportError):
        import_module("this")
    assert "this" not in sys.modules
