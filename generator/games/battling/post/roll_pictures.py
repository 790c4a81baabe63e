"""Draw the numbers of attacks and the dice of their rolls."""

from __future__ import annotations

from collections.abc import Sequence

from generator.model.picture import POINTS, Item, Pen, Picture, Symbol, Text, Use, circle
from generator.symbols.pictograms import BLACK, STRUCK, face, number_words
from generator.symbols.picture_words import picture_words

OWED, ROLLED = "owed", "rolled"
"""The theme's names for the number of an attack that is still to be rolled, and of other attacks."""


DIE, BETWEEN, APART, FALLEN = 3.75, 0.5, 2.4, 0.7
"""The size of a die, the distances to the next die and to the damage dice, and the line width of a rolled face, in
mm.
"""
COIN = 4.6
"""The diameter of an attack's number in the list and above its roll, in mm."""
HURTS, SPARES = "#efc4be", "#ffffff"
"""The fills of faces that are bad for the target, and of other faces."""


def coin(number: int, look: str) -> Picture:
    """Return the number of an attack as it appears on the map."""
    r, size = COIN / 2, 0.62 * COIN * POINTS
    fill, ink = (STRUCK, "#ffffff") if look == OWED else ("#ffffff", BLACK)
    disc = circle(r, r, r - 0.15, fill, Pen(STRUCK if look == OWED else BLACK, 0.3))
    text = Text(r, r - 0.36 * size / POINTS, str(number), size, "middle", True, ink)
    return Picture(COIN, COIN, (disc, text), alt=number_words(str(number)))


def thrown(groups: Sequence[Sequence[tuple[bool, str]]], fell: Sequence[int | None]) -> Picture:
    """Return groups of a die's faces with their results.

    Faces bad for the target are tinted, and the rolled one is framed.
    """
    items: list[Item] = []
    has_labels = any(text for faces in groups for _, text in faces)
    low, x = (3.2 if has_labels else 0.0), 0.0
    for faces, die in zip(groups, fell, strict=True):
        for number, (bad, text) in enumerate(faces, 1):
            fill, edge = HURTS if bad else SPARES, FALLEN if number == die else 0.25
            drawn = face(number, DIE, fill, edge)
            items.append(Use(Symbol(f"thrown.{number}.{bad}.{number == die}", drawn.items, DIE), x, low))
            if text:
                colour = STRUCK if bad else BLACK
                items.append(Text(x + DIE / 2, 0.6, text, 7.0, "middle", number == die or bad, colour))
            x += DIE + BETWEEN
        x += APART - BETWEEN
    rolls = [_describe_roll(faces, die) for faces, die in zip(groups, fell, strict=True) if die]
    alt = picture_words("rolled", dice=", ".join(rolls)) if rolls else None
    return Picture(x - APART, DIE + low, tuple(items), alt=alt)


def _describe_roll(faces: Sequence[tuple[bool, str]], die: int) -> str:
    """Return the number rolled and the letter of its result."""
    return f"{die} {faces[die - 1][1]}".strip()
