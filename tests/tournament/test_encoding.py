"""Tests that lists of names in many languages and encodings are read correctly, or refused with likely readings."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from generator.errors import DataError
from generator.tournament.encoding import PRIORS, read_text

NAMES = tomllib.loads((Path(__file__).parent / "names.toml").read_text("utf-8"))
USUAL = {
    "japanese": ("cp932",),
    "french": ("cp1252", "mac_roman"),
    "german": ("cp1252", "cp1250", "mac_roman"),
    "polish": ("cp1250",),
    "czech": ("cp1250",),
    "hungarian": ("cp1250",),
    "turkish": ("cp1254",),
    "russian": ("cp1251",),
    "ukrainian": ("cp1251",),
    "korean": ("cp949",),
    "chinese_simplified": ("gbk",),
    "chinese_traditional": ("cp950",),
    "icelandic": ("cp1252", "mac_roman"),
    "spanish": ("cp1252", "mac_roman"),
}
UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
CASES = [(language, encoding) for language, encodings in USUAL.items() for encoding in encodings]
FAMILY_FIRST = {"japanese": " ", "hungarian": " ", "korean": "", "chinese_simplified": "", "chinese_traditional": ""}
LISTS = 12
"""Number of lists of each case in this test. `make prove ARGS=lists` reads 400 of each (docs/proof.md)."""


class Verdict(NamedTuple):
    """The outcome for a list of names."""

    kind: str
    why: str = ""


def encoded_list(language: str, encoding: str, seed: int) -> tuple[str, bytes]:
    """Return a list of 4 to 60 names that is not pure ASCII, as text and as bytes."""
    rng = random.Random(f"{language} {encoding} {seed}")
    given, family = (NAMES[language][kind].split() for kind in ("given", "family"))
    while True:
        lines = []
        for _ in range(rng.choice((4, 4, 5, 6, 7, 8, 10, 12, 16, 24, 40, 60))):
            a, b = rng.choice(given), rng.choice(family)
            join = FAMILY_FIRST.get(language)
            lines.append(f"{a} {b}" if join is None else f"{b}{join}{a}")
        if rng.random() < 0.5:
            lines.insert(0, "name")
        text = rng.choice(("\n", "\r\n")).join([*lines, ""])
        try:
            content = text.encode(encoding)
        except UnicodeEncodeError:
            continue
        if not text.isascii():
            return text, content


def verdict(language: str, encoding: str, seed: int) -> Verdict:
    """Return whether a list is read correctly, read wrongly, or refused with the right reading among two or three."""
    text, content = encoded_list(language, encoding, seed)
    try:
        found = read_text(content, "names.csv")
    except DataError as error:
        encodings = {name for problem in error.problems for name in re.findall(r"--encoding (\S+)", problem.hint)}
        right = any(content.decode(name) == text for name in encodings)
        return Verdict("refused" if right and len(encodings) in (2, 3) else "wrong", str(error))
    return Verdict("read" if found.text == text else "wrong", f"{found.encoding}: {found.text[:60]!r}")


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_a_list_is_read_right_or_refused_with_both_readings(language: str, encoding: str) -> None:
    found = [verdict(language, encoding, seed) for seed in range(LISTS)]
    assert [one.why for one in found if one.kind == "wrong"] == []
    assert sum(one.kind == "read" for one in found) >= LISTS * 0.75, [one.why for one in found]


def test_a_third_reading_that_is_equally_likely_is_shown_too() -> None:
    names = "name\nCeyhun Arsoy\nJaruthip Şama\nAndiç Sezgin\nTan Bilir\n"
    with pytest.raises(DataError) as caught:
        read_text(names.encode("cp1254"), "names.csv")
    (problem,) = caught.value.problems
    assert "“Jaruthip Þama” in cp1252, “Jaruthip Ţama” in cp1250, and “Jaruthip Şama” in cp1254" in str(problem)
    assert "--encoding cp1252 or --encoding cp1250 or --encoding cp1254" in problem.hint


def test_most_lists_are_read_outright() -> None:
    found = [verdict(language, encoding, seed).kind for language, encoding in CASES for seed in range(LISTS)]
    share = found.count("read") / len(found)
    assert share >= 0.95, f"{len(found)} lists, {share:.1%} read outright, {found.count('wrong')} wrong"


@pytest.mark.parametrize("encoding", UNICODE)
@pytest.mark.parametrize("language", USUAL)
def test_unicode_is_always_read(language: str, encoding: str) -> None:
    text, _ = encoded_list(language, USUAL[language][0], 1)
    found = read_text(text.encode(encoding), "names.csv")
    assert (found.text, found.legacy) == (text, False)


def test_real_names_are_not_refused_in_unicode() -> None:
    names = "McDonald\nDeVries\nO’Neil\nLaTeX\nÉricDuPont\nD’Arc\nチームＡ\nЖан Reno\nRen馥\n"
    assert read_text(names.encode(), "names.csv").text == names


def test_a_capital_in_ascii_does_not_decide() -> None:
    names = "Sean McDonald\nJan DeVries\nRenée Dupont\nJoe O’Neil\n"
    assert read_text(names.encode("cp1252"), "names.csv").text == names


@pytest.mark.parametrize(
    ("names", "encoding"),
    [
        ("Ann Alder\nRenée Example\nBob Birch\n", "cp1252"),
        ("ÉMILE DURAND\nANDRÉ PETIT\n", "cp1252"),
        ("“Ace” Müller\nMª José Muñoz García\nRamón Núñez Peña\n", "cp1252"),
        ("佐藤太郎\n髙橋 一郎\n山﨑花子\n", "cp932"),
        ("ﾔﾏﾀﾞ ﾀﾛｳ\nｻﾄｳ ﾊﾅｺ\nｽｽﾞｷ ｲﾁﾛｳ\n", "cp932"),
        ("氏名,チーム\n佐藤,チームA\n鈴木,B組\n", "cp932"),
        ("John O’Neil\nMary D’Arcy\nAnn–Marie Smith\n", "cp1252"),
        ("Müller\nStraße\n", "mac_roman"),
        ("Jörg Schröder\nKlaus-Jürgen Groß\n", "mac_roman"),
    ],
)
def test_kinds_of_names(names: str, encoding: str) -> None:
    found = read_text(names.encode(encoding), "names.csv")
    assert (found.text, found.legacy) == (names, True)


def test_two_readings_that_are_equally_likely_are_both_shown() -> None:
    content = "Maê\nLi\n".encode("cp1252")  # this is also Maę in cp1250
    with pytest.raises(DataError) as caught:
        read_text(content, "names.csv")
    (problem,) = caught.value.problems
    assert problem.line == 1
    assert {"Maê", "Maę"} <= set(re.findall("“(.*?)”", problem.message))
    assert set(re.findall(r"--encoding (\S+)", problem.hint)) == {"cp1252", "cp1250"}
    assert read_text(content, "names.csv", "cp1250").text.startswith("Maę")
    assert read_text(content, "names.csv", None, ["Maę"]).encoding == "cp1250"


def test_an_encoding_that_is_not_tried_is_refused_not_misread() -> None:
    for names, encoding in (
        ("Γιώργος Παπαδόπουλος\nΕλένη Νικολάου\nΝίκος Γεωργίου\n", "cp1253"),
        ("Иван Петров\nСергей Волков\nОльга Белова\n", "koi8-r"),
        ("דוד כהן\nשרה לוי\nיוסף מזרחי\n", "cp1255"),
        ("佐藤太郎\n鈴木花子\n田中一郎\n", "euc_jp"),
        ("Jānis Bērziņš\nAnna Kalniņa\nPēteris Ozoliņš\nLīga Liepa\n", "cp1257"),
    ):
        with pytest.raises(DataError, match="--encoding"):
            read_text(names.encode(encoding), "names.csv")
        assert read_text(names.encode(encoding), "names.csv", encoding).text == names


@pytest.mark.parametrize("language", USUAL)
def test_damaged_unicode_is_refused_with_its_line(language: str) -> None:
    given, family = (NAMES[language][kind].split() for kind in ("given", "family"))
    names = [f"{a} {b}" for a, b in zip(given, family, strict=False)]
    content = "\n".join(name for name in names if not name.isascii()).encode()
    at = content.index(b"\n", len(content) // 2)
    broken = next(n for n in range(at, len(content)) if content[n] > 0x7F)
    with pytest.raises(DataError, match="is not text in utf-8") as caught:
        read_text(content[:broken] + content[broken + 1 :], "names.csv")
    assert caught.value.problems[0].line == content[:broken].count(b"\n") + 1


def test_bytes_that_are_not_text_are_named_with_their_line() -> None:
    for content in (b"Ann\nB\0b\n", b"Ann\nB\x07b\n", b"Ann\nB\xe9\x81\x07b\n"):
        with pytest.raises(DataError) as caught:
            read_text(content, "names.csv")
        assert [problem.line for problem in caught.value.problems] == [2]


def test_names_of_a_script_hold_no_letter_of_another() -> None:
    table = tomllib.loads((Path(__file__).parents[2] / "data" / "tournament" / "names.toml").read_text("utf-8"))
    for script, pattern in (("latin", "[А-я]"), ("cyrillic", "[A-Za-z]"), ("han", "[A-Za-zА-я]")):
        assert {lang: found for lang, names in table[script].items() if (found := re.findall(pattern, names))} == {}
    assert len(PRIORS) == 9


def test_a_list_whose_unlikely_readings_agree_is_refused_with_a_reason() -> None:
    # All encodings decode the end of the line to characters that no name has.
    with pytest.raises(DataError, match="is not text in utf-8") as caught:
        read_text(b"a." * 105 + b"\xff\xa3", "F")
    assert caught.value.problems[0].hint
