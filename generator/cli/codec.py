"""The option type of a text encoding: any that Python knows."""

from __future__ import annotations

import codecs
import contextlib
from encodings.aliases import aliases
from typing import Any

import click

from generator.cli.help import Kind
from generator.errors import near_or
from generator.localization import tr


class Codec(Kind):
    """The name of a text encoding, in any of its spellings, such as cp1252, latin-1 or Shift_JIS."""

    name = "codec"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return Python's own name of the encoding; click.BadParameter with the near match if there is none."""
        name = str(value)
        with contextlib.suppress(LookupError, ValueError):
            found = codecs.lookup(name).name
            with contextlib.suppress(UnicodeDecodeError):  # half a character of UTF-16
                b" ".decode(name)  # LookupError for what is no text, such as base64
            return found
        known = {known.replace("_", "-") for known in (*aliases, *aliases.values())}
        hint = near_or(name, sorted(known), tr("such as utf-8, cp932, cp1252, cp1250 or mac-roman"))
        raise click.BadParameter(tr("{value!r} is not an encoding; {hint}", value=name[:40], hint=hint), ctx, param)
