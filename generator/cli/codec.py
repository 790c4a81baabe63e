"""An option type for text encodings, which accepts every encoding that Python supports."""

from __future__ import annotations

import codecs
import contextlib
from encodings.aliases import aliases
from typing import Any

import click

from generator.cli.help import ParamType
from generator.errors import near_or
from generator.localization import tr


class Codec(ParamType):
    """An option type for the name of a text encoding in any spelling, such as cp1252, latin-1 or Shift_JIS."""

    name = "codec"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return Python's name for the encoding.

        Raises:
            click.BadParameter: If the encoding is unknown. The message suggests the most similar name.
        """
        name = str(value)
        with contextlib.suppress(LookupError, ValueError):
            found = codecs.lookup(name).name
            with contextlib.suppress(UnicodeDecodeError):  # One byte is half a character of UTF-16.
                b" ".decode(name)  # Raises LookupError for codecs that are not text encodings, such as base64.
            return found
        known = {known.replace("_", "-") for known in (*aliases, *aliases.values())}
        hint = near_or(name, sorted(known), tr("give an encoding such as utf-8, cp932, cp1252, cp1250 or mac-roman"))
        raise click.BadParameter(tr("{value!r} is not an encoding; {hint}", value=name[:40], hint=hint), ctx, param)
