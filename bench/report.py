"""Format the figures as a page of the documentation. Only ratios are shown, because times depend on the machine."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figure import Figure, table

PAGE = """# Figures

`make bench` writes this page. It measures the two cases of each row in turn and takes medians. It fails if a target
is missed. Rows without a target are for information. The page only shows ratios, because times depend on the
machine. Times are CPU seconds, which change little on a busy machine. Work that several processes share is measured
in elapsed time. The code of the baselines is in `bench/`.

{table}

The rows of the table are:

- **muster --help**: two whole processes are compared. `muster --help` imports {heavy} of numpy, shapely, reportlab
  and jinja2.
- **a kit**: the process `muster kit` draws a battle and checks, proves, prints, preflights and writes it. The cache
  contains fonts, compiled templates and the odds of the fights, as in a second run. The baseline is a Python
  process that imports the same libraries. There is no target for the kits of Blind Faith.
- **draw, check**: the processes `muster draw` and `muster check` are compared with the same baseline.
- **a plain map page, one more**: the time that an additional page adds to a document. The page contains hexes with
  their names, and labelled discs. Both tools draw the same shapes and texts on a flat tint. The figure is the time
  for 31 pages minus the time for one page, divided by 30, with all caches filled. Parts that all pages share are
  laid out and written only once for each document.
- **every unit elsewhere**: all units are one hex farther on each page, so that the names of hexes must be placed
  again.
- **a PDF of that page alone**: a document of one page, for which embedding the fonts takes most of the time.
- **the kit's map page, one more**: the page as a kit prints it, with terrain and banners. The baseline is
  protograf's plain page.
- **all pairs, each further board**: the time from a board with its units to the list of all pairs of hexes in sight
  of each other. The lines of the field have already been traced, because they only depend on the shape of the
  board. The simple loop builds its polygons once, stops at the first hex that blocks the line, and does not apply
  any rulings. For **the first board**, every line is traced.
- **rounds of a tournament**: the whole command with one process, in CPU seconds, and then with two processes,
  compared with one process.
- **the most memory**: the peak memory of the process that draws, checks, prints and preflights these pages as a
  single file.
- **artillery sight**, **past silhouettes**: all pairs of cells in other games, compared with loops that use
  Shapely.
- **by commit c1cecc9**: the baseline is version 0.1 from the Git history, run by the same Python. Without the Git
  history, these rows are left out.
"""


def page(figures: Sequence[Figure], heavy: Sequence[str]) -> str:
    """Return the Markdown text of docs/figures.md."""
    return PAGE.format(table="\n".join(table(figures, times=False)), heavy=", ".join(heavy) or "none")
