"""The context in which the nodes of a sheet are laid out, and functions that create texts and fields in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

import msgspec

from generator.model.picture import Picture
from generator.model.views import Figure, MapView
from generator.model.words import Lang
from generator.press.layout import marks
from generator.press.layout.english import EnglishParagraph, split_words
from generator.press.layout.flowables import Fillable
from generator.press.layout.japanese import make_paragraph, needs_no_spacing
from generator.press.layout.lines import OneLine
from generator.press.layout.markup import Node, collapse_spaces
from generator.press.layout.pages import MAX_EXCERPT
from generator.press.layout.styles import BLACK, Align, Style, style
from generator.press.pdf import fonts
from generator.press.pdf.fields import FieldInfo, FieldRow, Form
from generator.press.pdf.units import MM

ALIGNS = ("left", "centre", "right")


class LayoutContext(msgspec.Struct, frozen=True):
    """The settings with which the content of a sheet is laid out. The width is that of the column in points."""

    lang: Lang
    ink: str
    width: float
    scale: float
    figures: Mapping[str, Figure]
    turned: bool = False
    """Whether maps are shown as seen from the far edge."""
    scenery: str = ""
    """The code or content hash of the scenario, which varies the scenery on its maps."""
    kind: str = "para"
    bold: bool = False
    align: Align = "left"
    colour: str = BLACK
    form: Form | None = None
    """The form of a fillable print, or None."""
    row: FieldRow | None = None
    label: str = ""
    """The last text before a field, which serves as the field's label."""
    per_copy: Collection[str] = ()
    """Names of figures that differ between copies."""
    drawn: dict[tuple[int, float, float], Picture] = msgspec.field(default_factory=dict)
    """Maps drawn so far, keyed by identity and available size, because each map is measured and laid out several
    times."""
    unit: float = 1.0
    """The length in mm of a millimetre in a template."""

    @property
    def small(self) -> bool:
        """Whether pictures are smaller than on other pages, and shrink further if they are too wide."""
        return self.unit < 1

    def points(self, length: float) -> float:
        """Convert a length in a template to points."""
        return length * self.unit * MM

    def map(self, view: MapView, width: float, height: float, same_scale: Sequence[MapView] = ()) -> Picture:
        """Return a picture of a map that is as large as the available width and height in mm allow.

        If other maps are given, it is only so large that each of them fits there at the same scale.
        """
        from generator.press.figures.maps import common_cell, draw_map, draw_sized

        key = id(view), width, height
        if key not in self.drawn and same_scale:
            cell = common_cell((view, *same_scale), self.lang, width, height, self.turned)
            found = draw_sized(view, self.lang, self.ink, cell, turned=self.turned, scenery=self.scenery)
            self.drawn[key] = found.picture
        elif key not in self.drawn:
            self.drawn[key] = draw_map(
                view, self.lang, self.ink, width, height, turned=self.turned, scenery=self.scenery
            )
        return self.drawn[key]

    def style(self, kind: str = "", **changes: Any) -> Style:
        """Return the current paragraph style with the given changes."""
        here = {"bold": self.bold, "align": self.align, "colour": self.colour, **changes}
        return style(kind or self.kind, self.lang, self.scale, **here)

    @property
    def size(self) -> float:
        """The current type size in points."""
        return self.style().size


def label_text(node: Node) -> str:
    """Return the text of an element, shortened to the maximum length of a label."""
    parts = (part if isinstance(part, str) else label_text(part) for part in node.children)
    plain = collapse_spaces(" ".join(parts)).strip()
    return plain if len(plain) <= MAX_EXCERPT else f"{plain[:MAX_EXCERPT]}…"


def build_text(parts: list[Node | str], style: Style, width: float, bullet: str | None = None) -> Any:
    """Return a paragraph, or a single line if the text has no markup and fits on one line."""
    japanese = style.lang == "ja"
    if bullet is None and is_plain_text(parts):
        whole = collapse_spaces("".join(cast(list[str], parts))).strip()
        if fonts.width(whole, style.size, style.bold) <= width - style.indent and not (
            japanese and not needs_no_spacing(whole)
        ):
            return OneLine(whole, style)
    if japanese:
        return make_paragraph(parts, style, width, bullet)
    return EnglishParagraph(split_words(parts, style), style, bullet)


def is_plain_text(parts: list[Node | str]) -> bool:
    """Return whether a text has no markup."""
    return set(map(type, parts)) <= {str}


def read_align(node: Node, default: Align = "left") -> Align:
    """Return the value of the align attribute."""
    return cast(Align, node.choice("align", ALIGNS, default))


def build_fillable(
    make: Callable[[float], marks.Mark],
    context: LayoutContext,
    label: str = "",
    first: int = 1,
    align: Align = "left",
    name: str = "",
) -> Fillable:
    """Return a mark. In a fillable print, fields numbered from `first` are placed over the mark."""
    info = FieldInfo(context.form, context.row, label or context.label, first, name)
    return Fillable(make, align, info, shrinks=context.small)
