"""Play games at a pseudo-terminal as a person does: with hints, typos, undo, breaks, crashes and both languages."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from generator.common.play_session import decode
from generator.localization import display_width
from tests.cli.conftest import CODE, Made
from tests.cli.run import MUSTER, muster

PATIENCE_S = 60
"""The maximum time in seconds until the next prompt, which allows for a busy machine."""
DRAWN = {
    "battlelore": (),
    "call_to_arms": (),
    "battling": ("--mirror", "--machines", "2", "--turns", "6"),
    "travel_battle": ("--turns", "6"),
    "blind_faith": ("--kind", "battle", "--points", "30"),
}
PROMPT = "\r\n> "


class Person:
    """A person at a pseudo-terminal who plays with `muster play`."""

    def __init__(self, *args: str, lang: str = "en") -> None:
        self.text = ""
        """Everything that the terminal has shown."""
        self.screen, inner = pty.openpty()
        root = str(Path(__file__).resolve().parents[2])
        env = os.environ | {"PYTHONPATH": root, "TERM": "dumb", "COLUMNS": "100"}
        command = [sys.executable, "-m", "generator", "play", *args, "--lang", lang]
        self.process = subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, env=env, close_fds=True)
        os.close(inner)

    def read(self) -> str:
        """Return what is shown until the next prompt or the end of the game."""
        output, end = "", time.monotonic() + PATIENCE_S
        while not output.endswith(PROMPT):
            assert time.monotonic() < end, f"no prompt after: {output[-500:]}"
            if not select.select([self.screen], [], [], 0.2)[0]:
                continue
            try:
                new = os.read(self.screen, 1 << 16)
            except OSError:  # The terminal is closed when the program ends.
                break
            if not new:
                break
            output += new.decode("utf-8", "replace")
        self.text += output
        return output

    def type(self, line: str) -> str:
        """Type a line, and return what is shown until the next prompt."""
        os.write(self.screen, f"{line}\n".encode())
        return self.read()

    def hinted(self) -> str:
        """Ask for a hint, and return the recommended move."""
        found = re.search(r"^(?:Hint: |ヒント：)(.+?)\r$", self.type("hint"), re.M)
        assert found, self.text[-800:]
        return found[1]

    @property
    def is_over(self) -> bool:
        """Whether the program has ended."""
        return not self.text.endswith(PROMPT)


@contextmanager
def person(*args: str, lang: str = "en") -> Iterator[Person]:
    """Yield a person in front of the first prompt."""
    one = Person(*args, lang=lang)
    try:
        one.read()
        yield one
    finally:
        one.process.kill()
        one.process.wait()
        os.close(one.screen)


@pytest.fixture
def drawn(here: Path, made: Made) -> dict[str, Path]:
    """Return the scenario file of each game."""
    files = {}
    for game, options in DRAWN.items():
        folder = made("draw", game, "--seed", CODE, *options, "-o", f"{game}.toml")
        files[game] = Path(shutil.copy(folder / f"{game}.toml", here))
    return files


@pytest.mark.parametrize(("game", "lang"), [(game, "ja" if n % 2 else "en") for n, game in enumerate(DRAWN)])
def test_a_whole_game_with_a_break(drawn: dict[str, Path], game: str, lang: str) -> None:
    """Play by hints against the weak player, quit, resume, and play to the end."""
    seat = "2" if game == "blind_faith" else "1"
    with person(drawn[game].name, "--me", seat, "--seed", CODE, "--level", "weak", lang=lang) as one:
        for _ in range(4):
            one.type(one.hinted())
        before = one.text
        ended = one.type("quit")
        assert f"muster play --resume {game}.game.json" in ended
        assert one.process.wait(PATIENCE_S) == 0
    file = Path(f"{game}.game.json")
    saved = decode(file.read_bytes())
    assert saved.steps
    assert not saved.over
    with person("--resume", file.name, lang=lang) as one:
        question = before.split(PROMPT)[-2].splitlines()[-1]
        assert question in one.text
        moves = 0
        while not one.is_over:
            one.type(one.hinted())
            moves += 1
            assert moves < 1000
        assert one.process.wait(PATIENCE_S) == 0
    verdicts = {"en": ("You won.", "You lost.", "The game is a draw."), "ja": ("勝ち", "負け", "引き分け")}
    assert any(verdict in one.text.splitlines()[-1] for verdict in verdicts[lang])
    done = decode(file.read_bytes())
    assert done.over
    assert done.steps[: len(saved.steps)] == saved.steps
    assert "Traceback" not in one.text


def test_a_newcomer_is_helped_at_each_step(drawn: dict[str, Path]) -> None:
    with person("battlelore.toml", "--me", "1", "--seed", CODE) as one:
        assert "Type help for the commands, ? for your moves, or quit to stop." in one.text
        assert "there is no move of yours to take back" in one.type("undo")
        one.type(one.hinted())
        units = re.findall(r"^(?:> )?  (P\d+)  P", one.type("?"), re.M)[::9]  # Left and centre.
        assert f"Ordered so far: {units[0]}, {units[1]}." in one.type(" ".join(units))
        assert "taken back" in one.type("undo")
        assert f"Ordered so far: {units[0]}." in one.text
        assert "Did you mean" not in one.type("S1 A1")
        # The unit behind one that cannot be ordered is not left out silently.
        assert f"situation changed before it: {units[0]}" in one.type(f"{units[1]} S1 {units[0]}")
        one.type("quit")
    with person("battlelore.toml", "--me", "1", "--seed", CODE) as one:
        assert "battlelore.game.json has an unfinished game." in one.text
        assert "The game is saved in battlelore-2.game.json" in one.text


def test_the_game_of_a_kit_has_the_name_of_its_folder(here: Path, drawn: dict[str, Path]) -> None:
    (here / "output" / "battling-K7").mkdir(parents=True)
    shutil.move(here / "battling.toml", here / "output" / "battling-K7" / "scenario.toml")
    assert (
        "muster play --resume battling-K7.game.json"
        in muster("play", "output/battling-K7/scenario.toml", "--me", "1").out
    )


def test_a_saved_game_and_a_scenario_are_not_confused(drawn: dict[str, Path]) -> None:
    assert muster("play", "battling.toml", "--me", "1").code == 0
    done = muster("play", "battling.game.json")
    assert (done.code, "muster play --resume battling.game.json" in done.err) == (2, True)
    done = muster("play", "--resume", "battling.toml")
    assert (done.code, "muster play battling.toml --me 1" in done.err) == (2, True)


def test_every_move_is_on_disk_when_the_program_is_killed(drawn: dict[str, Path]) -> None:
    file = Path("battlelore.game.json")
    with person("battlelore.toml", "--me", "1", "--seed", CODE) as one:
        for _ in range(6):
            move = one.hinted()
            one.type(move)
            steps = decode(file.read_bytes()).steps
            assert [step.move for step in steps if step.seat == 0 and step.move][-1] == move
        one.process.send_signal(signal.SIGKILL)
        one.process.wait(PATIENCE_S)
        question = one.text.split(PROMPT)[-2].splitlines()[-1]
    assert sorted(path.name for path in Path().glob("battlelore*")) == ["battlelore.game.json", "battlelore.toml"]
    with person("--resume", file.name) as one:
        assert question in one.text


def test_the_end_of_input_saves(drawn: dict[str, Path]) -> None:
    with person("battling.toml", "--me", "1", "--seed", CODE) as one:
        one.type(one.hinted())
        os.write(one.screen, b"\x04")
        assert "--resume battling.game.json" in one.read()
        assert one.process.wait(PATIENCE_S) == 0
    assert len(decode(Path("battling.game.json").read_bytes()).steps) == 1


def test_a_closed_input_saves(drawn: dict[str, Path]) -> None:
    """It ended as a bug: “input(): lost sys.stdin”."""
    args = [*MUSTER, "play", "battling.toml", "--me", "1", "--seed", CODE, "--lang", "en"]
    done = subprocess.run(
        ["bash", "-c", '"$@" <&-', "bash", *args],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    assert "--resume battling.game.json" in done.stdout + done.stderr


def test_a_signal_to_end_saves(drawn: dict[str, Path]) -> None:
    with person("battling.toml", "--me", "1", "--seed", CODE) as one:
        one.type(one.hinted())
        time.sleep(1)  # A signal between the prompt and the wait for input is only noticed with the next input.
        one.process.send_signal(signal.SIGTERM)
        assert "--resume battling.game.json" in one.read()
    assert len(decode(Path("battling.game.json").read_bytes()).steps) == 1


def test_the_board_of_the_terminal_aligns_in_japanese(drawn: dict[str, Path]) -> None:
    with person("battlelore.toml", "--me", "2", "--seed", CODE, lang="ja") as one:
        board = one.type("board").replace("\r", "")
    rows = [line for line in board.splitlines() if re.match(r"( {3})?[A-L]\d ", line)]
    assert len(rows) == 9
    for row in rows:
        for found in re.finditer(r"[A-L]\d", row):
            assert display_width(row[: found.start()]) % 6 in (0, 3)


def test_the_commands_of_a_game(drawn: dict[str, Path]) -> None:
    args = ("play", "battlelore.toml", "--me", "pennant", "--seed", CODE)
    lines = [
        "",
        "help",
        "board",
        "units",
        "hand",
        "?",
        "odds P1 S1",
        "odds",
        "odds P1 Q9",
        "undo",
        "nonsense",
        "last",
    ]
    done = muster(*args, user_input="\n".join([*lines, "quit", ""]))
    assert done.code == 0
    for expected in (
        "Type a move. ? lists the moves",
        "undo     takes back your last move",
        "Standard's seat",
        "  P1 blue long sword, B1, 3 of 3 left",
        "centre_attack  Centre Attack: orders up to 3 units in the centre ×2",
        "P1 cannot attack S1 from B1.",
        "such as: odds P1 S1",
        "there is no unit named 'Q9'",
        "there is no move of yours to take back",
        "This move is not possible here: nonsense",
    ):
        assert expected in done.out, expected


def test_several_moves_in_one_line_and_undo(drawn: dict[str, Path]) -> None:
    args = ("play", "battlelore.toml", "--me", "1", "--seed", CODE)
    moves = ("centre attack; p4; p5, P6", "p4 g3; undo; p4 f3; moves", "quit", "")
    done = muster(*args, user_input="\n".join(moves))
    assert "orders P4 (green common bow), P5 (red short sword), P6 (red long sword)" in done.out
    assert "P4 (green common bow) moves from F2 to F3" in done.out
    steps = decode(Path("battlelore.game.json").read_bytes()).steps
    assert [step.move for step in steps if step.move][:6] == ["centre_attack", "P4", "P5", "P6", "P4 F3", "moves"]


def test_the_rest_of_a_line_is_reported_if_it_cannot_be_carried_out(drawn: dict[str, Path]) -> None:
    args = ("play", "battling.toml", "--me", "1", "--seed", CODE)
    done = muster(*args, user_input="F1 D; F9 D; F2 D\nquit\n")
    assert "This move is not possible here: F9 D" in done.out
    assert "Not carried out, because the situation changed before it: F2 D" in done.out


@pytest.mark.parametrize("name", ["now.png", "shown"])
def test_a_picture_of_the_board_is_renewed_before_each_move(drawn: dict[str, Path], name: str) -> None:
    picture = Path(name) / "board.svg" if name == "shown" else Path(name)
    contents = set()
    with person("battling.toml", "--me", "1", "--seed", CODE, "--pictures", name) as one:
        for _ in range(3):
            contents.add(picture.read_bytes())
            one.type(one.hinted())
    assert len(contents) == 3
    assert all(content.startswith((b"<svg ", b"\x89PNG")) for content in contents)


def test_a_log_is_written_although_the_game_is_shown(drawn: dict[str, Path]) -> None:
    done = muster(
        "play", "battling.toml", "--me", "1", "--seed", CODE, "-o", "game.txt", user_input="F1 D\nF2 D\nquit\n"
    )
    assert "F1 (" in done.out
    assert "guards in" in done.out
    assert Path("game.txt").read_text("utf-8").startswith("[turn 1] [first]\n#1: D\n#2: D\n")


def test_another_game_of_the_scenario_does_not_replace_the_saved_one(drawn: dict[str, Path]) -> None:
    for _ in range(2):
        muster("play", "battling.toml", "--me", "1", "--seed", CODE, user_input="F1 D\nquit\n")
    first, second = (Path(name).read_bytes() for name in ("battling.game.json", "battling-2.game.json"))
    assert first == second


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("play",), "Missing argument 'FILE'"),
        (("play", "battling.toml", "--resume", "x.json"), "--resume continues a saved game"),
        (("play", "--resume", "x.json", "--me", "1"), "--resume continues a saved game"),
        (("play", "--resume", "missing.json"), "missing.json"),
        (("play", "--resume", "battling.toml"), "not a saved game"),
        (("play", "battling.toml", "--level", "strong", "--strength", "weak"), "give one of them"),
        (("play", "battling.toml", "--level", "club", "--players", "lurker"), "played by the captain"),
        (("play", "battling.toml", "--save", "x.json"), "--save is for a game that you play yourself"),
        (("play", "battling.toml", "--pictures", "x.svg"), "--pictures takes a folder"),
    ],
)
def test_options_that_do_not_fit_are_reported(drawn: dict[str, Path], args: tuple[str, ...], expected: str) -> None:
    done = muster(*args)
    assert done.code
    assert expected in done.out + done.err


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf{}", b'{"format": 1, "note": "x"}', b"hello"])
@pytest.mark.parametrize(
    ("lang", "text"), [("en", "it is damaged (use a copy"), ("ja", "壊れています（ファイルの控え")]
)
def test_a_damaged_saved_game_is_refused_by_name(here: Path, content: bytes, lang: str, text: str) -> None:
    (here / "x.game.json").write_bytes(content)
    done = muster("play", "--resume", "x.game.json", "--lang", lang)
    assert done.code == 3 and done.err.startswith("x.game.json: ") and text in done.err


def test_a_saved_game_that_was_changed_needs_force(drawn: dict[str, Path]) -> None:
    muster("play", "battling.toml", "--me", "1", "--seed", CODE, user_input="F1 D\nquit\n")
    saved = Path("battling.game.json")
    saved.write_bytes(saved.read_bytes().replace(b"\n", b"\n\n", 1))
    refused = muster("play", "--resume", "battling.game.json", user_input="quit\n")
    assert refused.code == 2 and "to go on from the changed file, add --force" in refused.err
    assert muster("play", "--resume", "battling.game.json", "--force", user_input="quit\n").code == 0


def test_a_saved_game_with_another_scenario_is_refused(drawn: dict[str, Path]) -> None:
    muster("play", "battling.toml", "--me", "1", "--seed", CODE, user_input="F1 D\nquit\n")
    values = json.loads(Path("battling.game.json").read_text("utf-8"))
    values["scenario"]["text"] = values["scenario"]["text"].replace("turns = 6", "turns = 5")
    Path("battling.game.json").write_text(json.dumps(values), "utf-8")
    done = muster("play", "--resume", "battling.game.json")
    assert done.code == 1
    assert "the scenario in battling.game.json was changed" in done.err


def test_a_game_finds_the_users_files_of_its_scenario_again(here: Path) -> None:
    """The scenario and its own map are in another folder than the saved game."""
    Path("files").mkdir()
    with contextlib.chdir("files"):
        assert muster("data", "copy", "fenwater", "-o", "mine.toml").code == 0
        assert muster("draw", "battlelore", "--map", "mine.toml", "--seed", CODE, "-o", "own.toml").code == 0
    for args in (("files/own.toml", "--me", "1"), ("--resume", "own.game.json"), ("--resume", "own.game.json")):
        done = muster("play", *args, user_input="hint\nquit\n")
        assert done.code == 0, done.err
        assert "Hint: " in done.out


def test_strength_is_an_alias_of_level(drawn: dict[str, Path]) -> None:
    outputs = {}
    for option, value in (("--strength", "weak"), ("--level", "weak"), ("--strength", "full"), ("--level", "casual")):
        done = muster("play", "battling.toml", "--seed", CODE, option, value, "--json")
        outputs[option, value] = done.json["steps"]
    assert outputs["--strength", "weak"] == outputs["--level", "weak"]
    assert outputs["--strength", "full"] == outputs["--level", "casual"]
    assert outputs["--level", "weak"] != outputs["--level", "casual"]
    assert muster("play", "battling.toml", "--level", "club", "--json").json["players"] == ["captain", "captain"]
