"""Format the figures as a page of the documentation. Only ratios are shown, because times depend on the machine."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figure import Figure, table

PAGE = """# Figures

`make bench` measures the two cases of each row in turn and takes medians. It fails if a target is missed; rows
without a target are for information. Only ratios are shown here, because times depend on the machine. The times are
CPU seconds, which change little on a busy machine; work that several processes share is measured in elapsed time. The
code of the baselines is in `bench/`.

{table}

What the rows mean
- **muster --help**: whole processes. It imports {heavy} of numpy, shapely, reportlab, jinja2.
- **a kit**: `muster kit` as a process: a battle drawn, checked, proved, printed, preflighted and written, with the
  cache of a second run (fonts, compiled templates, the odds of its fights). The baseline is Python importing the same
  libraries. The kits of Blind Faith have no target yet.
- **draw, check**: the same for `muster draw` and `muster check`.
- **a plain map page, one more**: what one more page of hexes, each with its name, and labelled discs adds to a
  document. Both tools draw the same things on a flat tint. The figure is the time of 31 pages minus the time of one
  page, divided by 30, with all caches filled. Parts that the pages share are laid out and written once a document.
- **every unit elsewhere**: all units stand one hex farther on each page, so that the names of hexes must be placed
  anew.
- **a PDF of that page alone**: one page, for which embedding the fonts takes most of the time.
- **the kit's map page, one more**: the page as a kit prints it, with terrain and banners. The baseline is protograf's
  plain page.
- **all pairs, each further board**: from a board with its units to the list of pairs in sight of each other. The
  lines of the field are traced already: they depend on the shape of the board alone. The simple loop builds its
  polygons once, stops at the first hex that blocks the line, and applies no ruling. **The first board**: with every
  line traced anew.
- **rounds of a tournament**: the whole command with one process, in CPU seconds; then two processes compared with
  one.
- **the most memory**: the peak memory of the process that draws, checks, prints and preflights these pages as one
  file.
- **artillery sight**, **past silhouettes**: like all pairs, compared with loops that use Shapely.
- **by commit c1cecc9**: version 0.1 from the Git history, run by the same Python. Without the history, these rows are
  left out.
"""


def page(figures: Sequence[Figure], heavy: Sequence[str]) -> str:
    """Return the Markdown text of docs/figures.md."""
    return PAGE.format(table="\n".join(table(figures, times=False)), heavy=", ".join(heavy) or "none")
