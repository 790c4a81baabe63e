"""Tests for `muster orders`, from generating a battle to playing, checking and replaying it, and finding a cheat."""

from __future__ import annotations

import hashlib
import re
import stat
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from generator.model.words import LANGS
from tests.cli.conftest import CODE
from tests.cli.run import muster

GAME = "game.log"
SCENE = ("--machines", "3", "--points", "36", "--arena", "plaza")


@pytest.fixture
def drawn(here: Path) -> Path:
    """Return the log of a battle between squads of three machines over ten turns."""
    assert muster("draw", "battling", "--seed", CODE, *SCENE).code == 0
    assert muster("orders", "play", "scenario.toml", "--seed", CODE, "-o", GAME).code == 0
    return here / GAME


@pytest.mark.parametrize(("lang", "header"), [("en", "[turn 1] [first]"), ("ja", "【1ターン 先攻】")])
def test_a_whole_battle_is_drawn_played_checked_and_shown_again(here: Path, lang: str, header: str) -> None:
    assert muster("draw", "battling", "--seed", CODE, *SCENE, "--turns", "3").code == 0
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
    done = muster("replay", GAME, "--lang", lang, "--dpi", "40", "-o", "pictures")
    assert done.code == 0
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
    # Two turns are enough for this test.
    lines = drawn.read_text("utf-8").partition("[turn 3]")[0].split("\n")
    at = next(i for i, line in enumerate(lines) if re.match(r"#\d: W /", line))
    lines[at] = re.sub(r"W / \d", "W / 3", lines[at])
    drawn.write_text("\n".join(lines), "utf-8")
    found = muster("orders", "check", GAME, "--json")
    assert found.code == 1
    assert [(f["line"], f["reason"]) for f in found.json["findings"]] == [(at + 1, "move.far")]
    output = muster("orders", "check", GAME).out
    assert f"{GAME}:{at + 1}: a move of 3 hexes is too long; at most 2 are allowed [move.far]" in output
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
    lines = muster("orders", "list", "scenario.toml", "F2").out.splitlines()
    assert lines == [row["order"] for row in rows]
    for order in lines[:: max(1, len(lines) // 8)]:
        Path("one.log").write_text(f"[turn 1] [first]\n#2: {order}\n", "utf-8")
        assert muster("orders", "check", "one.log", "--scenario", "scenario.toml").code == 0
    after = muster("orders", "list", "scenario.toml", "F2", "--after", drawn).out.splitlines()
    assert after != lines


def test_an_unknown_unit_is_named(drawn: Path) -> None:
    done = muster("orders", "list", "scenario.toml", "F9")
    assert (done.code, "F9" in done.err, "F1" in done.err) == (2, True, True)


def test_a_log_that_is_not_over_says_what_it_waits_for(drawn: Path) -> None:
    lines = drawn.read_text("utf-8").split("\n")
    at = next(i for i, line in enumerate(lines) if re.match(r"#\d: F", line))
    Path("part.log").write_text("\n".join(lines[: at + 1]), "utf-8")
    done = muster("orders", "check", "part.log", "--scenario", "scenario.toml")
    assert done.code == 0
    assert f"to line {at + 1} is still missing." in done.out


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"one\ntwo\n#2: \x81 \n", 3),
        (b"\xef\xbb\xbfone\n\x81 \n", 2),
        ("戦車\n突撃\n".encode("cp932") + b"\x81 \n", 3),  # not UTF-8, starting with the first byte
        ("戦車\n突撃\n".encode() + b"\x81 \n", 3),
    ],
)
def test_a_log_in_no_known_encoding_is_reported_with_its_line(drawn: Path, raw: bytes, line: int) -> None:
    drawn.write_bytes(raw)
    done = muster("orders", "check", GAME)
    assert (done.code, done.err) == (
        3,
        f"{GAME}:{line}: is not text in UTF-8, UTF-16 or Shift JIS (save the file as UTF-8)\n",
    )


def test_a_roll_by_chains_is_posted_and_judged(drawn: Path) -> None:
    """Each player posts the end of a chain.

    One player attacks with a link, and the opponent's next post has the dice filled in.
    """
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
    args = ("orders", "next", "duel.txt", "--chain", "b.txt", "--json")
    post = muster(*args).json
    (pending,) = post["owes"]
    assert re.fullmatch(rf"{pending['hex']} / \d / (H / \d|F) / HP\d [0-9a-f]{{64}}", pending["write"])
    assert (post["clean"], pending["write"] in post["text"], post["side"] != side) == (True, True, True)
    whole = Path("duel.txt").read_bytes().decode("cp932") + post["text"] + "\n"
    Path("duel.txt").write_text(whole, "utf-8")
    assert muster("orders", "check", "duel.txt").code == 0
    forged = re.sub(rf"^({pending['hex']}) / \d", r"\1 / 7", whole, flags=re.M)
    Path("duel.txt").write_text(forged, "utf-8")
    assert "[dice.roll]" in muster("orders", "check", "duel.txt").out


DUEL = """[muster]
game = "battling"
[play]
title = "A duel"
setup = "fixed"
[arena]
[first]
machines = [{ hex = "0707", machine = "scopedog" }]
[second]
machines = [{ hex = "1108", machine = "brutishdog" }]
"""
THREAD = (
    "1T先攻です、よろしく！\n①まずは撃ちます。\nＦ／１１０８　当たれ～\n\n"
    "1T後攻\n＞Ｆ／１１０８\nやられた… 1108／１／Ｈ／２／HP3\nD\n"
)
VERBS = (
    ("orders", "check", "{log}"),
    ("orders", "next", "{log}"),
    ("orders", "list", "scenario.toml", "F1", "--after", "{log}"),
    ("replay", "{log}", "--dpi", "30", "-o", "pictures", "--force"),
)
"""Every verb that reads a log."""


@pytest.fixture
def duel(here: Path) -> Path:
    (here / "scenario.toml").write_text(DUEL, "utf-8")
    return here


@pytest.mark.parametrize(
    "line", ["D x3", "#1: D??", "防御", "今回は全機防御で様子見します。", "The Scopedog guards."]
)
def test_a_log_without_orders_names_the_lines_that_may_be_orders(duel: Path, line: str) -> None:
    (duel / "log.txt").write_text(f"[turn 1] [first]\nHello!\n{line}\n", "utf-8")
    done = muster("orders", "check", "log.txt")
    assert done.code == 3 and done.err.splitlines() == [
        "log.txt:3: may be an order, a reply or a header, but was read as talk (write it as in #1: W / 2 / 0908)",
        "log.txt: the log contains no orders",
    ]
    found = muster("orders", "check", "log.txt", "--json").json["problems"]
    assert [problem["line"] for problem in found] == [3, 0]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: " ".join(verb[:2]))
def test_a_shift_jis_thread_with_windows_line_ends_is_read_from_file_and_pipe(
    duel: Path, verb: tuple[str, ...], lang: str
) -> None:
    """The file is saved as by a browser on Windows. Every source gives the same result as the UTF-8 file."""
    plain = THREAD.encode()
    windows = THREAD.replace("\n", "\r\n").encode("cp932")
    outputs = []
    for name, raw in (("utf8", plain), ("sjis", windows), ("-", windows)):
        if name != "-":
            (duel / name).write_bytes(raw)
        args = [word.format(log=name) for word in verb]
        done = muster(*args, "--lang", lang, user_input=raw)
        assert (done.code, done.err) == (0, "")
        outputs.append(done.out.replace(f"{name}：", "：").replace(f"{name}:", ":"))
    assert outputs[0] == outputs[1] == outputs[2] != ""


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("raw", [b"", b"\r\n\r\n", "\ufeff".encode()])
def test_an_empty_log_has_a_next_post_and_a_picture(duel: Path, raw: bytes, lang: str) -> None:
    """Every duel begins with an empty log. Only `check` needs an order to judge."""
    (duel / "log.txt").write_bytes(raw)
    post = muster("orders", "next", "log.txt", "--lang", lang, "-o", "start.png", "--dpi", "30")
    header = {"en": "[turn 1] [first]", "ja": "【1ターン 先攻】"}[lang]
    assert (post.code, post.out.splitlines()[0]) == (0, header)
    assert (duel / "start.png").read_bytes().startswith(b"\x89PNG")
    at_start = muster("orders", "list", "scenario.toml", "F1").out
    assert muster("orders", "list", "scenario.toml", "F1", "--after", "log.txt").out == at_start
    assert muster("replay", "log.txt", "--lang", lang, "--dpi", "30", "-o", "pictures").code == 0
    assert sorted(path.name for path in (duel / "pictures").glob("*.png")) == ["turn-01.png"]
    judged = muster("orders", "check", "log.txt", "--lang", lang)
    nothing = {"en": "log.txt: the log contains no orders", "ja": "log.txt: 記録の中に行動が見つかりません"}[lang]
    assert (judged.code, judged.err.startswith(nothing)) == (3, True)
    # The beginning of the next post can be read back, and an order added to it is judged.
    (duel / "log.txt").write_text(post.out.splitlines()[0] + "\n" + at_start.splitlines()[0] + "\n", "utf-8")
    assert muster("orders", "check", "log.txt", "--lang", lang).code == 0


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: " ".join(verb[:2]))
def test_files_that_are_not_logs_are_reported_and_nothing_is_written(
    duel: Path, verb: tuple[str, ...], lang: str
) -> None:
    for name, code in (("nowhere.txt", 3), ("scenario.toml", 2)):
        done = muster(*[word.format(log=name) for word in verb], "--lang", lang)
        assert (done.code, done.out) == (code, "")
        assert done.err.startswith(f"{name}: ")
        assert not (duel / "pictures").exists()


@pytest.mark.parametrize("lang", LANGS)
def test_dice_and_seals_print_what_to_post_in_each_language(duel: Path, lang: str) -> None:
    """The lines to post are the same in both languages, because a log reader must recognise them."""
    made = muster("orders", "dice", "scenario.toml", "--secret", "red shoulder", "--lang", lang).out.splitlines()
    assert ("投稿" in made[0]) == (lang == "ja")
    assert re.fullmatch("chain: [0-9a-f]{64}", made[1])
    seal = muster("orders", "dice", "scenario.toml", "--secret", "kettle", "--seal", "S1 1108", "--lang", lang)
    sealed, opened = seal.out.splitlines()
    assert opened == "open: kettle S1 1108"
    assert sealed == f"seal: {hashlib.sha256(opened.removeprefix('open: ').encode()).hexdigest()}"
    (duel / "log.txt").write_text(f"1T後攻\n{sealed}\n1T先攻\nD\n1T後攻\n{opened}\nD\n", "utf-8")
    assert muster("orders", "check", "log.txt", "--lang", lang).code == 0
    moved = DUEL.replace('"1108"', '"1109"')
    (duel / "scenario.toml").write_text(moved, "utf-8")
    assert "[seal.place]" in muster("orders", "check", "log.txt", "--lang", lang).out


def test_a_log_in_utf_16_is_read(here: Path, drawn: Path) -> None:
    """Some editors of Windows write UTF-16. Such a log counted as one without orders."""
    plain = muster("orders", "next", GAME)
    text = drawn.read_text("utf-8")
    for encoding in ("utf-16", "utf-8-sig"):
        drawn.write_bytes(text.encode(encoding))
        assert muster("orders", "next", GAME).out == plain.out
        assert muster("orders", "check", GAME).code == 0
