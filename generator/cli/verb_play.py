"""`muster play`: play a game out, by computer players or against one."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from generator.cli import console, output, put, request
from generator.cli.help import Verb
from generator.cli.output import out_file
from generator.cli.playing import numbered_of, playing_of
from generator.cli.print_options import FINENESS
from generator.cli.scenario import Loaded, load
from generator.common.playing import (
    SEATS,
    STRENGTHS,
    Engine,
    Outcome,
    Playing,
    Policy,
    Seated,
    Strength,
    at_strength,
    play_game,
)
from generator.common.tables import shared_words
from generator.common.trials import PATH, case, play, scenario_key
from generator.errors import WrongUsageError, near, nearest
from generator.localization import tr
from generator.model.views import Kit, MapView, Sheet
from generator.model.words import LANGS, Lang, Words
from generator.seeds import Rng
from generator.store.manifest import seal

LISTED = 60
"""Moves that are listed to a person at once."""


class _LeftError(Exception):
    """The person has left the game."""


class Person(msgspec.Struct):
    """A person at the terminal, who plays as a policy does."""

    playing: Playing[Any]
    seat: int
    lang: Lang

    def pick(self, engine: Engine[Any, Any], state: Any, stream: Rng) -> Any:
        """Ask until a lawful move is typed."""
        say = shared_words()["played"]
        known: Mapping[str, Any] = {_plain(engine.write(state, move)): move for move in engine.moves(state)}
        by_letters = {_loosely(name): move for name, move in known.items()}
        console.line(engine.describe(state)[self.lang])
        console.line(say["yours"].fill(seat=self.playing.seats[self.seat])[self.lang])
        while True:
            typed = _plain(click.prompt("", default="", show_default=False, prompt_suffix="> "))
            if not typed:
                raise _LeftError
            if typed in known:
                return known[typed]
            if len(by_letters) == len(known) and _loosely(typed) in by_letters:
                return by_letters[_loosely(typed)]
            if typed.startswith("?"):
                listed = [name for name in known if _loosely(name).startswith(_loosely(typed[1:].strip()))]
                for name in listed[:LISTED]:
                    console.line(f"  {name}")
                if len(listed) > LISTED:
                    console.line(f"  … {len(listed)}")
                continue
            console.line(say["unknown"].fill(typed=typed)[self.lang])
            if meant := nearest(typed, known):
                console.line(f"  {meant}?")


def _plain(text: str) -> str:
    """A move as typed, with single spaces and in the letters in which moves are written."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _loosely(move: str) -> str:
    """The same however large its letters are, and with a name's words apart or not."""
    return move.casefold().replace("_", " ")


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--players", metavar="NAME,NAME")
@click.option("--strength", type=click.Choice(STRENGTHS), default="full", show_default=True)
@click.option("--me", metavar="SEAT")
@click.option("--game", "number", metavar="N", type=click.IntRange(0))
@click.option("--pictures", metavar="FOLDER", type=click.Path(path_type=Path))
@request.seed_option
@out_file(".txt", ".log")
@console.answer_options
def play_verb(
    file: Path,
    players: str | None,
    strength: Strength,
    me: str | None,
    number: int | None,
    pictures: Path | None,
    seed: str | None,
    out: Path | None,
    lang: Lang,
    as_json: bool,
) -> None:
    """Play a scenario, move by move: two computer players, or with --me yourself against one."""
    loaded = load(file)
    playing = playing_of(loaded)
    if number is not None and (players or me or seed or strength != "full"):
        raise WrongUsageError(
            tr("the number of --game sets the players and the dice"), hint=tr("leave the others out")
        )
    if as_json and me:
        raise WrongUsageError(tr("--me plays on the terminal; it cannot be combined with --json"))
    engine = playing.engine(loaded.scenario)
    teller, said, steps = engine.narrator(), list[Words](), list[dict[str, object]]()
    shown, album = not as_json and out is None, Album(engine)
    last: list[Any] = []

    def tell(state: Any, what: Any, fell: bool) -> None:
        who = engine.to_move(state) % len(SEATS)
        written = str(what) if fell else engine.write(state, what)
        if pictures:
            album.see(state, len(said))
        steps.append({"seat": who, "dice": fell, "what": what if fell else written})
        told = list(teller(state, what, fell))
        said.extend(told)
        for line in told if shown else ():
            console.line(line[lang])
        if pictures or as_json:
            last[:] = [engine.fall(state, what) if fell else engine.act(state, what)]
        if pictures and engine.ended(last[0]):
            album.see(last[0], len(said))

    code = None if number is not None else request.code(seed)
    try:
        if number is not None:
            of = case(numbered_of(loaded), number)
            if of is None:
                raise WrongUsageError(tr("--game {number}: no game has that number", number=number))
            policies = [playing.policies[name] for name in of.seats]
            _tell_seats(playing, policies, lang, shown)
            row = play(engine, playing, scenario_key(loaded.game, loaded.scenario), of, tell)
            end = Outcome(row.winner, row.counted, row.length)
        else:
            policies = _policies(playing, players, strength, me, lang)
            _tell_seats(playing, policies, lang, shown)
            end = _free(engine, str(code), policies, tell)
    except _LeftError:
        console.line(shared_words()["played"]["left"][lang])
        return
    result = _result(loaded, playing, end)
    if out:
        put.file(out, seal("\n".join([*(line[lang] for line in said), ""]).encode()))
    if pictures:
        put.folder(pictures, album.files(loaded, file.parent, said, lang))
    if as_json:
        rows = {
            "file": str(out or ""),
            "game": loaded.game.name,
            "number": number,
            "code": code,
            "players": [policy.id for policy in policies],
            "steps": steps,
            "log": [line[lang] for line in said],
            "winner": end.winner,
            "counted": list(end.counted),
            "length": end.length,
            "left": dict(playing.left(engine, last[0])) if playing.left and last else None,
        }
        console.as_json(rows)
        return
    console.line(result[lang])
    if out:
        click.echo(f"{out}")


class Album:
    """Pictures of a game: how it stood whenever that was told otherwise, with what was told until the next."""

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self.engine = engine
        self.moments: list[tuple[Words, MapView, int]] = []
        """How it stood, where everybody was, and how many lines had been told."""

    def see(self, state: Any, told: int) -> None:
        """Look at a state; WrongUsageError where the game draws none."""
        standing = self.engine.describe(state)
        if self.moments and self.moments[-1][0] == standing:
            return
        view = self.engine.view(state)
        if view is None:
            raise WrongUsageError(tr("this game has no pictures of play"))
        if self.moments and self.moments[-1][2] == told:
            self.moments.pop()  # a picture of which nothing is told
        self.moments.append((standing, view, told))

    def files(self, loaded: Loaded, folder: Path, said: Sequence[Words], lang: Lang) -> dict[str, bytes]:
        """A PNG of each moment, by its name."""
        from generator.press.layout.print_settings import PrintSettings
        from generator.press.png import page_pngs

        ends = [told for _, _, told in self.moments[1:]] + [len(said)]
        sheets = tuple(
            Sheet(
                "moment",
                shared_words()["played"]["moment"].fill(n=number),
                "moment.xml",
                {"line": standing, "lines": list(said[began:end])},
                {"map": view},
                pages=3,
            )
            for number, ((standing, view, began), end) in enumerate(zip(self.moments, ends, strict=True), 1)
        )
        kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, sheets)
        pages = page_pngs(output.kit_pdf(output.of_scenario(kit, loaded, folder), PrintSettings(lang=lang)), FINENESS)
        return {f"moment-{number:02}.png": page for number, page in enumerate(pages, 1)}


def _tell_seats(playing: Playing[Any], policies: Sequence[Policy], lang: Lang, shown: bool) -> None:
    """Who sits where."""
    say = shared_words()["played"]
    for seat, policy in zip(playing.seats, policies, strict=True) if shown else ():
        told = say["seated" if policy.text[lang] else "sits"]
        console.line(told.fill(seat=seat, policy=policy.name, text=policy.text)[lang])


def _free(engine: Engine[Any, Any], code: str, policies: Sequence[Policy], tell: Any) -> Outcome:
    """A game by a code of its own."""
    first, second = (
        Seated(policy, Rng(code, f"{PATH}/free/mind-{seat}"), Rng(code, f"{PATH}/free/luck-{seat}"))
        for seat, policy in enumerate(policies)
    )
    firsts = engine.firsts
    begins = firsts[Rng(code, f"{PATH}/free/first").below(len(firsts))]
    return play_game(engine, begins, (first, second), tell)


def _policies(
    playing: Playing[Any], players: str | None, strength: Strength, me: str | None, lang: Lang
) -> list[Policy]:
    """Who plays at each seat; WrongUsageError for a name that is none."""
    known = playing.policies
    names = [name.strip() for name in players.split(",")] if players else [*known][:2]
    names = names * 2 if len(names) == 1 else names
    for name in names:
        if name not in known:
            raise WrongUsageError(tr("--players: no player {name!r}", name=name[:40]), hint=near(name[:40], known))
    if len(names) != len(SEATS):
        raise WrongUsageError(tr("--players takes one player for each side"), hint=", ".join(known))
    found = [at_strength(known[name], strength) for name in names]
    if me is not None:
        seat = _seat(playing, me)
        person = Person(playing, seat, lang)
        words = shared_words()["played"]["you"]
        found[seat] = Policy("me", words, Words("", ""), person.pick)
    return found


def _seat(playing: Playing[Any], typed: str) -> int:
    """The seat of a name in any language, or how it begins, or its number from 1; WrongUsageError: there is none."""
    plain = unicodedata.normalize("NFKC", typed).strip().casefold()
    seats = {playing.seats[seat][lang].casefold(): seat for seat in SEATS for lang in LANGS}
    seats |= {str(seat + 1): seat for seat in SEATS}
    seats |= dict(zip(("first", "second"), SEATS, strict=True))
    found = [seat for name, seat in seats.items() if plain and name.startswith(plain)]
    if not found:
        raise WrongUsageError(tr("--me: no side {name!r}", name=typed[:40]), hint=near(plain, seats))
    return found[0]


def _result(loaded: Loaded, playing: Playing[Any], end: Outcome) -> Words:
    """How it ended, in a line."""
    say = shared_words()["played"]
    won = say["draw"] if end.winner is None else say["won"].fill(seat=playing.seats[end.winner])
    counted = loaded.game.score.counted if loaded.game.score else Words("", "")
    first, second = end.counted
    return say["ended"].fill(result=won, counted=counted, first=first, second=second, length=end.length)
