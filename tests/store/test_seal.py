"""Tests that a file shows whether Muster wrote it and whether it was changed."""

from __future__ import annotations

import json
import random
import tomllib
import xml.etree.ElementTree as ElementTree
from io import BytesIO

import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from generator.store.manifest import seal, seal_toml, sealed, without_mark


def pdf() -> bytes:
    out = BytesIO()
    canvas = Canvas(out, initialFontName="Helvetica")
    canvas.drawString(72, 72, "startxref")
    canvas.save()
    return out.getvalue()


def png() -> bytes:
    out = BytesIO()
    Image.new("RGB", (4, 3), "red").save(out, "PNG", dpi=(300, 300))
    return out.getvalue()


def gif() -> bytes:
    out = BytesIO()
    pictures = [Image.new("RGB", (4, 3), colour) for colour in ("red", "blue")]
    pictures[0].save(out, "GIF", save_all=True, append_images=pictures[1:])
    return out.getvalue()


FILES = {
    "pdf": pdf(),
    "png": png(),
    "gif": gif(),
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><g></g></svg>\n',
    "html": b"<!DOCTYPE html>\n<html></html>\n",
    "json": (json.dumps({"a": {"b": []}}, indent=2) + "\n").encode(),
    "txt": "[turn 1] [first]\nあ\n".encode(),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_seal_holds_until_a_byte_is_changed(kind: str) -> None:
    content = seal(FILES[kind])
    assert sealed(content) and not sealed(FILES[kind])
    chosen = random.Random(20261122)
    for at in {0, len(content) - 1, *chosen.sample(range(len(content)), min(len(content), 300))}:
        assert not sealed(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert not sealed(content[:at] + b"x" + content[at:])
        assert not sealed(content[:at] + content[at + 1 :])
    assert not sealed(content + b"\n") and not sealed(content + content) and not sealed(b"")


@pytest.mark.parametrize("text", ['name = "x"\n', '# A title\nname = "x"\n', '#:schema ./x.json\nname = "堰"\n'])
def test_a_toml_file_is_sealed_by_a_comment(text: str) -> None:
    content = seal_toml(text)
    assert sealed(content) and not sealed(content + b"\n") and not sealed(content.replace(b"name", b"nami"))
    assert tomllib.loads(content.decode()) == tomllib.loads(text)
    assert without_mark(content.decode()) == text == without_mark(text)
    assert without_mark((content + b"y = 1\n").decode()) == text + "y = 1\n"


def test_every_reader_looks_past_the_seal() -> None:
    document = pypdfium2.PdfDocument(seal(FILES["pdf"]))
    assert len(document) == 1 and document[0].get_textpage().get_text_bounded() == "startxref"
    picture = Image.open(BytesIO(seal(FILES["png"])))
    picture.load()
    assert picture.size == (4, 3) and picture.getpixel((0, 0)) == (255, 0, 0)
    with Image.open(BytesIO(seal(FILES["gif"]))) as moving:
        assert moving.n_frames == 2  # type: ignore[attr-defined]
    assert ElementTree.fromstring(seal(FILES["svg"])).tag.endswith("svg")
    read = json.loads(seal(FILES["json"]))
    assert read.pop("seal") and read == {"a": {"b": []}}


def test_a_pdf_that_was_annotated_is_no_longer_sealed() -> None:
    # Programs append notes and filled-in fields to the existing content, with a separate cross-reference table.
    content = seal(FILES["pdf"])
    assert not sealed(content + b"9 0 obj\n<< >>\nendobj\nxref\n0 0\ntrailer\n<< >>\nstartxref\n9\n%%EOF\n")
