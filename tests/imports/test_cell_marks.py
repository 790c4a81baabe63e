"""Tests that names that are struck out, hidden or annotated, and several names in a cell, are not seated unasked."""

from __future__ import annotations

import io
import zipfile

import pytest

from generator.errors import DataError
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


@pytest.mark.parametrize("error", ["#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!"])
@pytest.mark.parametrize("column", ["A", "B", "C"])
def test_an_error_in_a_cell_that_is_read_is_refused(error: str, column: str) -> None:
    """The library reads errors as empty cells, so that the player, the team or the mark was lost."""
    cells = {"A": text_cell("A3", "Bob"), "B": text_cell("B3", "Oak"), "C": ""}
    cells[column] = f'<c r="{column}3" t="e"><f>VLOOKUP(1,Z1:Z9,2)</f><v>{error}</v></c>'
    rows = f'<row r="2">{text_cell("A2", "Ann")}</row><row r="3">{"".join(cells.values())}</row>'
    content = three_columns(rows)
    assert [row["name"] for row in taken(content).rows] == ["Ann"]
    assert [problem.line for problem in taken(content).problems] == [3]
    assert error in str(taken(content).problems[0])


@pytest.mark.parametrize("kind", ["", ' t="n"', ' t="b"'])
@pytest.mark.parametrize("value", ["<v/>", "<v></v>", ""])
@pytest.mark.parametrize("column", ["A", "B", "C"])
def test_a_formula_without_a_value_is_refused(kind: str, value: str, column: str) -> None:
    cells = {"A": text_cell("A3", "Bob"), "B": text_cell("B3", "Oak"), "C": ""}
    cells[column] = f'<c r="{column}3"{kind}><f>A2=&quot;x&quot;</f>{value}</c>'
    rows = f'<row r="2">{text_cell("A2", "Ann")}</row><row r="3">{"".join(cells.values())}</row>'
    (problem,) = taken(three_columns(rows)).problems
    assert problem.line == 3 and '=A2="x"' in str(problem)


def test_a_formula_with_a_value_or_an_empty_text_is_read() -> None:
    rows = f'<row r="2">{text_cell("A2", "Ann")}<c r="B2" t="str"><f>IF(1,"","")</f><v></v></c></row>'
    rows += (
        '<row r="3"><c r="A3" t="str"><f>"B"&amp;"ob"</f><v>Bob</v></c><c r="C3" t="b"><f>1=2</f><v>0</v></c></row>'
    )
    assert players(three_columns(rows)) == [("Ann", ""), ("Bob", "")]


def test_an_error_in_a_column_that_is_not_read_is_ignored() -> None:
    rows = f'<row r="2">{text_cell("A2", "Ann")}<c r="D2" t="e"><v>#N/A</v></c></row>'
    rows += f'<row r="3">{text_cell("A3", "Bob")}</row>'
    assert players(three_columns(rows)) == [("Ann", ""), ("Bob", "")]


def test_errors_in_cells_without_a_reference_are_refused() -> None:
    sheet = PLAYERS.partition("<row")[0] + '<row><c t="inlineStr"><is><t>Name</t></is></c></row>'
    sheet += '<row><c t="e"><v>#N/A</v></c></row><row><c t="inlineStr"><is><t>Cy</t></is></c></row>'
    (problem,) = taken(xlsx(f"{sheet}</sheetData></worksheet>")).problems
    assert problem.line == 2


def test_errors_in_results_of_a_workbook_are_refused() -> None:
    heads = ("round", "player_a", "player_b", "score_a", "score_b", "winner")
    rows = "".join(text_cell(f"{letter}1", head) for letter, head in zip("ABCDEF", heads, strict=True))
    cells = '<c r="A{0}"><v>1</v></c>' + text_cell("B{0}", "Ann") + text_cell("C{0}", "Bob")
    error = '<c r="{}" t="e"><v>#VALUE!</v></c>'
    body = f'<row r="2">{cells.format(2)}{error.format("D2")}<c r="E2"><v>1</v></c></row>'
    body += f'<row r="3">{cells.format(3)}{error.format("F3")}</row>'
    body += f'<row r="4"><c r="A4"><v>1</v></c>{error.format("B4")}{text_cell("C4", "Cy")}</row>'
    sheet = f'{PLAYERS.partition("<row")[0]}<row r="1">{rows}</row>{body}</sheetData></worksheet>'
    assert [problem.line for problem in taken(xlsx(sheet)).problems] == [2, 3, 4]


def three_columns(rows: str) -> bytes:
    """Return a workbook with these rows below the headings Name, Team, Dropped and Rating."""
    heads = zip("ABCD", ("Name", "Team", "Dropped", "Rating"), strict=True)
    head = "".join(text_cell(f"{letter}1", text) for letter, text in heads)
    return xlsx(f'{PLAYERS.partition("<row")[0]}<row r="1">{head}</row>{rows}</sheetData></worksheet>')


def test_errors_and_formulas_of_opendocument_are_refused() -> None:
    error = (
        '<table:table-cell xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0" '
        'table:formula="of:=NA()" office:value-type="string" office:string-value="" calcext:value-type="error">'
        "<text:p>#N/A</text:p></table:table-cell>"
    )
    formula = '<table:table-cell table:formula="of:=[.A2]"/>'
    rows = [ods_row("<text:p>Name</text:p>"), ods_row("<text:p>Ann</text:p>"), ods_row("<text:p>Cy</text:p>")]
    content = ods("".join([*rows, *(f"<table:table-row>{cell}</table:table-row>" for cell in (error, formula))]))
    assert [problem.line for problem in taken(content).problems] == [4, 5]


def test_cells_of_opendocument_without_a_type_are_read() -> None:
    """Libraries that write OpenDocument files leave out the type. The cells were read as empty."""
    text = "<text:p>{}</text:p>"
    untyped = "<table:table-cell{}>{}</table:table-cell>"
    rows = [("Name", "Absent"), ("Ann <text:s/>Alder", ""), ("Bob", "x")]
    made = "".join(
        f"<table:table-row>{''.join(untyped.format('', text.format(cell)) for cell in row)}</table:table-row>"
        for row in rows
    )
    end = untyped.format(' table:number-columns-repeated="900"', "")
    made += f'<table:table-row table:number-rows-repeated="900000">{end}</table:table-row>'
    assert players(ods(made)) == [("Ann Alder", ""), ("Bob", "x")]


def test_repeated_cells_of_opendocument_without_a_type_are_read_in_each_row() -> None:
    row = '<table:table-row table:number-rows-repeated="{}"><table:table-cell><text:p>{}</text:p>{}</table:table-row>'
    team = '</table:table-cell><table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    content = ods(row.format(1, "Name", team.format("Team")) + row.format(2, "Ann", team.format("Oak")))
    assert [(problem.line, problem.message) for problem in taken(content).problems] == [(3, "Ann appears twice")]


def test_too_many_repeated_cells_without_a_type_are_refused() -> None:
    row = '<table:table-row table:number-rows-repeated="9999999"><table:table-cell><text:p>Ann</text:p>'
    with pytest.raises(DataError, match="the sheet spans 9999999 rows"):
        taken(ods(f"{row}</table:table-cell></table:table-row>"))


@pytest.mark.parametrize(
    "value",
    [
        'office:value-type="boolean" office:boolean-value="true"',
        'office:value-type="date" office:date-value="2026-05-01"',
        'office:value-type="time" office:time-value="PT12H30M00S"',
    ],
)
def test_a_date_a_time_and_a_logical_value_are_not_names(value: str) -> None:
    row = f"<table:table-row><table:table-cell {value}><text:p>x</text:p></table:table-cell></table:table-row>"
    content = ods(ods_row("<text:p>Name</text:p>") + ods_row("<text:p>Ann</text:p>") + row)
    (problem,) = taken(content).problems
    assert problem.line == 3 and "is a date, a time or a logical value" in problem.message


def test_a_number_may_be_the_name_of_a_player() -> None:
    sheet = f'<row r="2">{text_cell("A2", "Ann")}</row><row r="3"><c r="A3"><v>42</v></c></row>'
    assert players(workbook(sheet)) == [("Ann", ""), ("42", "")]


def test_hidden_rows_of_results_are_reported_as_imported() -> None:
    heads = ("round", "player_a", "player_b", "score_a", "score_b")
    rows = "".join(text_cell(f"{letter}1", head) for letter, head in zip("ABCDE", heads, strict=True))
    cells = f'<c r="A2"><v>1</v></c>{text_cell("B2", "Ann")}{text_cell("C2", "Bob")}'
    cells += '<c r="D2"><v>3</v></c><c r="E2"><v>1</v></c>'
    sheet = f'{PLAYERS.partition("<row")[0]}<row r="1">{rows}</row><row r="2" hidden="1">{cells}</row>'
    found = taken(xlsx(f"{sheet}</sheetData></worksheet>"))
    assert len(found.rows) == 1
    (remark,) = [str(one) for one in found.remarks if "hidden" in str(one)]
    assert remark == "list:2: hidden rows: 2 (these rows are imported; delete the rows that do not count)"
