"""Read and check the options of Call to Arms: cards, reserves, war councils and Specialists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from generator.common.game import GameOption, PieceSets, option_texts
from generator.errors import WrongUsageError, among
from generator.games.battlelore import options as battle
from generator.games.battlelore.forces import COMMANDER, Council, Pool, council_tables, councils, load_pool
from generator.games.battlelore.ground import SIDES, Side, side_name
from generator.games.battlelore.model import AGES, LORE, MEDIEVAL, OTHER, drawer, evened
from generator.games.battlelore.options import Setting
from generator.games.call_to_arms.cards import KEYS, SETS, CardUnit, Deck, cell_name, set_of
from generator.games.call_to_arms.decks import load_deck
from generator.games.call_to_arms.specialists import specialists
from generator.games.call_to_arms.tables import numbers, switches
from generator.games.call_to_arms.twins import alike, twinned
from generator.grid.hexes import Hex, HexField
from generator.localization import tr, tr_external
from generator.model.scenario import Request


def listed(text: str) -> tuple[str, ...]:
    """Return the items of a list that a user entered.

    >>> listed("A3、 a1,A7")
    ('A3', 'a1', 'A7')
    """
    plain = unicodedata.normalize("NFKC", text)
    return tuple(part.strip() for part in re.split(r"[,、]", plain) if part.strip())


def _council(request: Request, camp: Side) -> Council:
    """Return the war council given by an option such as `commander 2, warrior 3`; empty if it is not given."""
    option, tables = f"--council-{camp}", council_tables()
    levels: dict[str, int] = {}
    for part in listed(request.options.get(f"council-{camp}", "")):
        match = re.fullmatch(r"([a-z]+)[\s=:]*([0-9])", part.lower())
        if not match:
            raise WrongUsageError(
                tr(
                    "{option}: {part!r} is not valid; write a seat and its level, such as commander 2",
                    option=option,
                    part=part[:20],
                )
            )
        among(match[1], tables.seats, tr("{option}: there is no seat named {name!r}", option=option, name=match[1]))
        levels[match[1]] = int(match[2])
    if levels and tuple((seat, levels.get(seat, 0)) for seat in tables.seats) not in councils():
        hint = tr(
            "the level of the {commander} is {least} to {most}, and the other levels are at most {others}",
            commander=COMMANDER,
            least=tables.commander.minimum,
            most=tables.commander.maximum,
            others=tables.master.maximum,
        )
        raise WrongUsageError(
            tr("{option}: the levels must add up to {levels}", option=option, levels=tables.levels), hint=hint
        )
    return {seat: levels[seat] for seat in tables.seats if levels.get(seat)}


def picks_of(request: Request, lore_game: bool, requested: Mapping[Side, Council]) -> dict[Side, tuple[str, ...]]:
    """Return the Specialists that each camp requests.

    Raises:
        WrongUsageError: If a Specialist is requested twice, or if the age or a requested council excludes it.
    """
    given = {camp: listed(request.options.get(f"specialists-{camp}", "")) for camp in SIDES}
    picks = {camp: tuple(_known(f"--specialists-{camp}", name) for name in names) for camp, names in given.items()}
    for camp, names in picks.items():
        for i, name in enumerate(names):
            card, option = specialists()[name], f"--specialists-{camp}"
            if name in names[:i] or (camp == SIDES[0] and name in picks[OTHER[camp]]):
                raise WrongUsageError(
                    tr("{option}: {name} is listed twice", option=option, name=name),
                    hint=tr("a card cannot be picked twice"),
                )
            if card.lore_only and not lore_game:
                raise WrongUsageError(
                    tr("{option}: {name} can be used only in Lore games", option=option, name=name),
                    hint=tr("add --age lore"),
                )
            if requested[camp] and card.level(requested[camp]) <= card.above:
                needs = f"{card.needs} {card.above + 1}"
                raise WrongUsageError(
                    tr("{option}: {name} needs {needs}", option=option, name=name, needs=needs),
                    hint=tr("choose the war council with --council-{camp}", camp=camp),
                )
    return picks


def least_levels(names: tuple[str, ...]) -> dict[str, int]:
    """Return the minimum levels of Lore Masters that these Specialists need, keyed by class."""
    cards = [specialists()[name] for name in names]
    return {card.needs: card.above + 1 for card in cards if card.needs}


def plays_of(request: Request, camp: Side) -> Mapping[str, tuple[str, ...]]:
    """Return the choices given by an option such as `infiltration: P3>D5 P4>E5; prayer`, keyed by Specialist."""
    plays: dict[str, tuple[str, ...]] = {}
    for part in unicodedata.normalize("NFKC", request.options.get(f"plays-{camp}", "")).split(";"):
        name, _, choices = part.partition(":")
        if name.strip():
            plays[_known(f"--plays-{camp}", name)] = (
                tuple(re.split(r"[\s,、]+", choices.strip())) if choices.strip() else ()
            )
    return plays


def _known(option: str, name: str) -> str:
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    message = tr("{option}: there is no Specialist named {name!r}", option=option, name=name.strip()[:30])
    return among(plain, specialists(), message)


RequestedReserves = tuple[tuple[str, str], ...]
"""Cells of the reserve card in order of arrival, each with its hex or an empty text."""


def reserves_of(request: Request, camp: Side) -> RequestedReserves:
    """Return the reserves given by an option such as `a3>B1, c2`."""
    parts = (part.partition(">") for part in listed(request.options.get(f"reserves-{camp}", "")))
    return tuple((cell.strip().lower(), at.strip().upper()) for cell, _, at in parts)


def picked(camp: Side, requested: RequestedReserves, units: Sequence[CardUnit], count: int) -> list[CardUnit]:
    """Return the requested units of the reserve card.

    Raises:
        WrongUsageError: If a requested cell has no unit, or if the number of cells is wrong.
    """
    option = f"--reserves-{camp}"
    by_cell = {cell_name((unit.column, unit.row)): unit for unit in units}
    for cell, _ in requested:
        message = tr("{option}: the reserve card has no unit on cell {cell!r}", option=option, cell=cell[:20])
        among(cell, by_cell, message)
    cells = [cell for cell, _ in requested]
    if len(set(cells)) < len(cells) or len(cells) > count or (count < len(units) and len(cells) < count):
        raise WrongUsageError(
            tr("{option}: give {count} different cells of the reserve card", option=option, count=count)
        )
    return [by_cell[cell] for cell in cells]


def place(camp: Side, name: str, room: Sequence[Hex], field: HexField) -> Hex:
    """Return the requested hex for a reserve.

    Raises:
        WrongUsageError: If a reserve cannot be placed there.
    """
    at = field.find(name)
    if at is None or at not in room:
        free = ", ".join(field.name(cell) for cell in room)
        raise WrongUsageError(
            tr("--reserves-{camp}: no reserve unit can be placed on {name!r}", camp=camp, name=name[:20]),
            hint=tr("free hexes on the baseline: {free}", free=free),
        )
    return at


HAND = 4
"""The number of cards of a camp: left, centre, right and reserve."""
IMPROMPTU, ORGANIZED = MODES = ("impromptu", "organized")
SET_COUNTS = {IMPROMPTU: 1, ORGANIZED: 2}
"""The number of sets from which a camp's cards come, keyed by mode."""
RANDOM, STRONG = PLACES = ("random", "strong")


@cache
def draw_options() -> tuple[GameOption, ...]:
    """Return every option of Call to Arms."""
    texts = option_texts("battlelore", "call_to_arms")
    return (
        GameOption("mode", texts["mode"], MODES, default=IMPROMPTU),
        GameOption("age", texts["age"], AGES, default=MEDIEVAL),
        GameOption("owner", texts["owner"], SIDES),
        GameOption("place", texts["place"], PLACES, default=RANDOM),
        *(option for camp in SIDES for option in _of_camp(camp)),
        *battle.setting_options(switches()),
        GameOption("deck", texts["deck"], file=True, metavar="FILE"),
        GameOption("pool", texts["pool"], file=True, metavar="FILE"),
    )


def _of_camp(camp: Side) -> Iterator[GameOption]:
    """Yield the options that exist separately for each camp."""
    metavars = {
        "set": "A",
        "cards": "A1,A2,…",
        "place": "A1,A2,…",
        "reserves": "CELL>HEX,…",
        "council": "LEVELS",
        "specialists": "NAME,NAME",
        "plays": "PLAYS",
    }
    sets = PieceSets({key: set_of(key) for key in KEYS}, "mode", SET_COUNTS, (ORGANIZED,), f"set-{camp}")
    cards: dict[str, Any] = {"known": KEYS, "max_values": HAND, "pieces": "cards", "sets": sets}
    names = {card.id: card.label for card in specialists().values()}
    more: dict[str, dict[str, Any]] = {
        "set": {"known": SETS},
        "cards": cards,
        "place": cards,
        "specialists": {"known": (*names,), "max_values": len(names), "names": names},
    }
    for what, metavar in metavars.items():
        text = option_texts("call_to_arms")["place_cards" if what == "place" else what].fill(camp=side_name(camp))
        yield GameOption(f"{what}-{camp}", text, metavar=metavar, **more.get(what, {}))


class DrawOptions(Struct, frozen=True):
    """The checked options of a request. Missing options are empty or have their defaults."""

    setting: Setting
    mode: str
    age: str
    owner: Side | None
    place: str
    sets: Mapping[Side, tuple[str, ...]]
    cards: Mapping[Side, tuple[str, ...]]
    places: Mapping[Side, tuple[str, ...]]
    councils: Mapping[Side, Council]
    specialists: Mapping[Side, tuple[str, ...]]
    plays: Mapping[Side, Mapping[str, tuple[str, ...]]]
    reserves: Mapping[Side, RequestedReserves]
    deck: Deck
    pool: Pool

    @classmethod
    def of(cls, request: Request) -> DrawOptions:
        """Read the options of a request.

        Raises:
            WrongUsageError: If an option is invalid.
            DataError: If a file is invalid.
        """
        request = alike(request, request.options.get("mode") == ORGANIZED)
        setting = Setting.of(request, switches())
        deck, pool = load_deck(request.files.get("deck")), load_pool(request.files.get("pool"))
        if setting.mirrored:
            deck, pool = twinned(deck), evened(pool)
        requested = request.options
        mode, age = requested.get("mode", IMPROMPTU), requested.get("age", MEDIEVAL)
        if mode != ORGANIZED:
            names = ("owner", *(f"{what}-{camp}" for what in ("specialists", "plays") for camp in SIDES))
            _only(request, names, tr("Organized games"), "--mode organized")
        if age != LORE:
            _only(request, [f"council-{camp}" for camp in SIDES], tr("Lore games"), "--age lore")
        councils = {camp: _council(request, camp) for camp in SIDES}
        return cls(
            setting=setting,
            mode=mode,
            age=age,
            owner=next((camp for camp in SIDES if camp == requested.get("owner")), None),
            place=requested.get("place", RANDOM),
            sets={camp: _sets(request, deck, camp, mode) for camp in SIDES},
            cards={camp: _cards(request, deck, camp, "cards", mode) for camp in SIDES},
            places={camp: _cards(request, deck, camp, "place", mode) for camp in SIDES},
            councils=councils,
            specialists=picks_of(request, age == LORE, councils),
            plays={camp: plays_of(request, camp) for camp in SIDES},
            reserves={camp: reserves_of(request, camp) for camp in SIDES},
            deck=deck,
            pool=pool,
        )

    def drawer(self, camp: Side) -> Side:
        """Return the camp whose random streams a camp uses.

        In a mirrored scenario both camps use the same streams.
        """
        return drawer(camp, mirrored=self.setting.mirrored)

    @staticmethod
    def absolute(camp: Side, ref: str) -> str:
        """Return the name of a set or card with its camp, so that `A` becomes `A/pennant`."""
        return ref if "/" in ref else f"{ref}/{camp}"

    def sets_of(self, camp: Side) -> tuple[str, ...]:
        """Return the requested sets of a camp, or the sets of its requested cards."""
        return self.sets[camp] or tuple(dict.fromkeys(set_of(ref) for ref in self.cards[camp]))

    def settle(self, owner: Side) -> None:
        """Check that the players do not request the same set.

        Raises:
            WrongUsageError: If they do.
        """
        other = OTHER[owner]
        others = {self.absolute(other, ref) for ref in self.sets_of(other)}
        both = [ref for ref in self.sets_of(owner) if self.absolute(owner, ref) in others]
        if both:
            raise WrongUsageError(
                tr("both players choose set {name}", name=self.absolute(owner, both[0])),
                hint=tr(
                    "the {owner} player owns the expansion, so choose another set with --set-{other} or "
                    "--cards-{other}",
                    owner=tr_external(owner),
                    other=other,
                ),
            )

    def placed(self, camp: Side, hand: tuple[str, ...]) -> tuple[str, ...]:
        """Return a camp's cards in their requested places; empty if no places are requested.

        Raises:
            WrongUsageError: If the places are requested for cards that are not in the hand.
        """
        places = self.places[camp]
        if places and sorted(places) != sorted(hand):
            raise WrongUsageError(
                tr("--place-{camp} must use the hand of the {camp} player: {hand}", camp=camp, hand=[*hand]),
                hint=tr("place these 4 cards, or choose other cards with --cards-{camp}", camp=camp),
            )
        return places


def _only(request: Request, names: Iterable[str], where: str, how: str) -> None:
    for name in names:
        if name in request.options:
            raise WrongUsageError(
                tr("--{name} can be used only in {where}", name=name, where=where), hint=tr("add {how}", how=how)
            )


def _ref(text: str, camp: Side) -> str:
    """Return the name of a card or set as its camp writes it.

    `a3` becomes `A3`, and the name of the camp itself after the slash is removed.
    """
    key, _, other = text.partition("/")
    other = other.strip().lower()
    return key.strip().upper() + (f"/{other}" if other and other != camp else "")


def _sets(request: Request, deck: Deck, camp: Side, mode: str) -> tuple[str, ...]:
    option, count = f"--set-{camp}", numbers().mode[mode].sets
    text = request.options.get(f"set-{camp}", "")
    sets = tuple(sorted(_ref(part, camp) for part in listed(text)))
    known = deck.sets if mode != ORGANIZED else (*deck.sets, *(f"{s}/{OTHER[camp]}" for s in deck.sets))
    for ref in sets:
        among(ref, known, tr("{option}: there is no set named {ref!r}", option=option, ref=ref[:20]))
    if text and (len(sets) != count or len(set(sets)) != count):
        raise WrongUsageError(
            tr("{option}: give {count} different sets", option=option, count=count)
            if count > 1
            else tr("{option}: give one set", option=option)
        )
    return sets


def _cards(request: Request, deck: Deck, camp: Side, what: str, mode: str) -> tuple[str, ...]:
    """Return the four different cards that an option names; empty if the option is not given."""
    text = request.options.get(f"{what}-{camp}", "")
    if not text:
        return ()
    option, max_sets = f"--{what}-{camp}", numbers().mode[mode].sets
    keys = tuple(_ref(part, camp) for part in listed(text))
    camps = (camp,) if mode != ORGANIZED else SIDES
    known = [c.key if c.camp == camp else f"{c.key}/{c.camp}" for c in deck.cards if c.camp in camps]
    for key in keys:
        among(key, known, tr("{option}: there is no card named {key!r}", option=option, key=key[:20]))
    if len(keys) != numbers().drawn or len(set(keys)) != len(keys):
        raise WrongUsageError(tr("{option}: give 4 different cards, such as A3,A1,A7,A5", option=option))
    sets = {set_of(key) for key in keys}
    if len(sets) > max_sets:
        raise WrongUsageError(
            tr("{option}: choose the 4 cards from one set", option=option)
            if max_sets == 1
            else tr("{option}: choose the 4 cards from 2 sets", option=option)
        )
    requested = _sets(request, deck, camp, mode)
    if requested and not sets <= set(requested):
        raise WrongUsageError(
            tr(
                "{option}: these cards are not in set {set}, which is chosen with --set-{camp}",
                option=option,
                set=" ".join(requested),
                camp=camp,
            )
        )
    return keys
