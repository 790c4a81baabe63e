"""`muster tournament`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli import ask, paper, say
from generator.cli.how import ONE_SHEET, PACKS, How, how_options
from generator.cli.lists import listed
from generator.cli.rounds import Begun, Written, begun, event_name, folders, index, secret, written
from generator.errors import DataError, Problem, WrongUsageError
from generator.games.capability import Game
from generator.model.words import Lang
from generator.store.write import write, write_all
from generator.tournament import sealing
from generator.tournament.csvfile import ENCODINGS, Table
from generator.tournament.event import MODES, Event, Mode
from generator.tournament.packing import OPENING, RESULTS
from generator.tournament.pairings import NEEDED as PAIRED
from generator.tournament.pairings import Round, left_out, read_pairings, rotation
from generator.tournament.results import NEEDED as COUNTED
from generator.tournament.results import read_results
from generator.tournament.standings import as_csv, rows, standings_kit
from generator.tournament.standings import standings as reckoned
from generator.tournament.words import words

COMMITMENT = "commitment.json"
_ENCODING = click.option("--encoding", type=click.Choice(ENCODINGS), help="The CSV's encoding (found out by itself).")
_OUT = click.option("-o", "--out", metavar="DIR", type=click.Path(path_type=Path), help="Folder to write to.")


@click.group()
def command() -> None:
    """From a list of players to everything that goes on the tables, and from results to standings."""


@command.command(cls=ask.GameCommand)
@ask.game_argument
@ask.seed_option
@how_options(PACKS)
@click.option("--pairings", metavar="FILE.csv", type=click.Path(path_type=Path), help="Who meets whom, where, when.")
@_ENCODING
@click.option("--players", type=int, metavar="N", help="In place of pairings: so many players, in rotation.")
@click.option("--rounds", type=int, metavar="N", help="So many rounds of them.")
@click.option(
    "--round", "round_", type=int, multiple=True, metavar="N", help="Only this round (more than once: these)."
)
@click.option("--event", default="", metavar="NAME", help="What the event is called.")
@click.option("--scenarios", type=click.Choice(MODES), default=MODES[0], help="One for all tables, or each.")
@click.option("--sealed", is_flag=True, help="A kit id that gives nothing away in place of the code.")
@_OUT
@say.json_option
def pack(
    game: Game[Any],
    seed: str | None,
    how: How,
    pairings: Path | None,
    encoding: str | None,
    players: int | None,
    rounds: int | None,
    round_: tuple[int, ...],
    event: str,
    scenarios: Mode,
    sealed: bool,
    out: Path | None,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Draw and print every round: wall list, and for each table its card, scenario and result slip.

    Each scenario is played twice, sides swapped. The organiser's sheet has every code and answer. In the folder of an
    event that was packed before it goes on: with its code and name, and sealed where it was.
    """
    lang, usual = how.first, Path("output") / f"{game.name}-tournament"
    place = out or (usual if sealed else None)
    before = begun(place, game.name) if place else Begun()
    order = ask.order(game, seed or before.code, wishes)
    folder = place or usual.with_name(f"{usual.name}-{order.code}")
    every, table = _paired(pairings, encoding, players, rounds)
    _known(every, round_)
    sealed = sealed or before.sealed
    name = event_name(event) or before.name or words()["at"]["event"].fill(game=game.title)[lang]
    asked = Event(game, order, name, scenarios, secret(folder) if sealed else "")
    if not as_json:
        if before.code and not seed:
            say.line(words()["say"]["goes_on"].fill(code=before.code, folder=folder)[lang])
        _tell(every, table, pairings, lang)
    made = []
    for one in written(asked, every, round_, how, folder):
        made.append(one)
        if not as_json:
            _tell_round(one, lang)
    target = index(asked, how, folder)
    if as_json:
        about = {"folder": str(folder), "event": name, "code": order.code, "sealed": sealed}
        say.as_json(about | {"index": str(target), "rounds": [one.row() for one in made]})
    else:
        click.echo(f"{target}")


@command.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE.csv|DIR…")
@how_options(ONE_SHEET)
@_ENCODING
@click.option("--event", default="", metavar="NAME", help="What the event is called.")
@_OUT
@say.json_option
def standings(
    results: tuple[Path, ...], how: How, encoding: str | None, event: str, out: Path | None, as_json: bool
) -> None:
    """Reckon the standings of results that were filled in: printed, as CSV, or --json.

    A folder stands for the results of all its rounds.
    """
    files = {file.resolve(): file for path in results for file in _inside(path, RESULTS)}
    found = read_results([listed(file, COUNTED, encoding) for file in files.values()])
    lines, lang = reckoned(found), how.first
    folder = out or Path("output") / "standings"
    kit = standings_kit(lines, found, event_name(event))
    made = {"standings.pdf": paper.pdf(kit, how.edition()), "standings.csv": as_csv(lines, lang)}
    write_all(folder, made)
    if as_json:
        waiting = sum(bool(r.b) and r.outcome == "open" for r in found)
        say.as_json({"standings": rows(lines), "open": waiting, "files": [str(folder / file) for file in made]})
        return
    for line in lines:
        say.line(f"{line.rank:>3}. {line.player}  {line.points}")
    for file in made:
        click.echo(f"{folder / file}")


@command.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="The file to publish.")
@say.lang_option
@say.json_option
def commit(folder: Path, out: Path | None, lang: Lang, as_json: bool) -> None:
    """Write what to publish before play: a hash over event, codes and data of every sealed round in DIR."""
    made = sealing.commitment(_inside(folder, OPENING))
    target = out or folder / COMMITMENT
    write(target, made)
    if as_json:
        click.echo(made.decode(), nl=False)
        return
    click.echo(sealing.whole(made))
    say.line(words()["say"]["committed"].fill(file=target)[lang])


@command.command()
@click.argument("published", type=click.Path(path_type=Path), metavar="COMMITMENT")
@click.argument("openings", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="OPENING|DIR…")
@say.lang_option
@say.json_option
def reveal(published: Path, openings: tuple[Path, ...], lang: Lang, as_json: bool) -> None:
    """Hold opened rounds against what was published: hashes, kit ids, and every code drawn again."""
    found = sealing.revealed(published, [file for path in openings for file in _inside(path, OPENING)])
    if as_json:
        say.as_json(
            [
                {"round": of.round, "kits": [k.kit for k in of.kits], "findings": [fault[lang] for fault in faults]}
                for of, faults in found
            ]
        )
    else:
        for of, faults in found:
            right = words()["say"]["opened"].fill(n=of.round, m=len(of.kits))
            for fault in faults or [right]:
                say.line(fault[lang])
    if any(faults for _, faults in found):
        raise click.exceptions.Exit(1)


def _paired(
    file: Path | None, encoding: str | None, players: int | None, count: int | None
) -> tuple[tuple[Round, ...], Table | None]:
    """The rounds, from a file or in rotation; WrongUsageError where neither or both are asked for."""
    if file and players is None and count is None:
        table = listed(file, PAIRED, encoding)
        return read_pairings(table), table
    if file or players is None or count is None:
        hint = "--pairings FILE.csv, or --players N and --rounds N"
        raise WrongUsageError(Problem("who plays is told in one way", hint=hint))
    return rotation(players, count), None


def _known(every: tuple[Round, ...], only: tuple[int, ...]) -> None:
    """WrongUsageError where one of these rounds is not there."""
    there = [one.number for one in every]
    if wrong := [number for number in only if number not in there]:
        known = ", ".join(map(str, there))
        raise WrongUsageError(*(Problem(f"--round: there is no round {n}", hint=f"rounds: {known}") for n in wrong))


def _tell(every: tuple[Round, ...], table: Table | None, file: Path | None, lang: Lang) -> None:
    """What is worth knowing of the pairings."""
    told = words()["say"]
    if table and not table.encoding.startswith("utf-8"):
        say.line(told["encoded"].fill(file=file, encoding=table.encoding)[lang])
    for number, names in left_out(every).items():
        say.line(told["missing"].fill(n=number, names=", ".join(names))[lang])


def _tell_round(one: Written, lang: Lang) -> None:
    """That a round is written, and what became of its results."""
    told = words()["say"]
    values = {"n": one.number, "tables": one.tables, "pages": one.pages, "file": one.pdf}
    say.line(told["packed"].fill(**values)[lang])
    if one.kept:
        say.line(told["kept"].fill(file=one.folder / RESULTS)[lang])
    if one.again:
        say.line(told["alike"].fill(n=one.number, names=", ".join(one.again))[lang])


def _inside(path: Path, name: str) -> list[Path]:
    """The file itself, or those of that name in a round's folder or an event's; DataError where there is none."""
    if not path.is_dir():
        return [path]
    if (path / name).is_file():
        return [path / name]
    found = [folder / name for folder in folders(path) if (folder / name).is_file()]
    if not found:
        raise DataError(Problem(f"holds no {name}, nor do rounds in it", str(path)))
    return found
