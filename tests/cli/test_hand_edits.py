"""Tests for events edited by hand. Contradictions with packed or played rounds are reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from generator import games
from tests.cli.conftest import CODE
from tests.cli.run import muster

NAMES = ("Ann", "Bo", "Cid", "Dan")
BEGIN = ("tournament", "new", "battling", "--players", "names.txt", "--seed", CODE, "--rounds", "3", "-o", "cup")


@pytest.fixture
def cup(here: Path) -> Path:
    (here / "names.txt").write_text("\n".join(NAMES) + "\n")
    for command in (BEGIN, ("tournament", "pair", "cup"), ("tournament", "pack", "cup", "--parts", "map")):
        assert muster(*command).code == 0
    return here / "cup"


def edit(cup: Path, old: str, new: str) -> None:
    file = cup / "event.toml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    "form",
    [
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.partition("\n")[2].encode(),
        lambda text: b"\xef\xbb\xbf" + text.partition("\n")[2].replace("\n", "\r\n").encode(),
    ],
    ids=["CRLF", "BOM", "no comment", "all of them"],
)
def test_an_editor_may_save_it_in_its_own_way(cup: Path, form: Callable[[str], bytes]) -> None:
    file = cup / "event.toml"
    file.write_bytes(form(file.read_text("utf-8")))
    assert muster("tournament", "status", "cup").code == 0
    joined = muster("tournament", "join", "cup", "Eve")
    assert joined.code == 0, joined.err
    assert muster("tournament", "pack", "cup", "--parts", "map").code == 0
    assert "Eve" in file.read_text("utf-8")
    assert muster("verify", "cup").code == 0


FAULTS = {
    "game": (
        'game = "battling"',
        'game = "battlelore"',
        "game: was changed after round-1 was packed; the value was battling",
    ),
    "code": (f'code = "{CODE}"', 'code = "EJ1GF-4XSGN"', "code: was changed after round-1 was packed"),
    "scenarios": ("rounds = 3", 'rounds = 3\nscenarios = "per-table"', "scenarios: was changed after round-1"),
    "wishes": ("\n[[round]]", '\n[wishes]\ntitle = "Other"\n\n[[round]]', "wishes: was changed after round-1"),
    "apart": ("rounds = 3", 'rounds = 3\napart = [["Ann", "ann"]]', "the pair lists Ann twice"),
    "lot": (
        ", lot = ",
        ', lot = 7 },\n    { name = "Zoe", lot = 7 },\n    { name = "Yan", lot = ',
        "Zoe and Ann have the same lot number, 7",
    ),
    "key": ("number = 1", "number = 1\nfinal = { a = 1, a = 2 }", "a key appears twice in one table"),
    "final": ("number = 1", "number = 1\nfinal = 8", "this round of the final is for 8 players, but 4 are paired"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_cannot_be_is_reported_and_stops_every_command(cup: Path, name: str) -> None:
    old, new, expected = FAULTS[name]
    edit(cup, old, new)
    before = (cup / "event.toml").read_bytes()
    status = muster("tournament", "status", "cup")
    assert status.code in (1, 3)
    assert expected in status.err
    assert "cup/event.toml:" in status.err
    for command in (("join", "cup", "Gus"), ("pair", "cup"), ("results", "cup"), ("pack", "cup"), ("day", "cup")):
        refused = muster("tournament", *command)
        assert refused.code == 3, command
        assert expected in refused.err
    assert (cup / "event.toml").read_bytes() == before
    japanese = muster("tournament", "status", "cup", "--lang", "ja").err
    assert japanese
    assert expected not in japanese


REMARKS = {
    "left": (
        '{ name = "Ann",',
        '{ name = "Ann", left = 1,',
        "Ann plays in round 1, but left before round 1",
        ("join", "Gus"),
    ),
    "since": (
        '{ name = "Ann",',
        '{ name = "Ann", since = 2,',
        "Ann plays in round 1, but does not join until round 2",
        ("join", "Gus"),
    ),
    "rests": (
        '{ name = "Ann",',
        '{ name = "Ann", rests = [1],',
        "Ann plays in round 1, but is listed as resting",
        ("join", "Gus"),
    ),
    "clock": (
        "rounds = 3",
        'rounds = 3\nclock = ["11:00-9:00"]',
        "round 1 ends before it starts: 11:00-9:00",
        ("day",),
    ),
    "clocks": (
        "rounds = 3",
        'rounds = 3\nclock = ["9:00-11:00", "10:00-12:00"]',
        "round 2 starts before round 1 ends",
        ("pack",),
    ),
    "games": (
        "rounds = 3",
        "rounds = 3\ngames = 1",
        "the number of games for each table is 2, but it is 1 in the event",
        ("results",),
    ),
    "bid": ("rounds = 3", 'rounds = 3\nbid = "cards"', "the columns for bids in cup/round-1/", ("results",)),
    "sealed": ("rounds = 3", "rounds = 3\nsealed = true", "`sealed` was changed after round-1 was packed", ("pack",)),
    "round": (
        "number = 1",
        "number = 2",
        "cup/round-1 is a packed round that is not in the event's record",
        ("results",),
    ),
    "cut": ("rounds = 3", "rounds = 3\ncut = 8", "the final is for 8 players, but the event has only 4", ("pair",)),
}


@pytest.mark.parametrize("name", REMARKS)
def test_what_contradicts_itself_is_reported_by_status_and_by_the_command_that_meets_it(cup: Path, name: str) -> None:
    old, new, expected, (verb, *rest) = REMARKS[name]
    edit(cup, old, new)
    status = muster("tournament", "status", "cup")
    assert status.code == 0
    assert expected in status.err
    rows = muster("tournament", "status", "cup", "--json").json["contradictions"]
    assert any(expected in row["message"] and row["line"] for row in rows)
    assert expected in muster("tournament", verb, "cup", *rest, "--dry-run").err


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_players_kept_apart_who_are_to_meet_are_reported(cup: Path, lang: str) -> None:
    one, other = muster("tournament", "status", "cup", "--json").json["round"][0]["tables"]
    words = {
        "en": "must not be paired, but they meet in round 1, table",
        "ja": "対戦させない設定ですが、第1ラウンドの",
    }[lang]
    joined = muster("tournament", "join", "cup", one["a"], "--apart", one["b"], "--lang", lang)
    assert (joined.code, words in joined.out) == (0, True), joined
    edit(cup, "apart = [", f'apart = [["{other["a"]}", "{other["b"]}"], ')
    for command in ("status", "pair", "pack", "results", "day"):
        done = muster("tournament", command, "cup", "--lang", lang, *(["--dry-run"] if command != "status" else []))
        assert done.err.count(words) == 2, (command, done)
    advised = done.err.splitlines()[0].rstrip(")）").rpartition("muster ")[2].split()
    assert advised[:5] == ["tournament", "pair", "cup", "--round", "1"]
    assert muster(*advised).code == 0
    assert words not in muster("tournament", "status", "cup", "--lang", lang).err


def test_players_who_have_played_may_be_kept_apart_from_then_on(cup: Path) -> None:
    one = muster("tournament", "status", "cup", "--json").json["round"][0]["tables"][0]
    sheet = cup / "round-1" / "results.csv"
    head, *rows = sheet.read_text("utf-8-sig").splitlines()
    at = head.split(",").index("score_a")
    cells = [row.split(",") for row in rows]
    sheet.write_text("\n".join([head, *(",".join([*row[:at], "2", "1", *row[at + 2 :]]) for row in cells)]), "utf-8")
    assert muster("tournament", "results", "cup").code == 0
    joined = muster("tournament", "join", "cup", one["a"], "--apart", one["b"])
    assert "kept apart" not in joined.out + joined.err
    assert muster("tournament", "status", "cup").err == ""


def test_players_who_change_places_by_hand_are_reported(cup: Path) -> None:
    one = muster("tournament", "status", "cup", "--json").json["round"][0]["tables"]
    text = (cup / "event.toml").read_text("utf-8")
    head, _, tail = text.partition("meetings")
    swapped = tail.replace(f'"{one[0]["b"]}"', '"?"').replace(f'"{one[1]["b"]}"', f'"{one[0]["b"]}"')
    (cup / "event.toml").write_text(f"{head}meetings{swapped}".replace('"?"', f'"{one[1]["b"]}"'), "utf-8")
    expected = f"cup/round-1/results.csv pairs {one[0]['a']} and {one[0]['b']}, who do not meet in this round"
    for command in (("status", "cup"), ("results", "cup"), ("standings", "cup")):
        assert expected in muster("tournament", *command).err, command
    assert muster("tournament", "status", "cup").code == muster("tournament", "status", "cup", "--json").code == 1
    verified = muster("verify", "cup")
    assert verified.code == 1 and expected in verified.out
    assert expected in muster("verify", "cup", "--json").json["findings"][0]


def test_a_bye_that_is_deleted_by_hand_is_reported(here: Path) -> None:
    (here / "names.txt").write_text("Ann\nBo\nCid\n", "utf-8")
    commands = (("new", "battling", "--players", "names.txt", "--seed", CODE, "-o", "cup"), ("pair", "cup"))
    for command in (*commands, ("pack", "cup", "--parts", "map")):
        assert muster("tournament", *command).code == 0
    edit(here / "cup", '    { a = "Bo" },\n', "")
    done = muster("tournament", "status", "cup")
    assert done.code == 1 and "results.csv has a bye for Bo, but event.toml does not" in done.err


@pytest.mark.parametrize("name", ["code", "scenarios", "wishes"])
def test_verify_compares_the_event_with_its_packed_rounds(cup: Path, name: str) -> None:
    assert muster("verify", "cup").code == 0
    old, new, expected = FAULTS[name]
    edit(cup, old, new)
    verified = muster("verify", "cup")
    assert verified.code == 1 and expected in verified.out


def test_a_round_that_is_paired_anew_contradicts_nothing(cup: Path) -> None:
    assert muster("tournament", "pair", "cup", "--round", "1", "--reopen").code == 0
    status = muster("tournament", "status", "cup")
    assert (status.code, status.err) == (0, "")
    assert "Next: muster tournament pack cup" in status.out


@pytest.mark.parametrize("option", ["--round", "--rest"])
def test_a_round_that_never_comes_is_refused(cup: Path, option: str) -> None:
    refused = muster("tournament", "join", "cup", "Gus", option, "4")
    assert refused.code == 2
    assert (
        "there is no round 4; the number of rounds of this event is 3 (to add rounds, set `rounds` in event.toml"
        in refused.err
    )
    assert muster("tournament", "join", "cup", "Gus", option, "3").code == 0


def test_a_clock_that_runs_backwards_is_refused_when_the_event_begins(here: Path) -> None:
    refused = muster("tournament", "new", "battling", "--clock", "11:00-9:30", "-o", "cup")
    assert refused.code == 2
    assert "11:00-9:30': the end is before the start" in refused.err


def test_a_clock_with_more_rounds_than_an_event_can_have_is_refused(here: Path) -> None:
    refused = muster("tournament", "new", "battling", "--clock", ",".join(["9:30-11:10"] * 51), "-o", "cup")
    assert refused.code == 2
    assert "--clock has 51 times; an event can have at most 50 rounds" in refused.err


@pytest.mark.parametrize("game", games.names())
def test_an_option_that_names_nothing_known_is_a_message(here: Path, game: str) -> None:
    (here / "names.txt").write_text("Ann\nBo\n")
    assert muster("tournament", "new", game, "--players", "names.txt", "--seed", CODE, "-o", "cup").code == 0
    assert muster("tournament", "pair", "cup").code == 0
    file = here / "cup" / "event.toml"
    text = file.read_text("utf-8")
    for option in games.load(game).options:
        for value in ("no/such.toml", "../../x", "7:7"):
            for files in ("", f'\n[files]\n"{value}" = "{"0" * 64}"\n'):
                table = f'\n[wishes]\n{option.name} = "{value}"\n{files}\n[[round]]'
                file.write_text(text.replace("\n[[round]]", table, 1), "utf-8")
                code = muster("tournament", "day", "cup", "--dry-run").code
                assert code in (0, 2, 3, 4), (option.name, value, files, code)
    file.write_text(text.replace("\n[[round]]", '\n[files]\n"../../x" = "abc"\n\n[[round]]', 1), "utf-8")
    refused = muster("tournament", "status", "cup")
    assert (refused.code, "is a path" in refused.err) == (3, True)


def test_a_round_written_by_hand_can_be_packed_and_lists_missing_players(cup: Path) -> None:
    file = cup / "event.toml"
    round_2 = (
        '[[round]]\nnumber = 2\nmeetings = [\n    { a = "Ann", b = "Bo", table = 1 },\n]\n'
        'results = [{ table = 1, game = 1, won = "a", score = [3, 1] }]\n'
    )
    file.write_text(f"{file.read_text('utf-8')}\n{round_2}", "utf-8")
    results = "\n".join(
        ["round,table,game,player_a,player_b,score_a,score_b"]
        + [f"1,{m['table']},{game},{m['a']},{m['b']},2,1" for m in tables(1) for game in (1, 2)]
    )
    (cup / "round-1" / "results.csv").write_text(results)
    assert muster("tournament", "results", "cup").code == 0
    status = muster("tournament", "status", "cup")
    assert "players who are not in round 2: Cid, Dan" in status.err
    command = status.out.rstrip().rpartition("Next: muster ")[2]
    assert command == "tournament pack cup --round 2 --reopen"
    assert muster(*command.split(), "--parts", "map").code == 0
    assert (cup / "round-2" / "results.csv").is_file()
    assert "Next: fill in results.csv" in muster("tournament", "status", "cup").out
    file.write_text(file.read_text("utf-8").replace('name = "Cid",', 'name = "Cid", away = [2],'), "utf-8")
    assert "players who are not in round 2: Dan" in muster("tournament", "status", "cup").err


def tables(number: int) -> list[dict[str, str]]:
    """Return the tables of a round of the event."""
    event = muster("tournament", "status", "cup", "--json").json
    return [table for table in event["round"][number - 1]["tables"] if table["b"]]


COPIES = [
    "event (1).toml", "event (Tom's conflicted copy 2026-11-29).toml", "event のコピー.toml", "event-DESKTOP.toml",
    "event.sync-conflict-20261129-101500-ABCDEFG.toml", "event.toml.bak", "event.toml~", "Copy of event.toml",
    "event copy",
]  # fmt: skip


def copy_with(cup: Path, name: str, old: str, new: str) -> Path:
    copy = cup / name
    copy.write_text((cup / "event.toml").read_text("utf-8").replace(old, new, 1), "utf-8")
    return copy


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize("command", [("status",), ("pair",), ("results",)])
def test_another_record_of_the_event_is_reported(cup: Path, name: str, command: tuple[str, ...]) -> None:
    """Programs that synchronise a folder leave such a copy if two people write at the same time."""
    copy_with(cup, name, "players = [", 'players = [\n    { name = "Flo", lot = 5 },')
    reported = muster("tournament", *command, "cup").err
    assert f"cup/{name}: is another record of this event, and is not read; it differs in: players (" in reported


def test_another_record_among_many_other_files_is_reported(cup: Path) -> None:
    for number in range(250):
        (cup / f"a photo {number}.jpg").write_bytes(b"")
    copy_with(cup, "event (1).toml", "rounds = 3", "rounds = 4")
    assert "event (1).toml: is another record of this event" in muster("tournament", "status", "cup").err


def test_another_record_is_part_of_the_values_of_status(cup: Path) -> None:
    copy_with(cup, "event (1).toml", "rounds = 3", "rounds = 4")
    (found,) = muster("tournament", "status", "cup", "--json").json["contradictions"]
    assert found["file"] == "cup/event (1).toml"


def test_another_record_that_is_not_valid_is_reported(cup: Path) -> None:
    copy_with(cup, "event (1).toml", "rounds = 3", "rounds = ")
    assert "event (1).toml: is another record of this event" in muster("tournament", "status", "cup").err


def test_an_equal_record_and_the_record_of_another_event_are_not_reported(cup: Path) -> None:
    copy_with(cup, "event (1).toml", "rounds = 3", "rounds = 3  # planned\n")
    copy_with(cup, "event (2).toml", f'code = "{CODE}"', 'code = "EJ1GF-4XSGN"')
    assert "another record" not in muster("tournament", "status", "cup").err
