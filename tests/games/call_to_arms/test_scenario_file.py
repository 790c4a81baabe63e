"""Scenario files: written, read, edited, typed by hand, and full of faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import games
from generator.cli.scenario import Loaded, examined, load
from generator.draw.codes import BITS, code_for
from generator.errors import DataError
from generator.games.call_to_arms.cells import cell_name
from generator.games.call_to_arms.scenario import Scenario
from generator.model.scenario import Order
from generator.notation import envelope
from generator.notation.toml import Source

GAME = games.load("call_to_arms")
codes = st.integers(0, (1 << BITS) - 1).map(code_for)

OPEN = "\n".join(" ".join("." * (12 - row % 2)) for row in range(9))
BY_HAND = f'''[muster]
game = "call_to_arms"

[play]
title = "Two hosts"
first = "pennant"

[board]
profile = "battlelore"
rows = """
{OPEN}
"""

[pennant]
left = "A1"
centre = "A4"
right = "A6"
reserve = "A2"
units = [
  {{ hex = "A3", unit = "blue short_sword" }},
  {{ hex = "B3", unit = "red short_sword" }},
  {{ hex = "C3", unit = "blue short_sword human" }},
  {{ hex = "B2", unit = "green common_bow" }},
  {{ hex = "C2", unit = "blue common_bow" }},
  {{ hex = "E3", unit = "blue short_sword" }},
  {{ hex = "F3", unit = "blue common_bow" }},
  {{ hex = "H3", unit = "blue short_sword" }},
  {{ hex = "F2", unit = "blue long_sword" }},
  {{ hex = "I3", unit = "blue crossbow dwarf" }},
  {{ hex = "J3", unit = "red short_sword" }},
  {{ hex = "K3", unit = "blue short_sword" }},
  {{ hex = "K2", unit = "blue common_bow" }},
  {{ hex = "A1", unit = "blue crossbow dwarf" }},
  {{ hex = "B1", unit = "blue short_sword" }},
  {{ hex = "C1", unit = "blue short_sword" }},
  {{ hex = "D1", unit = "green common_bow" }},
  {{ hex = "E1", unit = "green common_bow" }},
]

[standard]
left = "C1"
centre = "C3"
right = "C6"
reserve = "C2"
units = [
  {{ hex = "K7", unit = "red long_sword" }},
  {{ hex = "L8", unit = "red long_sword" }},
]
'''
"""The Standard player's units are left to `by_hand`."""
STANDARD = """
  { hex = "K7", unit = "red long_sword" },
  { hex = "K8", unit = "red long_sword" },
  { hex = "J8", unit = "blue long_sword" },
  { hex = "G6", unit = "blue short_sword goblin" },
  { hex = "H7", unit = "blue short_sword" },
  { hex = "G7", unit = "red short_sword" },
  { hex = "F7", unit = "blue short_sword" },
  { hex = "E8", unit = "blue common_bow" },
  { hex = "C7", unit = "blue short_sword" },
  { hex = "B7", unit = "red short_sword" },
  { hex = "C8", unit = "blue common_bow" },
  { hex = "B9", unit = "blue long_sword" },
  { hex = "L9", unit = "red long_sword" },
  { hex = "K9", unit = "blue short_sword goblin" },
]
"""


def kept(tmp_path: Path, text: str) -> Loaded:
    path = tmp_path / "scenario.toml"
    path.write_text(text, "utf-8")
    return load(path)


def by_hand() -> str:
    return BY_HAND


def drawn(code: str, **wishes: str) -> Scenario:
    scenario: Scenario = GAME.draw(Order(code, wishes, {}))
    return scenario
