"""`muster import`: turn files of other programs into files of Muster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from generator import games
from generator.cli import console, safe_write
from generator.cli.codec import Codec
from generator.cli.data_files import content_types
from generator.cli.help import Verb
from generator.cli.options_in_use import refuse_others
from generator.cli.output import name_for_commands, out_file
from generator.cli.scenario import SUFFIX
from generator.common.game import ContentType, Game
from generator.common.map_import import ForeignMap, MapImport, Taken, plain_name, take_map, unused_answers
from generator.common.ownership import print_commands
from generator.errors import DataError, Problem, WrongUsageError, near
from generator.imports import lists, maps
from generator.imports.text_files import FILE_LIMIT
from generator.imports.workbooks import FILE_LIMIT as WORKBOOK_LIMIT
from generator.localization import LocalizedStr, lang_option, localize, tr
from generator.model.words import LANGS, Lang
from generator.notation.foreign import Foreign, recognise
from generator.notation.text import CommandWord, clean_name, document, folded, visible
from generator.notation.text import command as format_command
from generator.notation.toml import Source
from generator.store.folders import is_stream, is_there, missing_file_problem, read_within
from generator.store.manifest import seal_toml
from generator.tournament import event_file
from generator.tournament.file_kinds import is_muster_file

_MAX_LINES = 30
"""The maximum number of lines that report what was left out. The JSON answer has all of them."""


class _Answer(msgspec.Struct):
    """The answer of the command."""

    file: str
    kind: str
    what: str
    becomes: list[dict[str, object]] = []
    problems: list[Problem] = []
    remarks: list[Problem | LocalizedStr] = []
    commands: list[str] = []
    out: str = ""


@click.command(cls=Verb)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--game", "game_name", metavar="GAME")
@click.option("--terrain", "answers", metavar="NAME=NAME", multiple=True)
@click.option("--terrain-names", "names_file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--name", "title", metavar="TEXT", default="")
@click.option("--sheet", metavar="NAME", default="")
@click.option("--encoding", type=Codec(), metavar="CODEC")
@out_file(SUFFIX, ".csv")
@console.answer_options
def import_verb(
    file: Path,
    game_name: str | None,
    answers: tuple[str, ...],
    names_file: Path | None,
    title: str,
    sheet: str,
    encoding: str | None,
    out: Path | None,
    lang: Lang,
    as_json: bool,
) -> None:
    """Turn a file of another program into Muster's form, and list what could not be taken."""
    if not is_there(file):
        raise DataError(missing_file_problem(file, file.suffix))
    content = read_within(file, WORKBOOK_LIMIT, tr("is larger than {limit} MiB", limit=WORKBOOK_LIMIT >> 20))
    foreign = recognise(content)
    if not content.strip():
        raise DataError(Problem(tr("is empty"), str(file)))
    if foreign is None and is_muster_file(content):
        hint = tr("check it with {command}", command=format_command(["muster", "check", file], {}))
        raise DataError(Problem(tr("this is a file of Muster already"), str(file), hint=hint))
    if foreign and foreign.kind == "hex_list" and not _has_terrain(maps.read(foreign.kind, content, file)):
        foreign = None  # A list of members with numbers of four digits looks like a list of hexes.
    _refuse_unused_options(foreign)
    if foreign and foreign.kind == "trf":
        answer = _report_event(file, foreign, game_name, out)
    elif foreign and foreign.kind in maps.MAP_KINDS:
        if len(content) > FILE_LIMIT:
            raise DataError(Problem(tr("is larger than {limit} MiB", limit=FILE_LIMIT >> 20), str(file)))
        answer = _import_map(
            file, content, foreign, _game(game_name), _parse_answers(answers), names_file, title, out
        )
    else:
        answer = _import_list(file, content, foreign, encoding, sheet, game_name, out, lang)
    _print(answer, lang, as_json)
    if out and not answer.out and answer.problems and not as_json:
        console.print_line(localize(tr("{file} was not written, because of the questions above", file=out), lang))
    console.exit_if(answer.problems)


_ALWAYS = ("game_name", "out", "force", "lang", "as_json")
"""The parameters for every kind of file."""


def _refuse_unused_options(foreign: Foreign | None) -> None:
    """Refuse options that are not for this kind of file.

    Raises:
        WrongUsageError: If there are such options.
    """
    if foreign and foreign.kind == "trf":
        refuse_others(_ALWAYS, tr("the file is a report of a tournament"))
    elif foreign and foreign.kind in maps.MAP_KINDS:
        refuse_others((*_ALWAYS, "answers", "names_file", "title"), tr("the file is a map"))
    elif foreign and foreign.kind == "workbook":
        refuse_others((*_ALWAYS, "sheet"), tr("the file is a spreadsheet"))
    else:
        refuse_others((*_ALWAYS, "encoding"), tr("the file is a table or a list"))


def _has_terrain(found: ForeignMap) -> bool:
    """Return whether a game knows a name on a map as terrain."""
    tables = [game.map_import.load_names(None) for game, _ in _map_games() if game.map_import]
    names = {name for of in found.hexes.values() for name in of.names}
    return any(table.find(name) for table in tables for name in names)


def _game(name: str | None) -> str:
    """Return the name of a game that takes over maps, or an empty string if none is given.

    Raises:
        WrongUsageError: If there is no such game.
    """
    known = [game.name for game, _ in _map_games()]
    if name is None:
        return ""
    for game, content_type in _map_games():
        others = (
            other.name for other in map(games.load, games.names()) if content_type in other.borrowed_content_types
        )
        if name in (game.name, *others):
            return game.name
    raise WrongUsageError(tr("{game} has no maps of hexes", game=visible(name)[:40]), hint=near(name, known))


def _map_games() -> list[tuple[Game[Any], ContentType]]:
    """Return the games that take over maps, each with the content type of its maps."""
    return [
        (game, content_type)
        for game, content_type in content_types()
        if game.map_import and content_type.kind == game.map_import.kind
    ]


def _parse_answers(raw: Sequence[str]) -> dict[str, str]:
    """Return the answers to unknown names, keyed by name.

    Raises:
        WrongUsageError: If an answer is not of the form NAME=NAME, or a name has two answers.
    """
    found: dict[str, str] = {}
    for text in raw:
        name, sign, terrain = text.rpartition("=")
        if not (sign and name.strip() and terrain.strip()):
            hint = tr("write the name of the file, =, and the terrain, such as 'deep mud=marsh'")
            raise WrongUsageError(tr("--terrain {typed!r} is not valid", typed=visible(text)[:80]), hint=hint)
        for other, before in found.items():
            if plain_name(other) == plain_name(name) and folded(before) != folded(terrain):
                message = tr("--terrain gives two answers for “{name}”: {answers}", name=visible(name.strip())[:40],
                             answers=[visible(one.strip())[:40] for one in (before, terrain)])  # fmt: skip
                raise WrongUsageError(message, hint=tr("omit one of them"))
        found[name.strip()] = terrain.strip()
    return found


def _with_terrain(answers: Mapping[str, str], game: MapImport) -> dict[str, str]:
    """Return answers with the ids of a game's terrain, which users may also call by its label.

    Raises:
        WrongUsageError: If there is no such terrain.
    """
    labels = {**game.terrain(), **game.objects()}
    ids = {folded(word): name for name, label in labels.items() for word in (name, *(label[lang] for lang in LANGS))}
    for terrain in answers.values():
        if folded(terrain) not in ids:
            message = tr("there is no terrain named {name!r}", name=visible(terrain)[:40])
            raise WrongUsageError(message, hint=near(terrain, labels))
    return {name: ids[folded(terrain)] for name, terrain in answers.items()}


def _import_map(
    file: Path,
    content: bytes,
    foreign: Foreign,
    wanted: str,
    answers: Mapping[str, str],
    names_file: Path | None,
    title: str,
    out: Path | None,
) -> _Answer:
    """Take over a map, and write it if `out` is given."""
    found = maps.read(foreign.kind, content, file)
    if title:
        found = msgspec.structs.replace(found, title=clean_name(title, "--name"))
    elif not found.title.isprintable() or len(found.title) > 80:
        found = msgspec.structs.replace(found, title=file.stem[:40])
    found = msgspec.structs.replace(found, remarks=(*found.remarks, *unused_answers(found, answers)))
    answer = _Answer(str(file), foreign.kind, foreign.what)
    fitting: list[tuple[Game[Any], ContentType, Taken]] = []
    reasons: list[Problem] = []
    for game, content_type in _map_games():
        if wanted and game.name != wanted:
            continue
        taken = _take(found, game, answers, names_file, bool(wanted))
        if isinstance(taken, Taken):
            fitting.append((game, content_type, taken))
        elif taken:
            reasons.append(Problem(tr("{game}: {message}", game=game.name, message=taken), str(file)))
    if not fitting:
        raise DataError(*reasons)
    for game, content_type, taken in fitting:
        answer.becomes.append(
            {"game": game.name, "kind": content_type.kind, "columns": found.columns, "rows": found.rows,
             "turned": taken.turned, "hexes": dict(taken.counts), "questions": len(taken.questions)}
        )  # fmt: skip
    best = [one for one in fitting if not one[2].turned] or fitting
    turned = (game.name for game, _, taken in fitting if taken.turned and best != fitting)
    others = [_next_command(file, name, answers, names_file) for name in turned]
    if len(best) == 1:
        game, content_type, taken = best[0]
        answer.problems, answer.remarks = list(taken.questions), list(taken.remarks)
        if taken.questions:
            return answer
        text = "\n".join(document(dict(taken.values))) + "\n"
        answer.remarks += _remarks_of_check(content_type, text, out or Path(f"{_stem(file)}{SUFFIX}"))
        if out:
            if out.suffix != SUFFIX and not is_stream(out):
                raise WrongUsageError(tr("a map is a TOML file"), hint=tr("give a file whose name ends in .toml"))
            safe_write.write_file(out, seal_toml(text))
            answer.out = str(out)
            name = name_for_commands(out, SUFFIX)
            commands = print_commands(content_type, name, map(games.load, games.names()))
            answer.commands = [format_command(["muster", "data", "check", name], {})]
            answer.commands += [format_command(words, options) for words, options in commands]
        else:
            answer.commands = [_next_command(file, game.name, answers, names_file), *others]
        return answer
    if out:
        hint = tr("add {options}", options=" / ".join(f"--game {game.name}" for game, _, _ in best))
        raise WrongUsageError(tr("several games can use this map"), hint=hint)
    answer.commands = [*(_next_command(file, game.name, answers, names_file) for game, _, _ in best), *others]
    # Lines that concern only one game are reported with --game.
    answer.remarks = list(found.remarks)
    if all(taken.questions for _, _, taken in best):
        answer.problems = list(best[0][2].questions)
    return answer


def _take(
    found: ForeignMap, game: Game[Any], answers: Mapping[str, str], names_file: Path | None, only: bool
) -> Taken | str:
    """Return a map as a game takes it over, or the reason that this is impossible.

    A table of names that belongs to another game is an error only if the game was chosen.
    """
    assert game.map_import
    try:
        names = game.map_import.load_names(names_file)
        terrain = _with_terrain(answers, game.map_import)
    except (DataError, WrongUsageError) as error:
        if only:
            raise
        return error.problems[0].message
    return take_map(found, game.map_import, names, terrain)


def _next_command(file: Path, game: str, answers: Mapping[str, str], names_file: Path | None) -> str:
    """Return the command that writes a map."""
    words: list[CommandWord] = ["muster", "import", file, "--game", game]
    for name, terrain in answers.items():
        words += ["--terrain", f"{name}={terrain}"]
    words += ["--terrain-names", names_file] if names_file else []
    return format_command([*words, "-o", f"{_stem(file)}{SUFFIX}"], {})


def _stem(file: Path) -> str:
    """Return the name for the written file, without its ending."""
    return "imported" if is_stream(file) else file.stem


def _remarks_of_check(content_type: ContentType, text: str, file: Path) -> list[Problem | LocalizedStr]:
    """Return what the game's own check finds in a written map."""
    check = content_type.check
    return [problem.but(remark=True) for problem in check(Source(str(file), text))] if check else []


def _import_list(
    file: Path,
    content: bytes,
    foreign: Foreign | None,
    encoding: str | None,
    sheet: str,
    game: str | None,
    out: Path | None,
    lang: Lang,
) -> _Answer:
    """Take over a table of players, pairings or results, and write it if `out` is given."""
    if game is not None and game not in games.names():
        message = tr("there is no game named {game!r}", game=visible(game)[:40])
        raise WrongUsageError(message, hint=near(game, games.names()))
    taken = lists.take_list(content, str(file), foreign, encoding, sheet)
    what = foreign.what if foreign else tr("this is a table or a list")
    answer = _Answer(str(file), taken.kind, what, problems=list(taken.problems), remarks=list(taken.remarks))
    answer.becomes.append(
        {"kind": taken.kind, "rows": len(taken.rows), "headings": list(taken.keys), "absent": list(taken.away)}
    )
    if out and taken.rows:
        if out.suffix != ".csv" and not is_stream(out):
            raise WrongUsageError(tr("a list is a CSV file"), hint=tr("give a file whose name ends in .csv"))
        safe_write.write_file(out, taken.content(lang))
        answer.out = str(out)
    target = name_for_commands(out, ".csv") if out else Path(f"{_stem(file)}.csv")
    known = game or "GAME"
    pair: list[CommandWord] = ["muster", "tournament", "pair", "EVENT", "--pairings", target]
    pack: list[CommandWord] = ["muster", "tournament", "pack", known, "--pairings", target]
    standings: list[CommandWord] = ["muster", "tournament", "standings", target]
    record: list[CommandWord] = ["muster", "tournament", "results", "EVENT", target]
    commands: dict[str, list[list[CommandWord]]] = {
        "players": [["muster", "tournament", "new", known, "--players", target]],
        "pairings": [pack] if "round" in taken.keys else [pair],
        "results": [standings, record],
    }
    if not taken.rows:
        hint = tr("write one player's name on each line") if taken.kind == "players" else ""
        answer.problems = answer.problems or [Problem(tr("there is nothing to write"), str(file), hint=hint)]
    elif out:
        # Rounds that were played need no kits.
        answer.commands = [format_command(words, {}) for words in commands[taken.kind] if not taken.played]
    else:
        words: list[CommandWord] = ["muster", "import", file, *(["--sheet", sheet] if sheet else [])]
        written = f"{_stem(file)}-{taken.kind}.csv" if file.suffix == ".csv" else str(target)
        answer.commands = [format_command([*words, "-o", written], {})]
    return answer


def _report_event(file: Path, foreign: Foreign, game: str | None, out: Path | None) -> _Answer:
    """Report a tournament report, from which `muster tournament new` makes an event."""
    from generator.tournament import takeover

    words: list[CommandWord] = ["muster", "tournament", "new", game or "GAME", "--from", file]
    command = format_command(words, {})
    if out:
        raise WrongUsageError(tr("a tournament report becomes the folder of an event"), hint=command)
    begun = event_file.EventRecord(file.stem[:40] or "event", game or games.names()[0], "")
    taken = takeover.take_over(file, None, begun)
    answer = _Answer(str(file), "event", foreign.what, remarks=list(taken.remarks), commands=[command])
    answer.becomes.append({"kind": "event", "players": len(taken.event_record.players), "rounds": taken.rounds})
    return answer


def _print(answer: _Answer, lang: Lang, as_json: bool) -> None:
    """Print the answer of the command."""
    remarks = [one if isinstance(one, Problem) else Problem(one) for one in answer.remarks]
    row = {
        "file": answer.file,
        "kind": answer.kind,
        "what": localize(answer.what, lang),
        "becomes": answer.becomes,
        "problems": [console.problem_values(problem) for problem in answer.problems],
        "left_out": [console.problem_values(problem) for problem in remarks],
        "written": answer.out,
        "next": answer.commands,
    }
    console.print_answer(as_json, row, _lines(answer, remarks, lang))


def _lines(answer: _Answer, remarks: Sequence[Problem], lang: Lang) -> Iterable[str | Path]:
    """Yield the lines of the answer for the terminal."""
    words = console.words()
    yield f"{answer.file}: {localize(answer.what, lang)}"
    for of in answer.becomes:
        yield f"{answer.file}: {_describe(of, lang)}"
    for problem in answer.problems:
        yield problem.describe(lang)
    for problem in remarks[:_MAX_LINES]:
        yield problem.describe(lang)
    if len(remarks) > _MAX_LINES:
        yield localize(tr("… and {rest} more", rest=len(remarks) - _MAX_LINES), lang)
    if answer.out:
        yield Path(answer.out)
    key = "import_next" if answer.out or answer.kind == "event" else "import_write"
    again = "".join(f" {word}" for word in lang_option())
    yield from (words[key].fill(command=f"{command}{again}")[lang] for command in answer.commands)


def _describe(of: Mapping[str, Any], lang: Lang) -> str:
    """Return a sentence on the form that a file takes in Muster."""
    words = console.words()
    match of["kind"]:
        case "event":
            return words["import_event"].fill(players=of["players"], rounds=of["rounds"])[lang]
        case "players" | "pairings" | "results":
            text = words[f"import_{of['kind']}"].fill(n=of["rows"])[lang]
            names = [*of["absent"]]
            return f"{text}{words['import_absent'].fill(names=names)[lang] if names else ''}"
    hexes = [f"{name} {count}" for name, count in sorted(of["hexes"].items(), key=lambda item: -item[1])]
    values = {
        "game": of["game"],
        "columns": of["columns"],
        "rows": of["rows"],
        "hexes": hexes,
        "turned": of["turned"],
    }
    return words["import_turned" if of["turned"] else "import_map"].fill(**values)[lang]
