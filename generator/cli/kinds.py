"""The type of an option's value, as every Click that we promise knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    Kind = click.ParamType[Any]
else:
    # Before Click 8.4 it takes no parameter.
    Kind = click.ParamType
