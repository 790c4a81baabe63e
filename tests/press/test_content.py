"""Tests that the content hash covers the text and appearance of a PDF, but not its compression."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest

from generator import games
from generator.cli.verb_selftest import printed_hash
from generator.common.selftest import codes
from generator.press.book import print_kit
from generator.press.check.content import content_hash
from generator.press.layout.print_settings import PrintSettings
from tests.press.kits import TEMPLATES, kit, record


def saved(document: Any, **how: Any) -> bytes:
    out = io.BytesIO()
    document.save(out, **how)
    return out.getvalue()


@pytest.fixture(scope="module")
def pdf() -> bytes:
    return print_kit(kit(record(), record(3)), PrintSettings("en", templates=TEMPLATES, fillable=True))


def test_packing_does_not_matter(pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for how in (
            {"compress_streams": False, "stream_decode_level": pikepdf.StreamDecodeLevel.generalized},
            {"object_stream_mode": pikepdf.ObjectStreamMode.generate, "recompress_flate": True},
            {"linearize": True},
        ):
            again = saved(document, **how)
            assert again != pdf
            assert content_hash(again) == content_hash(pdf)


def changed_operator(document: Any) -> None:
    document.pages[0].contents_coalesce()
    contents = document.pages[0].Contents
    contents.write(contents.read_bytes().replace(b" cm", b" cm 1 w", 1))


def changed_form(document: Any) -> None:
    """Change a form that a page shows, directly or through another form."""
    form = next(o for o in document.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form")
    form.write(form.read_bytes() + b" 1 w")


def changed_reading(document: Any) -> None:
    """Change the code points of a font, so that the same operators give a different text."""
    reads = next(o for o in document.objects if isinstance(o, pikepdf.Dictionary) and "/ToUnicode" in o).ToUnicode
    assert b"<0045>" in reads.read_bytes()
    reads.write(reads.read_bytes().replace(b"<0045>", b"<0046>"))


def changed_box(document: Any) -> None:
    document.pages[-1].MediaBox = [0, 0, 595, 841]


def changed_field(document: Any) -> None:
    field = next(o for page in document.pages for o in page.get("/Annots", []))
    field.Rect = [0, 0, 1, 1]


def changed_bookmark(document: Any) -> None:
    document.Root.Outlines.Last.Title = pikepdf.String("another")


def changed_order(document: Any) -> None:
    document.pages.reverse()


def changed_title(document: Any) -> None:
    document.docinfo["/Title"] = "another"


@pytest.mark.parametrize(
    "change",
    [
        changed_operator,
        changed_form,
        changed_reading,
        changed_box,
        changed_field,
        changed_bookmark,
        changed_order,
        changed_title,
    ],
)
def test_every_change_of_content_is_seen(pdf: bytes, change: Callable[[Any], None]) -> None:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        change(document)
        assert content_hash(saved(document)) != content_hash(pdf)


def test_the_letters_outlines_and_the_librarys_name_are_left_out(pdf: bytes) -> None:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        document.docinfo["/Producer"] = "another"
        for font in [o for o in document.objects if isinstance(o, pikepdf.Dictionary) and "/FontFile2" in o]:
            font.FontFile2.write(b"another")
        assert content_hash(saved(document)) == content_hash(pdf)


def test_kits_differ_by_code_and_language() -> None:
    game = games.load("battling")
    one, other = codes(2)
    assert len({printed_hash(game, one, "en"), printed_hash(game, one, "ja"), printed_hash(game, other, "en")}) == 3
