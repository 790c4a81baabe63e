"""Tests that names that are struck out, hidden or annotated, and several names in a cell, are not seated unasked."""

from __future__ import annotations

import io
import zipfile

import pytest

from generator.imports.lists import TakenList, take_list
from generator.notation.foreign import recognise
from tests.imports.make_workbooks import PLAYERS, ods, xlsx

_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES = (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts><font/><font><strike/></font>'
    '<font><strike val="0"/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs>'
    "</styleSheet>"
)
RUN = '<r><t xml:space="preserve">{}</t></r>'
STRUCK_RUN = '<r><rPr><strike/></rPr><t xml:space="preserve">{}</t></r>'


def taken(content: bytes, file: str = "list") -> TakenList:
    return take_list(content, file, recognise(content))


def players(content: bytes) -> list[tuple[str, str]]:
    return [(row["name"], row["absent"]) for row in taken(content).rows]


def text_cell(at: str, text: str, more: str = "") -> str:
    inner = text if text.startswith("<") else f"<t>{text}</t>"
    return f'<c r="{at}" t="inlineStr"{more}><is>{inner}</is></c>'


def workbook(*rows: str, notes: dict[str, str] | None = None) -> bytes:
    """Return a workbook with these rows below the heading Name, and with notes on cells."""
    head = f'<row r="1">{text_cell("A1", "Name")}</row>'
    sheet = PLAYERS.partition("<row")[0] + head + "".join(rows) + "</sheetData></worksheet>"
    listed = "".join(
        f'<comment ref="{at}"><text><t>{text}</t></text></comment>' for at, text in (notes or {}).items()
    )
    more = {
        "xl/styles.xml": STYLES,
        "xl/comments1.xml": f"<comments><commentList>{listed}</commentList></comments>",
        "xl/worksheets/_rels/sheet1.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        f'relationships"><Relationship Id="rId9" Type="{_RELATION}/comments" Target="../comments1.xml"/>'
        "</Relationships>",
    }
    return xlsx(sheet, more=more)


def test_players_that_are_struck_out_in_a_workbook_are_absent() -> None:
    """Excel users strike out players who cancel. They were seated."""
    content = workbook(
        f'<row r="2">{text_cell("A2", "Ann Alder")}</row>',
        f'<row r="3">{text_cell("A3", "Bob Birch", " s=" + chr(34) + "1" + chr(34))}</row>',
        f'<row r="4">{text_cell("A4", "Cy Cedar", " s=" + chr(34) + "2" + chr(34))}</row>',
        f'<row r="5">{text_cell("A5", STRUCK_RUN.format("Dee") + STRUCK_RUN.format(" Dogwood"))}</row>',
        f'<row r="6">{text_cell("A6", STRUCK_RUN.format("Eve") + RUN.format(" Flo"))}</row>',
    )
    assert players(content) == [("Ann Alder", ""), ("Bob Birch", "x"), ("Cy Cedar", ""), ("Dee Dogwood", "x")]
    list_ = taken(content)
    assert [str(problem) for problem in list_.problems] == [
        "list:6: only a part of “Eve Flo” is struck out (delete the part that is struck out, or the marks around it)"
    ]
    assert "list:3: struck out: Bob Birch" in map(str, list_.remarks)


def test_hidden_rows_and_notes_of_a_workbook_are_reported() -> None:
    content = workbook(
        f'<row r="2">{text_cell("A2", "Ann")}</row>',
        f'<row r="3" hidden="1">{text_cell("A3", "Bob")}</row>',
        f'<row r="4">{text_cell("A4", "Cy")}</row>',
        f'<row r="5" hidden="0">{text_cell("A5", "Dee")}</row>',
        notes={"A4": "cancelled by phone", "A5": "brings a cake"},
    )
    assert players(content) == [("Ann", ""), ("Bob", "x"), ("Cy", "x"), ("Dee", "")]
    remarks = [str(remark) for remark in taken(content).remarks]
    assert "list:3: hidden rows: 3 (the players in these rows are marked as absent)" in remarks
    assert "list:4: the cell “Cy” has a note: cancelled by phone" in remarks
    assert "list:5: the cell “Dee” has a note: brings a cake" in remarks


STRUCK_STYLE = (
    '<style:style xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" style:name="{}"{}>'
    '<style:text-properties style:text-line-through-style="{}"/></style:style>'
)


def ods_row(inner: str, cell: str = "", row: str = "") -> str:
    cell = f'<table:table-cell office:value-type="string"{cell}>{inner}</table:table-cell>'
    return f"<table:table-row{row}>{cell}</table:table-row>"


def test_cells_of_opendocument() -> None:
    styles = STRUCK_STYLE.format("ce1", "", "solid") + STRUCK_STYLE.format("ce2", "", "none")
    styles += STRUCK_STYLE.format("ce3", ' style:parent-style-name="ce1"', "none")
    rows = [
        ods_row("<text:p>Name</text:p>"),
        ods_row("<text:p>Ann Alder</text:p>", ' table:style-name="ce2"'),
        ods_row("<text:p>Bob Birch</text:p>", ' table:style-name="ce1"'),
        ods_row("<text:p>Cy Cedar</text:p>", ' table:style-name="ce3"'),
        ods_row('<text:p><text:span text:style-name="ce1">Dee Dogwood</text:span></text:p>'),
        ods_row("<text:p>Eve Elm</text:p>", "", ' table:visibility="filter"'),
        ods_row("<office:annotation><text:p>withdrawn</text:p></office:annotation><text:p>Fred Fir</text:p>"),
        ods_row("<text:p>Gus Gum</text:p><text:p>Hal Holm</text:p>"),
        ods_row(
            "<text:p><text:ruby><text:ruby-base>佐藤</text:ruby-base><text:ruby-text>さとう</text:ruby-text>"
            "</text:ruby>太郎</text:p>"
        ),
    ]
    content = ods_with_styles(styles, "".join(rows))
    absent = ["Bob Birch", "Cy Cedar", "Dee Dogwood", "Eve Elm", "Fred Fir"]
    assert players(content) == [("Ann Alder", ""), *((name, "x") for name in absent), ("佐藤太郎", "")]
    (problem,) = taken(content).problems
    assert str(problem).startswith("list:8: “Gus Gum / Hal Holm” has several lines in one cell (write each player")


def ods_with_styles(styles: str, rows: str) -> bytes:
    """Return an OpenDocument spreadsheet whose rows may have styles."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(ods(rows))) as source, zipfile.ZipFile(made, "w") as archive:
        for part in source.infolist():
            text = source.read(part)
            if part.filename == "content.xml":
                text = text.replace(
                    b"<office:body>",
                    f"<office:automatic-styles>{styles}</office:automatic-styles><office:body>".encode(),
                )
            archive.writestr(part.filename, text)
    return made.getvalue()


PAGE = "<style>.ritz .s1{{text-decoration:line-through}} td.s2{{color:red}} .h, .i{{display: none}}</style>{}"


@pytest.mark.parametrize(
    ("row", "absent"),
    [
        ("<tr><td>Bob</td>", ""),
        ("<tr><td><s>Bob</s></td>", "x"),
        ("<tr><td><del><b>Bob</b> Birch</del></td>", "x"),
        ("<tr><td><strike>Bob</strike></td>", "x"),
        ('<tr style="text-decoration: line-through"><td>Bob</td>', "x"),
        ('<tr><td style="text-decoration:line-through">Bob</td>', "x"),
        ('<tr><td><span style="TEXT-DECORATION: line-through">Bob</span></td>', "x"),
        ('<tr><td class="s1">Bob</td>', "x"),
        ('<tr><td class="s2">Bob</td>', ""),
        ('<tr style="display:none"><td>Bob</td>', "x"),
        ("<tr hidden><td>Bob</td>", "x"),
        ('<tr class="x h"><td>Bob</td>', "x"),
        ('<tr><td><span style="display:none">Birch, Bob</span>Bob</td>', ""),
        ("<tr><td><p>Bob</p></td>", ""),
        ("<tr><td><s></s>Bob</td>", ""),
    ],
)
def test_rows_of_web_pages_that_are_struck_out_or_hidden_are_absent(row: str, absent: str) -> None:
    page = PAGE.format(f"<table><tr><th>Name</th></tr><tr><td>Ann</td></tr>{row}</tr><tr><td>Cy</td></tr></table>")
    found = players(page.encode())
    assert [mark for _, mark in found] == ["", absent, ""]
    assert found[1][0] in ("Bob", "Bob Birch")


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("<ruby>佐藤<rt>さとう</rt></ruby>太郎", "佐藤太郎"),
        ("<ruby>佐藤<rp>(</rp><rt>さとう</rt><rp>)</rp></ruby>太郎", "佐藤太郎"),
        ("<ruby>佐藤<rt>さとう</ruby>太郎", "佐藤太郎"),
        ("<ruby><rb>佐<rb>藤<rt>さ<rt>とう</ruby>太郎", "佐藤太郎"),
        ("佐藤\n      太郎", "佐藤 太郎"),
        ("Renée<br>Roy", "Renée Roy"),
        ("Roy<br>(Oak)", "Roy (Oak)"),
    ],
)
def test_readings_and_the_layout_of_the_source_are_not_part_of_a_name(cell: str, name: str) -> None:
    page = f"<table><tr><th>氏名</th></tr><tr><td>Ann Alder</td></tr><tr><td>{cell}</td></tr></table>"
    assert [row["name"] for row in taken(page.encode()).rows] == ["Ann Alder", name]


@pytest.mark.parametrize(
    "cell",
    [
        "Bob Birch<br>Cy Cedar",
        "<p>Bob Birch</p><p>Cy</p>",
        "<div>佐藤太郎</div><div>鈴木 次郎</div>",
        "Bob<br/>Cy<br/>Dee",
        "<s>Bob Birch</s> Cy Cedar",
        "Bob <del>Birch</del>",
    ],
)
def test_two_names_in_a_cell_of_a_web_page_are_refused(cell: str) -> None:
    page = f"<table><tr><th>Name</th></tr>\n<tr><td>Ann Alder</td></tr>\n<tr><td>{cell}</td></tr></table>"
    (problem,) = taken(page.encode()).problems
    assert problem.line == 3
    assert [row["name"] for row in taken(page.encode()).rows] == ["Ann Alder"]


def test_two_short_names_in_a_cell_are_refused_in_a_list_of_short_names() -> None:
    page = (
        "<table><tr><th>Name</th></tr><tr><td>Ann</td></tr><tr><td>Bob<br>Cy</td></tr><tr><td>Dee</td></tr></table>"
    )
    assert [row["name"] for row in taken(page.encode()).rows] == ["Ann", "Dee"]
