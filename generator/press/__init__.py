"""From a kit to paper: the only users of ReportLab, Jinja2, fontTools, pypdfium2 and pikepdf."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import Any, Protocol

# ReportLab executes `reportlab_mods.py` and `reportlab_settings.py` from the working folder, `~/.reportlab_mods` and
# `~/.reportlab_settings`, and obeys RL_* variables, all at its first import. It looks for the files in the home
# folder only where no such module is found, so that an empty module of each name stands in the way of both.
for _name in ("reportlab_mods", "reportlab_settings"):
    sys.modules.setdefault(_name, ModuleType(_name))
for _name in [name for name in os.environ if name.startswith("RL_")]:
    del os.environ[_name]

from reportlab import rl_config  # noqa: E402 - only after its settings are shut out
from reportlab.pdfbase import pdfdoc  # noqa: E402 - only after its settings are shut out

REGULAR = "Muster"
BOLD = "Muster-Bold"

# ReportLab's canvases take their font from here; left alone, each would bring a Helvetica that is not embedded.
rl_config.canvas_basefontname = rl_config.defaultGraphicsFontName = REGULAR
rl_config.useA85 = 0  # streams stay binary: a fifth smaller

_encoded = pdfdoc.pdfdocEnc


def _quickly(text: Any) -> Any:
    """The bytes of a text in a PDF: its encoding looks every letter up, and those of ASCII are as they are."""
    return text.encode() if isinstance(text, str) and text.isascii() else _encoded(text)


pdfdoc.pdfdocEnc = _quickly


class Progress(Protocol):
    """Is called with what is done now, and the share of the work that is done already, from 0 to 1."""

    def __call__(self, message: str, share: float | None = None) -> None:
        """Tell it."""


def silent(message: str, share: float | None = None) -> None:
    """Tell nobody."""
