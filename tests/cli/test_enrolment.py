"""Tests for creating an event and changing its player list with `new`, `join` and `drop`."""

from __future__ import annotations

import random
import shlex
from pathlib import Path

import networkx
import pytest

from generator.tournament.feasible import possible_rounds, safe_rounds
from tests.cli.conftest import CODE
from tests.cli.run import muster

NAMES = ("Ann", "Bo", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal")


def begun(here: Path, players: int = 4, *options: str) -> None:
    (here / "names.txt").write_text("\n".join(NAMES[:players]) + "\n")
    new = ("tournament", "new", "battling", "--players", "names.txt", "--seed", CODE, "-o", "cup", *options)
    done = muster(*new)
    assert done.code == 0, done.err


def player(name: str) -> dict[str, object]:
    import tomllib

    rows = tomllib.loads(Path("cup/event.toml").read_text("utf-8"))["players"]
    return dict(next(row for row in rows if row["name"] == name))


def played(here: Path) -> None:
    """Pair a round and let the first player of each pair win."""
    assert muster("tournament", "pair", "cup").code == 0
    number = muster("tournament", "status", "cup", "--json").json["round"][-1]["round"]
    rows = ["round,table,game,player_a,player_b,score_a,score_b"]
    for one in muster("tournament", "status", "cup", "--json").json["round"][-1]["tables"]:
        if one["b"]:
            rows += [f"{number},{one['table']},{game},{one['a']},{one['b']},2,1" for game in (1, 2)]
    (here / "results.csv").write_text("\n".join(rows) + "\n")
    done = muster("tournament", "results", "cup", "results.csv")
    assert done.code == 0, done.err


def test_a_new_player_joins_in_the_round_that_was_named(here: Path) -> None:
    begun(here)
    assert muster("tournament", "join", "cup", "Gus", "--round", "3").code == 0
    assert player("Gus")["since"] == 3
    assert muster("tournament", "join", "cup", "Gus", "--round", "2").code == 0
    assert player("Gus")["since"] == 2


def test_who_plays_already_cannot_join_later(here: Path) -> None:
    begun(here)
    played(here)
    before = Path("cup/event.toml").read_bytes()
    refused = muster("tournament", "join", "cup", "Ann", "--round", "4")
    assert refused.code == 2
    assert "--round 4: Ann has played since round 1" in refused.err
    assert "muster tournament join cup Ann --rest 2" in refused.err
    assert Path("cup/event.toml").read_bytes() == before


def test_a_rest_is_taken_back_by_joining_in_its_round(here: Path) -> None:
    begun(here)
    assert muster("tournament", "join", "cup", "Ann", "--rest", "2", "--rest", "3").code == 0
    assert muster("tournament", "join", "cup", "Ann", "--round", "3").code == 0
    assert player("Ann")["rests"] == [2]


def test_a_rest_before_the_round_of_joining_is_refused(here: Path) -> None:
    begun(here)
    refused = muster("tournament", "join", "cup", "Gus", "--round", "4", "--rest", "2")
    assert refused.code == 2
    assert "Gus does not join until round 4, so --rest 2 is too early" in refused.err


def test_who_left_long_ago_cannot_leave_again(here: Path) -> None:
    begun(here)
    assert muster("tournament", "drop", "cup", "Ann").code == 0
    (here / "one.csv").write_text("table,player_a,player_b\n1,Bo,Cid\n,Dan,\n")
    assert muster("tournament", "pair", "cup", "--pairings", "one.csv").code == 0
    refused = muster("tournament", "drop", "cup", "Ann")
    assert refused.code == 2
    assert "Ann left before round 1" in refused.err
    assert player("Ann")["left"] == 1


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_misspelt_player_who_joined_is_removed_before_they_played(here: Path, lang: str) -> None:
    begun(here)
    for command in (("pair", "cup"), ("join", "cup", "Gsu", "--apart", "Ann")):
        assert muster("tournament", *command).code == 0
    done = muster("tournament", "drop", "cup", "Gsu", "--lang", lang)
    (line,) = (line for line in done.out.splitlines() if "--remove" in line)
    advised = shlex.split(line.rpartition("muster ")[2])
    assert advised[:5] == ["tournament", "drop", "cup", "Gsu", "--remove"]
    assert muster(*advised, "--dry-run").code == 0 and player("Gsu")
    assert muster(*advised).code == 0
    assert "Gsu" not in Path("cup/event.toml").read_text("utf-8")
    assert "Gsu" not in muster("tournament", "standings", "cup").out
    refused = muster("tournament", "drop", "cup", "Ann", "--remove", "--lang", lang)
    words = (
        "Ann has been paired in a round and cannot be removed"
        if lang == "en"
        else "Annはすでにラウンドの組み合わせに入っている"
    )
    assert (refused.code, words in refused.err, "rename cup Ann NEW" in refused.err) == (2, True, True)


def test_a_player_paired_by_another_tool_rejoins(here: Path) -> None:
    """A player who dropped out rejoins the list if a pairing made by another tool includes that player."""
    begun(here)
    assert muster("tournament", "drop", "cup", "Ann").code == 0
    (here / "one.csv").write_text("table,player_a,player_b\n1,Ann,Bo\n2,Cid,Dan\n")
    assert muster("tournament", "pair", "cup", "--pairings", "one.csv").code == 0
    assert "left" not in player("Ann")
    assert muster("tournament", "status", "cup", "--json").json["contradictions"] == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_one_resting_too_many_is_explained(here: Path, lang: str) -> None:
    begun(here, 3)
    rests = muster("tournament", "join", "cup", "Ann", "Bo", "--rest", "1", "--lang", lang)
    assert rests.code == 0
    assert "muster tournament join cup Ann --round 1" in rests.out
    assert muster("tournament", "status", "cup", "--json").json["next"] == "muster tournament join cup Ann --round 1"
    refused = muster("tournament", "pair", "cup", "--lang", lang)
    assert refused.code == 2
    assert {"en": "players who rest: Ann, Bo", "ja": "休む参加者：Ann、Bo"}[lang] in refused.err
    assert "muster tournament join cup Ann --round 1" in refused.err
    assert muster("tournament", "join", "cup", "Ann", "--round", "1").code == 0
    assert muster("tournament", "pair", "cup").code == 0


@pytest.mark.parametrize(
    "verb", [("pack",), ("status",), ("join", "Zoe"), ("pair",), ("results",), ("day",)], ids="-".join
)
def test_a_mistyped_event_is_refused_with_the_nearest_name(here: Path, verb: tuple[str, ...]) -> None:
    begun(here)
    command, *names = verb
    refused = muster("tournament", command, "cupp", *names)
    assert refused.code in (2, 3)
    assert "did you mean cup?" in refused.err
    assert (
        "the event's folder does not exist" in refused.err
        or "there is neither an event nor a game named 'cupp'" in refused.err
    )
    assert not (here / "cupp").exists()


def test_a_mistyped_game_is_still_named(here: Path) -> None:
    assert "did you mean battling?" in muster("tournament", "pack", "batling", "--players", "4", "--rounds", "1").err


def test_new_names_the_game_it_chose(here: Path) -> None:
    assert "a new Call to Arms event" in muster("tournament", "new", "-o", "one").out
    assert "Call to Armsの新しい大会" in muster("tournament", "new", "-o", "two", "--lang", "ja").out


def test_a_list_of_players_who_join_may_have_one_player(here: Path) -> None:
    begun(here)
    (here / "late.txt").write_text("Eve\n")
    assert "Eve plays from round 1 on" in muster("tournament", "join", "cup", "--players", "late.txt").out
    (here / "late.csv").write_text("name,remarks\nFay,absent\nGus,\n")
    assert "Gus plays" in muster("tournament", "join", "cup", "--players", "late.csv", "--absent", "skip").out
    (here / "late.csv").write_text("name,remarks\nFay,absent\n")
    refused = muster("tournament", "join", "cup", "--players", "late.csv", "--absent", "skip")
    assert (refused.code, "no player of the list takes part" in refused.err) == (3, True)
    refused = muster("tournament", "new", "battling", "--players", "late.txt", "-o", "other")
    assert (refused.code, "number of players: 1" in refused.err) == (3, True)


def test_no_more_players_join_than_an_event_can_have(here: Path) -> None:
    begun(here)
    (here / "late.txt").write_text("".join(f"Guest of Ann {n:03d}\n" for n in range(509)))
    refused = muster("tournament", "join", "cup", "--players", "late.txt")
    assert (refused.code, "number of players: 513" in refused.err) == (2, True)


@pytest.mark.parametrize(("players", "rounds", "first"), [(6, 4, 4), (8, 6, 6)])
def test_too_few_players_are_warned_of(here: Path, players: int, rounds: int, first: int) -> None:
    (here / "names.txt").write_text("\n".join(NAMES[:players]) + "\n")
    new = ("tournament", "new", "battling", "--players", "names.txt", "--rounds", str(rounds))
    warned = muster(*new, "-o", "cup")
    assert warned.code == 0
    assert f"from round {first} on" in warned.out
    assert "--system rotation" in warned.out
    assert "--system rotation" in muster(*new, "-o", "ja", "--lang", "ja").out
    assert "rotation" not in muster(*new, "--system", "rotation", "-o", "round").out
    assert "rotation" not in muster("tournament", "new", "--players", "names.txt", "--rounds", "3", "-o", "few").out


def test_the_way_out_of_too_few_players_works(here: Path) -> None:
    begun(here, 6, "--rounds", "5")
    file = Path("cup/event.toml")
    file.write_text(file.read_text("utf-8").replace("rounds = 5", 'rounds = 5\nsystem = "rotation"'), "utf-8")
    for _ in range(5):
        paired = muster("tournament", "pair", "cup")
        assert paired.code == 0, paired.err
        assert "meet again" not in paired.out


def test_more_rounds_than_opponents_are_warned_of(here: Path) -> None:
    (here / "names.txt").write_text("\n".join(NAMES[:4]) + "\n")
    warned = muster("tournament", "new", "--players", "names.txt", "--rounds", "6", "-o", "cup")
    assert "After round 3, each of the 4 players has met every other player" in warned.out


def test_a_stuck_pair_names_the_way_out(here: Path) -> None:
    begun(here, 4)
    for _ in range(3):
        played(here)
    stuck = muster("tournament", "pair", "cup")
    assert stuck.code == 2
    assert "have already met, but no other pairing is possible" in stuck.err
    assert "--system rotation, which lets all players meet once before any pair meets again" in stuck.err
    assert muster("tournament", "pair", "cup", "--allow-rematch").code == 0


def test_a_rematch_in_a_final_is_reported(here: Path) -> None:
    begun(here, 4)
    for _ in range(3):
        played(here)
    final = muster("tournament", "pair", "cup", "--cut", "2")
    assert final.code == 0, final.err
    assert "meet again" in final.out


@pytest.mark.parametrize("players", [4, 6, 8, 10])
def test_safe_rounds_always_have_a_pairing(players: int) -> None:
    """Random events with the maximum number of safe rounds always have a pairing left.

    With one more round, events of 6 or 8 players may have no pairing left.
    """
    rng = random.Random(players)
    stuck = set()
    for _ in range(150):
        left = networkx.complete_graph(players)
        for number in range(1, possible_rounds(players) + 1):
            for edge in left.edges:
                left.edges[edge]["weight"] = rng.random()
            pairs = networkx.max_weight_matching(left, maxcardinality=True)
            if 2 * len(pairs) < players:
                stuck.add(number)
                break
            left.remove_edges_from(pairs)
    assert all(number > safe_rounds(players) for number in stuck), stuck
    if players in (6, 8):
        assert safe_rounds(players) + 1 in stuck


@pytest.mark.parametrize("packed", [False, True])
def test_a_paired_round_without_results_can_be_paired_again(here: Path, packed: bool) -> None:
    """`pair --round 1` pairs the round again. It used to be refused, and no other command helped."""
    (here / "names.txt").write_text("Ann\nBo\nCid\nDan\nEve\n", "utf-8")
    for command in (("new", "battling", "--players", "names.txt", "--seed", CODE, "-o", "cup"), ("pair", "cup")):
        assert muster("tournament", *command).code == 0
    sheet = here / "cup" / "round-1" / "results.csv"
    args: tuple[str, ...]
    for args, player in ((("drop", "cup", "Eve"), "Eve"), (("join", "cup", "Fay"), "Fay")):
        if packed:
            assert muster("tournament", "pack", "cup", "--parts", "map").code == 0
            refused = muster("tournament", *args, "--round", "1")
            assert refused.code == 2 and "with --reopen, the same command" in refused.err
            args = (*args, "--reopen")
        done = muster("tournament", *args, "--round", "1")
        assert done.code == 0, done.err
        assert "Round 1 must be paired again" in done.out
        assert done.out.strip().splitlines()[-1] == "Next: muster tournament pair cup"
        assert muster("tournament", "status", "cup").code == 0
        paired = muster("tournament", "pair", "cup")
        assert paired.code == 0 and (player in paired.out) == (player == "Fay")
    assert muster("tournament", "pack", "cup", "--parts", "map").code == 0
    assert "Fay" in sheet.read_text("utf-8-sig") and "Eve" not in sheet.read_text("utf-8-sig")
    table = sheet.read_text("utf-8-sig").replace("Second player,,,", "Second player,1,0,", 1)
    sheet.write_text(table, "utf-8-sig")
    refused = muster("tournament", "drop", "cup", "Ann", "--round", "1", "--reopen")
    assert (
        refused.code == 2
        and "round 1 is already paired (this change is possible only from round 2 on)" in refused.err
    )


def test_the_pages_of_a_round_that_is_no_longer_paired_are_moved(here: Path) -> None:
    """Round 2 is packed but not played. Without round 1, its pages would be those of a round that does not exist."""
    begun(here)
    played(here)
    for command in (("pair", "cup"), ("pack", "cup", "--round", "2", "--parts", "map")):
        assert muster("tournament", *command).code == 0
    blank = (here / "cup" / "round-2" / "round-2.pdf").read_bytes()
    again = muster("tournament", "pair", "cup", "--round", "1", "--reopen")
    assert again.code == 0 and "moved to cup/copies/round-2-1" in again.out and "is missing" not in again.out
    assert not (here / "cup" / "round-2").exists()
    assert (here / "cup" / "copies" / "round-2-1" / "round-2.pdf").read_bytes() == blank
    assert "round-2" not in muster("tournament", "status", "cup").err
    assert "round-2" not in muster("verify", "cup").err


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Anna Aldr", "Anna Alder"),
        ("Anna Aldder", "Anna Alder"),
        ("anna alber", "Anna Alder"),
        ("Anna Aledr", "Anna Alder"),
        ("Suzuk", "Suzuki"),
        ("Kato", ""),
        ("Player 2", ""),
        ("Anna Alden-Berg", ""),
    ],
)
def test_a_new_name_one_letter_from_a_player_is_named(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str, near: str
) -> None:
    (here / "names.txt").write_text("Anna Alder\nSuzuki\nSato\nPlayer 1\n", "utf-8")
    assert muster("tournament", "new", "battling", "--players", "names.txt", "-o", "cup").code == 0
    expected = f"{name} was added as a new player. If you meant {near}: muster tournament drop cup "
    done = muster("tournament", "join", "cup", name, "--dry-run")
    assert done.code == 0 and (expected in done.out) == bool(near)
    assert ("was added as a new player" in done.out) == bool(near)
    assert "新しい参加者" in muster("tournament", "join", "cup", name, "--dry-run", "--lang", "ja").out or not near
    # On a terminal, Muster asks the user.
    monkeypatch.setattr("generator.cli.console.can_ask", lambda: True)
    for answer, joins in ((False, not near), (True, True)):
        monkeypatch.setattr("click.confirm", lambda *_, reply=answer, **__: reply)
        done = muster("tournament", "join", "cup", name, "--dry-run")
        assert done.code == 0 and (f"{name} plays from round 1" in done.out) == joins
        assert (f"{name} was not added" in done.out) == (not joins)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Flo Fir, Gus Gum", "looks like more than one player (give each name as a separate word"),
        ("Flo,", "looks like more than one player (give each name as a separate word"),
        ("佐藤、鈴木", "looks like more than one player (give each name as a separate word"),
        ("Flo and Gus", "looks like more than one player (keep only the name; if the whole text is a name"),
        ("Flo Fir (late)", "looks like two names, or a name and a remark (give only the name; --round N lets"),
        ("Flo Fir ×", "looks like a name and a mark (keep only the name; if the whole text"),
    ],
)
def test_a_name_that_a_list_refuses_cannot_join(here: Path, name: str, fault: str) -> None:
    begun(here)
    done = muster("tournament", "join", "cup", name)
    assert (done.code, f"“{name}” {fault}" in done.err) == (2, True), done
    assert name not in Path("cup/event.toml").read_text("utf-8")


def test_a_listed_player_with_an_unusual_name_may_rest(here: Path) -> None:
    begun(here)
    Path("more.csv").write_text("name\nFlo and Gus\n", "utf-8")
    assert muster("tournament", "join", "cup", "--players", "more.csv").code == 0
    assert muster("tournament", "join", "cup", "Flo and Gus", "--rest", "1").code == 0
