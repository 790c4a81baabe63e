"""A battle from its draw to its pictures: draw, play, check, replay; and a cheat caught at its line."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from tests.cli.conftest import CODE
from tests.cli.run import muster

GAME = "game.log"
SCENE = ("--machines", "3", "--points", "36", "--arena", "plaza")


@pytest.fixture
def drawn(here: Path) -> Path:
    """A battle of squads of three, and the log of its ten turns."""
    assert muster("draw", "battling", "--seed", CODE, *SCENE).code == 0
    assert muster("orders", "play", "scenario.toml", "--seed", CODE, "-o", GAME).code == 0
    return here / GAME


@pytest.mark.parametrize(("lang", "header"), [("en", "[turn 1] [first]"), ("ja", "【1ターン 先攻】")])
def test_a_whole_battle_is_drawn_played_checked_and_shown_again(here: Path, lang: str, header: str) -> None:
    assert muster("draw", "battling", "--seed", CODE, *SCENE).code == 0
    assert muster("check", "scenario.toml").code == 0
    played = muster("orders", "play", "scenario.toml", "--seed", CODE, "--lang", lang)
    assert played.out.startswith(header)
    (here / GAME).write_text(played.out, "utf-8")
    checked = muster("orders", "check", GAME, "--lang", lang)
    assert (checked.code, GAME in checked.out) == (0, True)
    judged = muster("orders", "check", GAME, "--json").json
    assert (judged["clean"], judged["over"], judged["waiting"]) == (True, True, [])
    turns = [turn["turn"] for turn in judged["turns"]]
    assert turns == list(range(1, len(turns) + 1))
    shown = muster("replay", GAME, "--lang", lang, "--dpi", "40", "-o", "pictures")
    assert shown.code == 0
    pictures = sorted(path.name for path in (here / "pictures").glob("*.png"))
    assert pictures == [f"{part}-{n:02}.png" for part in ("start", "turn") for n in turns]
    with Image.open(here / "pictures" / "replay.gif") as moving:
        assert (moving.n_frames, moving.info["loop"]) == (2 * len(turns), 0)  # type: ignore[attr-defined]
        moving.seek(1)
        assert moving.info["duration"] == 4000
    document = pypdfium2.PdfDocument(here / "pictures" / "replay.pdf")
    try:
        assert len(document) == 2 * len(turns)
    finally:
        document.close()


def test_a_walk_that_is_too_long_is_caught_at_its_line(drawn: Path) -> None:
    lines = drawn.read_text("utf-8").split("\n")
    at = next(i for i, line in enumerate(lines) if re.match(r"#\d: W /", line))
    lines[at] = re.sub(r"W / \d", "W / 3", lines[at])
    drawn.write_text("\n".join(lines), "utf-8")
    found = muster("orders", "check", GAME, "--json")
    assert found.code == 1
    assert [(f["line"], f["reason"]) for f in found.json["findings"]] == [(at + 1, "move.far")]
    told = muster("orders", "check", GAME).out
    assert f"{GAME}:{at + 1}: 3 hexes; at most 2 are allowed [move.far]" in told
    replay = muster("replay", GAME, "--dpi", "30", "-o", "pictures")
    assert (replay.code, f"{GAME}:{at + 1}:" in replay.err) == (0, True)


def test_hit_points_that_do_not_add_up_are_caught_at_their_line(drawn: Path) -> None:
    lines = drawn.read_text("utf-8").split("\n")
    at = next(i for i, line in enumerate(lines) if re.search(r"/ HP[2-9]$", line))
    lines[at] = re.sub(r"HP(\d)$", lambda match: f"HP{int(match[1]) - 1}", lines[at])
    drawn.write_text("\n".join(lines), "utf-8")
    found = muster("orders", "check", GAME, "--json").json
    assert [(f["line"], f["reason"]) for f in found["findings"]] == [(at + 1, "reply.hp")]


def test_every_order_that_is_listed_is_legal(drawn: Path) -> None:
    rows = muster("orders", "list", "scenario.toml", "F2", "--json").json
    told = muster("orders", "list", "scenario.toml", "F2").out.splitlines()
    assert told == [row["order"] for row in rows]
    for order in told[:: max(1, len(told) // 8)]:
        Path("one.log").write_text(f"[turn 1] [first]\n#2: {order}\n", "utf-8")
        assert muster("orders", "check", "one.log", "--scenario", "scenario.toml").code == 0
    after = muster("orders", "list", "scenario.toml", "F2", "--after", drawn).out.splitlines()
    assert after != told


def test_an_unknown_unit_is_named(drawn: Path) -> None:
    done = muster("orders", "list", "scenario.toml", "F9")
    assert (done.code, "F9" in done.err, "F1" in done.err) == (2, True, True)


def test_a_log_that_is_not_over_says_what_it_waits_for(drawn: Path) -> None:
    lines = drawn.read_text("utf-8").split("\n")
    at = next(i for i, line in enumerate(lines) if re.match(r"#\d: F", line))
    Path("part.log").write_text("\n".join(lines[: at + 1]), "utf-8")
    done = muster("orders", "check", "part.log", "--scenario", "scenario.toml")
    assert done.code == 0
    assert f"still to come to line {at + 1}." in done.out


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"one\ntwo\n#2: \x81 \n", 3),
        (b"\xef\xbb\xbfone\n\x81 \n", 2),
        ("戦車\n突撃\n".encode("cp932") + b"\x81 \n", 3),  # no UTF-8 from its first byte on
        ("戦車\n突撃\n".encode() + b"\x81 \n", 3),
    ],
)
def test_a_log_that_is_no_text_is_told_with_the_line_that_no_encoding_reads(
    drawn: Path, raw: bytes, line: int
) -> None:
    drawn.write_bytes(raw)
    done = muster("orders", "check", GAME)
    assert (done.code, done.err) == (3, f"{GAME}:{line}: is no text in UTF-8 or Shift JIS (save it as UTF-8)\n")


def test_a_roll_by_chains_from_the_first_line_to_the_verdict(drawn: Path) -> None:
    """Each tells the end of his chain; one attacks with his link, the other's next post is thrown and filled in."""
    ends = []
    for name in ("a.txt", "b.txt"):
        assert muster("orders", "dice", "scenario.toml", "-o", name).code == 0
        assert stat.S_IMODE(Path(name).stat().st_mode) == 0o600
        ends.append(re.findall(r"^chain: [0-9a-f]{64}$", Path(name).read_text("utf-8"), re.M)[0])
    link = re.findall(r"^[0-9a-f]{64}$", Path("a.txt").read_text("utf-8"), re.M)[0]
    played = drawn.read_text("utf-8")
    *before, attack = played[: re.search(r"#\d: F .*", played).end()].splitlines()  # type: ignore[union-attr]
    side = "first" if [line for line in before if "] [" in line][-1].endswith("[first]") else "second"
    vows = f"1T先攻\n{ends[side == 'second']}\n1T後攻\n{ends[side == 'first']}\n"
    Path("duel.txt").write_bytes((vows + "\n".join([*before, f"{attack} {link}", ""])).encode("cp932"))
    asked = ("orders", "next", "duel.txt", "--chain", "b.txt", "--json")
    post = muster(*asked).json
    (owed,) = post["owes"]
    assert re.fullmatch(rf"{owed['hex']} / \d / (H / \d|F) / HP\d [0-9a-f]{{64}}", owed["write"])
    assert (post["clean"], owed["write"] in post["text"], post["side"] != side) == (True, True, True)
    whole = Path("duel.txt").read_bytes().decode("cp932") + post["text"] + "\n"
    Path("duel.txt").write_text(whole, "utf-8")
    assert muster("orders", "check", "duel.txt").code == 0
    forged = re.sub(rf"^({owed['hex']}) / \d", r"\1 / 7", whole, flags=re.M)
    Path("duel.txt").write_text(forged, "utf-8")
    assert "[dice.roll]" in muster("orders", "check", "duel.txt").out
