from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from generator.errors import DataError
from generator.grid.squares import Square
from generator.model.picture import Item, Path, Pen, Picture, Symbol, Text, Use, circle, polygon
from generator.model.views import Legend, Token
from generator.model.words import Words
from generator.press.figures.cards import draw_card
from generator.press.figures.maps import draw_fitted, draw_map
from generator.press.pdf import fonts
from generator.press.pdf.letters import EM
from generator.press.pictures import map_zones
from generator.press.svg import svg
from generator.symbols.theme import INKS
from tests.press.boards import board, city
from tests.press.kits import SQUARE
from tests.press.test_cards import CARD

SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
HREF = "{http://www.w3.org/1999/xlink}href"
PICTURES = {
    "square": SQUARE,
    "board": draw_map(board(), "en", "full", 90, 90),
    "city": draw_map(city(), "ja", "saver", 120, 120),
}


@dataclass(frozen=True)
class Read:
    """A parsed SVG file."""

    root: ElementTree.Element
    held: dict[str, ElementTree.Element]
    drawn: list[ElementTree.Element]


def read(picture: Picture, lang: str = "en") -> Read:
    root = ElementTree.fromstring(svg(picture, "ja" if lang == "ja" else "en", "It <is>"))
    defs, group = root.find(f"{SVG}defs"), root.find(f"{SVG}g")
    assert defs is not None
    assert group is not None
    drawn = [item for part in group for item in (part if "data-layer" in part.attrib else [part])]
    return Read(root, {element.attrib["id"]: element for element in defs}, drawn)


def numbers(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"-?[\d.]+", text)]


def visible_items(items: tuple[Item, ...]) -> list[Item]:
    return [i for i in items if not isinstance(i, Path) or i.fill or i.pen]


def symbols(items: tuple[Item, ...]) -> Iterator[Symbol]:
    for item in items:
        if isinstance(item, Use):
            yield item.symbol
            yield from symbols(item.symbol.items)


def compare(item: Item, element: ElementTree.Element) -> None:
    if isinstance(item, Path):
        assert element.tag == f"{SVG}path"
        steps = [n for step in item.steps for n in step[1:]]
        assert numbers(element.attrib["d"]) == pytest.approx(steps, abs=0.001)
        assert re.findall("[A-Z]", element.attrib["d"]) == [step[0] for step in item.steps]
        assert element.get("fill") == item.fill
        assert element.get("stroke") == (item.pen.colour if item.pen else None)
        assert numbers(element.get("stroke-dasharray", "")) == pytest.approx(
            item.pen.dash if item.pen else (), abs=0.001
        )
        for of in ("fill", "stroke"):
            assert float(element.get(f"{of}-opacity", 1)) == pytest.approx(item.alpha)
    elif isinstance(item, Text):
        assert element.attrib["aria-label"] == item.text
        assert element.attrib["fill"] == item.colour
        assert len(element) == len(item.text.replace(" ", ""))
        size, _, _, _, x, y = numbers(element.attrib["transform"])
        wide = fonts.width(item.text, item.size, item.bold) * 25.4 / 72
        share = {"start": 0, "middle": 0.5, "end": 1}[item.anchor]
        assert (x, y) == pytest.approx((item.x - share * wide, item.y), abs=0.002)
        assert size * 1000 * 72 / 25.4 == pytest.approx(item.size, abs=0.01)
    else:
        assert element.tag == f"{SVG}use"
        assert numbers(element.attrib["transform"])[:2] == pytest.approx((item.x, item.y), abs=0.001)


@pytest.mark.parametrize("name", PICTURES)
def test_an_svg_draws_what_the_page_draws_in_the_same_places(name: str) -> None:
    picture = PICTURES[name]
    found = read(picture)
    items = visible_items(picture.items)
    assert len(items) == len(found.drawn)
    for item, element in zip(items, found.drawn, strict=True):
        compare(item, element)
    for symbol in symbols(picture.items):
        (held,) = [e for key, e in found.held.items() if key == f"s.{symbol.name}"]
        for item, element in zip(visible_items(symbol.items), held, strict=True):
            compare(item, element)


@pytest.mark.parametrize("name", PICTURES)
def test_whatever_it_refers_to_is_there_before_it_is_used(name: str) -> None:
    found = read(PICTURES[name])
    known: set[str] = set()
    for element in found.root.iter():
        if HREF in element.attrib:
            assert element.attrib[HREF].startswith("#")
            assert element.attrib[HREF][1:] in known
        if "id" in element.attrib:
            assert element.attrib["id"] not in known
            known.add(element.attrib["id"])
    text = svg(PICTURES[name], "en")
    assert b"<text" not in text
    assert b"font" not in text
    assert b"url(" not in text


BATTLE = replace(
    board(),
    legend=(Legend("wood", Words("Wood", "森")),),
    tokens=(
        (Square(0, 0), Token("pennant", "blue", "long_bow", "P7")),
        (Square(1, 0), Token("standard", "red", "levy")),
    ),
)
LAYERS = ["ground", "roads", "grid", "terrain", "frame", "names", "cells", "units"]


def layers(source: bytes) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(source)
    return {part.attrib["data-layer"]: part for part in root.iter(f"{SVG}g") if "data-layer" in part.attrib}


def test_its_layers_have_names_and_hold_what_the_page_draws() -> None:
    drawn = draw_fitted(BATTLE, "en", "full", 90, 90)
    made = svg(drawn.picture, "en", "The Mill", map_zones(BATTLE, drawn, "en"))
    found = layers(made)
    assert [name for name in found if name in LAYERS] == LAYERS
    assert all(part.attrib[f"{INKSCAPE}label"] == name for name, part in found.items())
    answering = {name for name, part in found.items() if part.get("pointer-events") != "none"}
    assert answering == {"cells", "units"}
    counts = {name: sum(not isinstance(i, Path) or bool(i.fill or i.pen) for i in group)
              for name, group in named_items(drawn.picture)}  # fmt: skip
    assert {name: len(part) for name, part in found.items() if name != "cells"} == counts


def named_items(picture: Picture) -> Iterator[tuple[str, tuple[Item, ...]]]:
    start = 0
    for name, count in picture.layers:
        yield name, picture.items[start : start + count]
        start += count


def test_units_and_cells_say_which_they_are() -> None:
    drawn = draw_fitted(BATTLE, "ja", "full", 90, 90)
    found = layers(svg(drawn.picture, "ja", "水車", map_zones(BATTLE, drawn, "ja")))
    attributes = [{key[5:]: value for key, value in use.attrib.items() if key.startswith("data-")}
            for use in found["units"] if use.tag == f"{SVG}use"]  # fmt: skip
    name = BATTLE.grid.name
    assert attributes == [
        {"unit": "P7", "cell": name(Square(0, 0)), "side": "pennant", "kind": "blue long_bow"},
        {"cell": name(Square(1, 0)), "side": "standard", "kind": "red levy"},
    ]
    assert found["units"][0].findtext(f"{SVG}title") == f"P7, {name(Square(0, 0))}"
    cells = {path.attrib["data-cell"]: path for path in found["cells"]}
    assert cells.keys() == {name(cell) for cell in BATTLE.grid.cells}
    for cell in BATTLE.grid.cells:
        path = cells[name(cell)]
        assert path.attrib["data-ground"] == BATTLE.ground[cell]
        title = path.findtext(f"{SVG}title") or ""
        assert title.startswith(name(cell)) and ("森" in title) == (BATTLE.ground[cell] == "wood")
        ring = [(x, y) for x, y in batched_pairs(numbers(path.attrib["d"]))]
        middle = drawn.place.centre(cell)
        assert (sum(x for x, _ in ring) / 4, sum(y for _, y in ring) / 4) == pytest.approx(middle, abs=0.01)


def batched_pairs(flat: list[float]) -> Iterator[tuple[float, float]]:
    return zip(flat[::2], flat[1::2], strict=True)


def test_it_has_its_true_size_and_its_name() -> None:
    root = read(SQUARE, "ja").root
    assert (root.attrib["width"], root.attrib["height"], root.attrib["viewBox"]) == ("40mm", "30mm", "0 0 40 30")
    assert root.findtext(f"{SVG}title") == "It <is>"
    assert root.attrib["{http://www.w3.org/XML/1998/namespace}lang"] == "ja"


def test_japanese_is_drawn_with_whatever_fonts_a_print_has_chosen() -> None:
    fonts.register("en")
    (drawn,) = read(Picture(20, 10, (Text(1, 1, 'A "戦闘" B', 8),))).drawn
    assert drawn.attrib["aria-label"] == 'A "戦闘" B'
    assert [e.attrib[HREF] for e in drawn] == ["#r41", "#r22", "#r6226", "#r95d8", "#r22", "#r42"]
    with pytest.raises(DataError, match=r"U\+1F40C"):
        svg(Picture(20, 10, (Text(1, 1, "🐌", 8),)), "en")


def test_corners_turns_and_what_is_invisible() -> None:
    inner = Symbol("a b/c", (circle(0, 0, 1, "#123456"),), 2)
    outer = Symbol("outer", (Use(inner, 1, 0, 1, 30), Use(inner, -1, 0)), 4)
    square = Path(polygon(((0, 0), (1, 0), (0, 1))).steps, "#000000", Pen("#ff0000", 0.2, round=False), 0.5, True)
    found = read(Picture(10, 10, (polygon(((0, 0), (1, 1), (2, 0))), Use(outer, 5, 5, 2, -45), square)))
    assert list(found.held) == ["s.a_20_b_2f_c", "s.outer"]
    use, path = found.drawn
    assert use.attrib["transform"] == "translate(5 5) rotate(-45) scale(2.0000)"
    assert "stroke-linecap" not in path.attrib
    assert path.attrib["fill-rule"] == "evenodd"


@pytest.mark.parametrize("ink", INKS)
def test_a_card_is_small_and_the_same_each_time(ink: str) -> None:
    picture = draw_card(CARD, "ja", ink, 63.5, 88.9)
    assert svg(picture, "ja") == svg(picture, "ja")
    assert len(svg(picture, "ja")) < 80_000


def test_letters_are_spaced_and_a_turned_text_is_rotated_about_its_point() -> None:
    plain, spaced, turned = (
        svg(Picture(20, 10, (replace(Text(10, 5, "abc", 8, "middle"), **more),)), "en").decode()
        for more in ({}, {"spacing": 0.5}, {"turn": 30.0})
    )
    places = [[int(x) for x in re.findall(r'<use [^>]*x="(\d+)"', text)] for text in (plain, spaced)]
    assert [b - a for a, b in zip(*places, strict=True)] == [EM // 2, EM]
    assert "rotate(30 10 5) matrix(" in turned and "rotate" not in plain
