from __future__ import annotations

from collections import Counter

import pytest

from generator.errors import NothingLegalError
from generator.games.battlelore import ground_rules
from generator.games.battlelore.ground import SECTIONS, Board, Inventory, Tiles, house_inventory, needs, picture
from generator.games.battlelore.maker import make_map
from generator.model.words import same
from generator.seeds import RngStreams, code_for

CODES = [code_for(n * 228_497_311) for n in range(75)]


def made(code: str, profile: str = "battlelore", inventory: Inventory | None = None) -> Board:
    return make_map(profile, RngStreams(code, "v1/test/map"), inventory or house_inventory())


@pytest.mark.parametrize("profile", ["battlelore", "memoir"])
def test_any_code_makes_a_lawful_map_that_is_dressed_and_fair(profile: str) -> None:
    kinds: Counter[str] = Counter()
    for code in CODES:
        board = made(code, profile)
        for test in (
            ground_rules.rivers,
            ground_rules.crossings,
            ground_rules.cliffs,
            ground_rules.features,
            ground_rules.reachable,
            ground_rules.baseline_room,
        ):
            assert not list(test(board)), f"{code} {test.__name__}\n{picture(board)}"
        assert not list(ground_rules.tiles(board, house_inventory()))
        dressed = {c for c, terrain in board.ground.items() if terrain != "countryside"}
        assert 0.22 <= len(dressed) / len(board.ground) <= 0.36
        middle = len(board.field.rows) // 2
        assert abs(sum((c.r > middle) - (c.r < middle) for c in dressed)) <= 5
        for section in SECTIONS:
            cells = board.plan.section_cells(section, "pennant")
            assert 0.12 <= len(dressed & set(cells)) / len(cells) <= 0.45
        kinds.update(set(board.ground.values()) | set(board.features.values()))
        kinds["dry"] += not board.water()
        crossings = [c for c in board.water() if board.terrain(c).crossing]
        assert len(crossings) in ((2, 3, 4) if board.water() else (0,))
    rare = ("river", "ford", "bridge", "stone_bridge", "marsh", "cliff", "landmark", "stakes", "rampart", "dry")
    assert all(3 <= kinds[kind] <= 72 for kind in rare), kinds


def test_the_same_code_makes_the_same_map() -> None:
    assert made(CODES[1]) == made(CODES[1])
    assert made(CODES[1]) != made(CODES[2])


def test_a_golden_map() -> None:
    assert picture(made("K7Q2M-9FHN5")) == GOLDEN


def test_the_maker_keeps_to_the_base_game() -> None:
    box = house_inventory()
    base = Inventory(box.name, "own", tuple(t for t in box.tiles if not {"marsh", "stakes"} & set(t.faces)))
    for code in CODES[:30]:
        assert not {"marsh", "cliff", "stakes", "stone_bridge"} & set(needs(made(code, inventory=base)))


def test_without_river_tiles_fields_are_dry() -> None:
    no_rivers = Inventory(same("dry"), "own", (Tiles(("forest", "hill"), 40),))
    assert not any(made(code, inventory=no_rivers).water() for code in CODES[:5])


def test_no_pieces_no_map() -> None:
    with pytest.raises(NothingLegalError, match="too few"):
        made(CODES[0], inventory=Inventory(same("empty"), "own", ()))


GOLDEN = """\
. . h . . . . . h . . .
 . h . . . . . . . . .
. . . . . . . f . f . f
 . c c c f . f . f . f
. . h h f . h . h h f .
 . . . f . . h c c c f
. h . . . f f . . . . .
 h . . . . . . . . . .
h . . . . . . . . . . ."""
