"""Tests that every verb reads and writes only the files it should, and never overwrites other files."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest

from generator.cli import main
from generator.cli import muster as whole
from generator.cli.output import OutputPath
from generator.cli.print_options import PrintOptions
from generator.common.game import Game
from generator.press.gallery import GameGallery, PictureGroup
from generator.store.lock import LOCK
from tests.cli.conftest import CODE, SMALL
from tests.cli.run import MUSTER, Run, muster

Words = tuple[str, ...]


def verbs(group: click.Group = whole, before: Words = ()) -> Iterator[tuple[Words, click.Command]]:
    """Yield every command with the words that call it."""
    with click.Context(group) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command
            if isinstance(command, click.Group):
                yield from verbs(command, (*before, name))
            else:
                yield (*before, name), command


VERBS = {" ".join(words): command for words, command in verbs()}


def out(command: click.Command) -> OutputPath | None:
    """Return the declaration of a command's -o option, or None."""
    return next((p.type for p in command.params if p.name == "out" and isinstance(p.type, OutputPath)), None)


ASKED: dict[str, Words] = {
    "kit": ("--seed", CODE, "--parts", "cover"),
    "draw": ("--seed", CODE),
    "check": ("battlelore.toml",),
    "import": ("hexes.txt", "--game", "battlelore"),
    "edit": ("battlelore.toml",),
    "fairness": ("battlelore.toml",),
    "play": ("arena.toml", "--game", "0"),
    "carry": ("campaign.toml", "arms.toml", "end.toml"),
    "print": ("battlelore.toml", "--parts", "cover"),
    "cards": ("call_to_arms", "--only", "A1"),
    "tokens": ("battlelore", "--only", "lore"),
    "reference": ("battling",),
    "sheets": ("battling",),
    "boards": ("battling", "--board", "plaza"),
    "campaign": ("--size", "2x2", "--seed", CODE),
    "moves": ("travel.toml", "B1"),
    "intercept": ("march.toml",),
    "orders play": ("arena.toml", "--seed", CODE),
    "orders next": ("game.txt", "--scenario", "arena.toml", "--dpi", "30"),
    "orders dice": ("arena.toml", "--secret", "a red shoulder"),
    "replay": ("game.txt", "--scenario", "arena.toml", "--dpi", "30"),
    "tournament pack": ("battling", "--players", "2", "--rounds", "1", "--seed", CODE, "--parts", "records"),
    "tournament standings": ("results.csv",),
    "tournament new": ("battling", "--seed", CODE),
    "tournament commit": ("sealed",),
    "printer calibrate": (),
    "data copy": ("saint_ivo",),
    "data values": ("saint_ivo",),
    "data write": ("values.json",),
    "data schema": ("deck",),
    "data templates": ("battling",),
    "gallery": ("battling", "--dpi", "48"),
}
"""Arguments for a small request to every verb that writes."""

WRITING = {name: kind for name, command in VERBS.items() if (kind := out(command))}
FILES = [name for name, kind in WRITING.items() if not kind.folder]
FOLDERS = [name for name, kind in WRITING.items() if kind.folder]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with input files for the tested commands."""
    folder = tmp_path_factory.mktemp("ground")
    with contextlib.chdir(folder):
        for game, name in (("battlelore", "battlelore"), ("travel_battle", "travel")):
            assert muster("draw", game, "--seed", CODE, "-o", f"{name}.toml").code == 0
        assert muster("draw", "battling", "--seed", CODE, *SMALL, "-o", "arena.toml").code == 0
        assert muster("draw", "blind_faith", "--kind", "march", "--seed", CODE, "-o", "march.toml").code == 0
        assert muster("draw", "blind_faith", "--kind", "battle", "--seed", CODE, "-o", "met.toml").code == 0
        assert muster("orders", "play", "arena.toml", "--seed", CODE, "-o", "game.txt").code == 0
        pack = ("tournament", "pack", *ASKED["tournament pack"], "--sealed", "-o", "sealed")
        assert muster(*pack).code == 0
        # One turn is enough for these tests.
        first, _, _ = Path("game.txt").read_text("utf-8").partition("[turn 2]")
        Path("game.txt").write_text(first, "utf-8")
        Path("results.csv").write_text("round,player_a,player_b,score_a,score_b,winner\n1,A,B,6,4,b\n", "utf-8")
        Path("paired.csv").write_text("round,table,player_a,player_b\n2,1,#1,#2\n", "utf-8")
        Path("taken.csv").write_text("round,game,player_a,player_b,score_a,score_b\n1,1,#1,#2,1,0\n", "utf-8")
        assert muster("tournament", "commit", "sealed", "-o", "promise.json").code == 0
        # Add copies of shipped files as the user's files.
        for name, kind in (("saint_ivo", "map"), ("house-deck", "deck"), ("house-pool", "pool")):
            assert muster("data", "copy", name, "-o", f"{kind}.toml").code == 0
        assert muster("data", "values", "map.toml", "-o", "values.json").code == 0
        assert muster("data", "copy", "track-campaign", "-o", "campaign.toml").code == 0
        assert muster("draw", "call_to_arms", "--seed", CODE, "-o", "arms.toml").code == 0
        Path("end.toml").write_text('winner = "draw"\n', "utf-8")
        Path("names.txt").write_text("Anna\nBert\n", "utf-8")
        Path("hexes.txt").write_text("0101 forest\n0912 forest\n", "utf-8")
        assert muster("orders", "dice", "arena.toml", "-o", "chain.txt").code == 0
    return folder


@pytest.fixture
def request_folder(ground: Path, here: Path) -> Path:
    """Return a folder that contains the input files of every verb that writes."""
    for path in ground.iterdir():
        (here / path.name).symlink_to(path)
    return here


@pytest.fixture(autouse=True)
def small_gallery(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the gallery to one map, because the complete gallery takes several seconds."""
    from generator.cli import verb_gallery

    def game_room(game: Game[Any], _: str, print_options: PrintOptions, files: dict[str, Path]) -> GameGallery:
        wall = next(verb_gallery.map_walls(game, print_options, files))
        assert isinstance(wall.pictures, tuple)
        return GameGallery(
            game.name, game.title, game.summary, (PictureGroup(wall.title, wall.pictures[:1], wall.settings),)
        )

    monkeypatch.setattr(verb_gallery, "game_room", game_room)


def binary(*words: str | Path, user_input: bytes = b"") -> tuple[int, bytes, str]:
    """Return a command's exit code, the bytes of its standard output, and its standard error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(user_input), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
    finally:
        sys.stdin = stdin
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
    return int(str(ended.value.code)), out.buffer.read(), err.read()


def ask(name: str, *more: str | Path) -> Run:
    return muster(*name.split(), *ASKED[name], *more)


def file_of(name: str) -> str:
    """Return a valid output file name for the verb."""
    return f"made{WRITING[name].endings[0] if WRITING[name].endings else '.toml'}"


def test_every_verb_that_writes_is_asked_here() -> None:
    assert set(ASKED) == set(WRITING)


@pytest.mark.parametrize("name", VERBS)
def test_whatever_writes_can_be_forced_and_nothing_else_is_called_out(name: str) -> None:
    given = {option for param in VERBS[name].params for option in param.opts}
    assert ("--force" in given) == ("-o" in given) == (name in WRITING)


def test_o_is_a_folder_or_a_file_of_one_ending_for_every_verb() -> None:
    assert set(FOLDERS) == {
        *("kit", "print", "replay", "tournament new", "tournament pack", "tournament standings", "data templates"),
    }
    # `draw` chooses its format by --json, not by the file ending.
    assert {name for name in FILES if not WRITING[name].endings} == {"draw"}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_written_again_and_spared_once_it_was_changed(request_folder: Path, name: str) -> None:
    target = request_folder / file_of(name)
    first = ask(name, "-o", target)
    assert (first.code, target.is_file()) == (0, True), first.err
    made = target.read_bytes()
    target.chmod(0o640)
    assert ask(name, "-o", target).code == 0
    changed = made + b"# mine\n"
    target.write_bytes(changed)
    done = ask(name, "-o", target)
    assert done.code == 2
    assert f"{target} would be replaced, but Muster did not write it, or it was changed afterwards" in done.err
    assert "give another path with -o, or add --force to replace the existing file" in done.err
    assert target.read_bytes() == changed
    assert ask(name, "-o", target, "--force").code == 0
    assert (target.read_bytes(), stat.S_IMODE(target.stat().st_mode)) == (made, 0o640)


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_lies_elsewhere_is_written_through_its_link(request_folder: Path, name: str) -> None:
    (request_folder / "there").mkdir()
    target, link = request_folder / "there" / "real", request_folder / file_of(name)
    link.symlink_to(target)
    done = ask(name, "-o", link)
    assert (done.code, "which does not exist" in done.err) == (5, True)
    target.touch(0o600)
    assert ask(name, "-o", link).code == 0
    assert link.is_symlink() and target.stat().st_size and stat.S_IMODE(target.stat().st_mode) == 0o600
    assert ask(name, "-o", link).code == 0
    target.write_bytes(b"mine")
    assert (ask(name, "-o", link).code, target.read_bytes()) == (2, b"mine")
    link.unlink()
    link.symlink_to(link.name)
    assert ask(name, "-o", link).code == 5
    assert [path.name for path in (request_folder / "there").iterdir()] == ["real"]


@pytest.mark.parametrize("name", FILES)
def test_devices_and_pipes_are_written_to(request_folder: Path, name: str) -> None:
    assert ask(name, "-o", "/dev/null").code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    full = ask(name, "-o", "/dev/full")
    assert (full.code, "full: No space left on device" in full.err) == (5, True)
    os.mkfifo(pipe := request_folder / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert ask(name, "-o", pipe).code == 0
    reader.join(10)
    target = request_folder / file_of(name)
    assert ask(name, "-o", target).code == 0
    assert read == [target.read_bytes()] and stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", FILES)
def test_the_standard_output_takes_the_file_and_nothing_else(request_folder: Path, name: str) -> None:
    target = request_folder / file_of(name)
    done = ask(name, "-o", target)
    before = set(request_folder.iterdir())
    for stream in ("-", "/dev/stdout"):
        code, made, errors = binary(*name.split(), *ASKED[name], "-o", stream)
        assert (code, made) == (0, target.read_bytes())
        assert len(errors.splitlines()) == len(done.out.splitlines())
    assert set(request_folder.iterdir()) == before


@pytest.mark.parametrize("name", FILES)
def test_a_folder_is_refused_as_a_file_and_the_ending_is_checked(request_folder: Path, name: str) -> None:
    (request_folder / "folder").mkdir()
    assert "is a folder; give the name of a file in this folder" in ask(name, "-o", "folder").err
    done = ask(name, "-o", "made.docx")
    assert done.code == 2 and re.search("'made.docx' (?:does not end in|ends in none of) ", done.err)
    assert not (request_folder / "made.docx").exists()


@pytest.mark.parametrize("name", sorted(set(FOLDERS) - {"tournament new"}))  # an existing event is not created again
def test_a_folder_is_written_again_and_each_file_of_it_is_spared_once_it_was_changed(
    request_folder: Path, name: str
) -> None:
    folder = request_folder / "made"
    assert ask(name, "-o", folder).code == 0
    made = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != LOCK}
    assert len(made) > 1 and ask(name, "-o", folder).code == 0
    # Results are filled in but never replaced, and the event record is changed in place.
    kept = {path: content for path, content in made.items() if path.name not in ("results.csv", "event.toml")}
    for path, content in kept.items():
        path.write_bytes(content + b"\n# mine\n")
        done = ask(name, "-o", folder)
        expected = f"{path} would be replaced, but Muster did not write it, or it was changed afterwards"
        assert (done.code, expected in done.err) == (2, True), path
        others = {other: other.read_bytes() for other in made if other != path}
        assert others == {other: before for other, before in made.items() if other != path}
        assert path.read_bytes() == content + b"\n# mine\n"
        path.write_bytes(content)
    path.write_bytes(b"mine")
    assert ask(name, "-o", folder, "--force").code == 0
    assert path.read_bytes() == content


PRINTS = [name for name, kind in WRITING.items() if kind.prints]


@pytest.mark.parametrize("name", PRINTS)
def test_a_kit_is_printed_to_standard_output(request_folder: Path, name: str) -> None:
    """`muster kit -o - | lp` prints the same PDF as in the folder, and all messages go to standard error."""
    assert ask(name, "-o", "kit").code == 0
    print_ = ("kit", "--seed", CODE) if name == "kit" else ("print", "battlelore.toml")
    done = subprocess.run([*MUSTER, *print_, "--parts", "cover", "-o", "-", "--json"], capture_output=True)
    assert (done.returncode, done.stdout) == (0, Path("kit/kit.pdf").read_bytes())
    assert json.loads(done.stderr)["folder"] == "-"
    assert not Path("-").exists()
    for several in (("--separate",), ("--format", "png")):
        assert "is a single file, but several" in ask(name, "-o", "-", *several).err
    if name == "kit":
        until = muster("kit", "call_to_arms", "--until", "hand", "-o", "-")
        assert (until.code, "is a single file, but several" in until.err) == (2, True)


@pytest.mark.parametrize("name", FOLDERS)
def test_several_files_go_to_no_stream(request_folder: Path, name: str) -> None:
    for stream in ("-", "/dev/stdout"):
        several = ("--separate",) if name in PRINTS else ()
        done = ask(name, *several, "-o", stream)
        assert (done.code, "is a single file, but several files are written; give a folder" in done.err) == (2, True)
    assert "'/dev/null' is a file; give a folder" in ask(name, "-o", "/dev/null").err
    (request_folder / "nowhere").symlink_to("gone")
    done = ask(name, "-o", "nowhere")
    assert (done.code, "is a link to gone, which is not a folder" in done.err) == (5, True)


READ: dict[str, tuple[str, Words]] = {
    "check": ("battlelore.toml", ()),
    "import": ("hexes.txt", ("--game", "battlelore", "--force", "-o", "made.toml")),
    "edit": ("battlelore.toml", ("hill=plateau",)),
    "fairness": ("battlelore.toml", ()),
    "play": ("arena.toml", ("--game", "0")),
    "print": ("battlelore.toml", ("--parts", "cover")),
    "sight": ("battlelore.toml", ("A1", "B3")),
    "rulings": ("battlelore.toml", ()),
    "odds": ("met.toml", ()),
    "moves": ("travel.toml", ("B1",)),
    "intercept": ("march.toml", ()),
    "orders check": ("game.txt", ("--scenario", "arena.toml")),
    "orders list": ("arena.toml", ("F1",)),
    "orders next": ("game.txt", ("--scenario", "arena.toml")),
    "orders dice": ("arena.toml", ("--roll", "1a", "2b", "F/1108")),
    "orders play": ("arena.toml", ("--seed", CODE)),
    "replay": ("game.txt", ("--scenario", "arena.toml", "--dpi", "30", "-o", "turns")),
    "tournament standings": ("results.csv", ()),
    "tournament reveal": ("promise.json", ("sealed",)),
    "preflight": ("sealed/index.pdf", ()),
    "data check": ("map.toml", ()),
    "data show": ("map.toml", ()),
    "data values": ("map.toml", ()),
    "data write": ("values.json", ("-o", "-")),
}
"""A file that each verb reads, and the other arguments of the verb."""

OPTIONS: dict[str, Words] = {
    "cards --deck": ("cards", "call_to_arms", "--only", "A1", "-o", "a.pdf", "--deck", "deck.toml"),
    "tokens --pool": ("tokens", "call_to_arms", "-o", "a.pdf", "--pool", "pool.toml"),
    "boards --board": ("boards", "travel_battle", "-o", "a.pdf", "--board", "travel.toml"),
    "orders check --scenario": ("orders", "check", "game.txt", "--scenario", "arena.toml"),
    "orders next --scenario": ("orders", "next", "game.txt", "--scenario", "arena.toml"),
    "orders next --chain": ("orders", "next", "game.txt", "--scenario", "arena.toml", "--chain", "chain.txt"),
    "orders list --after": ("orders", "list", "arena.toml", "F1", "--after", "game.txt"),
    "new --players": ("tournament", "new", "battling", "--seed", CODE, "-o", "cup", "--players", "names.txt"),
    "pair --pairings": (
        *("tournament", "pair", "sealed", "--dry-run", "--allow-rematch", "--rounds", "2"),
        *("--pairings", "paired.csv"),
    ),
    "results": ("tournament", "results", "sealed", "--dry-run", "taken.csv"),
    "carry": ("carry", "campaign.toml", "arms.toml", "-o", "-", "end.toml"),
    "pack --pairings": (
        *("tournament", "pack", "battling", "--parts", "records", "--seed", CODE, "-o", "cup"),
        *("--pairings", "results.csv"),
    ),
    "pack --players": (
        *("tournament", "pack", "battling", "--parts", "records", "--seed", CODE, "-o", "cup", "--rounds", "1"),
        *("--players", "names.txt"),
    ),
}


def test_every_verb_that_reads_a_file_is_asked_here() -> None:
    files = {"file", "files", "log", "results", "published", "item"}
    reading = {
        name
        for name, command in VERBS.items()
        if any(isinstance(p, click.Argument) and p.name in files for p in command.params)
    }
    # The tests of options cover these verbs, because they take an event or a campaign before their files.
    assert set(READ) == reading - {"tournament results", "carry"}, "add each command that reads a file to READ"


@pytest.fixture(scope="module")
def plain() -> Callable[[Words], Run]:
    """Return a function that runs a command on a file, once for all kinds of input streams."""
    return cache(lambda words: muster(*words))


def piped(words: Words, place: str, content: bytes) -> tuple[int, bytes, str]:
    """Run a command while a named pipe delivers the given content."""
    os.mkfifo(place)
    feeder = threading.Thread(target=lambda: Path(place).write_bytes(content), daemon=True)
    feeder.start()
    done = binary(*words)
    feeder.join(10)
    Path(place).unlink()
    return done


@pytest.mark.parametrize("place", ["-", "/dev/stdin", "pipe"])
@pytest.mark.parametrize("name", [*READ, *OPTIONS])
def test_a_stream_is_read_like_a_file(
    request_folder: Path, plain: Callable[[Words], Run], name: str, place: str
) -> None:
    file, more = READ[name] if name in READ else (OPTIONS[name][-1], ())
    words = (*name.split(), file, *more) if name in READ else OPTIONS[name]
    read = plain(words)
    content = Path(file).read_bytes()
    streamed = tuple(place if word == file else word for word in words)
    shutil.rmtree("cup", ignore_errors=True)
    code, made, errors = piped(streamed, place, content) if place == "pipe" else binary(*streamed, user_input=content)
    assert read.code == 0, read.err
    assert (code, errors) == (0, read.err)
    assert re.sub(rf"(?<![\w-]){place}(?=[:\"]|$)", file, made.decode(), flags=re.MULTILINE) == read.out


def test_a_scenario_from_a_stream_finds_its_companions_in_the_current_folder(here: Path) -> None:
    assert muster("data", "copy", "saint_ivo", "-o", "mine.toml").code == 0
    drawn = muster("draw", "--seed", CODE, "--map", "mine.toml", "-o", "-")
    assert (drawn.code, muster("check", "-", user_input=drawn.out).code) == (0, 0)
    assert muster("print", "-", "--parts", "cover", "-o", "kit", user_input=drawn.out).code == 0
    assert (here / "kit" / "mine.toml").read_bytes() == (here / "mine.toml").read_bytes()
    (here / "mine.toml").unlink()
    done = muster("print", "-", "--parts", "cover", "-o", "kit", user_input=drawn.out)
    assert (done.code, "mine.toml is missing from this folder" in done.err) == (3, True)


def test_a_stream_without_end_is_not_read_to_its_end(here: Path) -> None:
    assert "is larger than 1 MiB" in muster("check", "/dev/zero").err
    assert "is too large for a log" in muster("orders", "check", "/dev/zero", "--scenario", "x.toml").err


def test_a_closed_standard_stream_is_reported(here: Path) -> None:
    def closed(words: str) -> tuple[int, str]:
        done = subprocess.run(
            f"{shlex.join(MUSTER)} {words}", shell=True, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stderr

    assert closed("draw -o - >&-") == (5, "standard output is closed\n")
    assert closed("check - <&-") == (3, "-: cannot be read: standard input is closed\n")
    assert closed("games >&-") == (0, "")


@pytest.mark.parametrize(
    ("game", "option", "kind"),
    [("battlelore", "map", "saint_ivo"), ("battling", "arena", "plaza"), ("blind_faith", "map", "elbe_ford")],
)
def test_an_option_file_from_a_stream_is_copied(here: Path, game: str, option: str, kind: str) -> None:
    assert muster("data", "copy", kind, "-o", "own.toml").code == 0
    content = Path("own.toml").read_bytes()
    os.mkfifo("pipe")
    for place in ("-", "pipe", "/dev/stdin"):
        # The writer of a pipe blocks until a reader opens the pipe.
        before = "(cat own.toml > pipe &); " if place == "pipe" else "cat own.toml | "
        draw = [*MUSTER, "draw", game, f"--{option}", place, "--force"]
        done = subprocess.run(before + shlex.join(draw), shell=True, capture_output=True, text=True)
        assert (done.returncode, Path(f"{option}.toml").read_bytes()) == (0, content), done.stderr
        assert muster("check", "scenario.toml").code == 0
        assert (
            tomllib.loads(Path("scenario.toml").read_text("utf-8"))["muster"]["files"][option]["name"]
            == f"{option}.toml"
        )
    assert "is larger than 1 MiB" in muster("draw", game, f"--{option}", "/dev/zero").err
    assert not [left for left in Path(tempfile.gettempdir()).glob("muster-*") if (left / f"{option}.toml").exists()]


def test_json_goes_to_a_file_of_its_own(here: Path) -> None:
    answer = muster("draw", "--seed", CODE, "--json", "-o", "battle.json").json
    written, printed = muster("draw", "--seed", CODE, "--json").json, (here / "battle.json").read_text("utf-8")
    assert answer["file"] == "battle.json" and answer["code"] == CODE
    assert printed.startswith(muster("draw", "--seed", CODE, "--json").out[:-3])
    assert [path.name for path in here.iterdir()] == ["battle.json"] and written["code"] == CODE
    assert muster("draw", "--json", "-o", "battle.json").code == 0
    (here / "battle.json").write_text(printed.replace(CODE, "K7Q2M-9FJXX"), "utf-8")
    done = muster("draw", "--json", "-o", "battle.json")
    assert (done.code, "would be replaced" in done.json["problems"][0]["message"]) == (2, True)
    streamed = muster("draw", "--seed", CODE, "--json", "-o", "-")
    assert (streamed.out, '"file": "-"' in streamed.err) == (printed, True)


def test_what_a_shell_holds_open_may_be_called_anything(here: Path) -> None:
    command = f"{shlex.join(MUSTER)} draw --seed {CODE} -o /dev/fd/3 3>made"
    assert subprocess.run(command, shell=True, capture_output=True, check=False).returncode == 0
    assert muster("check", "made").code == 0


def test_a_copy_beside_a_scenario_goes_to_no_device(here: Path) -> None:
    assert muster("data", "copy", "saint_ivo", "-o", "mine.toml").code == 0
    assert muster("draw", "--map", "mine.toml", "-o", "/dev/null").code == 0
    assert not Path("/dev/mine.toml").exists()


def test_a_file_that_is_write_protected_stays(here: Path) -> None:
    assert muster("draw", "--seed", CODE).code == 0
    (here / "scenario.toml").chmod(0o444)
    done = muster("draw")
    assert (done.code, "would be replaced, but it is write-protected" in done.err) == (2, True)
    assert muster("draw", "--force").code == 0
    assert stat.S_IMODE((here / "scenario.toml").stat().st_mode) == 0o444


def test_a_kit_that_was_filled_in_stays(here: Path) -> None:
    kit = ("kit", "battling", "--seed", CODE, "--parts", "records", "--fillable", "-o", "kit")
    assert muster(*kit).code == 0
    with (here / "kit" / "kit.pdf").open("ab") as file:
        file.write(b"9 0 obj\n<< /V (7) >>\nendobj\nxref\n0 0\ntrailer\n<< >>\nstartxref\n9\n%%EOF\n")
    filled = (here / "kit" / "kit.pdf").read_bytes()
    done = muster(*kit)
    assert (done.code, "kit.pdf would be replaced" in done.err) == (2, True)
    assert (here / "kit" / "kit.pdf").read_bytes() == filled


def test_what_was_written_is_known_on_another_machine_and_by_another_name(request_folder: Path) -> None:
    for name in ("sheets", "gallery", "draw", "orders play", "printer calibrate"):
        target = request_folder / file_of(name)
        assert ask(name, "-o", target).code == 0
        again = target.rename(request_folder / f"again{target.suffix}")
        more = ("--lang", "ja") if name != "draw" else ("--banners", "5")
        assert ask(name, *more, "-o", again).code == 0


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_sheets_of_one_evening_are_a_booklet_without_reduced_pages(here: Path, lang: str) -> None:
    kit = ("kit", "travel_battle", "--seed", CODE, "--evening", "--lang", lang, "-o", "kit")
    done = muster(*kit)
    assert (done.code, "%" in done.err) == (0, False)
    assert muster("preflight", "kit/evening.pdf").code == 0
    assert {path.name for path in (here / "kit").iterdir()} == {"evening.pdf", "scenario.toml", "manifest.json"}
    large = muster(*kit, "--paper", "a3")
    assert (large.code, "%" in large.err) == (0, False)
    assert muster("preflight", "kit/evening.pdf").code == 0
    for more in (("--fillable",), ("--format", "png")):
        assert muster(*kit, *more).code == 2
    # Without --evening, an A3 print is a kit with larger pages.
    pages = ("--paper", "a3", "--parts", "cover", "-o", "large")
    assert muster("kit", "travel_battle", "--seed", CODE, *pages).code == 0
    assert (here / "large" / "kit.pdf").exists()
