"""Making the fonts that ReportLab can embed: subsets of Noto Sans JP with TrueType outlines, kept in a cache.

Only the first run founds them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import tempfile
from pathlib import Path
from typing import Any, Literal

from generator.errors import CannotWriteError, DataError
from generator.press.progress import Progress, silent
from generator.store.folders import cached
from generator.store.write import write

Coverage = Literal["latin", "japanese"]
Weight = Literal["regular", "bold"]

RECIPE = "2"
"""Goes up when what is founded below changes, so that no stale font is taken from the cache."""

SYMBOLS = (
    "□■☐☑☒✓✔✗→←↑↓↔⇒×÷−±–—―·•‣°′″½¼¾⅓⅔¹²³▲△▼▽◆◇●○◎★☆“”‘’„‚…‰†‡§¶№™©®♠♣♥♦♤♧♡♢≤≥≠≈∞√∅"
    "①②③④⑤⑥⑦⑧⑨⑩⑪⑫❶❷❸❹❺❻❼❽❾❿⚀⚁⚂⚃⚄⚅⚔⚑⚐「」『』、。・ー〜"
)
_OUTLINE_ERROR = 1.0  # of 1000 units an em: a thousandth of the type size


def font_file(coverage: Coverage, weight: Weight, progress: Progress = silent) -> Path:
    """The cached TrueType font of that coverage and weight, founded first where it is not there yet."""
    source = _source(weight)
    path = cached() / "fonts" / f"{coverage}-{weight}-{_fingerprint(source)}.ttf"
    if not path.is_file():
        font = _found(source, coverage, weight, progress)
        try:
            write(path, font)
        except CannotWriteError:
            # Without a cache the font is founded anew each time; that is slow, but it prints.
            path = Path(tempfile.mkdtemp(prefix="muster-")) / path.name
            write(path, font)
    return path


def _source(weight: Weight) -> Path:
    spec = importlib.util.find_spec(f"noto_cjk_sans_jp_{weight}")
    if spec is None or spec.origin is None:
        raise DataError(f"the font package noto-cjk-sans-jp-{weight} is not installed")
    return next(iter(sorted(Path(spec.origin).parent.glob("*.otf"))))


def _fingerprint(source: Path) -> str:
    """Of source and recipe; the head of an OpenType file lists the checksum of every table in it."""
    with source.open("rb") as file:
        return hashlib.blake2b(file.read(512) + RECIPE.encode(), digest_size=8).hexdigest()


def _characters(coverage: Coverage) -> str:
    latin = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))) + SYMBOLS
    if coverage == "latin":
        return latin
    pairs = [bytes((a, b)) for a in (*range(0x81, 0xA0), *range(0xE0, 0xFD)) for b in range(0x40, 0xFD)]
    kana = bytes(range(0xA1, 0xE0)).decode("cp932")
    return latin + kana + "".join(pair.decode("cp932", "ignore") for pair in pairs)


def _found(source: Path, coverage: Coverage, weight: Weight, progress: Progress) -> bytes:
    from fontTools.ttLib import TTFont

    with TTFont(source, lazy=True) as font:
        return _converted(font, coverage, weight, progress)


def _converted(font: Any, coverage: Coverage, weight: Weight, progress: Progress) -> bytes:
    """The font's bytes: its PostScript outlines as quadratic ones, without layout tables and hints."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    names = font.getBestCmap()
    cmap = {code: names[code] for code in sorted(set(map(ord, _characters(coverage)))) if code in names}
    order = [".notdef", *dict.fromkeys(cmap.values())]
    drawn, glyphs = font.getGlyphSet(), {}
    for done, name in enumerate(order):
        progress(f"preparing the {coverage} {weight} font, once", done / len(order))
        pen = TTGlyphPen(None)
        drawn[name].draw(Cu2QuPen(pen, _OUTLINE_ERROR, reverse_direction=True))
        glyphs[name] = pen.glyph()
    head, family, style = font["OS/2"], f"Muster{coverage.title()}", weight.title()
    builder = FontBuilder(font["head"].unitsPerEm, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(cmap)
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({n: (font["hmtx"][n][0], getattr(glyphs[n], "xMin", 0)) for n in order})
    builder.setupHorizontalHeader(ascent=head.sTypoAscender, descent=head.sTypoDescender)
    # ReportLab takes two fonts of one PostScript name for one font, so each gets its own.
    builder.setupNameTable(
        {
            "copyright": font["name"].getDebugName(0),
            "familyName": family,
            "styleName": style,
            "psName": f"{family}-{style}",
            "licenseDescription": font["name"].getDebugName(13),
        },
        mac=False,
    )
    metrics = ("sTypoAscender", "sTypoDescender", "usWinAscent", "usWinDescent", "sCapHeight", "sxHeight")
    builder.setupOS2(version=4, usWeightClass=head.usWeightClass, fsType=0, **{m: getattr(head, m) for m in metrics})
    builder.setupPost(keepGlyphNames=False)
    builder.updateHead(created=font["head"].created, modified=font["head"].modified)
    out = io.BytesIO()
    builder.font.recalcTimestamp = False
    builder.font.save(out)
    return out.getvalue()
