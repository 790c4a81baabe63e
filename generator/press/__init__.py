"""From a kit to paper: the only users of ReportLab, Jinja2, fontTools, pypdfium2 and pikepdf."""

from __future__ import annotations

import os
import sys
from types import ModuleType

# ReportLab executes `reportlab_settings.py` from the working folder and `~/.reportlab_settings`, and obeys
# RL_* variables, all at its first import. An empty module of that name stands in the way of both files.
sys.modules.setdefault("reportlab_settings", ModuleType("reportlab_settings"))
for _name in [name for name in os.environ if name.startswith("RL_")]:
    del os.environ[_name]

from reportlab import rl_config  # noqa: E402 - only after its settings are shut out
from reportlab.lib.fonts import addMapping  # noqa: E402 - only after its settings are shut out

REGULAR = "Muster"
BOLD = "Muster-Bold"

# ReportLab's styles and tables take their font from here when they are imported; left alone, every table
# would bring a Helvetica that is not embedded.
rl_config.canvas_basefontname = rl_config.defaultGraphicsFontName = REGULAR
rl_config.useA85 = 0  # streams stay binary: a fifth smaller
for _bold, _italic in ((0, 0), (0, 1), (1, 0), (1, 1)):
    addMapping(REGULAR, _bold, _italic, BOLD if _bold else REGULAR)
