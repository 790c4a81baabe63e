from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import DataError
from generator.notation.words import words
from generator.press.layout.markup import collapse_spaces, parse
from generator.press.sandbox.templates import render


def rendered(tmp_path: Path, source: str, **values: object) -> str:
    (tmp_path / "t.xml").write_text(source, encoding="utf-8")
    return render("t.xml", values, (tmp_path,))


def complaint(tmp_path: Path, source: str, **values: object) -> str:
    with pytest.raises(DataError) as caught:
        parse(rendered(tmp_path, source, **values), "t.xml")
    return str(caught.value).removeprefix(f"{tmp_path}/")


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("<sheet>\n<parra>x</parra></sheet>", "t.xml:2: <parra> is not a known tag (did you mean para?)"),
        (
            "<sheet>\n\n<para aling='left'/></sheet>",
            't.xml:3: <para> has no attribute "aling" (accepted: align, bold, quiet, tight)',
        ),
        ("<sheet><rule x='1'/></sheet>", 't.xml:1: <rule> has no attribute "x" (accepted: weight)'),
        ("<sheet><td/></sheet>", "t.xml:1: <td> is not allowed inside <sheet> (put this element inside tr)"),
        ("<sheet><table cols='*'>a</table></sheet>", "t.xml:1: <table> cannot contain text, but has 'a'"),
        (
            "<sheet><para><rule/></para></sheet>",
            "t.xml:1: <rule> is not allowed inside <para> "
            "(the enclosing element can contain only text and b, br, c, code)",
        ),
        ("<para/>", "t.xml:1: <para> cannot be the root element (the root of a template is <sheet>)"),
        ("<sheet>\n<para>a\n</sheet>", "t.xml:2: the XML is not well-formed near <para>: mismatched tag"),
        ("<sheet>\n<para>{{ x.y }}</para></sheet>", "t.xml:2: 'x' is undefined"),
        ("<sheet>\n{% for %}</sheet>", "t.xml:2: "),
    ],
)
def test_a_slip_is_named_with_its_place(tmp_path: Path, source: str, wanted: str) -> None:
    assert complaint(tmp_path, source).startswith(wanted)


def test_the_place_is_the_templates_also_within_loops(tmp_path: Path) -> None:
    source = "<sheet>\n{% for i in range(9) %}\n<para>ok</para>\n{% endfor %}\n<oops/></sheet>"
    assert complaint(tmp_path, source).startswith("t.xml:5: <oops>")


def test_a_doctype_is_refused() -> None:
    with pytest.raises(DataError, match="DOCTYPE"):
        parse('<!DOCTYPE x [<!ENTITY a "b">]><sheet>&a;</sheet>', "t.xml")


def test_the_users_text_is_never_markup(tmp_path: Path) -> None:
    root = parse(rendered(tmp_path, "<sheet><para>{{ name }}</para></sheet>", name="<b>x</b> & {{ 1 }}"), "t.xml")
    assert root.nodes()[0].children == ["<b>x</b> & {{ 1 }}"]


def test_a_template_cannot_reach_into_the_program(tmp_path: Path) -> None:
    source = "<sheet>{{ ''.__class__.__mro__ }}</sheet>"
    assert "'str object' has no attribute '__class__' (accepted: " in complaint(tmp_path, source)


def test_white_space_between_ideographs_is_dropped() -> None:
    assert collapse_spaces("丘は\n   丘を") == "丘は丘を"
    assert collapse_spaces("a hill\n   blocks") == "a hill blocks"
    assert collapse_spaces("第 1 列") == "第 1 列"


def test_shared_words_speak_the_language() -> None:
    assert words("", "en")["press"]["page"].format(n=1, m=2) == "page 1 of 2"
    assert "ページ" in words("", "ja")["press"]["page"]
