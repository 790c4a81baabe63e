"""Tests for fields of every kind of cell: connected roads, nested hill contours, legible names, distinct styles."""

from __future__ import annotations

import io
from itertools import combinations, product

import pypdfium2
import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from generator.grid.columns import Numbered, columns_field
from generator.grid.columns import step as column_step
from generator.grid.hexes import STEPS, Cell, Grid, Hex, field
from generator.grid.squares import Square, squares
from generator.model.picture import Path, Picture, Text, Use
from generator.model.views import Legend, MapView, Note, Ray, Shade, Token, Track
from generator.model.words import same
from generator.press.figures.cell_names import text_extent
from generator.press.figures.labels import crosses_box
from generator.press.figures.lettering import unplaced_names
from generator.press.figures.maps import draw_fitted, draw_legend, draw_map
from generator.press.layout.fitting import text_box
from generator.press.pdf.canvas import picture_pdf
from generator.press.pdf.legible import NUMBER_FLOOR
from generator.symbols.features import covers
from generator.symbols.shapes import Place, anatomy, kinds, loops
from generator.symbols.theme import INKS, theme
from tests.press.boards import FIELD, board, city, square_neighbour
from tests.press.test_maps import inside, names_on_map, uses

GRIDS: tuple[Grid, ...] = (field((4, 3, 4)), columns_field(4, 3), FIELD)
ON_SQUARES = ("open", "road", "hill", "hilltop", "ploughed", "building", "wood")
OPERATIONAL = ("clear", "rough", "woods", "mountain")


def neighbour(cell: Cell, direction: int) -> Cell:
    if isinstance(cell, Square):
        return square_neighbour(cell, direction)
    return cell + STEPS[direction] if isinstance(cell, Hex) else column_step(cell, direction)


def paths(picture: Picture, colour: str) -> list[Path]:
    return [i for i in picture.items if isinstance(i, Path) and i.pen and i.pen.colour == colour]


def grey(picture: Picture, scale: float = 3.0) -> Image.Image:
    document = pypdfium2.PdfDocument(io.BytesIO(picture_pdf(picture, "en")))
    try:
        image = document[0].render(scale=scale, grayscale=True).to_pil()
    finally:
        document.close()
    assert isinstance(image, Image.Image)
    return image


@pytest.mark.parametrize("grid", GRIDS)
def test_a_way_out_of_a_cell_leads_to_its_neighbour_and_back(grid: Grid) -> None:
    place = Place(grid, 10.0, 3.0, 4.0)
    kind = anatomy(grid)
    for cell in grid.cells:
        for direction in range(len(kind.exits)):
            other = neighbour(cell, direction)
            assert place.across(cell, direction) == (other if other in grid else None)
            if other in grid:
                (ax, ay), (bx, by) = place.centre(cell), place.centre(other)
                dx, dy = place.way(cell, direction)
                assert ax + 20 * dx == pytest.approx(bx)
                assert ay + 20 * dy == pytest.approx(by)


def test_each_kind_of_cell_is_known() -> None:
    assert [anatomy(grid) for grid in GRIDS] == [kinds()[kind] for kind in ("rows", "columns", "squares")]


def test_squares_that_touch_at_a_corner_have_outlines_of_their_own() -> None:
    assert len(loops(FIELD, (Square(0, 0), Square(1, 1)))) == 2
    assert len(loops(FIELD, (Square(0, 0), Square(1, 0), Square(1, 1)))) == 1
    ring = [cell for cell in squares(3, 3).cells if cell != Square(1, 1)]
    assert sorted(map(len, loops(squares(3, 3), ring))) == [4, 12]


def test_roads_meet_their_neighbours_and_run_off_the_board() -> None:
    view = board()
    small = draw_fitted(view, "en", "full", 90, 90)
    side, place = small.place.side, small.place
    colour = theme().road.ink("full").fill
    (ribbon,) = [path for path in paths(small.picture, colour) if len(path.steps) > 8]
    ends = {(round(float(s[-2]), 3), round(float(s[-1]), 3)) for s in ribbon.steps}
    for cell, ways in view.roads.items():
        for way in ways:
            dx, dy = place.way(cell, way)
            x, y = place.centre(cell)
            meeting = (round(x + side * dx, 3), round(y + side * dy, 3))
            other = neighbour(cell, way)
            assert meeting in ends or len(ways) != 2
            if other in FIELD:
                assert (way + 4) % 8 in view.roads[other]
            else:
                assert meeting in ends


@pytest.mark.parametrize("ink", INKS)
def test_hilltops_lie_inside_hills(ink: str) -> None:
    hills, both = (
        replace(board(), ground={c: to.get(k, k) for c, k in board().ground.items()})
        for to in ({"hilltop": "hill"}, {"": ""})
    )
    low, high = (theme().ground[key].ink(ink).line for key in ("hill", "hilltop"))
    assert not [p for p in paths(draw_map(hills, "en", ink, 90, 90), high) if p.even_odd]
    drawn = draw_map(both, "en", ink, 90, 90)
    # The lowest contour of each level is drawn first.
    lower, upper = (next(p for p in paths(drawn, line) if p.even_odd) for line in (low, high))

    def box(path: Path) -> tuple[float, float, float, float]:
        xs = [float(s[-2]) for s in path.steps if len(s) > 1]
        ys = [float(s[-1]) for s in path.steps if len(s) > 1]
        return min(xs), min(ys), max(xs), max(ys)

    a, b = box(lower), box(upper)
    assert a[0] < b[0] and a[1] < b[1] and a[2] > b[2] and a[3] > b[3]


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize(
    ("grid", "looks"),
    [
        (squares(3, 3), ON_SQUARES),
        (field((3, 2, 3)), OPERATIONAL),
        (columns_field(3, 3), OPERATIONAL),
        (columns_field(3, 3), ("street", "closed")),
    ],
)
def test_any_two_terrains_differ_in_grey(grid: Grid, looks: tuple[str, ...], ink: str) -> None:
    """Rendered without letters, at least one pixel in fifty must be clearly lighter or darker."""
    images = {}
    for key in looks:
        roads = dict.fromkeys(grid.cells, (0, len(anatomy(grid).exits) // 2)) if theme().ground[key].road else {}
        view = MapView(grid, dict.fromkeys(grid.cells, key), roads=roads, names=False)
        images[key] = grey(draw_map(view, "en", ink, 30, 30))
    for a, b in combinations(looks, 2):
        apart = ImageChops.difference(images[a], images[b])
        share = sum(apart.histogram()[24:]) / (apart.width * apart.height)
        assert share > 0.02, f"{a} and {b}: {share:.3f}"


@pytest.mark.parametrize("ink", INKS)
def test_shades_tracks_and_features_differ_in_grey(ink: str) -> None:
    grid = field((3,))
    t = theme()
    plain = MapView(grid, dict.fromkeys(grid.cells, "clear"), names=False)
    kinds = {
        "shade": {
            key: replace(plain, shades=(Shade(key, grid.cells),)) for key in ("reach", "dead", "cover", "deploy")
        },
        "track": {key: replace(plain, tracks=(Track(key, grid.cells),)) for key in t.track},
        "feature": {key: replace(plain, features={grid.cells[1]: key}) for key in ("town", "city", "castle")},
    }
    for views in kinds.values():
        images = {key: grey(draw_map(view, "en", ink, 60, 60)) for key, view in views.items()}
        for a, b in combinations(images, 2):
            assert ImageStat.Stat(ImageChops.difference(images[a], images[b])).mean[0] > 0.5, f"{a} and {b}"


@pytest.mark.parametrize(
    ("view", "width", "height"),
    [
        (MapView(squares(20, 10), dict.fromkeys(squares(20, 10).cells, "open")), 160.5, 100.0),
        (city(), 277.0, 180.0),
        (city(60, 40, ruled=True), 277.0, 180.0),
    ],
)
def test_names_are_legible_on_maps_with_small_cells(view: MapView, width: float, height: float) -> None:
    small = draw_fitted(view, "en", "full", width, height)
    picture = small.picture
    texts = {i.text: i for i in picture.items if isinstance(i, Text)}
    assert inside(picture)
    listed = [text for text in texts if text.startswith("Not shown on the map")]
    assert len(listed) == bool(unplaced_names(view, small.lettering))
    names = {*texts, *small.lettering.unnamed} - {*listed}
    assert {view.grid.name(cell) for cell in view.grid.cells} == names
    assert set(small.lettering.unnamed) <= {"0202", "0203", "0303", "0402", "0403"}, "the building lies in these"
    assert min(text.size for text in texts.values()) >= NUMBER_FLOOR
    boxes = sorted(text_box(text) for text in texts.values())
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            if b[0] >= a[2]:
                break
            assert b[1] >= a[3] - 0.3 or b[3] <= a[1] + 0.3


def test_no_name_lies_on_a_building_or_over_its_outline() -> None:
    small = draw_fitted(city(ruled=True), "en", "full", 150, 150)
    rings = [tuple(small.place.at(p) for p in ring) for ring in city().areas[0].rings]
    names = [text_extent(i) for i in small.picture.items if isinstance(i, Text)]
    assert small.lettering.unnamed == ("0303",)
    assert len(names) == len(city().grid.cells) - 1
    for left, bottom, right, top in names:
        assert not any(covers(rings, p) for p in product((left, right), (bottom, top)))
        assert not any(crosses_box((left, bottom, right, top), a, b)
                       for ring in rings for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))  # fmt: skip


@pytest.mark.parametrize("ink", INKS)
def test_a_courtyard_is_not_a_building(ink: str) -> None:
    view = city(names=False)
    small = draw_fitted(view, "en", ink, 150, 150)
    rings = [tuple(small.place.at(p) for p in ring) for ring in view.areas[0].rings]
    x, y = small.place.at((view.areas[0].rings[1][0][0] + 0.5, view.areas[0].rings[1][0][1] + 0.5))
    assert not covers(rings, (x, y))
    assert covers(rings, (x - 6, y))
    c = theme().area["silhouette"].ink(ink)
    (hatching,) = paths(small.picture, c.dark)[:1]
    middles = [((float(a[1]) + float(b[1])) / 2, (float(a[2]) + float(b[2])) / 2)
               for a, b in zip(hatching.steps[::2], hatching.steps[1::2], strict=True)]  # fmt: skip
    assert len(middles) > 10
    assert all(covers(rings, middle) for middle in middles)


def test_tokens_that_share_a_cell_are_both_seen_with_both_labels() -> None:
    pair = tuple((Square(2, 2), Token("blue", "first", "line", label, facing=90.0)) for label in ("P1", "P2"))
    picture = draw_map(board(tokens=pair), "en", "full", 90, 90)
    back, front = uses(picture, "token.")
    assert back.x > front.x and back.y > front.y
    (one,) = uses(draw_map(board(tokens=pair[:1]), "en", "full", 90, 90), "token.")
    assert front.scale < one.scale
    texts = {i.text: text_box(i) for i in picture.items if isinstance(i, Text)}
    assert texts["P2"][2] < texts["P1"][0]


def test_a_ray_ends_at_its_given_end() -> None:
    ray = Ray(Square(0, 0), Square(4, 4), None, (3.0, 3.0))
    small = draw_fitted(board(rays=(ray,)), "en", "full", 90, 90)
    (dashed,) = [p for p in paths(small.picture, theme().ray.ink("full").line) if p.pen and p.pen.dash]
    assert dashed.steps[0][1:] == pytest.approx(small.place.at((3.0, 3.0)))
    assert dashed.steps[1][1:] == pytest.approx(small.place.centre(Square(4, 4)))


def test_notes_beside_the_board_have_their_room() -> None:
    notes = (Note((5.0, -2.0), same("1"), 0.5), Note((-3.0, 5.0), same("4"), 0.5), Note((5.0, 5.0), same("x"), 0.5))
    plain, noted = draw_map(board(), "en", "full", 90, 90), draw_map(board(notes=notes), "en", "full", 90, 90)
    assert noted.width == pytest.approx(90)
    assert noted.height > plain.height * 0.9
    found = {i.text: text_box(i) for i in noted.items if isinstance(i, Text) and i.text in "14x"}
    assert len(found) == 3
    assert all(a >= 0 and b >= -0.01 and c <= noted.width and d <= noted.height for a, b, c, d in found.values())
    assert names_on_map(board(notes=notes), 90)["a1 W"].x > names_on_map(board(), 90)["a1 W"].x


def test_a_track_ends_in_an_arrow_short_of_its_last_cell_and_starts_as_a_ring() -> None:
    walk = Track("walk", (Numbered(2, 2), Numbered(3, 3)))
    # Broad arrows end between two cells, and have no ring.
    for key in (key for key, look in theme().track.items() if not look.ribbon):
        view = city(5, 5, tracks=(Track(key, walk.cells),))
        small = draw_fitted(view, "en", "full", 80, 80)
        colour = theme().track[key].full.line
        heads = [p for p in small.picture.items if isinstance(p, Path) and colour in (p.fill, p.pen and p.pen.colour)]
        assert heads
        end = small.place.centre(Numbered(3, 3))
        assert all(
            abs(float(s[-2]) - end[0]) + abs(float(s[-1]) - end[1]) > 1 for p in heads for s in p.steps if len(s) > 1
        )
    assert inside(draw_map(city(5, 5, tracks=(Track("dash", (Numbered(2, 2),)),)), "en", "full", 80, 80))


@pytest.mark.parametrize("key", sorted(theme().track))
def test_a_track_that_stands_still_is_drawn_as_if_it_did_not(key: str) -> None:
    a, b = Numbered(2, 2), Numbered(3, 3)
    for still, moving in (((a, a), (a,)), ((a, b, b), (a, b)), ((a, a, b, b, b, a, a), (a, b, a)), ((), ())):
        drawn = [draw_map(city(5, 5, tracks=(Track(key, cells),)), "en", "full", 80, 80) for cells in (still, moving)]
        assert drawn[0] == drawn[1]


@pytest.mark.parametrize("view", [board(), city(3, 3)])
@pytest.mark.parametrize("ink", INKS)
def test_a_legend_shows_cells_of_its_map(view: MapView, ink: str) -> None:
    legend = tuple(
        Legend(key, same(key)) for key in ("open", "road", "hill", "street", "silhouette", "walk", "reach")
    )
    picture = draw_legend(replace(view, legend=legend), "en", ink, 60)
    assert inside(picture)
    assert [i for i in picture.items if isinstance(i, Use)]


def test_a_note_that_asks_for_it_stands_on_a_plate() -> None:
    plain, plated = (
        draw_map(board(notes=(Note((5.0, 5.0), same("5+"), 0.4, p),)), "en", "full", 90, 90) for p in (False, True)
    )
    assert len(plated.items) == len(plain.items) + 1
    place = next(i for i, item in enumerate(plated.items) if isinstance(item, Text) and item.text == "5+")
    below = plated.items[place - 1]
    assert isinstance(below, Path)
    assert below.fill == "#ffffff"
