"""Wishes, or else streams: every choice of a draw, and which random stream it came from."""

from __future__ import annotations

from collections.abc import Mapping

from generator.draw.streams import Stream, Streams
from generator.games.blind_faith.forces.units import Side


class Dice:
    """Streams under one prefix, with the wishes that take their place."""

    def __init__(self, streams: Streams, wishes: Mapping[str, str]) -> None:
        self.streams = streams
        self.wishes = wishes
        self.paths: dict[tuple[str, str | None], str] = {}
        """The path of the stream that each step drew from, by step and side; none where a wish was heard."""

    def under(self, name: str) -> Dice:
        """The same, one step farther down and with no path told yet."""
        return Dice(self.streams.under(name), self.wishes)

    def at(self, step: str, who: Side | None = None) -> Stream:
        """The stream of a step."""
        stream = (self.streams.under(who) if who else self.streams).at(step)
        self.paths[step, who] = stream.path
        return stream

    def one_of(self, step: str, options: tuple[str, ...], who: Side | None = None) -> str:
        """What was wished for, or one of the options."""
        wish = f"{step}-{who}" if who else step
        return self.wishes[wish] if wish in self.wishes else self.at(step, who).choice(options)
