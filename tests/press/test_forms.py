from __future__ import annotations

import ctypes
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from msgspec.structs import replace

from generator.model.words import LANGS, Lang, same
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import fonts
from tests.press.kits import TEMPLATES, kit, record

Box = tuple[float, float, float, float]


def printed(lang: Lang = "en", also: Lang | None = None, fillable: bool = True, copies: int = 1) -> bytes:
    sheet = replace(record(3, "demo/fields.xml"), filled=False)
    sheets = [replace(sheet, side=same(n)) for n in range(copies)] if copies > 1 else [sheet]
    return print_kit(kit(*sheets), PrintSettings(lang, second_lang=also, templates=TEMPLATES, fillable=fillable))


@dataclass(frozen=True)
class Field:
    name: str
    kind: str
    tooltip: str
    box: Box


def fields(pdf: bytes) -> list[Field]:
    """Return every form field that PDFium reads, in page order."""
    found: list[Field] = []
    with opened(pdf) as (document, environment):
        for page in document:
            count = pdfium.FPDFPage_GetAnnotCount(page.raw)
            for index in range(count):
                annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
                tooltips = [
                    field_string(of, environment, annotation)
                    for of in (pdfium.FPDFAnnot_GetFormFieldName, pdfium.FPDFAnnot_GetFormFieldAlternateName)
                ]
                kind = pdfium.FPDFAnnot_GetFormFieldType(environment, annotation)
                kinds = {pdfium.FPDF_FORMFIELD_CHECKBOX: "box", pdfium.FPDF_FORMFIELD_TEXTFIELD: "text"}
                rect = pdfium.FS_RECTF()
                assert pdfium.FPDFAnnot_GetRect(annotation, rect)
                box = (rect.left, rect.bottom, rect.right, rect.top)
                found.append(Field(tooltips[0], kinds[kind], tooltips[1], box))
                pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def field_string(of: Any, environment: Any, annotation: Any) -> str:
    length = of(environment, annotation, None, 0)
    buffer = (ctypes.c_ushort * (length // 2))()
    of(environment, annotation, buffer, length)
    return bytes(buffer).decode("utf-16-le").rstrip("\0")


@contextmanager
def opened(pdf: bytes) -> Iterator[tuple[Any, Any]]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        document.init_forms()
        yield document, document.formenv.raw if document.formenv else None
    finally:
        document.close()


def drawn(pdf: bytes) -> list[Box]:
    """Return the outlines on the first page, ignoring pen width."""
    with opened(pdf) as (document, _):
        return [box for item in document[0].get_objects([pdfium.FPDF_PAGEOBJ_PATH]) for box in outlines(item)]


def outlines(item: Any) -> Iterator[Box]:
    """Yield the bounding boxes of a path's outlines, of which there may be several."""
    matrix, rings = item.get_matrix(), list[list[tuple[float, float]]]()
    x, y = ctypes.c_float(), ctypes.c_float()
    for number in range(pdfium.FPDFPath_CountSegments(item)):
        segment = pdfium.FPDFPath_GetPathSegment(item, number)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO:
            rings.append([])
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        rings[-1].append(matrix.on_point(x.value, y.value))
    for ring in rings:
        xs, ys = zip(*ring, strict=True)
        yield min(xs), min(ys), max(xs), max(ys)


def middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


@pytest.mark.parametrize("lang", LANGS)
def test_the_flat_edition_has_no_field_and_no_form_font(lang: Lang) -> None:
    flat = printed(lang, fillable=False)
    assert fields(flat) == []
    for word in (b"/AcroForm", b"/Widget", b"Helvetica", b"ZapfDingbats", b"MusterForm"):
        assert word not in flat


@pytest.mark.parametrize("lang", LANGS)
def test_only_embedded_fonts_and_preflight_is_content(lang: Lang) -> None:
    pdf = printed(lang)
    assert preflight(pdf, "a4", lang) == []
    with pikepdf.open(io.BytesIO(pdf)) as document:
        found = [o for o in document.objects if isinstance(o, pikepdf.Dictionary) and o.get("/Type") == "/Font"]
        assert all("/FontFile2" in font.FontDescriptor for font in found)
        assert [str(name) for name in document.Root.AcroForm.DR.Font] == ["/MusterForm"]
        assert "/NeedAppearances" not in document.Root.AcroForm
        assert str(document.pages[0].Tabs) == "/S"
        widths = [int(n) for n in document.Root.AcroForm.DR.Font.MusterForm.Widths]
    fonts.register("en")
    for letter in "Aéß–":
        assert widths[letter.encode("cp1252")[0] - 32] == pytest.approx(fonts.width(letter, 1000), abs=0.5)


def test_whatever_is_ticked_or_written_has_a_field_with_a_name_and_a_tooltip() -> None:
    found = {field.name: (field.kind, field.tooltip) for field in fields(printed())}
    row = {
        "records1.row1.box1": ("box", "1 Archers 1 · Figures · 1"),
        "records1.row1.cell1": ("text", "1 Archers 1 · Notes"),
    }
    assert found.items() >= row.items()
    assert [name for name in found if name.startswith("records1.row2.")] == [
        f"records1.row2.{name}" for name in ("box1", "box2", "box3", "cell1")
    ]
    assert [tooltip for _, tooltip in found.values()][14:] == [
        "Dice",
        "Banner",
        *(f"Order of battle · {n}" for n in range(5)),
        *(f"Record sheet · Pennant · {n}" for n in range(1, 13)),
        "Notes · 1",
        "Notes · 2",
        "Record sheet · Pennant",
    ]


def test_names_are_unique_and_the_same_in_both_languages() -> None:
    names = [[field.name for field in fields(printed(lang, copies=2))] for lang in LANGS]
    assert names[0] == names[1]
    assert len(set(names[0])) == len(names[0])
    assert {name.partition(".")[0] for name in names[0]} == {"records1", "records2"}
    both = [field.name for field in fields(printed("en", "ja"))]
    assert len(set(both)) == len(both)
    assert {name.partition(".")[0] for name in both} == {"records1", "records1-ja"}


def test_tooltips_are_in_the_sheets_language() -> None:
    tooltips = [field.tooltip for field in fields(printed("ja"))]
    assert tooltips[0] == "1 弓兵 1 · フィギュア · 1"
    assert tooltips[-1] == "記録シート · ペナント"


def test_every_box_and_circle_lies_under_its_field() -> None:
    pdf = printed()
    there = drawn(pdf)
    for field in fields(pdf):
        if field.kind == "box":
            (wide, *_) = [
                box[2] - box[0]
                for box in there
                if middle(box) == pytest.approx(middle(field.box), abs=0.05) and box[2] - box[0] < 40
            ]
            assert wide == pytest.approx(field.box[2] - field.box[0], abs=0.02)


def test_fields_keep_clear_of_one_another_and_change_nothing_on_the_page() -> None:
    pdf = printed()
    boxes = [field.box for field in fields(pdf)]
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    assert drawn(pdf) == drawn(printed(fillable=False))


def test_a_field_takes_a_tick_and_a_text_and_shows_them() -> None:
    pdf = printed()
    by_name = {field.name: field.box for field in fields(pdf)}

    def clicked(*clicks: tuple[str, str]) -> Any:
        with opened(pdf) as (document, environment):
            page = document[0]
            for name, text in clicks:
                left, bottom, right, top = by_name[name]
                at = (environment, page.raw, 0, (left + right) / 2, (bottom + top) / 2)
                pdfium.FORM_OnLButtonDown(*at)
                pdfium.FORM_OnLButtonUp(*at)
                if text:
                    letters = (ctypes.c_ushort * (len(text) + 1))(*map(ord, text))
                    pdfium.FORM_ReplaceSelection(environment, page.raw, letters)
            pdfium.FORM_ForceToKillFocus(environment)
            return page.render(scale=1, grayscale=True, may_draw_forms=True).to_pil()

    def darker(name: str, *clicks: tuple[str, str]) -> bool:
        left, bottom, right, top = (round(side) for side in by_name[name])
        where = (left, 842 - top, right, 842 - bottom)
        plain, filled = (sum(image.crop(where).tobytes()) for image in (clicked(), clicked(*clicks)))
        return bool(filled < plain - 500)

    assert darker("records1.row1.box2", ("records1.row1.box2", ""))
    assert not darker("records1.row1.box1", ("records1.row1.box2", ""))
    assert darker("records1.row1.cell1", ("records1.row1.cell1", "routed"))


def test_the_same_bytes_each_time() -> None:
    assert printed() == printed()
