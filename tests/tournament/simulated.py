"""Simulate complete events with late entries, drop-outs and random results."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from msgspec.structs import replace

from generator.tournament.csv_files import plain
from generator.tournament.event_file import EventRecord, Game, enroll
from generator.tournament.matching import Seat, cost, match_players, pair_round, seats
from generator.tournament.pairings import Entrant

CODE = "K7Q2M-9FHN5"


@dataclass
class Event:
    """A simulated event that records the faults of its rounds."""

    rnd: random.Random
    event: EventRecord
    faults: list[str] = field(default_factory=list)

    def round(self) -> None:
        """Pair a round, check the pairing, and fill in random results."""
        number = self.event.next_number
        there = seats(self.event, number)
        made = pair_round(self.event, number)
        names = sorted(plain(n) for m in made.round.meetings if not m.half for n in (m.a, m.b) if n)
        if names != sorted(seat.name for seat in there):
            self.faults.append(f"round {number}: not everybody once")
        if made.rematches and avoidable(there):
            self.faults.append(f"round {number}: a rematch that could be avoided: {made.rematches}")
        self._byes(number, there, made.second_byes)
        tables = [m.table for m in made.round.tables]
        if len(set(tables)) != len(tables):
            self.faults.append(f"round {number}: a table twice")
        results = tuple(self._game(m.table, game) for m in made.round.tables for game in (1, 2)[: self.event.games])
        self.event = self.event.with_round(replace(made.round, results=results))

    def _byes(self, number: int, there: list[Seat], second: tuple[str, ...]) -> None:
        """Check that a second bye occurs only if every player has had a bye or any other choice forces a rematch."""
        if not second:
            return
        first = [replace_bye(seat) for seat in there]
        if not cost(match_players(first))[0] and any(not seat.no_bye for seat in first):
            self.faults.append(f"round {number}: a second bye that could be avoided: {second}")

    def _game(self, table: int, game: int) -> Game:
        score = self.rnd.randrange(7), self.rnd.randrange(7)
        won = "draw" if score[0] == score[1] else "a" if score[0] > score[1] else "b"
        return Game(table, game, won, score, (self.rnd.randrange(20), self.rnd.randrange(20)))  # type: ignore[arg-type]

    def come_and_go(self) -> None:
        """Let a random player leave or join late."""
        here = [player for player in self.event.players if player.is_present(self.event.next_number)]
        if len(here) > 4 and self.rnd.random() < 0.4:
            gone = self.rnd.choice(here)
            self.event = self.event.with_player(replace(gone, left=self.event.next_number))
        if self.rnd.random() < 0.3:
            late_entry = Entrant(f"late {len(self.event.players)}")
            (player,) = enroll(CODE, [late_entry], self.event.next_number, [p.lot for p in self.event.players])
            self.event = self.event.with_player(player)

    def hold(self) -> None:
        """Assert that there were no faults."""
        assert not self.faults, self.faults


def replace_bye(seat: Seat) -> Seat:
    """Return the same player without the right to a second bye."""
    return Seat(seat.name, previous_opponents=seat.previous_opponents, no_bye=seat.no_bye or bool(seat.byes))


def avoidable(there: list[Seat]) -> bool:
    """Return whether a matching exists in which all players meet new opponents, ignoring forbidden pairs."""
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(len(there) + len(there) % 2))
    for i, a in enumerate(there):
        graph.add_edges_from((i, j) for j in range(i + 1, len(there)) if there[j].name not in a.previous_opponents)
        if len(there) % 2 and not a.no_bye:
            graph.add_edge(i, len(there))
    return bool(2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == graph.number_of_nodes())


def simulated(rnd: random.Random, maximum: int) -> Event:
    """Return an event of 5 to `maximum` players, with random withdrawals and results."""
    count = min(maximum, int(5 * (maximum / 5) ** rnd.random() + 0.5))
    players = [Entrant(f"player {n}", rnd.choice(["", "", "x", "y"])) for n in range(count)]
    record = EventRecord("Cup", "battling", CODE, games=rnd.choice((1, 2)), players=tuple(enroll(CODE, players)))
    event = Event(rnd, record)
    for _ in range(rnd.randrange(3, 7)):
        event.round()
        event.come_and_go()
    byes = Counter(m.a for one in event.event.round for m in one.meetings if not m.b)
    if any(n > 1 for n in byes.values()) and len(players) > 8:
        event.faults.append(f"byes: {byes.most_common(2)}")
    return event
