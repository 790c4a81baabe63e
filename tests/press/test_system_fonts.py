"""Tests for system fonts, which replace missing font packages and are chosen by name and coverage."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont
from msgspec.structs import replace

from generator.cli import console
from generator.model.picture import Picture, Text
from generator.model.words import Lang, same
from generator.press.book import print_kit
from generator.press.check.preflight import preflight
from generator.press.layout.print_settings import PrintSettings
from generator.press.pdf import embedding, fonts, glyphs, letters, system_fonts
from generator.press.pdf import typecase as typefounding
from generator.press.pdf.canvas import picture_pdf
from generator.press.pdf.system_fonts import Script, Weight
from generator.store import manifest
from tests.cli.run import muster
from tests.press.kits import TEMPLATES, kit, record

NOTO, SANS = "noto_cjk_sans_jp", "font_source_sans_pro"
Without = Callable[..., None]
package = letters._package


def clear_font_caches() -> None:
    """Clear the fonts that a process has found."""
    for known in (
        system_fonts.find_stand_in,
        system_fonts._system_files,
        glyphs.glyph,
        glyphs._font,
        glyphs._glyph_numbers,
        glyphs._glyph_widths,
    ):
        known.cache_clear()
    letters._stand_ins_used.clear()
    typefounding._cases.clear()


@pytest.fixture
def without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Without]:
    """Yield a function that hides font packages. System fonts come only from `system/`, and the cache is empty."""

    def lacking(*packages: str) -> None:
        def found(name: str, *files: str) -> tuple[Path, ...] | None:
            return None if name.startswith(packages) else package(name, *files)

        monkeypatch.setattr(letters, "_package", found)

    monkeypatch.setattr(system_fonts, "font_folders", lambda: [tmp_path / "system"])
    monkeypatch.setattr(typefounding, "cache_folder", lambda: tmp_path)
    monkeypatch.delenv(system_fonts.FONTS_VARIABLE, raising=False)
    monkeypatch.setattr(typefounding, "_cases", {})
    clear_font_caches()
    yield lacking
    monkeypatch.undo()
    clear_font_caches()
    fonts.register("en")


def made(
    path: Path,
    family: str,
    codes: Iterable[int],
    weight: int = 400,
    fs_type: int = 0,
    italic: bool = False,
    width: int = 5,
    axis: tuple[int, int] | None = None,
) -> Path:
    """Write a font file in which every letter is a box, with 2,048 units per em."""
    pen = TTGlyphPen(None)
    for move, point in zip("mllll", [(100, 0), (100, 1400), (1000, 1400), (1000, 0), (100, 0)], strict=True):
        (pen.moveTo if move == "m" else pen.lineTo)(point)
    pen.closePath()
    box, space = pen.glyph(), TTGlyphPen(None).glyph()
    builder = FontBuilder(2048, isTTF=True)
    builder.setupGlyphOrder([".notdef", "space", "box"])
    builder.setupCharacterMap({code: "space" if code == 32 else "box" for code in codes})
    builder.setupGlyf({".notdef": box, "space": space, "box": box})
    builder.setupHorizontalMetrics({".notdef": (1100, 100), "space": (500, 0), "box": (1100, 100)})
    builder.setupHorizontalHeader(ascent=1800, descent=-400)
    builder.setupNameTable({"familyName": family, "styleName": f"W{weight}", "psName": path.stem, "version": "1.5"})
    builder.setupOS2(
        version=4, usWeightClass=weight, fsType=fs_type, fsSelection=int(italic), usWidthClass=width,
        sTypoAscender=1800, sTypoDescender=-400, usWinAscent=1800, usWinDescent=400,
    )  # fmt: skip
    builder.setupPost()
    if axis:
        builder.setupFvar([("wght", axis[0], 400, axis[1], "Weight")], [])
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)
    return path


def needed(script: Script) -> Iterable[int]:
    return sorted(system_fonts._needed_characters(script) | set(map(ord, typefounding.SYMBOLS)))


def taken(script: Script, weight: Weight = "regular") -> tuple[str, int] | None:
    clear_font_caches()
    found = system_fonts.find_stand_in(script, weight)
    return (found.path.name, found.index) if found else None


def test_the_likest_family_that_covers_the_script_is_taken(tmp_path: Path, without: Without) -> None:
    without(NOTO, SANS)
    folder = tmp_path / "system"
    assert taken("japanese") is None
    made(folder / "unheard.ttf", "Unheard Of", needed("japanese"))
    assert taken("japanese") is None
    made(folder / "deep" / "IPAexG.ttf", "IPAexGothic", needed("japanese"))
    assert taken("japanese") == ("IPAexG.ttf", 0)
    # The name of this font has a higher priority, but the font lacks kanji.
    made(folder / "NotoSansJP-Regular.otf", "Noto Sans JP", needed("latin"))
    assert taken("japanese") == ("IPAexG.ttf", 0)
    # The file has a known name but contains a different font.
    made(folder / "Meiryo.ttf", "Meiryo Look-alike", needed("japanese"))
    assert taken("japanese") == ("IPAexG.ttf", 0)
    made(folder / "BIZ-UDGothicR.ttf", "BIZ UDGothic", needed("japanese"))
    assert taken("japanese") == ("BIZ-UDGothicR.ttf", 0)


def test_fonts_that_slant_or_are_narrow_or_shut_are_passed_over(tmp_path: Path, without: Without) -> None:
    without(NOTO, SANS)
    for number, of in enumerate(
        ({"italic": True}, {"width": 3}, {"fs_type": 2}, {"fs_type": 0x100}, {"fs_type": 0x200})
    ):
        made(tmp_path / "system" / f"arial{number}.ttf", "Arial", needed("latin"), **of)  # type: ignore[arg-type]
    (tmp_path / "system" / "arial-broken.ttf").write_bytes(b"\0\1\0\0 no font")
    (tmp_path / "system" / "arial-collection.ttc").write_bytes(b"ttcf\0\1\0\0\0\0\0\7")
    assert taken("latin") is None
    made(tmp_path / "system" / "arial.ttf", "Arial", needed("latin"), fs_type=8)
    assert taken("latin") == ("arial.ttf", 0)


def test_each_weight_takes_the_nearest(tmp_path: Path, without: Without) -> None:
    without(NOTO, SANS)
    made(tmp_path / "system" / "ヒラギノ角ゴシック W3.ttf", "Hiragino Sans", needed("japanese"), 300)
    assert taken("japanese", "bold") == ("ヒラギノ角ゴシック W3.ttf", 0)
    for weight in (0, 6, 9):
        made(
            tmp_path / "system" / f"ヒラギノ角ゴシック W{weight}.ttf",
            "Hiragino Sans",
            needed("japanese"),
            weight * 100,
        )
    assert taken("japanese") == ("ヒラギノ角ゴシック W3.ttf", 0)
    assert taken("japanese", "bold") == ("ヒラギノ角ゴシック W6.ttf", 0)


def test_a_variable_font_is_taken_at_the_weight_that_is_wanted(tmp_path: Path, without: Without) -> None:
    without(NOTO, SANS)
    made(tmp_path / "system" / "NotoSansJP[wght].ttf", "Noto Sans JP", needed("japanese"), 100, axis=(100, 900))
    found = system_fonts.find_stand_in("japanese", "bold")
    assert found and found.axis_value == 700 and found.name == "Noto Sans JP wght 700, 1.5, NotoSansJP[wght].ttf"
    with found.open() as font:
        assert found.glyphs(font)["box"].width == 1100


def test_of_a_collection_the_font_of_that_name(tmp_path: Path, without: Without) -> None:
    without(NOTO, SANS)
    collection = TTCollection()
    for number, place in enumerate(("KR", "JP", "SC")):
        family = f"Noto Sans CJK {place}"
        collection.fonts.append(TTFont(made(tmp_path / f"{number}.ttf", family, needed("japanese"))))
    (tmp_path / "system").mkdir()
    collection.save(tmp_path / "system" / "NotoSansCJK-Regular.ttc")
    assert taken("japanese") == ("NotoSansCJK-Regular.ttc", 1)
    fonts.register("ja")
    assert not fonts.missing_characters("丘の戦い")


def test_a_user_names_a_folder_or_a_file(tmp_path: Path, without: Without, monkeypatch: pytest.MonkeyPatch) -> None:
    without(NOTO, SANS)
    made(tmp_path / "system" / "meiryo.ttf", "Meiryo", needed("japanese"))
    user_font = made(tmp_path / "mine" / "brush.ttf", "My Brush", needed("japanese"))
    thin = made(tmp_path / "thin.ttf", "No Kanji", needed("latin"))
    for given in (user_font, user_font.parent, f"{thin}{os.pathsep}{user_font}"):
        monkeypatch.setenv(system_fonts.FONTS_VARIABLE, str(given))
        assert taken("japanese") == ("brush.ttf", 0)
    monkeypatch.setenv(system_fonts.FONTS_VARIABLE, str(tmp_path / "nowhere"))
    assert taken("japanese") == ("meiryo.ttf", 0)


def printed(lang: Lang, name: str = "Muster") -> bytes:
    pdf = print_kit(
        replace(kit(replace(record(), side=same(name))), title=same(name)), PrintSettings(lang, templates=TEMPLATES)
    )
    assert preflight(pdf, "a4", lang) == []
    return pdf


def test_english_prints_without_the_japanese_package_as_wide_as_with_it(without: Without) -> None:
    fonts.register("en")
    sample = "The Day of Thornmere, 14 units (Žižka)"
    usual = [fonts.width(sample, 10, bold) for bold in (False, True)]
    without(NOTO)
    clear_font_caches()
    printed("en", sample)
    assert [fonts.width(sample, 10, bold) for bold in (False, True)] == pytest.approx(usual, rel=0.003)
    assert letters.stand_in_fonts() == []
    with pytest.raises(embedding.NoGlyphError, match=r"丘.*[\s\S]*noto-cjk\[sans-jp\]"):
        printed("en", "丘")


def test_stand_ins_are_as_high_as_our_letters_and_no_wider(tmp_path: Path, without: Without) -> None:
    usual = [sum(glyphs.glyph(letter, "regular").advance for letter in alphabet) for alphabet in letters._ALPHABETS]
    without(NOTO, SANS)
    clear_font_caches()
    made(tmp_path / "system" / "arial.ttf", "Arial", needed("latin"))
    printed("en")
    assert letters.stand_in_fonts() == ["Arial W400, 1.5, arial.ttf"]
    assert glyphs.measures("regular").capital == letters._CAPITAL
    wide = [sum(glyphs.glyph(letter, "regular").advance for letter in alphabet) for alphabet in letters._ALPHABETS]
    assert all(its <= ours for its, ours in zip(wide, usual, strict=True))


def test_stand_ins_print_japanese_and_stand_in_the_manifest(
    tmp_path: Path, without: Without, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [package(f"{NOTO}_{weight}", f"NotoSansCJKjp-{weight.title()}.otf") for weight in ("regular", "bold")]
    monkeypatch.setenv(
        system_fonts.FONTS_VARIABLE, os.pathsep.join(str(file) for found in files if found for file in found)
    )
    without(NOTO, SANS)
    clear_font_caches()
    out = tmp_path / "out"
    run = muster("kit", "--lang", "ja", "--parts", "cover", "-o", out)
    assert run.code == 0, run.err
    content = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert [name.split(",")[0] for name in content["fonts"]] == ["Noto Sans CJK JP Regular", "Noto Sans CJK JP Bold"]
    assert [name.rsplit(", ", 1)[1] for name in content["fonts"]] == [
        f"NotoSansCJKjp-{w}.otf" for w in ("Regular", "Bold")
    ]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("lang", "says"), [("en", "system fonts are used"), ("ja", "代用")])
def test_a_terminal_shows_replacement_fonts_once(lang: Lang, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, lines in ((Terminal(), 1), (io.StringIO(), 0)):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(letters, "_stand_ins_used", {"Arial Regular": None})
        console.report_fonts.cache_clear()
        console.report_fonts(lang)
        console.report_fonts(lang)
        assert stream.getvalue().count("\n") == lines
        assert lines == 0 or (says in stream.getvalue() and "Arial Regular" in stream.getvalue())
    console.report_fonts.cache_clear()


@pytest.mark.parametrize(("lang", "says"), [("ja", ("noto-cjk[sans-jp]", "ヒラギノ")), ("en", ("Arial", "DejaVu"))])
def test_without_any_font_suitable_fonts_are_listed(
    lang: str, says: tuple[str, ...], tmp_path: Path, without: Without
) -> None:
    without(NOTO, SANS)
    run = muster("cards", "--lang", lang, "-o", tmp_path / "cards.pdf")
    assert run.code == 3
    assert all(word in run.err for word in (*says, system_fonts.FONTS_VARIABLE, "Debian", "macOS", "Windows"))


def test_a_stand_in_prints_the_rare_letters_that_it_has_and_names_those_that_it_lacks(
    tmp_path: Path, without: Without
) -> None:
    without(NOTO, SANS)
    made(tmp_path / "system" / "arial.ttf", "Arial", needed("latin"))
    made(tmp_path / "system" / "meiryo.ttf", "Meiryo", [*needed("japanese"), ord("김")])
    clear_font_caches()
    fonts.register("ja")
    assert fonts.missing_characters("김철") == ["철"]
    assert picture_pdf(Picture(30, 10, (Text(1, 1, "김", 8),)), "ja").startswith(b"%PDF-")
    with pytest.raises(embedding.NoGlyphError, match=r"U\+CCA0 '철'") as caught:
        picture_pdf(Picture(30, 10, (Text(1, 1, "김철", 8),)), "ja")
    assert "noto-cjk" in caught.value.problems[0].hint


def test_a_package_that_is_cut_off_counts_as_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = package(SANS, "files/SourceSansPro-Regular.otf")
    assert whole and letters._complete(whole[0])
    short = tmp_path / "short.otf"
    for length in (0, 5, 100, 100_000):
        short.write_bytes(whole[0].read_bytes()[:length])
        assert not letters._complete(short)
    assert package(SANS, "files/SourceSansPro-NoSuch.otf") is None
    assert package("no_such_package", "x.otf") is None


def test_a_manifest_passes_over_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest, "LIBRARIES", ("reportlab", "no-such-library"))
    # Bypass the cached result.
    monkeypatch.setattr(manifest, "made_with", manifest.made_with.__wrapped__)
    content: dict[str, Any] = json.loads(manifest.manifest({}, {}))
    assert list(content["libraries"]) == ["reportlab"]


def test_folders_of_each_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for platform, folder in (("linux", "/usr/share/fonts"), ("darwin", "/System/Library/Fonts")):
        monkeypatch.setattr(sys, "platform", platform)
        assert Path(folder) in system_fonts.font_folders()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("WINDIR", "/windows")
    assert Path("/windows/Fonts") in system_fonts.font_folders()


def test_a_name_that_the_stand_in_lacks_is_refused_where_it_is_typed(
    tmp_path: Path, without: Without, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    without(NOTO, SANS)
    japanese = {*needed("japanese"), *map(ord, "千代"), *needed("latin")}
    made(tmp_path / "system" / "IPAexG.ttf", "IPAexGothic", sorted(japanese))
    made(tmp_path / "system" / "DejaVuSans.ttf", "DejaVu Sans", needed("latin"))
    clear_font_caches()
    lacked = "김 contains '김' (U+AE40), which no font on this system can print (install the packages noto-cjk"
    Path("list.csv").write_text("name\nAnn\n김\n千代\n", "utf-8")
    new = ("tournament", "new", "battling", "--rounds", "2", "-o", "cup")
    refused = muster(*new, "--players", "list.csv")
    assert (refused.code, f"list.csv:3: {lacked}" in refused.err, Path("cup").exists()) == (3, True, False), refused
    assert muster(*new, "--event", "김").code == 3
    Path("list.csv").write_text("name\nAnn\nBo\n千代\n", "utf-8")
    assert muster(*new, "--players", "list.csv").code == 0
    for command in (("join", "cup", "김"), ("join", "cup", "Cy", "--team", "김"), ("rename", "cup", "Bo", "김")):
        refused = muster("tournament", *command)
        assert (refused.code, lacked in refused.err) == (3, True), refused
    assert (
        "を印刷できるフォントが、このシステムにありません"
        in muster("tournament", "join", "cup", "김", "--lang", "ja").err
    )
    Path("pairings.csv").write_text("round,player_a,player_b\n1,Ann,김\n", "utf-8")
    refused = muster("tournament", "pack", "battling", "--pairings", "pairings.csv", "-o", "out")
    assert (refused.code, f"pairings.csv:2: {lacked}" in refused.err) == (3, True), refused
