"""Spreadsheets written part by part after ECMA-376 and OpenDocument, without a spreadsheet library."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

PLAYERS = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>Autumn cup, registrations</t></is></c></row>
<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c>
<c r="C3" t="s"><v>2</v></c><c r="D3" t="s"><v>3</v></c></row>
<row r="4"><c r="A4" t="inlineStr"><is><t>Ann</t></is></c><c r="B4" t="inlineStr"><is><t>Alder</t></is></c>
<c r="C4"><v>3</v></c><c r="D4" t="b"><v>0</v></c></row>
<row r="5"><c r="A5" t="s"><v>4</v></c><c r="B5" t="inlineStr"><is><r><t>Dup</t></r><r><t>ont</t></r></is></c>
<c r="D5" t="b"><v>1</v></c></row>
<row r="6"><c r="A6" t="inlineStr"><is><t>Cy</t></is></c><c r="B6" t="inlineStr"><is><t>Cedar</t></is></c>
<c r="C6"><v>12.0</v></c></row>
</sheetData></worksheet>"""
SHARED = """<?xml version="1.0" encoding="UTF-8"?>
<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="5" uniqueCount="5">
<si><t>First name</t></si><si><t>Surname</t></si><si><t>Team</t></si><si><t>Dropped?</t></si>
<si><t>Ren&#233;e</t></si></sst>"""
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def xlsx(sheet: str = PLAYERS, shared: str = SHARED, more: Mapping[str, str] | None = None) -> bytes:
    """Return a workbook with a sheet Entries, and a sheet Notes with one cell."""
    notes = PLAYERS.partition("<row")[0] + '<row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>'
    main = f'xmlns="{PLAYERS.split(chr(34))[7]}" xmlns:r="{_RELATION}"'
    relations = "".join(
        f'<Relationship Id="rId{n}" Type="{_RELATION}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(
            [
                ("worksheet", "worksheets/sheet1.xml"),
                ("worksheet", "worksheets/sheet2.xml"),
                ("sharedStrings", "sharedStrings.xml"),
            ],
            1,
        )
    )
    parts = {
        "[Content_Types].xml": f'<?xml version="1.0"?><Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<?xml version="1.0"?><Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<?xml version="1.0"?><workbook {main}><sheets>'
        '<sheet name="Entries" sheetId="1" r:id="rId1"/><sheet name="Notes" sheetId="2" r:id="rId2"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<?xml version="1.0"?><Relationships xmlns="{_PACKAGE}/relationships">'
        f"{relations}</Relationships>",
        "xl/worksheets/sheet1.xml": sheet,
        "xl/worksheets/sheet2.xml": notes,
        "xl/sharedStrings.xml": shared,
    }
    return _zip({**parts, **(more or {})})


def cell(text: str) -> str:
    """Return a cell of OpenDocument with a text or, if the text is a number, with the number."""
    kind = f'float" office:value="{text}' if text.isdecimal() else "string"
    value = f'office:value-type="{kind}"'
    return f"<table:table-cell {value}><text:p>{text}</text:p></table:table-cell>"


def ods(rows: str) -> bytes:
    """Return an OpenDocument spreadsheet with one sheet, given its rows."""
    names = "".join(
        f' xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{prefix}:1.0"'
        for prefix in ("office", "table", "text")
    )
    content = f'<?xml version="1.0"?><office:document-content{names}><office:body><office:spreadsheet>'
    content += f'<table:table table:name="League">{rows}</table:table></office:spreadsheet></office:body>'
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return _zip(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f"{content}</office:document-content>",
            "META-INF/manifest.xml": manifest,
        }
    )


def table_rows(*rows: tuple[str, ...]) -> str:
    """Return rows of OpenDocument, followed by the empty rows and cells that programs write to the end of a sheet."""
    filled = "".join(
        f"<table:table-row>{''.join(map(cell, row))}"
        '<table:table-cell table:number-columns-repeated="1000"/></table:table-row>'
        for row in rows
    )
    return (
        f'{filled}<table:table-row table:number-rows-repeated="1048000">'
        '<table:table-cell table:number-columns-repeated="1024"/></table:table-row>'
    )


def _zip(parts: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            stored = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), text, stored)
    return made.getvalue()
