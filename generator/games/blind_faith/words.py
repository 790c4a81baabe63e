"""Blind Faith's words from data/blind_faith/words.toml, and how sides, units and hexes are told."""

from __future__ import annotations

from collections import Counter

from generator.games.blind_faith.forces.pack import Pack
from generator.games.blind_faith.forces.units import Line
from generator.games.blind_faith.ground.opmap import OpMap
from generator.games.words import words as words_of
from generator.grid.hexes import Hex, distance
from generator.model.words import Words, joined, same


def words() -> dict[str, dict[str, Words]]:
    """The words that code needs; those of the templates lie in the same file."""
    return words_of("blind_faith")


def side_name(side: str) -> Words:
    """A side."""
    return words()["side"][side]


def units_told(pack: Pack, units: Line) -> Words:
    """Units by class with their numbers."""
    say = words()["units"]
    if not units:
        return say["none"]
    return joined([say["some"].fill(unit=pack.units[unit].name, n=n) for unit, n in Counter(units).items()])


def hex_told(land: OpMap, cell: Hex) -> Words:
    """A hex, with the place on it."""
    place = land.places.get(cell)
    return words()["map"]["at"].fill(hex=land.name(cell), place=place.name) if place else same(land.name(cell))


def place_near(land: OpMap, cell: Hex) -> Words:
    """The place on a hex or nearest to it; the hex's own name on a map without places."""
    if not land.places:
        return same(land.name(cell))
    return land.places[min(land.places, key=lambda other: (distance(cell, other), land.field.index[other]))].name
