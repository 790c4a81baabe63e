"""Convert names between options and the fields that contain their values."""

from __future__ import annotations


def option_name(field: str) -> str:
    """Return the name of a field's option without its dashes.

    >>> option_name("two_up")
    'two-up'
    """
    return field.replace("_", "-")


def option_flag(field: str) -> str:
    """Return a field's option as users enter it.

    >>> option_flag("two_up")
    '--two-up'
    """
    return f"--{option_name(field)}"


def field_name(name: str) -> str:
    """Return the field of an option's name. Click uses the same name for its parameter.

    >>> field_name("two-up")
    'two_up'
    """
    return name.replace("-", "_")
