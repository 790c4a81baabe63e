"""The figures as a page of the documentation: ratios only, because times depend on the machine."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figure import Figure, table

PAGE = """# Figures

`make bench` measures these, the two of a row in turn, and takes medians. It fails if a target is missed; rows without
a target are information. Only ratios are shown here, since times belong to a machine. Times are CPU seconds, which a
busy machine changes least, except where several processes share the work. `bench/` holds the baselines' code.

{table}

What the rows mean
- **muster --help**: whole processes. It imports {heavy} of numpy, shapely, reportlab, jinja2.
- **a kit**: `muster kit` as a process: a battle drawn, checked, proved, printed, preflighted and written, with the
  cache of a second run (fonts, compiled templates, the odds of its fights), beside Python importing the same
  libraries. The kits of Blind Faith have no target yet.
- **draw, check**: the same for `muster draw` and `muster check`.
- **a plain map page, one more**: what one more page of hexes, each with its name, and labelled discs adds to a
  document. Both tools draw the same things on a flat tint. It is the time of 31 pages less that of one, by thirty,
  everything warm. What the pages share is laid out and written once a document.
- **every unit elsewhere**: on each page all units stand one hex on, so that the names make room for them anew.
- **a PDF of that page alone**: one page, in which embedding the fonts weighs most.
- **the kit's map page, one more**: the page as a kit prints it, with terrain and banners, beside protograf's plain
  one.
- **all pairs, each further board**: from a board with its units to the list of pairs in sight of each other. The
  lines of the field are traced already: they depend on the shape of the board alone. The naive loop builds its
  polygons once, stops at the first hex that blocks, and knows no ruling. **The first board**: with
  every line traced anew.
- **rounds of a tournament**: the whole command by one process, in CPU seconds; then by two processes beside one.
- **the most memory**: what a process held at its fullest that drew, checked, printed and preflighted those pages as
  one file.
- **artillery sight**, **past silhouettes**: as all pairs, beside loops over Shapely.
- **by commit c1cecc9**: version 0.1, taken from the history and run by the same Python; without a history these rows
  are left out.
"""


def page(figures: Sequence[Figure], heavy: Sequence[str]) -> str:
    """Return the Markdown of docs/figures.md."""
    return PAGE.format(table="\n".join(table(figures, times=False)), heavy=", ".join(heavy) or "none")
