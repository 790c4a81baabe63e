"""An event's book, event.toml: who plays, who met whom, what came of it, and what was changed since.

It is the one truth of an event: pages are made from it, standings reckoned from it, and whatever it holds of rounds
that were played stays. People may read and change it; each fault is told with its line.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from generator import games
from generator.errors import CannotWriteError, DataError, Problem, WrongUsageError, near, nearest
from generator.localization import tr
from generator.notation.text import NAME_LIMIT, key, name_fault, name_hint, value
from generator.notation.toml import FILE_LIMIT, Source
from generator.seeds import RngStreams, parse_code
from generator.store.folders import is_file
from generator.tournament.csv_files import cells, means, plain
from generator.tournament.event import Mode
from generator.tournament.options import option_faults
from generator.tournament.pairings import MOST_PLAYERS, MOST_ROUNDS, MOST_TABLE, Entrant, Pairing, Round
from generator.tournament.scores import (
    MOST_COUNTED,
    MOST_GAMES,
    Outcome,
)

NAME = "event.toml"
HEAD = "# The book of a tournament, kept by `muster tournament` (docs/tournament.md). You may change it by hand.\n"
System = Literal["swiss", "rotation", "dutch"]
SYSTEMS: tuple[System, ...] = ("swiss", "rotation", "dutch")
Byes = Literal["lowest", "drawn"]
BYES: tuple[Byes, ...] = ("lowest", "drawn")
Bid = Literal["", "banners", "cards"]
BIDS: tuple[Bid, ...] = ("banners", "cards")
Cut = Literal[0, 2, 4, 8]
CUTS: tuple[Cut, ...] = (2, 4, 8)
MOST_NOTICES = 9
"""As many lines as a page of notices has."""
_SHORT = 100
"""Characters of a list that stands on one line; a longer one has a line for each entry, as lines have a limit."""
FORMER_NAMES = 20
"""A player's former names that are kept, the latest: slips printed with older ones are no longer read."""
_LOTS = 99_999
"""Numbers that are drawn from."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_LIMIT)]
Text = Annotated[str, msgspec.Meta(max_length=NAME_LIMIT)]
Number = Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)]
Later = Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS + 1)]
Table = Annotated[int, msgspec.Meta(ge=0, le=MOST_TABLE)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_COUNTED)]
Stamp = Annotated[str, msgspec.Meta(max_length=40)]
_HOUR = "([01]?[0-9]|2[0-3]):[0-5][0-9]"
SPAN = f"{_HOUR}-{_HOUR}"
"""How it is written from when to when a round is played."""
Hours = Annotated[str, msgspec.Meta(pattern=f"^{SPAN}$", description="such as 9:30-11:10")]
Hash = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$", description="64 hexadecimal digits")]


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody who was put on the list."""

    name: Name
    """What he is called, unlike anybody else."""
    lot: Annotated[int, msgspec.Meta(ge=1, le=10**6)]
    """The number drawn when he came: the last tie-break."""
    team: Text = ""
    """His team, which is printed beside his name."""
    since: Number = 1
    """The first round that he may play."""
    left: Later = 0
    """The first round that he plays no more; 0 while he is here."""
    table: Table = 0
    """The table that he needs."""
    no_bye: bool = False
    """He is to have no bye."""
    rests: Annotated[tuple[Number, ...], msgspec.Meta(max_length=MOST_ROUNDS)] = ()
    """Rounds for which he asked for a bye that counts half."""
    away: Annotated[tuple[Number, ...], msgspec.Meta(max_length=MOST_ROUNDS)] = ()
    """Rounds that he missed without one."""
    formerly: Annotated[tuple[Name, ...], msgspec.Meta(max_length=FORMER_NAMES)] = ()
    """Names before `tournament rename`, which pages printed before still bear."""

    def plays(self, number: int) -> bool:
        """Whether he is to be paired in that round."""
        return self.here(number) and number not in self.rests

    def here(self, number: int) -> bool:
        """Whether he is there in that round, with a bye or without."""
        return self.since <= number and not 0 < self.left <= number and number not in self.away


_LEAST_NEAR = 5
"""The least letters of a name for which one letter makes a typo likely."""


class Meeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Two players at a table; a bye where `b` is empty."""

    a: Name
    """The first player."""
    b: Text = ""
    """The second."""
    table: Table = 0
    """Their table; 0 for a bye."""
    team: Text = ""
    """What is printed beside the names."""
    half: bool = False
    """Whether the bye counts half."""
    against: Text = ""
    """The opponent who did not come, if the bye is a round won by forfeit: the two did not meet."""


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What came of a game: scores, casualties and bids are `a`'s of that table, then `b`'s."""

    table: Table
    """At which table."""
    game: Annotated[int, msgspec.Meta(ge=0, le=MOST_GAMES)]
    """Which game of that table it was, from 1."""
    won: Literal["a", "b", "draw"]
    """Who won."""
    score: tuple[Count, Count] = (0, 0)
    """What they scored."""
    lost: tuple[Count, Count] = (0, 0)
    """Whom they lost."""
    bid: tuple[Count, Count] = (0, 0)
    """What they bid."""
    elsewhere: bool = False
    """Whether it came from a slip or a file other than the round's results.csv, where its row may be empty."""


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a result was before it was corrected, and when that was done."""

    at: Stamp
    """When."""
    was: Game
    """The result before."""


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A round of the book."""

    number: Number
    """Which round, from 1."""
    meetings: Annotated[tuple[Meeting, ...], msgspec.Meta(max_length=MOST_TABLE)] = ()
    """Who meets whom, and who has a bye."""
    results: Annotated[tuple[Game, ...], msgspec.Meta(max_length=MOST_TABLE * 2)] = ()
    """What came of it so far."""
    corrected: Annotated[tuple[Change, ...], msgspec.Meta(max_length=MOST_TABLE)] = ()
    """Results that were changed."""
    superseded: Annotated[tuple[Game, ...], msgspec.Meta(max_length=MOST_TABLE * 4)] = ()
    """Results as another source still has them: read from it before, and replaced from elsewhere later."""
    final: Annotated[int, msgspec.Meta(ge=0, le=CUTS[-1])] = 0
    """How many are left where this is a round of the final."""
    printed: Hash = ""
    """The hash of the manifest of the pages that it was played with; empty until it has a result."""

    @property
    def tables(self) -> tuple[Meeting, ...]:
        """Those who play."""
        return tuple(one for one in self.meetings if one.b)

    def of(self) -> Round:
        """As it is printed."""
        return Round(self.number, tuple(Pairing(m.table, m.a, m.b, m.team, m.half, m.against) for m in self.meetings))

    def waiting(self, games: int) -> list[int]:
        """The tables that lack a result."""
        there = Counter(game.table for game in self.results)
        return [m.table for m in self.tables if there[m.table] < games]


class Undone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round as it was before it was reopened, and when that was done."""

    at: Stamp
    """When."""
    round: Played
    """The round before."""


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Everything that is known of an event."""

    name: Name
    """What the event is called."""
    game: Name
    """The game that is played, as `muster games` names it."""
    code: Name
    """The code that all scenarios follow from."""
    scenarios: Mode = "duplicate"
    """Whether tables share a scenario."""
    system: System = "swiss"
    """By which system players are paired."""
    rounds: Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS)] = 0
    """How many are to be played; 0 where nobody said."""
    games: Literal[1, 2] = 2
    """How many are played at a table in a round."""
    byes: Byes = "lowest"
    """Who has the bye: the lowest in the standings, or by lot."""
    bid: Bid = ""
    """What is bid for a side; empty where nothing is."""
    cut: Cut = 0
    """How many play a final once the rounds are over; 0 where none does."""
    clock: Annotated[tuple[Hours, ...], msgspec.Meta(max_length=MOST_ROUNDS)] = ()
    """From when to when each round is played; shorter where nobody said."""
    notices: Annotated[tuple[Text, ...], msgspec.Meta(max_length=MOST_NOTICES)] = ()
    """What players must know, a line each."""
    sealed: bool = False
    """Whether rounds are sealed."""
    players: Annotated[tuple[Player, ...], msgspec.Meta(max_length=10 * MOST_PLAYERS)] = ()
    """Everybody who was put on the list."""
    apart: Annotated[tuple[tuple[Name, Name], ...], msgspec.Meta(max_length=1000)] = ()
    """Who never meet."""
    wishes: dict[str, Text] = {}
    """What is wished of every scenario, by wish."""
    files: dict[str, str] = {}
    """The hashes of the organiser's files, by name."""
    round: tuple[Played, ...] = ()
    """The rounds that are paired, in their order."""
    undone: tuple[Undone, ...] = ()
    """Rounds that were reopened, as they were."""

    def resting(self, number: int) -> tuple[list[str], list[str]]:
        """Who has a bye in a round, and who one that counts half: of one that is not paired yet, who asked for it."""
        if one := self.at(number):
            byes = [meeting for meeting in one.meetings if not meeting.b]
            return [m.a for m in byes if not m.half], [m.a for m in byes if m.half]
        return [], [player.name for player in self.players if player.here(number) and number in player.rests]

    @property
    def next(self) -> int:
        """The number of the round that is paired next."""
        return max((one.number for one in self.round), default=0) + 1

    def at(self, number: int) -> Played | None:
        """A round; None where it is not paired."""
        return next((one for one in self.round if one.number == number), None)

    def seated(self, number: int, table: int) -> tuple[str, str] | None:
        """Who sits at a round's table, the first player and the second; None where nobody does."""
        one = self.at(number)
        return next(((m.a, m.b) for m in one.tables if m.table == table), None) if one else None

    def player(self, name: str) -> Player | None:
        """Whoever is called so."""
        return next((one for one in self.players if plain(one.name) == plain(name)), None)

    def known(self, name: str) -> Player:
        """Whoever is called so; WrongUsageError with the near match."""
        if found := self.player(name):
            return found
        hint = near(name[:NAME_LIMIT], [one.name for one in self.players])
        raise WrongUsageError(tr("no player {name!r}", name=name[:40]), hint=hint)

    def former(self) -> dict[str, str]:
        """Return today's name of each player by a former one in plain form; names in use are left out."""
        used = {plain(one.name) for one in self.players}
        return {plain(was): one.name for one in self.players for was in one.formerly if plain(was) not in used}

    def names(self, name: str) -> tuple[str, ...]:
        """Return a player's name and former names."""
        found = self.player(name)
        return (name, *found.formerly) if found else (name,)

    def with_round(self, made: Played) -> Book:
        """With a round in its place."""
        kept = [one for one in self.round if one.number != made.number]
        return replace(self, round=tuple(sorted([*kept, made], key=lambda one: one.number)))

    def with_player(self, made: Player) -> Book:
        """With what is changed of a player, or with a new one."""
        if self.player(made.name) is None:
            return replace(self, players=(*self.players, made))
        return replace(
            self, players=tuple(made if plain(one.name) == plain(made.name) else one for one in self.players)
        )


def is_book(content: bytes) -> bool:
    """Whether a file's content is an event's, however it was edited: a BOM, CRLF, without its first comment."""
    try:
        found = tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return content.startswith(HEAD.encode())
    return {"name", "game", "code"} <= found.keys()


def write(book: Book) -> bytes:
    """The book as a file, a line for each player, pair and result."""
    whole: dict[str, object] = msgspec.to_builtins(book)
    lines = [HEAD]
    for name, of in whole.items():
        if name not in ("players", "round", "undone", "wishes", "files"):
            line = f"{name} = {value(of)}\n"
            lines.append(_rows(name, of) if isinstance(of, tuple | list) and len(line) > _SHORT else line)
    lines.append(_rows("players", msgspec.to_builtins(book.players)))
    for name, table in (("wishes", book.wishes), ("files", book.files)):
        if table:
            lines.append(f"\n[{name}]\n")
            lines += [f"{key(wish)} = {value(of)}\n" for wish, of in table.items()]
    for one in book.round:
        lines.append("\n[[round]]\n")
        for name, of in msgspec.to_builtins(one).items():
            lines.append(_rows(name, of) if isinstance(of, tuple | list) else f"{name} = {value(of)}\n")
    for past in book.undone:
        lines.append(f"\n[[undone]]\nat = {value(past.at)}\n\n[undone.round]\n")
        for name, of in msgspec.to_builtins(past.round).items():
            lines.append(_rows(name, of) if isinstance(of, tuple | list) else f"{name} = {value(of)}\n")
    return "".join(lines).encode()


def _rows(name: str, rows: Iterable[object]) -> str:
    """A list with a line for each of its entries."""
    return f"{name} = [\n{''.join(f'    {value(row)},' + chr(10) for row in rows)}]\n"


def read(folder: Path) -> Book | None:
    """The book in a folder, None where there is none; DataError with each faulty line."""
    file = folder / NAME
    return parsed(Source.open(file)) if is_file(file) else None


def parsed(source: Source) -> Book:
    """The book that a file holds; DataError with each faulty line."""
    book = source.read(Book)
    DataError.raise_if_any(sorted(_faults(book, source), key=lambda problem: problem.line))
    return book


def unless_unreadable(content: bytes, file: Path) -> None:
    """Read an event back before it is written: what Muster writes, Muster reads.

    Raises:
        CannotWriteError: it would pass a limit of the file or of one of its entries.
    """
    if len(content) > FILE_LIMIT:
        hint = tr("nothing was written; play the next rounds as another event, in another folder given with -o")
        raise CannotWriteError(tr("{file} would be larger than 1 MiB", file=file), hint=hint)
    try:
        parsed(Source.of(content, str(file)))
    except DataError as error:
        hint = tr("nothing was written")
        told = (tr("{file} would not be readable: {fault}", file=file, fault=of.message) for of in error.problems)
        raise CannotWriteError(*(Problem(message, hint=hint) for message in told)) from error


def _faults(book: Book, source: Source) -> Iterator[Problem]:
    """Everything in a book that cannot be."""
    if book.game not in games.names():
        yield source.problem(("game",), tr("no game {game!r}", game=book.game), near(book.game, games.names()))
    else:
        game = games.load(book.game)
        yield from (source.problem(*strange) for strange in game.unknown_options(book.wishes))
        yield from (source.problem(*fault) for fault in option_faults(game, book.wishes, book.files))
    try:
        parse_code(book.code)
    except WrongUsageError as error:
        yield from (source.problem(("code",), problem.message, problem.hint) for problem in error.problems)
    for keys, text in _texts(book):
        if text and (fault := name_fault(text)):
            yield source.problem(keys, fault, name_hint(text))
    names: dict[str, int] = {}
    drawn: dict[int, str] = {}
    for at, player in enumerate(book.players):
        if means(player.name, cells().bye):
            yield source.problem(("players", at), tr("has no name"))
        if plain(player.name) in names:
            yield source.problem(("players", at), tr("{name} appears twice", name=player.name))
        names[plain(player.name)] = at
        if (other := drawn.setdefault(player.lot, player.name)) != player.name:
            told = tr(
                "{name} and {other} have the same lot number: {lot}", name=player.name, other=other, lot=player.lot
            )
            yield source.problem(("players", at), told, tr("give one of the two players another number"))
    for at, pair in enumerate(book.apart):
        if plain(pair[0]) == plain(pair[1]):
            yield source.problem(("apart", at), tr("{name} is listed twice", name=pair[0]))
        for name in pair:
            if plain(name) not in names:
                yield source.problem(("apart", at), *_stranger(name, book))
    numbers: list[int] = []
    for at, one in enumerate(book.round):
        if one.number in numbers or one.number != max([one.number, *numbers]):
            yield source.problem(("round", at, "number"), tr("rounds must be in order, each once"))
        numbers.append(one.number)
        yield from _round_faults(book, one, ("round", at), source)


def _texts(book: Book) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Whatever is printed, and where it stands."""
    yield ("name",), book.name
    for at, line in enumerate(book.notices):
        yield ("notices", at), line
    for at, player in enumerate(book.players):
        yield ("players", at), player.name
        yield ("players", at), player.team
    for number, one in enumerate(book.round):
        for at, meeting in enumerate(one.meetings):
            yield ("round", number, "meetings", at), meeting.team
            yield ("round", number, "meetings", at), meeting.against
    for wish, text in book.wishes.items():
        yield ("wishes", wish), text


def _stranger(name: str, book: Book) -> tuple[str, str]:
    """What to say of a name that is on no list, and of the near match."""
    return tr("no player {name!r}", name=name[:40]), near(name, [one.name for one in book.players])


def _round_faults(book: Book, one: Played, keys: tuple[str | int, ...], source: Source) -> Iterator[Problem]:
    """Everything in a round that cannot be."""
    seen: dict[str, int] = {}
    names = {plain(player.name) for player in book.players}
    for at, meeting in enumerate(one.meetings):
        here = (*keys, "meetings", at)
        for name in filter(None, (meeting.a, meeting.b)):
            if plain(name) not in names:
                yield source.problem(here, *_stranger(name, book))
            if plain(name) in seen:
                told = tr("{name} plays", name=name)
                yield source.problem(here, tr("{message} twice in round {number}", message=told, number=one.number))
            seen[plain(name)] = at
        if bool(meeting.b) != bool(meeting.table):
            yield source.problem(here, tr("a pair has a table, a bye does not"))
    for table, many in Counter(m.table for m in one.tables).items():
        if table and many > 1:
            told = tr("table {table} is taken", table=table)
            yield source.problem(
                (*keys, "meetings"), tr("{message} twice in round {number}", message=told, number=one.number)
            )
    if one.final and one.final != 2 * len(one.tables):
        told = tr(
            "this round of the final is for {final} players, but {count} are paired",
            final=one.final,
            count=2 * len(one.tables),
        )
        yield source.problem((*keys, "final"), told)
    there = {meeting.table for meeting in one.tables}
    games_seen: set[tuple[int, int]] = set()
    for at, game in enumerate(one.results):
        here = (*keys, "results", at)
        if game.table not in there:
            yield source.problem(here, tr("there is no table {table} in round {n}", table=game.table, n=one.number))
        if not 1 <= game.game <= book.games:
            yield source.problem(here, tr("a table plays {games} games", games=book.games))
        if (game.table, game.game) in games_seen:
            yield source.problem(here, tr("this game is already listed"))
        games_seen.add((game.table, game.game))


def lots(code: str, names: Sequence[str], taken: Iterable[int] = ()) -> list[int]:
    """A number for each name, drawn from the event's code: nobody can choose his own, and no two are alike."""
    there, found = set(taken), list[int]()
    for name in names:
        stream = RngStreams(code, "v1/tournament-lot").at(plain(name))
        lot = 1 + stream.below(_LOTS)
        while lot in there:
            lot = 1 + stream.below(_LOTS)
        there.add(lot)
        found.append(lot)
    return found


def enrolled(code: str, entrants: Sequence[Entrant], since: int = 1, taken: Iterable[int] = ()) -> list[Player]:
    """Players as they are put on the list, each with his number."""
    drawn = lots(code, [one.name for one in entrants], taken)
    return [Player(one.name, lot, one.team, since) for one, lot in zip(entrants, drawn, strict=True)]


def back(player: Player, first: int) -> Player:
    """Somebody who had left and plays again from a round on."""
    away = {*player.away, *range(player.left, first)}
    return replace(player, left=0, away=tuple(sorted(away)))


def has_played(book: Book, player: Player) -> bool:
    """Whether a player is in a round that is paired, or was before it was reopened: with an opponent or a bye."""
    rounds = (*book.round, *(past.round for past in book.undone))
    return any(
        plain(player.name) in (plain(m.a), plain(m.b), plain(m.against)) for one in rounds for m in one.meetings
    )


def with_rounds(book: Book, rounds: Iterable[Round]) -> Book:
    """The book with rounds that were paired elsewhere; whoever is new in them is put on the list.

    Results of a round stay as long as the same players meet at the same tables.
    """
    for one in rounds:
        known = {plain(player.name): player.name for player in book.players}
        new = [Entrant(name) for p in one.pairings for name in (p.a, p.b) if name and plain(name) not in known]
        first = min([one.number, *(r.number for r in book.round)])
        since = 1 if one.number == first else one.number
        for player in enrolled(book.code, new, since, [player.lot for player in book.players]):
            book = book.with_player(player)
        players = {plain(player.name): player for player in book.players}
        for p in one.pairings:
            for player in (players[plain(name)] for name in (p.a, p.b) if name):
                if (now := _in_round(player, one.number, plays=bool(p.b))) != player:
                    book = book.with_player(now)
        meetings = tuple(Meeting(p.a, p.b, p.table, p.team, p.half, p.against) for p in one.pairings)
        old = book.at(one.number)
        if old is None or _seats(old.of()) != _seats(one):
            book = book.with_round(Played(one.number, meetings))
    return book


def _in_round(player: Player, number: int, plays: bool) -> Player:
    """A player who stands in a round's pairings, whatever was known before: joined earlier, back, or not absent."""
    if 0 < player.left <= number:
        player = back(player, number)
    away = tuple(n for n in player.away if n != number)
    rests = tuple(n for n in player.rests if n != number) if plays else player.rests
    return replace(player, since=min(player.since, number), away=away, rests=rests)


def _seats(of: Round) -> list[tuple[int, str, str, str]]:
    """Who sits where: what is paired elsewhere does not tell which byes count half."""
    return [(p.table, p.a, p.b, p.team) for p in of.pairings]


def mistyped(book: Book, rounds: Iterable[Round]) -> list[tuple[int, str, str]]:
    """Names that are new in a round while one near to them is missing from it: the round, the name, the near one."""
    known = {plain(player.name): player.name for player in book.players}
    found = []
    for one in sorted(rounds, key=lambda one: one.number):
        here = {plain(name): name for p in one.pairings for name in (p.a, p.b) if name}
        missing = [name for key, name in known.items() if key not in here]
        new = [name for key, name in here.items() if key not in known]
        found += [(one.number, name, meant) for name in new if (meant := nearest(name, missing))]
        known |= here
    return found


def one_letter_apart(book: Book, name: str) -> str:
    """Return the player on the list whose name is one letter from that one; empty if there is none.

    Names of less than five letters, and those that differ in a digit, are often two players'.
    """
    made = plain(name)
    near_ = (player.name for player in book.players if _is_near(made, plain(player.name)))
    return next(near_, "")


def _is_near(one: str, two: str) -> bool:
    """Whether one letter was left out, added, changed, or exchanged with the next between two different names."""
    if one == two or max(len(one), len(two)) < _LEAST_NEAR or abs(len(one) - len(two)) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    if any(text[at : at + 1].isdecimal() for text in (one, two)):
        return False
    swapped = one[at : at + 2] == two[at : at + 2][::-1] and one[at + 2 :] == two[at + 2 :]
    changed = one[at + 1 :] == two[at + 1 :]
    return swapped or changed or one[at + 1 :] == two[at:] or one[at:] == two[at + 1 :]


def opened(book: Book, number: int, at: str) -> Book:
    """The book without what is known of a round, which stands among what was undone."""
    one = book.at(number)
    if one is None:
        return book
    rounds = tuple(of for of in book.round if of.number != number)
    return replace(book, round=rounds, undone=(*book.undone, Undone(at, one)))


def still(book: Book, number: int, given: Round) -> bool:
    """Whether a round is paired as the book has it, in whatever order."""
    one = book.at(number)
    return one is not None and pairs(one.of()) == pairs(given)


def pairs(of: Round) -> set[tuple[int, str, str]]:
    """Who sits where, in whatever order."""
    return {(p.table, plain(p.a), plain(p.b)) for p in of.pairings}


def as_cells(game: Game, bids: bool) -> dict[str, object]:
    """Return a recorded game as the cells of results.csv that a person fills in."""
    cells: dict[str, object] = {"score_a": game.score[0], "score_b": game.score[1]}
    cells |= {"lost_a": game.lost[0], "lost_b": game.lost[1]}
    cells |= {"bid_a": game.bid[0], "bid_b": game.bid[1]} if bids else {}
    return cells | ({} if game.won == outcome(game.score) and not bids else {"winner": game.won})


def disputed(game: Game, bid: Bid) -> bool:
    """Return whether the scores of a game, less bids of banners, name another winner than the recorded one."""
    bids = game.bid if bid == "banners" else (0, 0)
    return outcome((game.score[0] - bids[0], game.score[1] - bids[1])) not in ("draw", game.won)


def outcome(score: tuple[int, int]) -> Outcome:
    """Who won by what was counted."""
    return "draw" if score[0] == score[1] else "a" if score[0] > score[1] else "b"
