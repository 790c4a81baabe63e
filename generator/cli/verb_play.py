"""`muster play`: play a game between two computer players, or against one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from generator.cli import console, output, request, safe_write
from generator.cli.help import Verb
from generator.cli.output import out_file
from generator.cli.play_terminal import PlayerLeftError, PlayTerminal
from generator.cli.playing import playing_for, playing_with_trials, result_line, saved_key
from generator.cli.print_options import SCREEN_DPI
from generator.cli.scenario import SCENARIO, SUFFIX, Loaded, load, read_scenario
from generator.common.play_session import (
    PERSON,
    PlaySession,
    SavedGame,
    SavedScenario,
    Seat,
    decode,
    encode,
    frame_values,
    unit_values,
)
from generator.common.playing import (
    LEVELS,
    SEATS,
    STRENGTHS,
    Engine,
    Level,
    Outcome,
    Playing,
    Policy,
    Strength,
)
from generator.common.tables import shared_words
from generator.common.trials import case, play, scenario_key
from generator.errors import DataError, NotInOrderError, Problem, WrongUsageError, describe_error, near
from generator.localization import tr
from generator.model.scenario import WithTexts
from generator.model.views import Kit, MapView, Sheet
from generator.model.words import LANGS, Lang, Words
from generator.notation.text import command as format_command
from generator.notation.toml import Source
from generator.store.folders import folder_of, is_stream
from generator.store.manifest import seal

SAVED_SUFFIX = ".game.json"
"""The end of the name of a saved game."""
PICTURE_SUFFIXES = (".png", ".svg")
"""The suffixes with which --pictures names one picture instead of a folder."""
BOARD_PICTURE = "board.svg"
"""The name of the picture in a folder of pictures that shows the present position."""
PICTURE_MM = 240.0
"""The maximum width and height of that picture in mm, which fills most of a screen."""
STRENGTH_LEVELS: dict[Strength, Level] = {"weak": "weak", "full": "casual"}
"""The level for each value of --strength, the option of earlier versions."""


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--players", metavar="NAME,NAME")
@click.option("--level", type=click.Choice(LEVELS))
@click.option("--strength", type=click.Choice(STRENGTHS))
@click.option("--me", metavar="SEAT")
@click.option("--resume", "resumed", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--save", "saved_in", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--game", "number", metavar="N", type=click.IntRange(0))
@click.option("--pictures", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@request.seed_option
@out_file(".txt", ".log")
@console.answer_options
def play_verb(
    file: Path | None,
    players: str | None,
    level: Level | None,
    strength: Strength | None,
    me: str | None,
    resumed: Path | None,
    saved_in: Path | None,
    number: int | None,
    pictures: Path | None,
    seed: str | None,
    out: Path | None,
    lang: Lang,
    as_json: bool,
) -> None:
    """Play a scenario move by move, between two computer players or between the user and one (--me)."""
    chosen = players or me or seed or level or strength
    if number is not None and (chosen or resumed):
        raise WrongUsageError(
            tr("the number given to --game determines the players and the dice"), hint=tr("omit the other options")
        )
    if as_json and (me or resumed):
        raise WrongUsageError(tr("--me is for playing on the terminal and cannot be combined with --json"))
    if resumed:
        if file or chosen or saved_in:
            raise WrongUsageError(
                tr("--resume continues a saved game with its scenario, players and dice"),
                hint=tr("omit the other options"),
            )
        loaded, session, folder = _resume(resumed)
        try:
            safe_write.check_replaceable(resumed)
        except WrongUsageError as error:
            hint = tr("to go on from the changed file, add --force; every move then replaces it")
            raise WrongUsageError(*(problem.but(hint=hint) for problem in error.problems)) from None
        _play_at_terminal(loaded, session, resumed, folder, pictures, out, lang, resumes=True)
        return
    if file is not None and file.name.endswith(SAVED_SUFFIX):
        raise WrongUsageError(
            tr("{file} is a saved game", file=file),
            hint=tr("to go on with it: {command}", command=_resume_command(file)),
        )
    if file is None:
        raise click.MissingParameter(ctx=click.get_current_context(), param_hint="'FILE'", param_type="argument")
    loaded = load(file)
    playing = playing_for(loaded, file)
    code = None if number is not None else request.parse_seed(seed)
    if isinstance(loaded.scenario, WithTexts) and loaded.scenario.texts.special_rules.en:
        console.print_line(shared_words()["adventure"]["not_played"][lang], err=True)
    if me is not None:
        seats = _seats(playing, players, _level(level, strength, players), _find_seat(playing, me))
        session = PlaySession(playing, loaded.scenario, seats, str(code))
        saved = saved_in or _free_name(file)
        if not saved_in and (earlier := _unfinished_game(file)):
            words = shared_words()["playing"]["earlier"]
            console.print_line(words.fill(file=earlier, command=_resume_command(earlier))[lang])
        safe_write.check_replaceable(saved)
        _play_at_terminal(loaded, session, saved, folder_of(file), pictures, out, lang)
        return
    if saved_in:
        raise WrongUsageError(tr("--save is for a game that you play yourself, with --me"))
    if pictures and pictures.suffix in PICTURE_SUFFIXES:
        raise WrongUsageError(tr("--pictures takes a folder, unless you play yourself with --me"))
    _watch(
        loaded, playing, file, number, code, _level(level, strength, players), players, pictures, out, lang, as_json
    )


def _watch(
    loaded: Loaded,
    playing: Playing[Any],
    file: Path,
    number: int | None,
    code: str | None,
    level: Level,
    players: str | None,
    pictures: Path | None,
    out: Path | None,
    lang: Lang,
    as_json: bool,
) -> None:
    """Play a game between two computer players, and print it."""
    displayed = not as_json and out is None
    if number is None:
        session = PlaySession(playing, loaded.scenario, _seats(playing, players, level, None), str(code))
        seated = [policy for policy in session.policies if policy]
    else:
        of = case(playing_with_trials(loaded, file), number)
        if of is None:
            raise WrongUsageError(tr("--game {number}: there is no game with this number", number=number))
        session = PlaySession(playing, loaded.scenario, (Seat(of.seats[0]), Seat(of.seats[1])), str(number))
        seated = [playing.all_policies[name] for name in of.seats]
    _print_seats(playing, seated, lang, displayed)
    snapshots, log = Snapshots(session.engine), list[Words]()

    def show(state: Any) -> None:
        if pictures:
            snapshots.add(state, len(log))
        new_lines = session.log()[len(log) :]
        log.extend(new_lines)
        for line in new_lines if displayed else ():
            console.print_line(line[lang])

    def record(state: Any, move: Any, by_dice: bool) -> None:
        session.record(state, move)
        show(state)

    if number is None:
        state = session.state
        while session.advance():
            show(state)
            state = session.state
        end = session.outcome
        assert end, "a game of computer players is played to its end"
    else:
        of = case(playing, number)
        assert of
        row = play(session.engine, playing, scenario_key(loaded.game, loaded.scenario), of, record)
        end = Outcome(row.winner, row.counted, row.length)
    if pictures:
        snapshots.add(session.state, len(log))
    result = result_line(loaded, playing, end)
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
            "players": [policy.id for policy in seated],
            "steps": [{"seat": seat, "dice": fell, "what": what} for seat, fell, what in session.steps()],
            "log": [line[lang] for line in log],
            "winner": end.winner,
            "counted": list(end.counted),
            "length": end.length,
            "left": dict(playing.left(session.engine, session.state)) if playing.left else None,
            "units": unit_values(session.units(), lang),
            "frames": [frame_values(frame, lang) for frame in session.frames()],
        }
        console.print_json(rows)
        return
    console.print_line(result[lang])
    if out:
        click.echo(f"{out}")


def _play_at_terminal(
    loaded: Loaded,
    session: PlaySession,
    saved: Path,
    folder: Path,
    pictures: Path | None,
    out: Path | None,
    lang: Lang,
    resumes: bool = False,
) -> None:
    """Play a game against the computer at the terminal, saved in `saved` after every move."""
    texts, playing = shared_words()["playing"], session.playing
    seat = next(number for number in SEATS if session.seats[number].is_person)
    key = saved_key(loaded)
    together = saved.absolute().parent == folder.absolute()
    scenario = SavedScenario(key, loaded.text, "" if together else str(folder.absolute()))

    def save() -> None:
        safe_write.write_file(saved, seal(encode(session.save(scenario, loaded.game.name))))

    picture = pictures / BOARD_PICTURE if pictures and pictures.suffix not in PICTURE_SUFFIXES else pictures

    def refresh() -> None:
        if picture:
            safe_write.write_file(picture, _board_picture(session, picture.suffix, lang, turned=seat == 1))

    save()
    seated = [policy or _person() for policy in session.policies]
    _print_seats(playing, seated, lang, displayed=True)
    console.print_line(texts["saves"].fill(file=saved)[lang])
    console.print_line(texts["begins"][lang])
    if picture:
        refresh()
        console.print_line(texts["picture"].fill(file=picture)[lang])
    if resumes:
        sentence = texts["is_over"] if session.outcome else texts["resumed"].fill(n=session.round)
        console.print_line(sentence[lang])
    try:
        PlayTerminal(session, lang, seat, save, refresh).run()
    except PlayerLeftError:
        console.print_line(texts["left"].fill(command=_resume_command(saved))[lang])
    refresh()
    if end := session.outcome:
        console.print_line(result_line(loaded, playing, end)[lang])
        won = "you_drew" if end.winner is None else "you_won" if end.winner == seat else "you_lost"
        console.print_line(texts[won][lang])
    if out:
        safe_write.write_file(out, seal("\n".join([*(line[lang] for line in session.log()), ""]).encode()))
        click.echo(f"{out}")


def _person() -> Policy:
    """Return an entry for the list of players that stands for the user."""

    def pick(*_: Any) -> Any:
        raise AssertionError("a person decides")

    return Policy("me", shared_words()["played"]["you"], Words("", ""), pick)


def _board_picture(session: PlaySession, suffix: str, lang: Lang, turned: bool) -> bytes:
    """Return a picture of the present position as PNG or SVG, as seen from the player's side.

    Raises:
        WrongUsageError: If the game has no pictures of play.
    """
    from generator.press.alternative_texts import describe_map
    from generator.press.figures.maps import draw_map
    from generator.press.png import picture_png
    from generator.press.svg import svg

    view = session.engine.view(session.state)
    if view is None:
        raise WrongUsageError(tr("Muster cannot draw pictures of play for this game"))
    picture = draw_map(view, lang, "full", PICTURE_MM, PICTURE_MM, turned)
    title = session.engine.describe(session.state)[lang]
    if suffix == ".svg":
        return svg(picture, lang, title, description=describe_map(view, lang, turned))
    return picture_png(picture, lang, SCREEN_DPI)


def _saved_names(file: Path) -> list[Path]:
    """Return the names that saved games of a scenario get in the current folder, in this order.

    The scenario of every kit has the same file name, so its game is named after the folder of the kit.
    """
    stem = file.parent.name if file.name == SCENARIO and file.parent.name else file.stem
    stem = "game" if is_stream(file) else stem
    return [Path(f"{stem}{tail}{SAVED_SUFFIX}") for tail in ("", *(f"-{n}" for n in range(2, 1000)))]


def _free_name(file: Path) -> Path:
    """Return a name for the saved game that no other saved game has, in the current folder."""
    return next(name for name in _saved_names(file) if not name.exists())


def _unfinished_game(file: Path) -> Path | None:
    """Return the latest saved game of a scenario in the current folder, or None if it is over or there is none."""
    there = list(takewhile(Path.exists, _saved_names(file)))
    try:
        return there[-1] if there and not decode(there[-1].read_bytes()).over else None
    except (OSError, NotInOrderError):
        return None


def _resume_command(file: Path) -> str:
    """Return the command that continues a saved game."""
    return format_command(["muster", "play", "--resume", file], {})


def _resume(path: Path) -> tuple[Loaded, PlaySession, Path]:
    """Return the scenario and the session of a saved game, and the folder of the user's own files.

    Raises:
        WrongUsageError: If the file is a scenario.
        DataError: If the file cannot be read or is not a saved game.
        NotInOrderError: If the game cannot go on with its scenario.
    """
    if path.suffix == SUFFIX:
        command = format_command(["muster", "play", path, "--me", "1"], {})
        raise WrongUsageError(
            tr("{file} is not a saved game", file=path), hint=tr("to play a scenario: {command}", command=command)
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(Problem(tr("cannot be read: {reason}", reason=describe_error(error)), str(path))) from error
    try:
        saved: SavedGame = decode(content)
    except NotInOrderError as error:
        raise DataError(*(problem.but(file=str(path)) for problem in error.problems)) from error
    folder = Path(saved.scenario.folder) if saved.scenario.folder else folder_of(path)
    loaded = read_scenario(Source(str(path), saved.scenario.text), folder)
    playing = playing_for(loaded)
    if not scenario_key(loaded.game, loaded.scenario).startswith(saved.scenario.sha256 or "?"):
        raise NotInOrderError(tr("the scenario in {file} was changed", file=path))
    if not any(seat.is_person for seat in saved.seats):
        raise NotInOrderError(tr("no person plays in the game of {file}", file=path))
    return loaded, PlaySession.load(playing, loaded.scenario, saved), folder


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


def _level(level: Level | None, strength: Strength | None, players: str | None) -> Level:
    """Return the level of the computer players.

    Raises:
        WrongUsageError: If --level and --strength, or --level and --players, contradict each other.
    """
    if level and strength and level != STRENGTH_LEVELS[strength]:
        raise WrongUsageError(tr("--strength is an older name for --level; give one of them"))
    if players and level in ("club", "strong"):
        raise WrongUsageError(
            tr("--level {level} is played by the captain", level=level), hint=tr("omit either --level or --players")
        )
    return level or STRENGTH_LEVELS[strength or "full"]


def _seats(playing: Playing[Any], players: str | None, level: Level, me: int | None) -> tuple[Seat, Seat]:
    """Return who plays each side.

    Raises:
        WrongUsageError: If there is no player of a given name, or the number of names is wrong.
    """
    known = playing.all_policies
    names = [name.strip() for name in players.split(",")] if players else ["", ""]
    names = names * 2 if len(names) == 1 else names
    for name in names:
        if name not in ("", *known) or (players and not name):
            raise WrongUsageError(
                tr("--players: there is no player named {name!r}", name=name[:40]), hint=near(name[:40], known)
            )
    if len(names) != len(SEATS):
        raise WrongUsageError(tr("--players takes one player for each side"), hint=", ".join(known))
    first, second = (Seat(PERSON if seat == me else name, level) for seat, name in enumerate(names))
    return first, second


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
