from __future__ import annotations

from generator.games.travel_battle.tables import ARMS, Terrain, by_symbol, terrains


def test_each_terrain_has_a_symbol_of_its_own() -> None:
    assert len(by_symbol()) == len(terrains()) == 7
    assert all(len(symbol) == 1 for symbol in by_symbol())
    assert all(symbol.isdigit() == bool(t.height) for symbol, t in by_symbol().items())
    assert all(int(symbol) == t.height for symbol, t in by_symbol().items() if t.height)


def test_who_may_enter() -> None:
    barred = {t.id: set(ARMS) - set(t.enter) for t in terrains().values() if t.enter != ARMS}
    assert barred == {"building": {"cavalry"}, "wood": {"cavalry", "artillery", "brigadier"}}


def test_what_hides_and_what_shelters() -> None:
    def having(key: str) -> set[str]:
        return {t.id for t in terrains().values() if getattr(t, key)}

    assert having("blocks") == {"hill", "hilltop", "building", "wood"}
    assert having("cover") == {"building", "wood"}
    assert having("defence") == {"building"}
    assert having("road") == {"road"}
    assert having("open") == {"open", "road", "hill", "hilltop", "ploughed"}


def test_our_rulings_are_named_by_their_keys() -> None:
    for terrain in terrains().values():
        assert set(terrain.house) <= set(Terrain.__struct_fields__)
        assert not (terrain.house and terrain.source == "house")
