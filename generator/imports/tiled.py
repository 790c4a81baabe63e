"""Read hexagonal maps of the Tiled editor, in XML (.tmx) or JSON (.tmj, .json)."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from generator.common.map_import import ForeignHex, ForeignMap, Position, list_places
from generator.errors import DataError, MusterError, Problem
from generator.imports.text_files import FILE_LIMIT, Element, json_of, text_of, xml_of
from generator.localization import tr, tr_external
from generator.store.folders import is_file, read_within

_GID_BITS = 0x0FFF_FFFF
"""The bits of a tile's number without the four bits for mirroring and turning."""
_MAX_TILES = 250 * 250
"""The maximum number of hexes of a layer."""
_MAX_DIGITS = 6
"""The maximum number of characters of a number. Larger numbers are not read."""
_GZIP_OR_ZLIB = 47
"""The window bits with which zlib detects both formats."""
_NAME_PROPERTIES = ("terrain", "name", "type", "kind")
"""The properties of a tile that name its terrain."""


class _Layer(msgspec.Struct, frozen=True):
    """A layer of tiles, with the number of the tile on each hex that has one."""

    name: str
    line: int
    tiles: Mapping[Position, int]


class _Reader:
    """A reader for a map, as the values of its JSON form."""

    def __init__(self, path: Path, values: Mapping[str, Any]) -> None:
        self.path, self.file, self.values = path, str(path), values
        self.remarks: list[Problem] = []
        self.names: dict[int, str] = {}

    def read(self) -> ForeignMap:
        """Return the map.

        Raises:
            DataError: If the map is not hexagonal or a layer is damaged.
        """
        values = self.values
        orientation = values.get("orientation")
        if orientation != "hexagonal":
            hint = tr("Muster imports hexagonal maps; in Tiled, choose the orientation Hexagonal")
            message = tr("the orientation of the map is “{orientation}”", orientation=str(orientation)[:20])
            raise DataError(self._problem(message, values, hint))
        layers = [*self._layers(values)]
        if not layers:
            hint = tr("in Tiled, draw the terrain on a tile layer, and show this layer")
            raise DataError(self._problem(tr("the map has no visible layer of tiles"), values, hint))
        for tileset in self._tables(values, "tilesets"):
            self._read_tileset(tileset)
        columns, rows = self._number(values, "width"), self._number(values, "height")
        left, top = 0, 0
        infinite = values.get("infinite") in (True, 1, "1", "true")
        if infinite:
            left, top, columns, rows = _extent(layers)
        hexes = self._hexes(layers, (left, top), columns, rows)
        flat, odd_shifted = values.get("staggeraxis", "y") == "x", values.get("staggerindex", "odd") == "odd"
        # The stagger depends on the original indices.
        first_is_odd = bool((left if flat else top) % 2)
        return ForeignMap(
            self.file, str(values.get("class") or self.path.stem), columns, rows, hexes, flat,
            odd_shifted != first_is_odd, open_start=infinite and first_is_odd, remarks=tuple(self.remarks),
        )  # fmt: skip

    def _hexes(
        self, layers: Sequence[_Layer], first: Position, columns: int, rows: int
    ) -> dict[Position, ForeignHex]:
        """Return the hexes of the map, the first of which has the column and the row `first` in the file.

        Tiles outside the map are left out with a remark.
        """
        hexes: dict[Position, ForeignHex] = {}
        for layer in layers:
            outside = []
            for (column, row), gid in layer.tiles.items():
                at = column - first[0], row - first[1]
                if not (0 <= at[0] < columns and 0 <= at[1] < rows):
                    outside.append(f"{column},{row}")
                    continue
                old = hexes.get(at) or ForeignHex(f"{column},{row}", layer.line)
                name = self.names.get(gid) or f"tile {gid}"
                hexes[at] = msgspec.structs.replace(old, names=(*old.names, name), lines=(*old.lines, layer.line))
            if outside:
                message = tr("tiles of the layer “{name}” lie outside the map and are left out ({places})",
                             name=layer.name, places=list_places(outside))  # fmt: skip
                self.remarks.append(Problem(message, self.file, layer.line, remark=True))
        return hexes

    def _problem(self, message: str, values: Mapping[str, Any], hint: str = "", remark: bool = False) -> Problem:
        return Problem(message, self.file, int(values.get("line", 0) or 0), hint, remark)

    def _number(self, values: Mapping[str, Any], key: str) -> int:
        """Return a whole number of the file.

        Raises:
            DataError: If there is no such number.
        """
        found = re.fullmatch(r"-?[0-9]+", str(values.get(key, "")).strip())
        if values.get(key) is None:
            raise DataError(self._problem(tr("{key} is missing", key=key), values))
        if found is None:
            message = tr("{key} is not a whole number: {value}", key=key, value=str(values.get(key))[:20])
            raise DataError(self._problem(message, values))
        if len(found[0]) > _MAX_DIGITS:
            message = tr("{key} is too large: {value}", key=key, value=found[0][:20])
            hint = tr("give a map with at most 250 × 250 hexes") if key in ("width", "height") else ""
            raise DataError(self._problem(message, values, hint))
        return int(found[0])

    def _tables(self, values: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
        """Yield the tables of a list of the file, and nothing if there is no such list.

        Raises:
            DataError: If it is not a list of tables.
        """
        found = values.get(key) or []
        if isinstance(found, dict) and key == "tiles":  # The form of old versions.
            found = [of | {"id": number} if isinstance(of, dict) else of for number, of in found.items()]
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            hint = tr("save the map again in Tiled")
            raise DataError(self._problem(tr("{key} is not a list of objects", key=key), values, hint))
        yield from found

    def _layers(self, values: Mapping[str, Any]) -> Iterator[_Layer]:
        """Yield the visible layers of tiles in a map or a group, the lowest first, also those in groups."""
        for layer in self._tables(values, "layers"):
            name, kind = str(layer.get("name", ""))[:60], layer.get("type")
            if layer.get("visible") in (False, 0, "0", "false"):
                message = tr("the hidden layer “{name}” is left out", name=name)
                self.remarks.append(self._problem(message, layer, remark=True))
            elif kind == "group":
                self._report_shift(layer, name)
                yield from self._layers(layer)
            elif kind == "tilelayer":
                self._report_shift(layer, name)
                yield _Layer(name, int(layer.get("line", 0) or 0), self._tiles(layer, name))
            else:
                message = tr("the layer “{name}” has no tiles and is left out", name=name)
                self.remarks.append(self._problem(message, layer, remark=True))

    def _report_shift(self, layer: Mapping[str, Any], name: str) -> None:
        """Add a remark if Tiled shows a layer or a group at a distance from its hexes."""
        shift = [str(layer.get(key) or "0")[:20] for key in ("offsetx", "offsety")]
        if any(re.search("[1-9]", of) for of in shift):
            message = tr("the layer “{name}” is shifted by {across} × {down} pixels; the shift is left out",
                         name=name, across=shift[0], down=shift[1])  # fmt: skip
            hint = tr("if the tiles are meant for other hexes, move them in Tiled, and set the shift to 0")
            self.remarks.append(self._problem(message, layer, hint, remark=True))

    def _tiles(self, layer: Mapping[str, Any], name: str) -> dict[Position, int]:
        """Return the numbers of the tiles of a layer. Hexes without a tile are missing.

        Raises:
            DataError: If the layer is damaged, or two chunks have different tiles for a hex.
        """
        tiles: dict[Position, int] = {}
        for (column, row), gid in self._numbered(layer, name):
            if gid and tiles.setdefault((column, row), gid) != gid:
                message = tr("the layer “{name}” has several tiles on the hex {place}", name=name,
                             place=f"{column},{row}")  # fmt: skip
                raise DataError(self._problem(message, layer, tr("save the map again in Tiled")))
        return tiles

    def _numbered(self, layer: Mapping[str, Any], name: str) -> Iterator[tuple[Position, int]]:
        """Yield the hexes of a layer with the numbers of their tiles, which are 0 if there is no tile."""
        for part in [*self._tables(layer, "chunks")] or [layer]:
            width, height = self._number(part, "width"), self._number(part, "height")
            left, top = (self._number(part, key) if key in part else 0 for key in ("x", "y"))
            if not (width > 0 and height > 0 and width * height <= _MAX_TILES):
                message = tr("the layer “{name}” has {width} × {height} tiles", name=name, width=width, height=height)
                raise DataError(self._problem(message, layer, tr("give a map with at most 250 × 250 hexes")))
            numbers = self._gids(part, layer, name, width * height)
            if len(numbers) > width * height:
                message = tr("the layer “{name}” has more than {needed} tiles; the others are left out",
                             name=name, needed=width * height)  # fmt: skip
                self.remarks.append(self._problem(message, layer, remark=True))
            if len(numbers) < width * height:
                message = tr("the layer “{name}” has {count} of {needed} tiles; the others are taken as empty",
                             name=name, count=len(numbers), needed=width * height)  # fmt: skip
                self.remarks.append(self._problem(message, layer, remark=True))
            for at, gid in enumerate(numbers[: width * height]):
                yield (left + at % width, top + at // width), gid & _GID_BITS

    def _gids(self, part: Mapping[str, Any], layer: Mapping[str, Any], name: str, count: int) -> Sequence[int]:
        """Return the numbers of the tiles of a layer or a chunk.

        Raises:
            DataError: If they cannot be read.
        """
        data = part.get("data")
        encoding = str(layer.get("encoding") or part.get("encoding") or "csv")
        compression = str(layer.get("compression") or part.get("compression") or "")
        if isinstance(data, str) and encoding == "base64":
            return self._packed(data, compression, layer, name, count)
        words = data if isinstance(data, list) else [word for word in re.split(r"[\s,]+", str(data or "")) if word]
        wrong = next((word for word in words if not re.fullmatch(r"[0-9]{1,10}", str(word))), None)
        if wrong is not None:
            message = tr(
                "the layer “{name}” has a tile that is not a number: {value}", name=name, value=str(wrong)[:20]
            )
            raise DataError(self._problem(message, layer))
        return [int(word) for word in words[: count + 1]]

    def _packed(self, data: str, compression: str, layer: Mapping[str, Any], name: str, count: int) -> Sequence[int]:
        try:
            raw = base64.b64decode("".join(data.split()), validate=True)
            if compression in ("zlib", "gzip"):
                raw = zlib.decompressobj(_GZIP_OR_ZLIB).decompress(raw, 4 * count + 4)
            elif compression:
                hint = tr("in Tiled, set the Tile Layer Format of the map to CSV or Base64 (zlib compressed)")
                message = tr(
                    "the layer “{name}” is compressed with {compression}", name=name, compression=compression[:20]
                )
                raise DataError(self._problem(message, layer, hint))
        except (binascii.Error, zlib.error, ValueError) as error:
            reason = tr_external(str(error))
            message = tr("the data of the layer “{name}” is damaged: {reason}", name=name, reason=reason)
            raise DataError(self._problem(message, layer)) from error
        whole = raw[: 4 * (len(raw) // 4)]
        return [int.from_bytes(whole[at : at + 4], "little") for at in range(0, len(whole), 4)]

    def _read_tileset(self, tileset: Mapping[str, Any]) -> None:
        """Add the names of a set of tiles, keyed by the numbers that the layers use."""
        first = self._number(tileset, "firstgid")
        source = tileset.get("source")
        if source is not None:
            tileset = self._tileset_file(str(source), tileset) or {"name": Path(str(source)).stem}
        title = str(tileset.get("name") or "")[:60]
        terrains = [str(of.get("name", ""))[:60] for of in _tables(tileset.get("terrains"))]
        self.names |= {
            first + at: f"{title} {at}".strip() for at in range(min(_count(tileset, "tilecount"), _MAX_TILES))
        }
        seen: dict[int, str] = {}
        for tile in self._tables(tileset, "tiles"):
            at = self._number(tile, "id")
            name = (_tile_name(tile, terrains) or f"{title} {at}".strip())[:80]
            if seen.setdefault(at, name) != name:
                message = tr("the tile {number} of the tileset “{tileset}” has several names: {names}",
                             number=at, tileset=title, names=[seen[at], name])  # fmt: skip
                raise DataError(self._problem(message, tileset, tr("give the tile only one name")))
            self.names[first + at] = name

    def _tileset_file(self, source: str, tileset: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the set of tiles in another file in the same folder, or None with a remark if it cannot be read."""
        folder = self.path.parent.resolve()
        path = folder / source
        try:
            if path.resolve().is_relative_to(folder) and is_file(path):
                content = read_within(path, FILE_LIMIT, tr("is larger than {limit} MiB", limit=FILE_LIMIT >> 20))
                return values_of(content, path)
        except (MusterError, OSError, ValueError):
            pass  # The remark names the file.
        message = tr("the tileset {source} was not read, so its tiles have no names", source=source[:60])
        hint = tr("put the file into the folder of the map, or embed the tileset in Tiled")
        self.remarks.append(self._problem(message, tileset, hint, remark=True))
        return None


def read(content: bytes, path: Path) -> ForeignMap:
    """Return the map in a file of Tiled.

    Raises:
        DataError: If the file is damaged, or the map is not hexagonal.
    """
    return _Reader(path, values_of(content, path)).read()


def values_of(content: bytes, path: Path) -> Mapping[str, Any]:
    """Return a map or a set of tiles as the values of its JSON form. In XML, each table has its line as `line`.

    Raises:
        DataError: If the file is damaged.
    """
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        found = json_of(content, path).data
        return found if isinstance(found, dict) else {}
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) and text_of(content, str(path)).lstrip("\ufeff").startswith(
        "{"
    ):
        found = json_of(content, path).data
        return found if isinstance(found, dict) else {}
    return _map_values(xml_of(content, str(path)))


def _map_values(root: Element) -> dict[str, Any]:
    """Return the element of a map, a group or a set of tiles as in JSON."""
    values: dict[str, Any] = {**root.attrib, "line": getattr(root, "line", 0)}
    values["layers"] = [_layer_values(of) for of in root if of.tag in ("layer", "objectgroup", "imagelayer", "group")]
    values["tilesets"] = [_map_values(of) for of in root if of.tag == "tileset"]  # type: ignore[arg-type]
    values["tiles"] = [_tile_values(of) for of in root if of.tag == "tile"]
    values["terrains"] = [dict(of.attrib) for types in root if types.tag == "terraintypes" for of in types]
    return values


def _layer_values(of: Any) -> dict[str, Any]:
    if of.tag == "group":
        return _map_values(of) | {"type": "group"}
    values: dict[str, Any] = {**of.attrib, "line": getattr(of, "line", 0)}
    values["type"] = "tilelayer" if of.tag == "layer" else of.tag
    data = of.find("data")
    if data is not None:
        values |= {key: data.attrib[key] for key in ("encoding", "compression") if key in data.attrib}
        values["data"] = _data(data)
        values["chunks"] = [{**chunk.attrib, "data": _data(chunk)} for chunk in data if chunk.tag == "chunk"]
    return values


def _data(of: Any) -> str | list[str]:
    """Return the data of a layer: its text, or the numbers of the elements `tile` in old files."""
    tiles = [tile.get("gid", "0") for tile in of if tile.tag == "tile"]
    return tiles or of.text or ""


def _tile_values(of: Any) -> dict[str, Any]:
    values: dict[str, Any] = dict(of.attrib)
    values["properties"] = [
        {"name": one.get("name", ""), "value": one.get("value") or one.text or ""}
        for group in of if group.tag == "properties" for one in group
    ]  # fmt: skip
    image = of.find("image")
    if image is not None:
        values["image"] = image.get("source", "")
    return values


def _tile_name(tile: Mapping[str, Any], terrains: Sequence[str]) -> str:
    """Return the name of a tile: from its properties, its class, its picture, or the terrain in all its corners."""
    properties = tile.get("properties")
    if isinstance(properties, dict):  # The form of old versions.
        table = {str(key).casefold(): value for key, value in properties.items()}
    else:
        table = {str(of.get("name", "")).casefold(): of.get("value") for of in _tables(properties)}
    for key in _NAME_PROPERTIES:
        if isinstance(table.get(key), str) and table[key].strip():
            return str(table[key]).strip()
    if kind := str(tile.get("class") or tile.get("type") or "").strip():
        return kind
    if image := str(tile.get("image") or ""):
        return re.sub(r"\.\w{1,5}$", "", re.split(r"[\\/]", image)[-1])
    corners = tile.get("terrain")
    numbers = {str(of).strip() for of in (corners if isinstance(corners, list) else str(corners or "").split(","))}
    if len(numbers) == 1 and (only := numbers.pop()).isdecimal() and len(only) < 4 and int(only) < len(terrains):
        return terrains[int(only)]
    return ""


def _tables(of: object) -> Iterator[Mapping[str, Any]]:
    """Yield the tables of a list, and nothing for any other value."""
    yield from (one for one in of if isinstance(one, dict)) if isinstance(of, list) else ()


def _count(values: Mapping[str, Any], key: str) -> int:
    text = str(values.get(key, ""))
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0


def _extent(layers: Sequence[_Layer]) -> tuple[int, int, int, int]:
    """Return the left column, the top row, and the number of columns and rows that have tiles."""
    used = [at for layer in layers for at in layer.tiles] or [(0, 0)]
    left, top = (min(at[axis] for at in used) for axis in (0, 1))
    return left, top, *(1 + max(at[axis] for at in used) - first for axis, first in ((0, left), (1, top)))  # type: ignore[return-value]
