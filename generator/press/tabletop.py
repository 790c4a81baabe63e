"""Export cards and boards for Tabletop Simulator: sheets of cards, boards, and a saved object that uses them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import blake2b
from math import ceil
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from generator.model.picture import Picture
from generator.model.views import Back, CardView, Face, Kit, Piece, Run
from generator.model.words import Lang
from generator.press import Progress
from generator.press.alternative_texts import all_words, describe_face
from generator.press.board_cells import INCH, Board, boards
from generator.press.figures.cards import draw_face
from generator.press.layout.imposition import trimmed_size
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from generator.press.pdf.canvas import JOINT
from generator.press.pictures import slug
from generator.press.png import picture_image
from generator.store.manifest import seal

if TYPE_CHECKING:
    from PIL.Image import Image

# The format has no specification. Muster uses these properties of it: A sheet has at most 10 columns and 7 rows of
# equal cards. A card has the number of its sheet times 100, plus its place on the sheet. A tile that does
# not keep the proportions of its picture is 2 units wide and deep at scale 1, and a unit is an inch. A tile that is
# rotated by 180° about the vertical axis is upright for the player at the near edge. Snap points have the coordinates
# of a tile that is not rotated and has scale 1.

COLUMNS, ROWS = 10, 7
"""Maximum number of columns and rows of a sheet."""
MAX_PIXELS = 4096
"""Maximum width and height of a picture in pixels."""
SAVED_OBJECT = "tabletop.json"
"""The file with the saved object."""
POKER_WIDTH = 63.5
"""Width in mm of a card that has scale 1 on the table."""
_UNITS_PER_TILE = 2.0
"""Width of a tile at scale 1, in units of the table, which are inches."""
_TILE_THICKNESS = 0.1
"""Thickness of a board in units of the table."""
_BOARD_TOP = 1.06
"""Height in units at which a board lies on the table."""
_DESCRIPTION_CHARS = 2000
"""Maximum length of a card's description."""


class _Sheet(Struct, frozen=True):
    """Cards with the same back, at most as many as fit on a sheet, and the size of a card in mm."""

    name: str
    title: str
    cards: tuple[Piece, ...]
    back: Face | None
    size: tuple[float, float]
    lang: Lang

    @property
    def columns(self) -> int:
        """The number of columns. A sheet needs at least 2."""
        return max(2, min(COLUMNS, len(self.cards)))

    @property
    def rows(self) -> int:
        """The number of rows. A sheet needs at least 2."""
        return max(2, ceil(len(self.cards) / self.columns))


def tabletop_files(kit: Kit, settings: PrintSettings, dpi: float, url: str, progress: Progress) -> dict[str, bytes]:
    """Return the files for Tabletop Simulator, keyed by name. The saved object is last.

    `url` is the address of the folder with the pictures. No picture is larger than `MAX_PIXELS`, whatever `dpi` is.
    With a second language, there are further pictures and a further saved object.

    Raises:
        DoesNotFitError: If a text does not fit on a card.
    """
    made: dict[str, bytes] = {}
    for lang in settings.langs:
        tail = f"-{lang}" if settings.second_lang else ""
        decks = list(_decks(kit, settings, lang))
        found_boards = boards(kit, settings, lang, progress)
        objects: list[dict[str, Any]] = []
        place = _Places()
        for number, deck in enumerate(decks):
            progress(deck[0].title, number / (len(decks) + len(found_boards)))
            sheets: list[tuple[_Sheet, str, str]] = []
            for sheet in deck:
                face, back = f"{sheet.name}{tail}.png", f"{sheet.name}-back{tail}.png"
                made[face] = _png(_sheet_image(sheet, settings, dpi))
                made[back] = _png(_card_image(sheet.back, sheet, settings, _card_pixels(sheet, dpi)))
                sheets.append((sheet, url + face, url + back))
            objects.append(_deck_object(sheets, place.next_deck(), first=1 + sum(map(len, decks[:number]))))
        for board in found_boards:
            progress(board.title, 1.0)
            name = f"{board.name}{tail}.png"
            made[name] = _board_png(board, lang, dpi)
            objects.append(_board_object(board, url + name, place.next_board(board)))
        saved = {"SaveName": f"{kit.game[lang]}: {kit.title[lang]}", **_EMPTY_SAVE, "ObjectStates": objects}
        file = SAVED_OBJECT.replace(".", f"{tail}.")
        made[file] = seal((json.dumps(saved, ensure_ascii=False, indent=1) + "\n").encode())
    return made


_EMPTY_SAVE: dict[str, Any] = {
    "GameMode": "",
    "Date": "",
    "Gravity": 0.5,
    "PlayArea": 0.5,
    "Table": "",
    "Sky": "",
    "Note": "",
    "Rules": "",
    "LuaScript": "",
    "LuaScriptState": "",
    "XmlUI": "",
}
"""The fields of a saved object besides its objects."""


def _decks(kit: Kit, settings: PrintSettings, lang: Lang) -> Iterator[list[_Sheet]]:
    """Yield the sheets of each deck. The cards of a run with the same back are a deck."""
    names: dict[str, int] = {}
    for run in kit.sheets:
        if not isinstance(run, Run) or run.cut != "card":
            continue
        size = trimmed_size(run.cut, run.hex, settings.imposition, run.share)
        by_back: list[tuple[Face | None, list[Piece]]] = []
        for piece in run.pieces:
            same = next((cards for back, cards in by_back if back == piece.back), None)
            if same is None:
                same = []
                by_back.append((piece.back, same))
            same.append(piece)
        for back, cards in by_back:
            base = slug(run.part, run.title["en"])
            names[base] = names.get(base, 0) + 1
            base = base if names[base] == 1 else f"{base}-{names[base]}"
            step = COLUMNS * ROWS
            parts = [cards[at : at + step] for at in range(0, len(cards), step)]
            title = _deck_title(run, back, lang) if len(by_back) > 1 else run.title[lang]
            yield [
                _Sheet(base if n == 1 else f"{base}-sheet-{n}", title, tuple(part), back, size, lang)
                for n, part in enumerate(parts, 1)
            ]


def _deck_title(run: Run, back: Face | None, lang: Lang) -> str:
    """Return the title of a deck: that of its run, the line on its back, and the words for the camp of its back."""
    if not isinstance(back, Back):
        return run.title[lang]
    camp = all_words().shape.get(back.shape)
    details = [back.line[lang] if back.line else "", camp[lang] if camp else ""]
    return JOINT.join(dict.fromkeys([run.title[lang], *filter(None, details)]))


def _card_pixels(sheet: _Sheet, dpi: float) -> tuple[int, int]:
    """Return the width and height of a card in pixels, so that a full sheet is not too large."""
    width, height = sheet.size
    scale = min(dpi / INCH, MAX_PIXELS // COLUMNS / width, MAX_PIXELS // ROWS / height)
    return max(1, int(width * scale)), max(1, int(height * scale))


def _sheet_image(sheet: _Sheet, settings: PrintSettings, dpi: float) -> Image:
    from PIL import Image

    across, down = _card_pixels(sheet, dpi)
    whole = Image.new("RGB", (sheet.columns * across, sheet.rows * down), "white")
    for at, piece in enumerate(sheet.cards):
        row, column = divmod(at, sheet.columns)
        card = _card_image(piece.front, sheet, settings, (across, down))
        whole.paste(card, (column * across, row * down))
    return whole


def _card_image(face: Face | None, sheet: _Sheet, settings: PrintSettings, pixels: tuple[int, int]) -> Image:
    """Return a face of a card in this size, or a white picture if the card has no such face."""
    from PIL import Image

    if face is None:
        return Image.new("RGB", pixels, "white")
    size, lang = sheet.size, sheet.lang

    def draw() -> Picture:
        return Picture(*size, tuple(draw_face(face, "card", lang, settings.ink, size, (0.0,) * 4)))

    picture = fonts.with_enough_glyphs(lang, draw)
    # One pixel more on each side, because PDFium rounds the size of a page.
    drawn = picture_image(picture, lang, max((n + 1) * INCH / side for n, side in zip(pixels, size, strict=True)))
    return drawn.convert("RGB").resize(pixels, Image.Resampling.LANCZOS)


def _png(image: Image) -> bytes:
    out = io.BytesIO()
    with closing(image):
        image.save(out, "PNG")
    return seal(out.getvalue())


def _board_png(board: Board, lang: Lang, dpi: float) -> bytes:
    picture = board.drawn.picture
    longest = max(picture.width, picture.height) / INCH
    return _png(picture_image(picture, lang, min(dpi, (MAX_PIXELS - 1) / longest)))


class _Places:
    """Free places on the table: boards in a row at the far side, and decks in a row in front of them."""

    def __init__(self) -> None:
        self.decks = self.boards = 0.0

    def next_deck(self) -> tuple[float, float]:
        """Return the place of the next deck in units."""
        self.decks += 3.0
        return self.decks - 3.0, -12.0

    def next_board(self, board: Board) -> tuple[float, float]:
        """Return the place of the centre of the next board in units."""
        width = board.drawn.picture.width / INCH
        self.boards += width + 1.0
        return self.boards - width / 2 - 1.0, 4.0


def _guid(*values: object) -> str:
    """Return six hexadecimal digits that are always the same for these values."""
    return blake2b(repr(values).encode(), digest_size=3).hexdigest()


def _object(
    name: str, guid: str, at: tuple[float, float, float], scale: tuple[float, float, float]
) -> dict[str, Any]:
    """Return the fields that all objects have. Objects are turned towards the player at the near edge."""
    x, y, z = at
    across, up, deep = scale
    return {
        "GUID": guid,
        "Name": name,
        "Transform": {
            "posX": round(x, 4),
            "posY": round(y, 4),
            "posZ": round(z, 4),
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": 0.0,
            "scaleX": round(across, 6),
            "scaleY": round(up, 6),
            "scaleZ": round(deep, 6),
        },
        "Nickname": "",
        "Description": "",
        "GMNotes": "",
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Locked": False,
        "Grid": False,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
    }


def _deck_object(sheets: Sequence[tuple[_Sheet, str, str]], at: tuple[float, float], first: int) -> dict[str, Any]:
    """Return a deck, or a single card. `first` is the number of its first sheet."""
    custom: dict[str, Any] = {}
    cards: list[dict[str, Any]] = []
    x, z = at
    for number, (sheet, face, back) in enumerate(sheets, first):
        of_sheet = {
            "FaceURL": face,
            "BackURL": back,
            "NumWidth": sheet.columns,
            "NumHeight": sheet.rows,
            "BackIsHidden": True,
            "UniqueBack": False,
            "Type": 0,
        }
        custom[str(number)] = of_sheet
        scale = sheet.size[0] / POKER_WIDTH
        for place, piece in enumerate(sheet.cards):
            card = _object("Card", _guid(sheet.name, place, sheet.lang), (x, 1.0, z), (scale, 1.0, scale))
            card |= {
                "Nickname": _card_name(piece, sheet.lang),
                "Description": describe_face(piece.front, sheet.lang)[:_DESCRIPTION_CHARS],
                "Hands": True,
                "CardID": 100 * number + place,
                "CustomDeck": {str(number): of_sheet},
            }
            cards.append(card)
    if len(cards) == 1:
        return cards[0]
    scale = sheets[0][0].size[0] / POKER_WIDTH
    deck = _object("DeckCustom", _guid(sheets[0][0].name, sheets[0][0].lang), (x, 1.0, z), (scale, 1.0, scale))
    return deck | {
        "Nickname": sheets[0][0].title,
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": custom,
        "ContainedObjects": cards,
    }


def _card_name(piece: Piece, lang: Lang) -> str:
    """Return the name of a card, with the key that is printed on it."""
    key = piece.front.key if isinstance(piece.front, CardView) else ""
    name = piece.name[lang]
    return name if not key or key in name else f"{key} {name}"


def _board_object(board: Board, url: str, at: tuple[float, float]) -> dict[str, Any]:
    """Return a board in true size, with a snap point at the centre of each cell."""
    width, height = board.drawn.picture.width, board.drawn.picture.height
    scale = width / INCH / _UNITS_PER_TILE, 1.0, height / INCH / _UNITS_PER_TILE
    made = _object("Custom_Tile", _guid(board.name, board.title), (at[0], _BOARD_TOP, at[1]), scale)
    return made | {
        "Nickname": board.title,
        "Locked": True,
        "CustomImage": {
            "ImageURL": url,
            "ImageSecondaryURL": "",
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": 0, "Thickness": _TILE_THICKNESS, "Stackable": False, "Stretch": False},
        },
        "AttachedSnapPoints": list(_snap_points(board)),
    }


def _snap_points(board: Board) -> Iterable[dict[str, Any]]:
    picture, place = board.drawn.picture, board.drawn.place
    for cell in board.view.grid.cells:
        x, y = place.centre(cell)
        right, up = 2 * x / picture.width - 1, 2 * y / picture.height - 1
        yield {"Position": {"x": round(-right, 6), "y": _TILE_THICKNESS, "z": round(-up, 6)}}
