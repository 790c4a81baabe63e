"""`muster play`: play a game between two computer players, or against one."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from generator.cli import console, output, request, safe_write
from generator.cli.help import Verb
from generator.cli.output import out_file
from generator.cli.playing import playing_for, playing_with_trials
from generator.cli.print_options import SCREEN_DPI
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
from generator.model.scenario import WithTexts
from generator.model.views import Kit, MapView, Sheet
from generator.model.words import LANGS, Lang, Words
from generator.seeds import Rng
from generator.store.manifest import seal

MAX_LISTED_MOVES = 60
"""The maximum number of moves that are listed at once."""


class _PlayerLeftError(Exception):
    """Raised if the player ends the game early."""


class HumanPlayer(msgspec.Struct):
    """A player at the terminal, with the same interface as the policy of a computer player."""

    playing: Playing[Any]
    seat: int
    lang: Lang

    def pick(self, engine: Engine[Any, Any], state: Any, rng: Rng) -> Any:
        """Prompt until the player enters a legal move, and return the move."""
        texts = shared_words()["played"]
        known: Mapping[str, Any] = {_normalized(engine.write(state, move)): move for move in engine.moves(state)}
        by_letters = {_folded(name): move for name, move in known.items()}
        console.print_line(engine.describe(state)[self.lang])
        console.print_line(texts["yours"].fill(seat=self.playing.seats[self.seat])[self.lang])
        while True:
            user_input = _normalized(click.prompt("", default="", show_default=False, prompt_suffix="> "))
            if not user_input:
                raise _PlayerLeftError
            if user_input in known:
                return known[user_input]
            if len(by_letters) == len(known) and _folded(user_input) in by_letters:
                return by_letters[_folded(user_input)]
            if user_input.startswith("?"):
                listed = [name for name in known if _folded(name).startswith(_folded(user_input[1:].strip()))]
                for name in listed[:MAX_LISTED_MOVES]:
                    console.print_line(f"  {name}")
                if len(listed) > MAX_LISTED_MOVES:
                    console.print_line(f"  … {len(listed)}")
                continue
            console.print_line(texts["unknown"].fill(typed=user_input)[self.lang])
            if meant := nearest(user_input, known):
                console.print_line(f"  {meant}?")


def _normalized(text: str) -> str:
    """Return a move with single spaces and half-width characters."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _folded(move: str) -> str:
    """Return a move in lower case, with spaces in place of underscores."""
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
    """Play a scenario move by move, between two computer players or between the user and one (--me)."""
    loaded = load(file)
    playing = playing_for(loaded)
    if number is not None and (players or me or seed or strength != "full"):
        raise WrongUsageError(
            tr("the number given to --game determines the players and the dice"), hint=tr("omit the other options")
        )
    if as_json and me:
        raise WrongUsageError(tr("--me is for playing on the terminal and cannot be combined with --json"))
    engine = playing.engine(loaded.scenario)
    teller, log, steps = engine.narrator(), list[Words](), list[dict[str, object]]()
    displayed, snapshots = not as_json and out is None, Snapshots(engine)
    last: list[Any] = []

    def record(state: Any, move: Any, by_dice: bool) -> None:
        who = engine.to_move(state) % len(SEATS)
        written = str(move) if by_dice else engine.write(state, move)
        if pictures:
            snapshots.add(state, len(log))
        steps.append({"seat": who, "dice": by_dice, "what": move if by_dice else written})
        new_lines = list(teller(state, move, by_dice))
        log.extend(new_lines)
        for line in new_lines if displayed else ():
            console.print_line(line[lang])
        if pictures or as_json:
            last[:] = [engine.fall(state, move) if by_dice else engine.act(state, move)]
        if pictures and engine.ended(last[0]):
            snapshots.add(last[0], len(log))

    code = None if number is not None else request.parse_seed(seed)
    if isinstance(loaded.scenario, WithTexts) and loaded.scenario.texts.special_rules.en:
        console.print_line(shared_words()["adventure"]["not_played"][lang], err=True)
    try:
        if number is not None:
            of = case(playing_with_trials(loaded), number)
            if of is None:
                raise WrongUsageError(tr("--game {number}: there is no game with this number", number=number))
            policies = [playing.all_policies[name] for name in of.seats]
            _print_seats(playing, policies, lang, displayed)
            row = play(engine, playing, scenario_key(loaded.game, loaded.scenario), of, record)
            end = Outcome(row.winner, row.counted, row.length)
        else:
            policies = _policies(playing, players, strength, me, lang)
            _print_seats(playing, policies, lang, displayed)
            end = _play_free_game(engine, str(code), policies, record)
    except _PlayerLeftError:
        console.print_line(shared_words()["played"]["left"][lang])
        return
    result = _result_line(loaded, playing, end)
    if out:
        safe_write.write_file(out, seal("\n".join([*(line[lang] for line in log), ""]).encode()))
    if pictures:
        safe_write.write_folder(pictures, snapshots.files(loaded, file.parent, log, lang))
    if as_json:
        rows = {
            "file": str(out or ""),
            "game": loaded.game.name,
            "number": number,
            "code": code,
            "players": [policy.id for policy in policies],
            "steps": steps,
            "log": [line[lang] for line in log],
            "winner": end.winner,
            "counted": list(end.counted),
            "length": end.length,
            "left": dict(playing.left(engine, last[0])) if playing.left and last else None,
        }
        console.print_json(rows)
        return
    console.print_line(result[lang])
    if out:
        click.echo(f"{out}")


class Snapshots:
    """Snapshots of a game at each change of position, with the log lines between them."""

    def __init__(self, engine: Engine[Any, Any]) -> None:
        self.engine = engine
        self.moments: list[tuple[Words, MapView, int]] = []
        """The description of each position, its map, and the number of log lines before it."""

    def add(self, state: Any, line_count: int) -> None:
        """Add a snapshot if the position differs from the last snapshot.

        Raises:
            WrongUsageError: If the game has no pictures of play.
        """
        position = self.engine.describe(state)
        if self.moments and self.moments[-1][0] == position:
            return
        view = self.engine.view(state)
        if view is None:
            raise WrongUsageError(tr("Muster cannot draw pictures of play for this game"))
        if self.moments and self.moments[-1][2] == line_count:
            self.moments.pop()  # The last snapshot is replaced, because no log line followed it.
        self.moments.append((position, view, line_count))

    def files(self, loaded: Loaded, folder: Path, log: Sequence[Words], lang: Lang) -> dict[str, bytes]:
        """Return a PNG of each snapshot, keyed by file name."""
        from generator.press.layout.print_settings import PrintSettings
        from generator.press.png import page_pngs

        ends = [line_count for _, _, line_count in self.moments[1:]] + [len(log)]
        sheets = tuple(
            Sheet(
                "moment",
                shared_words()["played"]["moment"].fill(n=number),
                "moment.xml",
                {"line": position, "lines": list(log[began:end])},
                {"map": view},
                pages=3,
            )
            for number, ((position, view, began), end) in enumerate(zip(self.moments, ends, strict=True), 1)
        )
        kit = Kit(loaded.game.title, loaded.scenario.title, loaded.stamp, sheets)
        pages = page_pngs(
            output.kit_pdf(output.with_scenario_credit(kit, loaded, folder), PrintSettings(lang=lang)), SCREEN_DPI
        )
        return {f"moment-{number:02}.png": page for number, page in enumerate(pages, 1)}


def _print_seats(playing: Playing[Any], policies: Sequence[Policy], lang: Lang, displayed: bool) -> None:
    """Print which player has which side."""
    texts = shared_words()["played"]
    for seat, policy in zip(playing.seats, policies, strict=True) if displayed else ():
        sentence = texts["seated" if policy.text[lang] else "sits"]
        console.print_line(sentence.fill(seat=seat, policy=policy.name, text=policy.text)[lang])


def _play_free_game(engine: Engine[Any, Any], code: str, policies: Sequence[Policy], record: Any) -> Outcome:
    """Play a game whose random numbers come from its own code."""
    first, second = (
        Seated(policy, Rng(code, f"{PATH}/free/mind-{seat}"), Rng(code, f"{PATH}/free/luck-{seat}"))
        for seat, policy in enumerate(policies)
    )
    firsts = engine.firsts
    begins = firsts[Rng(code, f"{PATH}/free/first").below(len(firsts))]
    return play_game(engine, begins, (first, second), record)


def _policies(
    playing: Playing[Any], players: str | None, strength: Strength, me: str | None, lang: Lang
) -> list[Policy]:
    """Return the policy of each side.

    Raises:
        WrongUsageError: If there is no policy of a given name, or the number of names is wrong.
    """
    known = playing.all_policies
    names = [name.strip() for name in players.split(",")] if players else [*known][:2]
    names = names * 2 if len(names) == 1 else names
    for name in names:
        if name not in known:
            raise WrongUsageError(
                tr("--players: there is no player named {name!r}", name=name[:40]), hint=near(name[:40], known)
            )
    if len(names) != len(SEATS):
        raise WrongUsageError(tr("--players takes one player for each side"), hint=", ".join(known))
    found = [at_strength(known[name], strength) for name in names]
    if me is not None:
        seat = _find_seat(playing, me)
        person = HumanPlayer(playing, seat, lang)
        words = shared_words()["played"]["you"]
        found[seat] = Policy("me", words, Words("", ""), person.pick)
    return found


def _find_seat(playing: Playing[Any], raw: str) -> int:
    """Return the index of a seat, given its name, the first letters of its name, or its number from 1.

    Raises:
        WrongUsageError: If there is no such seat.
    """
    plain = unicodedata.normalize("NFKC", raw).strip().casefold()
    seats = {playing.seats[seat][lang].casefold(): seat for seat in SEATS for lang in LANGS}
    seats |= {str(seat + 1): seat for seat in SEATS}
    seats |= dict(zip(("first", "second"), SEATS, strict=True))
    found = [seat for name, seat in seats.items() if plain and name.startswith(plain)]
    if not found:
        raise WrongUsageError(tr("--me: there is no side named {name!r}", name=raw[:40]), hint=near(plain, seats))
    return found[0]


def _result_line(loaded: Loaded, playing: Playing[Any], end: Outcome) -> Words:
    """Return a line with the result of a game."""
    texts = shared_words()["played"]
    won = texts["draw"] if end.winner is None else texts["won"].fill(seat=playing.seats[end.winner])
    counted = loaded.game.score.counted if loaded.game.score else Words("", "")
    first, second = end.counted
    return texts["ended"].fill(result=won, counted=counted, first=first, second=second, length=end.length)
