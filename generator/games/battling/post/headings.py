"""Track the side and turn that the headers of a log assign to the lines after them."""

from __future__ import annotations

from generator.games.battling.model import SIDES, Side, side_name
from generator.games.battling.notation import Header, write_line
from generator.games.battling.play import Refusal
from generator.games.battling.post.pieces import Phase
from generator.model.words import Words


class Headings:
    """The side and turn of the latest header, and its fault."""

    def __init__(self) -> None:
        self.side: Side = "first"
        self.turn = 0
        """The turn of the lines that follow, or 0 before the first header."""
        self.excused = False
        """Whether a fault of the latest header has already been reported, so its side and turn may be wrong."""
        self.late = False
        """Whether it has already been reported that orders under this header come after their phase."""
        self._said: tuple[int, ...] = (0,)
        """The turn that the latest header states, or several possible turns if it states a wrong one."""
        self._open = False
        """Whether the latest header states only a side. Its turn then follows from the orders."""

    @property
    def phase(self) -> Phase:
        """The phase whose orders may follow."""
        return self.turn, SIDES.index(self.side)

    def take(self, header: Header, reached: Phase) -> Refusal | None:
        """Read a header and return its fault. `reached` is the phase of the last order."""
        wrong = None if header.turn is None else self._turn(header.turn, header.side, reached)
        self._open, self.late = header.turn is None, False
        # The side of this header may be the mistake.
        self.excused = wrong is not None and wrong.reason == "header.first"
        self.side = header.side or self.side
        if self._open and not self.turn:
            self.turn, self._said = 1, (1,)
        return wrong

    def missing(self) -> Refusal | None:
        """Return the fault of a line without a header.

        It is reported only once, and turn 1 is assumed for further lines.
        """
        if self.turn:
            return None
        example = Header(1, "first")
        self.excused, self.turn, self._said = True, 1, (1,)
        return Refusal("header.none", {"example": Words(write_line(example, "en"), write_line(example, "ja"))})

    def order(self, reached: Phase) -> Refusal | None:
        """Return the fault of an order at this point, or None.

        If the header states no turn, the turn advances automatically.
        """
        if self.phase < reached and (self._open or self.excused) and not self.late:
            self.turn += 1
            if self._open:
                self._said = (self.turn,)
        if self.phase >= reached or self.late:
            return None
        self.late = True
        return Refusal("order.phase", {"side": side_name(self.side), "turn": self.turn})

    def switch(self, side: Side) -> bool:
        """Assign the lines to the other side, and return whether this still has to be reported."""
        is_reported = self.excused
        self.side, self.excused = side, True
        return not is_reported

    def _turn(self, turn: int, side: Side | None, reached: Phase) -> Refusal | None:
        now, wrong = self._said[0], None
        if turn not in {said + ahead for said in self._said for ahead in (0, 1)} - {0}:
            wrong = Refusal("header.turn", {"turn": turn, "now": now})
        elif len(self._said) == 1 and turn > now and side == "second" and not (self.late or self.excused):
            wrong = Refusal("header.first", {"turn": turn, "side": side_name("first")})
        if wrong:
            self._said = (now, now + 1, turn)
            # If the number does not determine the turn, the side does.
            passed = side is not None and (now, SIDES.index(side)) < reached
            self.turn = max(1, now + (passed or (side == "first" and turn > now)))
        else:
            self.turn, self._said = turn, (turn,)
        return wrong
