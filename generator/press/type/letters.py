"""Where our letters come from: Noto Sans JP and, for those that it lacks, Source Sans.

Noto's own Latin letters are of that family, enlarged, and its bold stands between two of the family's weights. So
what is taken from there is brought to the size and the weight of what it stands beside.
"""

from __future__ import annotations

import importlib.util
from collections import ChainMap
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from generator.errors import DataError

Weight = Literal["regular", "bold"]


class Mix(NamedTuple):
    """A weight of ours as a share of the way between two of Source Sans, and how much it is enlarged."""

    light: str
    heavy: str
    share: float
    scale: float


MIXES: dict[Weight, Mix] = {
    "regular": Mix("Regular", "Regular", 0.0, 1.117),
    "bold": Mix("Semibold", "Bold", 0.44, 1.1345),
}
"""Measured on the letters that both families have: no advance departs by more than two thousandths of the em."""


class Letter(NamedTuple):
    """A glyph of such a mix; it has the manners of a glyph of fontTools."""

    light: Any
    heavy: Any
    mix: Mix

    @property
    def width(self) -> int:
        """The advance, in thousandths of the em."""
        width: float = self.light.width + (self.heavy.width - self.light.width) * self.mix.share
        return round(width * self.mix.scale)

    def draw(self, pen: Any) -> None:
        """Draw the outline, which has the same points in every weight of the family."""
        from fontTools.pens.recordingPen import RecordingPen, lerpRecordings
        from fontTools.pens.transformPen import TransformPen

        light, heavy, enlarged = RecordingPen(), RecordingPen(), TransformPen(pen, (self.mix.scale, 0, 0) * 2)
        self.light.draw(light)
        self.heavy.draw(heavy)
        for stroke, points in lerpRecordings(light.value, heavy.value, self.mix.share):
            getattr(enlarged, stroke)(*points)


class Letters(NamedTuple):
    """All letters of one weight."""

    noto: Any
    """The font whose measures are those of the whole."""
    copyright: str
    names: Mapping[int, str]
    """The glyphs' names by character."""
    glyphs: Mapping[str, Any]


def files(weight: Weight) -> tuple[Path, ...]:
    """The fonts that the weight is made of, Noto first; DataError where their packages are not installed."""
    sans, mix = _folder("font_source_sans_pro") / "files", MIXES[weight]
    noto = _folder(f"noto_cjk_sans_jp_{weight}") / f"NotoSansCJKjp-{weight.title()}.otf"
    return noto, *(sans / f"SourceSansPro-{name}.otf" for name in (mix.light, mix.heavy))


@contextmanager
def letters(weight: Weight) -> Iterator[Letters]:
    """The letters of that weight, with their fonts open."""
    from fontTools.ttLib import TTFont

    with ExitStack() as opened:
        noto, light, heavy = (opened.enter_context(TTFont(file, lazy=True)) for file in files(weight))
        added, lights, heavies = light.getBestCmap(), light.getGlyphSet(), heavy.getGlyphSet()
        sans = {name: Letter(lights[name], heavies[name], MIXES[weight]) for name in added.values()}
        rights = "\n".join(font["name"].getDebugName(0) for font in (noto, light))
        yield Letters(noto, rights, added | noto.getBestCmap(), ChainMap(noto.getGlyphSet(), sans))


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise DataError(f"the font package {package.replace('_', '-')} is not installed")
    return Path(spec.origin).parent
