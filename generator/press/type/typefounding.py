"""Making the fonts that ReportLab can embed: subsets of our letters with TrueType outlines, kept in a cache.

Only the first run founds them.
"""

from __future__ import annotations

import hashlib
import io
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from generator.errors import CannotWriteError
from generator.press.progress import Progress, silent
from generator.press.type.letters import Letters, Weight, files, letters
from generator.store.folders import cached
from generator.store.write import write

Coverage = Literal["latin", "japanese"]

RECIPE = "5"
"""Goes up when what is founded below changes, so that no stale font is taken from the cache."""

SYMBOLS = (
    "□■☐☑✓→←↑↓↔⇒×÷−±‐‑–—―·•°′″½¼¾⅓⅔¹²³▲△▼▽◆◇●○◎★☆“”‘’„‚‹›…‰†‡§¶№€™©®♠♣♥♦♤♧♡♢≤≥≠≈∞√∅"
    "①②③④⑤⑥⑦⑧⑨⑩⑪⑫❶❷❸❹❺❻❼❽❾❿「」『』、。・ー〜"
)
_OUTLINE_ERROR = 1.0  # of 1000 units an em: a thousandth of the type size


def font_file(coverage: Coverage, weight: Weight, progress: Progress = silent) -> Path:
    """The cached TrueType font of that coverage and weight, founded first where it is not there yet."""
    path = cached() / "fonts" / f"{coverage}-{weight}-{_fingerprint(files(weight))}.ttf"
    if not path.is_file():
        with letters(weight) as drawn:
            font = _found(drawn, coverage, weight, progress)
        try:
            write(path, font)
        except CannotWriteError:
            # Without a cache the font is founded anew each time; that is slow, but it prints.
            path = Path(tempfile.mkdtemp(prefix="muster-")) / path.name
            write(path, font)
    return path


def _fingerprint(sources: Iterable[Path]) -> str:
    """Of sources and recipe; the head of an OpenType file lists the checksum of every table in it."""
    found = hashlib.blake2b(RECIPE.encode(), digest_size=8)
    for source in sources:
        with source.open("rb") as file:
            found.update(file.read(512))
    return found.hexdigest()


def _characters(coverage: Coverage) -> str:
    """Latin letters and symbols; in the larger coverage Japanese, Greek, Cyrillic, Vietnamese and rarer ones too."""
    latin = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))) + "ȘșȚț" + SYMBOLS
    if coverage == "latin":
        return latin
    pairs = [bytes((a, b)) for a in (*range(0x81, 0xA0), *range(0xE0, 0xFD)) for b in range(0x40, 0xFD)]
    kana = bytes(range(0xA1, 0xE0)).decode("cp932")
    rare = "".join(map(chr, (*range(0x180, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x1F00)))) + "ʻʼə"
    return latin + rare + kana + "".join(pair.decode("cp932", "ignore") for pair in pairs)


def _found(drawn: Letters, coverage: Coverage, weight: Weight, progress: Progress) -> bytes:
    """The font's bytes: PostScript outlines as quadratic ones, without layout tables and hints."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    cmap = {code: drawn.names[code] for code in sorted(set(map(ord, _characters(coverage)))) if code in drawn.names}
    order, glyphs = [".notdef", *dict.fromkeys(cmap.values())], {}
    for done, name in enumerate(order):
        progress(f"preparing the {coverage} {weight} font, once", done / len(order))
        pen = TTGlyphPen(None)
        drawn.glyphs[name].draw(Cu2QuPen(pen, _OUTLINE_ERROR, reverse_direction=True))
        glyphs[name] = pen.glyph()
    font, family, style = drawn.noto, f"Muster{coverage.title()}", weight.title()
    builder = FontBuilder(font["head"].unitsPerEm, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(cmap)
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({n: (drawn.glyphs[n].width, getattr(glyphs[n], "xMin", 0)) for n in order})
    builder.setupHorizontalHeader(ascent=font["OS/2"].sTypoAscender, descent=font["OS/2"].sTypoDescender)
    # ReportLab takes two fonts of one PostScript name for one font, so each gets its own.
    builder.setupNameTable(
        {
            "copyright": drawn.copyright,
            "familyName": family,
            "styleName": style,
            "psName": f"{family}-{style}",
            "licenseDescription": font["name"].getDebugName(13),
        },
        mac=False,
    )
    metrics = (
        "usWeightClass",
        "sTypoAscender",
        "sTypoDescender",
        "usWinAscent",
        "usWinDescent",
        "sCapHeight",
        "sxHeight",
    )
    builder.setupOS2(version=4, fsType=0, **{m: getattr(font["OS/2"], m) for m in metrics})
    builder.setupPost(keepGlyphNames=False)
    builder.updateHead(created=font["head"].created, modified=font["head"].modified)
    out = io.BytesIO()
    builder.font.recalcTimestamp = False
    builder.font.save(out)
    return out.getvalue()
