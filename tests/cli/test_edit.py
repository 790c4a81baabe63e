"""Tests for `muster edit`, which makes only the requested change."""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path

import pytest

from generator import games
from generator.store.manifest import sealed, without_mark
from tests.cli.conftest import CODE
from tests.cli.run import muster


def edited_text(name: str) -> str:
    """Return the text of a file that an edit wrote, without the mark in its last line."""
    text = Path(name).read_text("utf-8")
    assert sealed(text.encode())
    return without_mark(text)


def changed_lines(*args: str) -> list[str]:
    """Return the lines of scenario.toml that an edit removes and adds, except the lines of the code and the marks."""
    before = Path("scenario.toml").read_text("utf-8")
    muster("edit", "scenario.toml", *args, "-o", "after.toml")
    rows = difflib.ndiff(before.splitlines(), edited_text("after.toml").splitlines())
    head = ("- code =", "- version =", "- seal =")
    return [row for row in rows if row[0] in "+-" and not row.startswith(head)]


def test_a_reserve_that_is_sent_elsewhere_is_legal_and_its_step_tells_it_without_a_stream(here: Path) -> None:
    assert muster("draw", "call_to_arms", "--seed", CODE).code == 0
    found = changed_lines("P15>C1")
    assert [row.split()[0] for row in found] == ["-", "+", "-", "-", "+"]
    assert 'hex = "C1"' in found[1] and "stream" in found[2] and found[4] == '+ result = ["P15", "C1"]'
    answer = muster("check", "after.toml", "--json").json[0]
    assert (answer["legal"], answer["findings"]) == (True, [])


def test_an_illegal_move_is_made_and_reported_with_reason_and_legal_cells(here: Path) -> None:
    muster("draw", "call_to_arms", "--seed", CODE)
    done = muster("edit", "scenario.toml", "P3>J6", "-o", "after.toml", "--json")
    (finding,) = done.json["findings"]
    assert (done.code, done.json["legal"], finding["rule"]) == (1, False, "deploy.hex")
    assert finding == muster("check", "after.toml", "--json").json[0]["findings"][0]
    assert 'id = "P3", hex = "J6"' in Path("after.toml").read_text("utf-8")
    # The reverse edit yields a legal scenario, but no code generates the result.
    back = muster("edit", "after.toml", "P3>D3", "-o", "back.toml", "--json")
    assert (back.code, back.json["findings"]) == (0, [])
    assert "code" not in Path("back.toml").read_text("utf-8")


def test_a_ruling_is_changed_and_an_unknown_ruling_is_reported(here: Path) -> None:
    muster("draw", "call_to_arms", "--seed", CODE)
    assert changed_lines("hill=plateau") == ['- hill = "adjacent"', '+ hill = "plateau"']
    wrong = muster("edit", "scenario.toml", "hill=flat", "-o", "other.toml")
    assert wrong.code == 3 and "this ruling has no choice 'flat'" in wrong.err


@pytest.mark.parametrize("game", games.names())
def test_every_unit_of_every_game_can_be_sent_where_another_stands(here: Path, game: str) -> None:
    muster("draw", game, "--seed", CODE)
    units = muster("edit", "scenario.toml", "--json").json["units"]
    assert units and not Path("after.toml").exists()
    first, last = units[0], units[-1]
    there = changed_lines(f"{first['id']}>{last['at']}", f"{last['id']}>{first['at']}")
    assert there
    after = {row["id"]: row["at"] for row in muster("edit", "after.toml", "--json").json["units"]}
    assert after == {row["id"]: row["at"] for row in units} | {first["id"]: last["at"], last["id"]: first["at"]}
    # The log was changed along with the swap, so only the positions are reported.
    findings = muster("check", "after.toml", "--json").json[0]["findings"]
    assert "log.true" not in {finding["rule"] for finding in findings}


@pytest.mark.parametrize("name", ["saint_ivo", "maypole_cross", "luznice"])
def test_terrain_is_changed_on_a_users_map_and_other_text_is_kept(here: Path, name: str) -> None:
    assert muster("data", "copy", name, "-o", "mine.toml").code == 0
    before = Path("mine.toml").read_text("utf-8")
    rows = tomllib.loads(before)["rows"]
    symbols = [row["symbol"] for row in muster("edit", "mine.toml", "--json").json["symbols"]]
    assert len(symbols) > 5
    for symbol in symbols:
        muster("edit", "mine.toml", f"A1={symbol}", f"C2={symbol}", "-o", "after.toml", "--force")
        wanted = [list(row) for row in rows.splitlines()]
        for row, column in ((-1, 0), (-2, 2)):
            spots = [at for at, letter in enumerate(wanted[row]) if letter != " "]
            wanted[row][spots[column]] = symbol
        after = edited_text("after.toml")
        assert after == before.replace(rows, "\n".join("".join(row) for row in wanted) + "\n")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("P99>A1", "there is no unit named 'P99'"),
        ("P3", "'P3' is not a valid change"),
        ("P3>", "'P3>' is not a valid change"),
        ("P3>Z9", "there is no hex 'Z9'"),
    ],
)
def test_an_impossible_change_is_reported(here: Path, change: str, expected: str) -> None:
    muster("draw", "call_to_arms", "--seed", CODE)
    done = muster("edit", "scenario.toml", change, "-o", "after.toml")
    assert done.code in (2, 3) and expected in done.err
    assert not Path("after.toml").exists()


@pytest.mark.parametrize("change", ["M1=f", "A0=f", "A10=f", "C4=?", "C4", "P3>D5"])
def test_an_unknown_symbol_or_cell_is_reported(here: Path, change: str) -> None:
    muster("data", "copy", "saint_ivo", "-o", "mine.toml")
    done = muster("edit", "mine.toml", change, "-o", "after.toml", "--lang", "ja")
    assert done.code == 2 and done.err and not done.err.isascii()
    assert not Path("after.toml").exists()


@pytest.mark.parametrize("terrain", ["=", "Bridge", "bridge", "橋"])
def test_terrain_can_be_named(here: Path, terrain: str) -> None:
    muster("data", "copy", "saint_ivo", "-o", "mine.toml")
    assert muster("edit", "mine.toml", "C4==", "-o", "sign.toml").code == 0
    assert muster("edit", "mine.toml", f"C4={terrain}", "-o", "name.toml").code == 0
    assert Path("name.toml").read_bytes() == Path("sign.toml").read_bytes()


def test_a_tilde_that_the_shell_replaced_is_a_river(here: Path) -> None:
    """In bash, `muster edit mine.toml D4=~` passes the path of the home folder."""
    muster("data", "copy", "saint_ivo", "-o", "mine.toml")
    assert muster("edit", "mine.toml", "D4=~", "-o", "sign.toml").code == 0
    assert muster("edit", "mine.toml", f"D4={Path.home()}", "-o", "home.toml").code == 0
    assert Path("home.toml").read_bytes() == Path("sign.toml").read_bytes()


def test_an_unknown_terrain_lists_the_symbols_with_their_names(here: Path) -> None:
    muster("data", "copy", "saint_ivo", "-o", "mine.toml")
    done = muster("edit", "mine.toml", "C4=swamp")
    assert done.code == 2
    assert "there is no terrain named 'swamp' (accepted: . countryside, f forest" in done.err


def test_the_terrain_of_a_scenario_is_changed_in_its_file(here: Path) -> None:
    muster("draw", "battlelore", "--seed", CODE)
    assert "edit `rows` in its file" in muster("edit", "scenario.toml", "C4=f").err


@pytest.mark.parametrize(
    ("name", "change", "key", "cell", "expected"),
    [
        ("saint_ivo", "C3+stakes", "features", "C3", "stakes"),
        ("saint_ivo", "d6+rampart", "features", "D6", "rampart"),
        ("saint_ivo", "D6+cliff:NE", "cliffs", "D6", ["NE"]),
        ("luznice", "C3+castle:Lipnice", "places", "C3", {"kind": "castle", "name": "Lipnice"}),
        ("luznice", "C3+town", "places", "C3", {"kind": "town", "name": "C3"}),
    ],
)
def test_what_lies_on_cells_is_laid_and_taken_away(
    here: Path, name: str, change: str, key: str, cell: str, expected: object
) -> None:
    muster("data", "copy", name, "-o", "mine.toml")
    before = tomllib.loads(Path("mine.toml").read_text("utf-8"))
    muster("edit", "mine.toml", change, "-o", "after.toml")
    after = tomllib.loads(Path("after.toml").read_text("utf-8"))
    assert after == before | {key: before.get(key, {}) | {cell: expected}, "source": "own"}
    muster("edit", "after.toml", change.replace("+", "-"), "-o", "again.toml")
    again = tomllib.loads(Path("again.toml").read_text("utf-8"))
    assert again.get(key, {}) == before.get(key, {})


def test_buildings_are_laid_over_hexes_and_from_centre_to_centre_and_taken_away(here: Path) -> None:
    muster("data", "copy", "plaza", "-o", "mine.toml")
    before = tomllib.loads(Path("mine.toml").read_text("utf-8"))["buildings"].splitlines()
    assert muster("edit", "mine.toml", "0402,0403+hex", "0506,0508,0608+block", "-o", "after.toml").code == 0
    after = tomllib.loads(Path("after.toml").read_text("utf-8"))["buildings"].splitlines()
    corners = ("E", "NE", "NW", "W", "SW", "SE")
    hexes = [" ".join(f"{cell}:{corner}" for corner in corners) for cell in ("0402", "0403")]
    assert after == [*before, *hexes, "0506 0508 0608"]
    # A second edit reports the hexes that these buildings closed, and none once the buildings are removed.
    muster("edit", "after.toml", "0402,0403,0508-hex", "-o", "again.toml")
    assert tomllib.loads(Path("again.toml").read_text("utf-8"))["buildings"].splitlines() == before


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("saint_ivo", "C3+castle"),
        ("saint_ivo", "D6+cliff"),
        ("saint_ivo", "D6+cliff:N"),
        ("plaza", "C3+hex"),
        ("plaza", "C3-hex"),
    ],
)
def test_impossible_placements_are_reported(here: Path, name: str, change: str) -> None:
    muster("data", "copy", name, "-o", "mine.toml")
    done = muster("edit", "mine.toml", change, "-o", "after.toml", "--lang", "ja")
    assert done.code == 2 and done.err and not done.err.isascii()
    assert not Path("after.toml").exists()


def test_a_river_of_one_hex_is_a_remark_on_the_map_and_in_its_battle(here: Path) -> None:
    """The map and the battle on it have the same verdict."""
    Path("hexes.txt").write_text("0101 forest\n0506 river\n0912 forest\n", "utf-8")
    assert muster("import", "hexes.txt", "--game", "battlelore", "-o", "own.toml").code == 0
    edited = muster("edit", "own.toml", "--json").json
    (problem,) = edited["problems"]
    assert (edited["legal"], problem["remark"]) == (True, True) and "a river must have" in problem["message"]
    assert "only a remark" in muster("edit", "own.toml").out
    assert muster("draw", "battlelore", "--seed", CODE, "--map", "own.toml", "-o", "drawn.toml").code == 0
    (report,) = muster("check", "drawn.toml", "--json").json
    assert report["legal"] and "remark" in {row["level"] for row in report["findings"]}


def test_a_changed_map_without_a_file_to_write_is_shown(here: Path) -> None:
    assert muster("data", "copy", "saint_ivo", "-o", "mine.toml").code == 0
    done = muster("edit", "mine.toml", "C4=f")
    assert "no file was changed (to write the result to a file, add -o FILE.toml)" in done.err
    written = muster("edit", "mine.toml", "C4=f", "-o", "after.toml")
    assert written.out.splitlines()[-1] == "after.toml"
    assert written.out.removesuffix("after.toml\n").strip() in done.out
    assert not written.err
    assert edited_text("after.toml").strip() in done.out


def test_an_edited_file_is_replaced_by_the_next_edit_until_a_person_changes_it(here: Path) -> None:
    assert muster("data", "copy", "saint_ivo", "-o", "mine.toml").code == 0
    original = Path("mine.toml").read_text("utf-8")
    assert muster("draw", "--seed", CODE, "-o", "drawn.toml").code == 0
    for file, first, second in (("mine.toml", "C4=f", "C4=h"), ("drawn.toml", "P3>D5", "hill=plateau")):
        assert muster("edit", file, first, "-o", "after.toml").code in (0, 1)
        assert muster("edit", file, second, "-o", "after.toml").code == 0
        # An edited file can be edited in place, and has one mark.
        assert not muster("edit", "after.toml", first, "-o", "after.toml").err.count("would be replaced")
        assert edited_text("after.toml").count("Muster wrote this") == 0
        changed = Path("after.toml").read_text("utf-8") + "# mine\n"
        Path("after.toml").write_text(changed, "utf-8")
        done = muster("edit", file, second, "-o", "after.toml")
        assert (done.code, Path("after.toml").read_text("utf-8")) == (2, changed)
        # The mark that no longer fits is not kept in a copy.
        muster("edit", "after.toml", second, "-o", "copy.toml")
        assert edited_text("copy.toml").count("Muster wrote this") == 0
        Path("after.toml").unlink()
    assert muster("edit", "drawn.toml", "-o", "same.toml").code == 0
    assert Path("same.toml").read_bytes() == Path("drawn.toml").read_bytes()
    # A file of a person's own is never replaced.
    assert muster("edit", "mine.toml", "C4=f", "-o", "mine.toml").code == 2
    assert Path("mine.toml").read_text("utf-8") == original


def test_a_map_is_imported_again_after_it_was_drawn_again_until_a_person_changes_it(here: Path) -> None:
    hexes, again = Path("hexes.txt"), ("import", "hexes.txt", "--game", "battlelore", "-o", "own.toml")
    for terrain in ("forest", "hill"):
        hexes.write_text(f"0101 {terrain}\n0912 forest\n", "utf-8")
        assert muster(*again).code == 0
    assert sealed(Path("own.toml").read_bytes())
    changed = Path("own.toml").read_text("utf-8").replace("name", "# mine\nname", 1)
    Path("own.toml").write_text(changed, "utf-8")
    assert (muster(*again).code, Path("own.toml").read_text("utf-8")) == (2, changed)
    # A CSV file cannot contain a mark.
    Path("names.txt").write_text("Name\nAnna\nBert\n", "utf-8")
    assert muster("import", "names.txt", "-o", "players.csv").code == 0
    Path("names.txt").write_text("Name\nAnna\nCleo\n", "utf-8")
    done = muster("import", "names.txt", "-o", "players.csv")
    assert (done.code, "a CSV file does not show whether Muster wrote it" in done.err) == (2, True)


@pytest.mark.parametrize("game", games.names())
def test_a_unit_of_every_game_is_added_and_removed(here: Path, game: str) -> None:
    muster("draw", game, "--seed", CODE)
    units = muster("edit", "scenario.toml", "--json").json["units"]
    unit = units[1]
    added = muster("edit", "scenario.toml", f"{unit['id']}+{unit['at']}", "-o", "added.toml", "--json").json["units"]
    (new,) = [row for row in added if row["id"] not in {old["id"] for old in units}]
    assert (new["side"], new["at"], len(added)) == (unit["side"], unit["at"], len(units) + 1)
    # The log of the draw describes other forces. Without it, no step can contradict the file.
    text = Path("added.toml").read_text("utf-8")
    assert "[[log]]" not in text and tomllib.loads(text)["muster"].get("code") is None
    rules = {row["rule"] for row in muster("check", "added.toml", "--json").json[0]["findings"]}
    assert not rules & {"log.true", "log.told", "army.log", "draw.log"}
    back = muster("edit", "added.toml", f"{new['id']}-", "-o", "back.toml", "--json").json["units"]
    assert back == units
    gone = muster("edit", "scenario.toml", f"{unit['id']}-", "-o", "gone.toml", "--json").json["units"]
    assert gone == [row for row in units if row != unit]


def test_a_new_unit_of_a_brigade_has_the_next_letter(here: Path) -> None:
    muster("draw", "travel_battle", "--seed", CODE)
    units = [row["id"] for row in muster("edit", "scenario.toml", "--json").json["units"]]
    last = max(name for name in units if name.startswith("B1"))
    done = muster("edit", "scenario.toml", "B1a+a1", "B1a-", "-o", "after.toml", "--json").json["units"]
    assert f"B1{chr(ord(last[-1]) + 1)}" in {row["id"] for row in done} and "B1a" not in {row["id"] for row in done}


def test_a_unit_with_a_front_is_turned(here: Path) -> None:
    muster("draw", "travel_battle", "--seed", CODE)
    changed = changed_lines("B1a@NE")
    assert len(changed) == 2 and 'facing = "NE"' in changed[1]
    wrong = muster("edit", "scenario.toml", "B1a@X", "-o", "other.toml")
    assert wrong.code == 3 and "facing" in wrong.err
    muster("draw", "battlelore", "--seed", CODE, "-o", "lore.toml")
    none = muster("edit", "lore.toml", "P1@N")
    assert none.code == 2 and "P1 has no front" in none.err


@pytest.mark.parametrize("change", ["P1-x", "P1+", "P1@", "-P1", "+P1"])
def test_a_change_of_a_unit_in_the_wrong_form_is_reported(here: Path, change: str) -> None:
    muster("draw", "battlelore", "--seed", CODE)
    done = muster("edit", "--", "scenario.toml", change)
    assert done.code == 2 and "is not a valid change" in done.err


def test_comments_that_an_edit_drops_are_reported(here: Path) -> None:
    muster("draw", "battlelore", "--seed", CODE, "--title", "No. #1")
    lines = [*Path("scenario.toml").read_text("utf-8").splitlines(), "# after the game: Ann won"]
    lines[2] += "  # house: Ann says so"
    Path("scenario.toml").write_text("\n".join(lines) + "\n", "utf-8")
    unit = muster("edit", "scenario.toml", "--json").json["units"][0]
    done = muster("edit", "scenario.toml", f"{unit['id']}>{unit['at']}", "-o", "after.toml")
    assert done.err.splitlines()[:2] == [
        "scenario.toml:3: this comment is not in the changed file",
        f"scenario.toml:{len(lines)}: this comment is not in the changed file",
    ]
    assert "No. #1" in Path("after.toml").read_text("utf-8")


def test_a_place_that_does_not_exist_is_reported_without_a_line_of_another_file(here: Path) -> None:
    muster("draw", "battlelore", "--seed", CODE)
    unit = muster("edit", "scenario.toml", "--json").json["units"][0]["id"]
    done = muster("edit", "scenario.toml", f"{unit}>Z9")
    assert done.code == 3 and done.err.startswith("scenario.toml: ") and "Z9" in done.err
