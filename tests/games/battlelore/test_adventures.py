"""Tests for published adventures with hands and banners by camp, victory hexes, weakened units and own pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.common.playing import Outcome, Seated, play_game
from generator.errors import DataError
from generator.games.battlelore.forces import ByCamp, missing_figures
from generator.games.battlelore.maps import fields_of_fire, map_view, moves, part, token, unit_token
from generator.games.battlelore.model import asymmetries, turned
from generator.games.battlelore.players import lore_policies
from generator.games.battlelore.playing import DONE, MOVE, State
from generator.games.battlelore.prospects import Turn
from generator.games.battlelore.told_playing import PlayReporter
from generator.grid.hexes import distance
from generator.model.views import Shade
from generator.press.book import print_kit
from generator.press.layout.print_settings import PrintSettings
from generator.seeds import Rng
from tests.games.battlelore.adventures import TEXTS, adventure_text, fired, loaded, printed

GAMES = tuple(TEXTS)
BY_CAMP = "hand = { pennant = 6, standard = 4 }\nbanners = { pennant = 4, standard = 5 }\n"


@pytest.mark.parametrize("game", GAMES)
def test_hands_and_banners_may_differ_by_camp(tmp_path: Path, game: str) -> None:
    of = loaded(tmp_path, adventure_text(game, BY_CAMP))
    plain = loaded(tmp_path, adventure_text(game))
    assert fired(of) == fired(plain)
    assert (of.scenario.hand, of.scenario.banners) == (ByCamp(6, 4), ByCamp(4, 5))
    engine = PlayReporter(of.scenario, (0,))
    assert (engine.hands, engine.goals) == ((6, 4), (4, 5))
    written = of.game.write(of.scenario)
    assert BY_CAMP.splitlines()[0] in written and BY_CAMP.splitlines()[1] in written
    exported = of.game.export(of.scenario)
    assert (exported["hand"], exported["banners"], exported["hands"]) == (None, None, {"pennant": 6, "standard": 4})


@pytest.mark.parametrize("game", GAMES)
def test_they_are_printed_where_players_look_for_them(tmp_path: Path, game: str) -> None:
    of = loaded(tmp_path, adventure_text(game, BY_CAMP))
    cover, setup, records = (printed(of, "en", part) for part in ("cover", "setup", "records"))
    assert "4 banners" in cover and "5 banners" in cover and "6 cards" in cover and "4 cards" in cover
    assert "Pennant 4, Standard 5" in setup and "Banners to win, Standard" in setup
    assert "The first to take 4 wins" in records and "The first to take 5 wins" in records
    assert "Command hand: 6 cards" in records and "Command hand: 4 cards" in records
    assert "5 本" in printed(of, "ja", "cover") and "手札：6 枚" in printed(of, "ja", "records")


def test_equal_numbers_by_camp_are_one_number(tmp_path: Path) -> None:
    of = loaded(tmp_path, adventure_text("battlelore", "banners = { pennant = 5, standard = 5 }\n"))
    assert of.scenario.banners == 5 and "banners = 5\n" in of.game.write(of.scenario)


def test_a_battle_with_other_aims_for_a_camp_is_not_symmetrical(tmp_path: Path) -> None:
    of = loaded(tmp_path, adventure_text("battlelore", BY_CAMP))
    assert of.game.fairness
    texts = [text.en for text in of.game.fairness.mirrored(of.scenario)]
    assert "The numbers of banners to win differ" in texts and "The command hands differ in size" in texts


FAULTS = {
    "hand = { pennant = 6 }": "play.hand: `standard` is missing",
    "banners = { pennant = 4, standart = 5 }": "play.banners.standart: unknown field",
    "banners = { pennant = 0, standard = 5 }": "play.banners.pennant: 0 is too small",
    "banners = 'four'": "play.banners: expected a whole number or a table",
}


@pytest.mark.parametrize("line", FAULTS)
def test_wrong_numbers_by_camp_are_refused_with_key_and_line(tmp_path: Path, line: str) -> None:
    text = adventure_text("battlelore", f"{line}\n")
    with pytest.raises(DataError) as fault:
        loaded(tmp_path, text)
    assert FAULTS[line] in fault.value.problems[0].message
    assert text.splitlines()[fault.value.problems[0].line - 1] == line


PRIZES = 'objectives = { F5 = "banner", G4 = { banners = 2, camp = "standard" } }\n'


@pytest.mark.parametrize("game", GAMES)
def test_victory_hexes_are_read_written_and_drawn(tmp_path: Path, game: str) -> None:
    of = loaded(tmp_path, adventure_text(game, board=PRIZES))
    assert fired(of) == fired(loaded(tmp_path, adventure_text(game)))
    board = of.scenario.board
    assert {board.field.name(cell): (o.banners, o.camp) for cell, o in board.objectives.items()} == {
        "F5": (1, None),
        "G4": (2, "standard"),
    }
    assert PRIZES in of.game.write(of.scenario)
    view = map_view(board)
    assert view.shades == (Shade("objective", tuple(board.objectives)),)
    assert [(note.text.en, note.flag) for note in view.notes] == [("1", "prize"), ("2", "standard")]
    assert "Victory hex: banners" in [row.text.en for row in view.legend]
    cover, records = printed(of, "en", "cover"), printed(of, "ja", "records")
    assert "F5: 1 banner" in cover and "G4: 2 banners for Standard" in cover and "(house)" in cover
    assert records.count("勝利ヘクス：F5") == 2


def test_a_part_of_a_map_has_only_its_own_victory_hexes(tmp_path: Path) -> None:
    board = loaded(tmp_path, adventure_text("battlelore", board=PRIZES)).scenario.board
    around = board.field.around(board.field.at(5, 4), 0)
    assert [note.text.en for note in part(map_view(board), around).notes] == ["1"]


def test_the_turned_board_turns_its_victory_hexes(tmp_path: Path) -> None:
    board = loaded(tmp_path, adventure_text("battlelore", board=PRIZES)).scenario.board
    other = turned(board)
    assert {board.field.name(c): (o.banners, o.camp) for c, o in other.objectives.items()} == {
        "G5": (1, None),
        "E6": (2, "pennant"),
    }
    assert turned(other) == board
    assert any("Victory hexes" in text.en for text in asymmetries(board))


RULES = {
    'objectives = { B5 = "banner" }\n': {},
    "objectives = { F5 = { banners = 3 } }\n": {},
    "objectives = { F5 = { banners = 4 } }\n": {"map.objective_worth": "the victory hex F5 is worth 4 banners"},
    'objectives = { F5 = "banner", B3 = { banners = 2 }, C3 = { banners = 2 }, D4 = "banner" }\n': {},
    "objectives = { B3 = { banners = 3 }, C3 = { banners = 3 } }\n": {
        "map.objective_start": "Pennant holds victory hexes for 6 banners at the start (B3 C3) and needs 6 to win"
    },
    'objectives = { B3 = { banners = 3, camp = "standard" }, C3 = { banners = 3 } }\n': {},
}


@pytest.mark.parametrize("lines", RULES)
def test_the_checker_knows_what_a_victory_hex_may_be(tmp_path: Path, lines: str) -> None:
    plain = fired(loaded(tmp_path, adventure_text("battlelore")))
    of = loaded(tmp_path, adventure_text("battlelore", board=lines))
    assert {rule: why for rule, why in fired(of).items() if rule not in plain} == RULES[lines]
    for finding in of.report.findings:
        assert (
            not finding.rule.id.startswith("map.objective")
            or "objectives" in adventure_text("battlelore", board=lines).splitlines()[finding.line - 1]
        )


def test_a_victory_hex_in_a_river_cannot_be_held(tmp_path: Path) -> None:
    river = (". . . . . . . . . . . .\n f f", ". . ~ ~ . . . . . . . .\n f f")
    of = loaded(tmp_path, adventure_text("battlelore", board='objectives = { C9 = "banner" }\n', replaced=river))
    assert fired(of)["map.objective"] == "no unit can enter the victory hex C9 (river)"
    assert of.report.illegal


def test_one_hex_that_wins_at_once_is_remarked(tmp_path: Path) -> None:
    of = loaded(tmp_path, adventure_text("battlelore", "banners = 3\n", "objectives = { F5 = { banners = 3 } }\n"))
    assert "Pennant wins at once" in fired(of)["map.objective_worth"]


def test_rules_on_victory_hexes_are_counted_only_where_there_are_some(tmp_path: Path) -> None:
    plain, of = (
        loaded(tmp_path, adventure_text("battlelore")),
        loaded(tmp_path, adventure_text("battlelore", board=PRIZES)),
    )
    assert len(of.report.rules) == len(plain.report.rules) + 3


HEX_FAULTS = {
    'objectives = { F5 = "banner", f5 = "banner" }': "the victory hex f5 is given twice",
    'objectives = { Z9 = "banner" }': "there is no hex 'Z9'",
    'objectives = { F5 = "bannner" }': "board.objectives.F5: 'bannner' is not valid",
    "objectives = { F5 = { banners = 0 } }": "board.objectives.F5.banners: 0 is too small",
    'objectives = { F5 = { camp = "penant" } }': "'penant' is not valid",
    "objectives = { F5 = 2 }": "board.objectives.F5: expected",
    "objectives = { F5 = { banner = 2 } }": "unknown field",
}


@pytest.mark.parametrize("line", HEX_FAULTS)
def test_wrong_victory_hexes_are_refused_with_key_and_line(tmp_path: Path, line: str) -> None:
    text = adventure_text("battlelore", board=f"{line}\n")
    with pytest.raises(DataError) as fault:
        loaded(tmp_path, text)
    assert HEX_FAULTS[line] in fault.value.problems[0].message
    assert text.splitlines()[fault.value.problems[0].line - 1] == line


def test_a_camp_wins_by_holding_hexes_and_loses_them_by_leaving(tmp_path: Path) -> None:
    of = loaded(
        tmp_path, adventure_text("battlelore", "banners = 2\n", 'objectives = { E3 = "banner", F3 = "banner" }\n')
    )
    engine = PlayReporter(of.scenario, (0,))
    state = moving(engine, "E2", "F2")
    first = engine.act(state, march(engine, state, "E2", "E3"))
    assert engine.banners(first) == (1, 0) and not engine.ended(first)
    last = engine.act(first, march(engine, first, "F2", "F3"))
    assert engine.ended(last) == Outcome(0, (2, 0), 1)
    away = engine.act(first._replace(moved=0, turn=3), march(engine, first._replace(moved=0), "E3", "E4"))
    assert engine.banners(away) == (0, 0)
    lines = engine.narrator()(first, march(engine, first, "F2", "F3"), False)
    assert [text.en for text in lines][-1] == "P5 occupies the victory hex F3: 1 banner for Pennant while it stays"


def moving(engine: PlayReporter, *hexes: str) -> State:
    """Return the first turn of the Pennant camp, with the units on the given hexes ordered."""
    state = engine.begin(0)
    ordered = sum(1 << unit for unit, cell in enumerate(state.at) if engine.hex(cell) in hexes)
    return state._replace(phase=MOVE, turn=1, ordered=ordered)


def march(engine: PlayReporter, state: State, start: str, end: str) -> int:
    """Return the decision to move the unit on a hex to another."""
    names = [engine.hex(cell) for cell in range(engine.field.count)]
    move = state.at.index(names.index(start)) << 8 | names.index(end)
    assert move in engine.moves(state)
    return move


@pytest.mark.parametrize("policy", range(3))
def test_players_take_a_victory_hex_and_stay_on_it(tmp_path: Path, policy: int) -> None:
    of = loaded(tmp_path, adventure_text("battlelore", board='objectives = { E3 = "banner" }\n'))
    engine = PlayReporter(of.scenario, (0,))
    player = list(lore_policies().values())[policy]
    state = moving(engine, "E2")
    chosen = player.pick(engine, state, Rng("A", "mind"))
    assert chosen == march(engine, state, "E2", "E3")
    there = engine.act(state, chosen)
    again = there._replace(phase=MOVE, moved=0, ordered=state.ordered)
    assert player.pick(engine, again, Rng("A", "mind")) == DONE


def test_a_game_with_a_victory_hex_is_played_to_its_end(tmp_path: Path) -> None:
    of = loaded(
        tmp_path, adventure_text("battlelore", "banners = 2\n", 'objectives = { F5 = "banner", E5 = "banner" }\n')
    )
    assert of.game.playing
    engine = of.game.playing.engine(of.scenario)
    first, second, _ = (Seated(p, Rng("A", "mind"), Rng("A", "luck")) for p in of.game.playing.policies.values())
    won = [play_game(engine, 0, pair) for pair in ((first, second), (second, first), (first, first))]
    assert any(outcome.winner is not None for outcome in won)
    assert all(outcome.winner is None or outcome.counted[outcome.winner] >= 2 for outcome in won)


WEAK = {
    "battlelore": ('unit = "red short_sword" }', 'unit = "red short_sword", figures = 2 }'),
    "call_to_arms": ('hex = "D3", unit = "red short_sword" }', 'hex = "D3", unit = "red short_sword", figures = 2 }'),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_unit_may_start_below_full_strength(tmp_path: Path, game: str) -> None:
    of = loaded(tmp_path, adventure_text(game, replaced=WEAK[game]))
    plain = loaded(tmp_path, adventure_text(game))
    assert fired(of) == fired(plain) and len(of.report.rules) == len(plain.report.rules) + 1
    (weak,) = [unit for _, unit in of.scenario.units if unit.extra]
    assert (weak.figures, weak.kind.figures) == (2, 4)
    assert "figures = 2 }" in of.game.write(of.scenario)
    assert unit_token("pennant", weak).hp == (2, 4)
    engine = PlayReporter(of.scenario, (0,))
    number = [unit.id for _, unit in engine.field.units].index(weak.id)
    assert engine.begin(0).figures[number] == 2
    assert "'figures': 2" in str(of.game.export(of.scenario))
    name = weak.id.removeprefix("P")
    assert f"{name}: 2 of 4 figures" in printed(of, "en", "setup")
    assert "2of4" in "".join(printed(of, "en", "records").split())
    assert "4体中2体" in "".join(printed(of, "ja", "records").split())
    assert "pips: figures" in printed(of, "en", "cover")


def test_weak_units_are_hit_at_their_own_odds_and_need_fewer_figures(tmp_path: Path) -> None:
    text = adventure_text("battlelore", replaced=WEAK["battlelore"])
    of = loaded(tmp_path, text.replace('hex = "E7", unit = "blue', 'hex = "F3", unit = "red'))
    blow = next(blow for blow in Turn(of.scenario).blows() if blow.target.id == "P5" and blow.unit.id == "S4")
    assert blow.falls == blow.way.roll.falls(2) > blow.way.roll.falls(4)
    (kind,) = missing_figures(unit for _, unit in of.scenario.units)[:1]
    pool = of.scenario.pool
    held = pool.pennant.figures["human"]["short_sword"]
    many = [kind] * (held // 4 + 1)
    assert pool.shortages("pennant", many) and not pool.shortages("pennant", many[:1], missing=[kind] * 2)
    [short] = [s for s in pool.shortages("pennant", many, missing=[kind]) if s.requested != len(many)]
    assert short.requested == 4 * len(many) - 1


@pytest.mark.parametrize("figures", ["0", "13", '"two"'])
def test_a_wrong_number_of_figures_is_refused(tmp_path: Path, figures: str) -> None:
    old, new = WEAK["battlelore"]
    text = adventure_text("battlelore", replaced=(old, new.replace("= 2", f"= {figures}")))
    with pytest.raises(DataError) as fault:
        loaded(tmp_path, text)
    (problem,) = fault.value.problems
    assert "figures" in problem.message and "figures" in text.splitlines()[problem.line - 1]


def test_more_figures_than_a_full_unit_has_are_remarked(tmp_path: Path) -> None:
    old, new = WEAK["battlelore"]
    of = loaded(tmp_path, adventure_text("battlelore", replaced=(old, new.replace("= 2", "= 5"))))
    assert fired(of)["unit.figures"] == "P5 starts with 5 figures, but a full unit has 4"
    assert not of.report.illegal


PIECES = """\
[[piece]]
id = "spider"
name = { en = "Giant spider", ja = "大蜘蛛" }
like = "red short_sword goblin"
dice = 5
move = 3
figures = 1

[[piece]]
id = "catapult"
name = "Catapult"
like = "blue common_bow human"
move = 0
range = 5
figures = 2
sight = "over"

"""
STAND = {
    "battlelore": (
        '{ hex = "F2", unit = "red short_sword" }',
        '{ hex = "F2", unit = "spider" }, { hex = "G2", unit = "catapult" }',
    ),
    "call_to_arms": (
        '{ hex = "G1", unit = "blue short_sword dwarf" },',
        '{ hex = "G1", unit = "blue short_sword dwarf" }, { hex = "E1", unit = "spider" },\n'
        '  { hex = "G4", unit = "catapult" },',
    ),
}


def with_pieces(game: str, pieces: str = PIECES) -> str:
    text = adventure_text(game, replaced=STAND[game])
    return text.replace("[board]\n", f"{pieces}[board]\n", 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_piece_of_the_owner_has_its_own_numbers(tmp_path: Path, game: str) -> None:
    of = loaded(tmp_path, with_pieces(game))
    assert fired(of).keys() == fired(loaded(tmp_path, adventure_text(game))).keys()
    kinds = {unit.kind.piece.id: unit.kind for _, unit in of.scenario.units if unit.kind.piece}
    spider, catapult = kinds["spider"], kinds["catapult"]
    assert (spider.dice, spider.move, spider.run, spider.range, spider.figures) == (5, 3, 3, 1, 1)
    assert (catapult.dice, catapult.move, catapult.run, catapult.range, catapult.over) == (3, 0, 0, 5, True)
    written = of.game.write(of.scenario)
    assert PIECES in written
    head = with_pieces(game)[: with_pieces(game).index("[play]")]
    assert of.game.write(loaded(tmp_path, head + written).scenario) == written
    assert {kind.piece for kind in of.scenario.pieces} == {spider.piece, catapult.piece}


@pytest.mark.parametrize("game", GAMES)
def test_its_numbers_are_printed(tmp_path: Path, game: str) -> None:
    of = loaded(tmp_path, with_pieces(game))
    reference = printed(of, "en", "reference")
    assert "Pieces of the scenario’s author (house)" in reference
    assert "otherwise like red goblin short sword; morale: Frightened" in reference and "nothing blocks" in reference
    assert "大蜘蛛" in printed(of, "ja", "reference") and "大蜘蛛" in printed(of, "ja", "records")
    for name in ("cover", "setup", "records", "map", "tokens", "odds"):
        text = printed(of, "en", name)
        assert name in ("tokens", "odds") or ("Giant" in text and "Catapult" in text), name
    assert token("pennant", of.scenario.pieces[0]).mark == "own"


def test_a_piece_fights_and_moves_by_its_numbers(tmp_path: Path) -> None:
    of = loaded(tmp_path, with_pieces("battlelore"))
    turn = Turn(of.scenario)
    shots = [blow for blow in turn.blows() if blow.unit.kind.piece and blow.unit.kind.piece.id == "catapult"]
    assert {blow.target.id for blow in shots} == {"S4", "S5"} and shots[0].way.roll.dice == 3
    engine = PlayReporter(of.scenario, (0,))
    number = {unit.kind.piece.id: i for i, (_, unit) in enumerate(engine.field.units) if unit.kind.piece}
    state = moving(engine, "F2", "G2")
    ends = {move >> 8: 0 for move in engine.moves(state) if move != DONE}
    assert set(ends) == {number["spider"]}
    assert max(moves(of.scenario, "P5").steps.values()) == 3 and not moves(of.scenario, "P6").steps
    field = next(
        field
        for field in fields_of_fire(of.scenario.board, of.scenario.units, of.scenario.rulings)
        if field.unit.kind.piece
    )
    assert not field.blocked and len(field.seen) == sum(
        2 <= distance(field.at, cell) <= 5 for cell in of.scenario.board.field.cells
    )


def test_the_pool_does_not_hold_pieces_of_the_owner(tmp_path: Path) -> None:
    of = loaded(tmp_path, with_pieces("battlelore"))
    assert not of.scenario.pool.shortages("pennant", [of.scenario.pieces[0]] * 500)


PIECE_FAULTS = {
    ('like = "red short_sword goblin"', 'like = "red short_sward goblin"'): "'short_sward' is not valid",
    ("dice = 5", "dice = 7"): "piece[1].dice: 7 is too large",
    ("dice = 5", "dize = 5"): "unknown field",
    ('id = "spider"', 'id = "Spider 1"'): "does not have the expected form",
    ('id = "catapult"', 'id = "spider"'): "the id spider is used twice",
    ("dice = 5", "range = 4"): "a piece like red short_sword goblin cannot shoot",
    ("dice = 5", 'sight = "over"'): "a piece like red short_sword goblin cannot shoot",
    ("range = 5", "range = 1"): "the range of a bow must be at least 2 hexes",
    ("dice = 5", "run = 2"): "`run` is less than `move`",
    ('sight = "over"', 'sight = "ovr"'): "'ovr' is not valid",
    ('name = "Catapult"', 'name = ""'): "is empty",
}


@pytest.mark.parametrize("change", PIECE_FAULTS)
def test_a_wrong_piece_is_refused_with_its_line(tmp_path: Path, change: tuple[str, str]) -> None:
    text = with_pieces("battlelore", PIECES.replace(*change))
    with pytest.raises(DataError) as fault:
        loaded(tmp_path, text)
    (problem, *_) = fault.value.problems
    assert PIECE_FAULTS[change] in problem.message
    assert text.splitlines()[problem.line - 1] == change[1]


def test_a_unit_of_an_unknown_piece_gets_the_near_match(tmp_path: Path) -> None:
    text = with_pieces("battlelore").replace('unit = "spider"', 'unit = "spidr"')
    with pytest.raises(DataError) as fault:
        loaded(tmp_path, text)
    assert "spider" in fault.value.problems[0].hint


def test_battles_with_pieces_share_no_cached_results(tmp_path: Path) -> None:
    strong = loaded(tmp_path, with_pieces("battlelore"))
    weak = loaded(tmp_path, with_pieces("battlelore", PIECES.replace("dice = 5", "dice = 1")))
    rolls = []
    for of in (strong, weak, strong):
        field = PlayReporter(of.scenario, (0,)).field
        number = next(i for i, (_, unit) in enumerate(field.units) if unit.kind.piece)
        foe = field.first_of[1]
        roll = field.roll(field.kind[number], field.kind[foe], 30, 31, 0)
        assert roll
        rolls.append(roll.dice)
    assert rolls == [5, 1, 5]


NEUTRAL = {
    "battlelore": ('unit = "red short_sword" }', 'unit = "red short_sword", figures = 4 }'),
    "call_to_arms": ('hex = "D3", unit = "red short_sword" }', 'hex = "D3", unit = "red short_sword", figures = 4 }'),
}


@pytest.mark.parametrize("game", GAMES)
def test_keys_that_change_nothing_print_the_same_bytes(tmp_path: Path, game: str) -> None:
    play = 'banners = { pennant = 6, standard = 6 }\nhand = { pennant = 5, standard = 5 }\nbriefing = ""\n'
    keys = adventure_text(game, f'{play}special_rules = ""\n', "objectives = {}\n", NEUTRAL[game])
    kits = [loaded(tmp_path, text) for text in (adventure_text(game), keys)]
    assert kits[0].stamp == kits[1].stamp
    settings = PrintSettings("en")
    plain, neutral = (print_kit(of.game.kit(of.scenario, of.report, of.stamp, "").whole, settings) for of in kits)
    assert plain == neutral
