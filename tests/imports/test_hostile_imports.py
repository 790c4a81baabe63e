"""Tests that damaged, huge and hostile files are answered with a message and never need much memory or time."""

from __future__ import annotations

import base64
import json
import os
import random
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from tests.cli.run import muster
from tests.imports.make_workbooks import PLAYERS, SHARED, cell, ods, xlsx
from tests.imports.test_import import HERE, KINDS

MAX_MEMORY_BYTES = 1 << 30
"""The address space of a command. It needs about 250 MiB."""
MAX_SECONDS = 60
DAMAGED = 40
"""The number of damaged copies of each file."""
ENTITIES = '<!DOCTYPE map [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def tmx(data: str, attributes: str = 'width="12" height="9"', before: str = "") -> bytes:
    return (
        f'<?xml version="1.0"?>{before}<map orientation="hexagonal" staggeraxis="y" staggerindex="odd" {attributes}>'
        f'<layer name="L" {attributes}>{data}</layer></map>'
    ).encode()


def packed(count: int) -> str:
    return base64.b64encode(zlib.compress(b"\0" * count, 9)).decode()


FAR = PLAYERS.replace('r="A6"', 'r="XFD1048576"').replace('<row r="6">', '<row r="1048576">')
ROW, WIDE = (
    "<table:table-row>",
    '<table:table-cell table:number-columns-repeated="16000" office:value-type="float"/>',
)
HOSTILE: dict[str, tuple[bytes, str]] = {
    "a bomb in a part": (xlsx(more={"xl/media/image1.bin": "0" * (80 << 20)}), "larger than 64 MiB"),
    "a bomb of shared texts": (xlsx(shared=SHARED.replace("Team", "T" * (70 << 20))), "larger than 64 MiB"),
    "a cell in the last corner": (xlsx(FAR), "the sheet spans 1048576 rows and 16384 columns"),
    "a wide and deep spreadsheet": (
        ods(f'{ROW}{WIDE}</table:table-row><table:table-row table:number-rows-repeated="1000000">'
            f"<table:table-cell/></table:table-row>{ROW}{cell('x')}</table:table-row>"),
        "the sheet spans 1000002 rows and 16000 columns",
    ),
    "a repeated row": (ods(f'<table:table-row table:number-rows-repeated="900000">{cell("x")}</table:table-row>'),
                       "the sheet spans 900000 rows"),
    "entities in a workbook": (xlsx(shared=SHARED.replace("<sst", f"{ENTITIES}<sst")), "declares a document type"),
    "entities in a map": (tmx("<data>&b;</data>", before=ENTITIES), "declares a document type"),
    "another file as an entity": (
        tmx("<data>&a;</data>", before='<!DOCTYPE map [<!ENTITY a SYSTEM "/etc/passwd">]>'),
        "declares a document type",
    ),
    "a layer that unpacks without end": (
        tmx(f'<data encoding="base64" compression="zlib">{packed(50 << 20)}</data>'), "Tiled map",
    ),
    "a huge layer": (tmx("<data>1</data>", 'width="99999" height="99999"'), "99999 × 99999 tiles"),
    "a map without hexes": (tmx("<data>1</data>", 'width="0" height="0"'), "0 × 0"),
    "a square map": (tmx("<data>1</data>").replace(b"hexagonal", b"orthogonal"), "“orthogonal”"),
    "an unknown compression": (tmx('<data encoding="base64" compression="zstd">AAAA</data>'), "compressed with zstd"),
    "data that is not base64": (tmx('<data encoding="base64">é!</data>'), "is damaged"),
    "deep XML": (b"<map>" + b"<a>" * 5000, "nested too deeply"),
    "deep JSON": (b'{"board": {"hexagons": [{"col": 1, "row": ' + b"[" * 9000, "nested too deeply"),
    "a number that is too long": (b'{"board": {"hexagons": [{"col": ' + b"1" * 9000 + b', "row": 1}]}}', "too large"),
    "a board without a size": (b'size 0 0\nhex 0101 0 "" ""\nend\n', "0101 lies outside the board"),
    "a huge board": (b'size 9999 9999\nhex 0101 0 "" ""\nend\n', "at most 250 × 250"),
    "a page of tables": (b"<table>" + b"<tr><td>" * 200_000, "too many cells"),
    "not a workbook": (b"PK\x03\x04" + b"\0" * 100, "ZIP archive"),
    "an empty file": (b"  \n", "is empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0", "this is a picture"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_answered(name: str, tmp_path: Path) -> None:
    content, expected = HOSTILE[name]
    file = tmp_path / "file"
    file.write_bytes(content)
    begun = time.monotonic()
    made = subprocess.run(
        [sys.executable, "-c", LIMITED, str(MAX_MEMORY_BYTES), str(file)],
        capture_output=True, encoding="utf-8", timeout=10 * MAX_SECONDS,
        env={**os.environ, "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert made.returncode in (0, 1, 3), made.stderr
    assert expected in made.stdout + made.stderr and "Traceback" not in made.stderr
    assert time.monotonic() - begun < MAX_SECONDS


LIMITED = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
except ImportError:
    pass
from generator.cli import main
main(["import", sys.argv[2]])
"""
"""A command with limited memory, if the system can limit it."""


@pytest.mark.parametrize("name", [*KINDS, "entries.xlsx", "league.ods"])
def test_damaged_files_are_answered(name: str, tmp_path: Path) -> None:
    made = {"entries.xlsx": xlsx(), "league.ods": ods(f"{ROW}{cell('Ann')}</table:table-row>")}
    content = made.get(name) or (HERE / name).read_bytes()
    rng = random.Random(name)
    file = tmp_path / name
    for number in range(DAMAGED):
        bad = bytearray(content)
        if number % 3 == 0:
            bad = bad[: rng.randrange(len(bad))]
        elif number % 3 == 1:
            for _ in range(rng.randint(1, 12)):
                bad[rng.randrange(len(bad))] = rng.randrange(256)
        else:
            at = rng.randrange(len(bad))
            bad[at:at] = rng.choice((b"\xff\xfe", b"\0" * 9, b'"', b"<", b"}", b"9" * 40, "鷗".encode("utf-16")))
        file.write_bytes(bytes(bad))
        found = muster("import", file, "--json")
        assert found.code in (0, 1, 2, 3), (number, found.err)
        json.loads(found.out)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_maps_in_other_encodings(encoding: str, tmp_path: Path) -> None:
    text = '0101 forest "Fôret"\n0202 hills\n0404 plain\n0505 plain\n'
    file = tmp_path / "list.txt"
    file.write_bytes(text.encode(encoding))
    assert muster("import", file, "--game", "blind_faith", "--json").json["becomes"][0]["hexes"]["woods"] == 1
