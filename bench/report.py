"""Format the figures as a page of the documentation. Only ratios are shown, because times depend on the machine."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figure import Figure, table

INTRODUCTION = """# Figures

`make bench` writes this page. For each row of the table, it measures the two cases alternately several times, and
compares the medians. If a target is missed, `make bench` fails. Rows without a target are for information. The page
shows only ratios, because times depend on the machine. Most times are processor times, because other programs on the
machine have little effect on them. For work that several processes share, elapsed time is measured. The code of the
baselines is in `bench/`.
"""
NOTES = """The rows of the table are:

- **muster --help**: the whole process is compared with that of a small Click program. `muster --help` imports {heavy}
  numpy, shapely, reportlab and jinja2.
- **a kit**: the process `muster kit` draws a battle, checks and proves it, prints and preflights its pages, measures
  their ink, and writes the files. Each of 40 codes of a game is printed twice, and the second print is measured, so
  that the cache contains the fonts, compiled templates and odds. The baseline is the process `python -c "import
  click, shapely, reportlab.platypus, jinja2"`. In these short processes, Muster turns off garbage collection. The
  baseline uses Python's default settings. The kits of Blind Faith have no target, because the time to compute a
  battle exactly varies widely.
- **draw**, **check**: the processes `muster draw` and `muster check` of each game are compared with the same
  baseline.
- **a plain map page**: the time that an additional page adds to a document. The page contains hexes with their names,
  and a labelled disc for each unit. Both tools draw the same hexes, names, discs and labels on a flat tint. The
  figure is the time for 31 pages minus the time for one page, divided by 30, from the first hex to the PDF on disk,
  with all caches filled. The grid and the names do not change, so Muster lays them out and writes them to the PDF
  only once. Discs that look the same are also written only once, but protograf writes each disc separately. Muster's
  discs additionally show a weapon and a letter.
- **the same with moved units**: all units are one hex farther on each page, so that the names of hexes must be placed
  again.
- **a PDF of this page alone**: a document of one page, for which embedding the fonts takes a larger share of the
  time. The time that protograf needs to open a document is not counted.
- **the kit's map page**: the page as a kit prints it, with relief, rivers, trees, letters and banners. The baseline
  is protograf's plain page, because protograf does not have drawings of terrain or banners.
- **each further board**: the time to compute, for a board with its units, the list of all pairs of hexes that see
  each other. This includes the rulings along hexsides and the exceptions for hills. The lines have already been
  traced for an earlier board, because they depend only on the shape of the board. The baseline is a simple loop with
  Shapely that builds its polygons once, uses the same whole-number lattice, stops at the first hex that blocks the
  line, and applies none of these rulings.
- **the first board**: the same for the first board of a shape in a process. For this board, every line must be
  traced.
- **draw and check of a scenario**: a Call to Arms battle is drawn from its code and checked against all rules. The
  data tables are already in memory. The baseline is the simple loop of the rows above.
- **rounds of a tournament**: the whole command `muster tournament pack`, which pairs and draws the rounds, prints and
  preflights their pages, and writes the index and the files. With one process, it must finish within a fixed number
  of CPU seconds.
- **with two processes**: the elapsed time of the same command with `--jobs 2`, compared with `--jobs 1`. Each table
  has its own scenario ([scaling](scaling.md)).
- **peak memory**: the memory of the process that draws, checks, prints and preflights the kits of 10 codes of every
  game as a single file, with tokens to cut out and boards at true size. Each kit is drawn only when its pages are
  needed, and the pages are written to a file on disk one by one.
- **artillery sight**: the time to compute which pairs of squares of a Travel Battle field, within the range of a gun,
  can see each other. The loop with Shapely keeps the shadow polygons that it has built. For **the first field**,
  Muster's caches are empty.
- **silhouettes**: the time to compute, from the polygons of a town, the table of all pairs of hexes that see each
  other, without a cache. In the loop with Shapely, the buildings have already been joined and prepared. The time of
  the loop is measured for 20,000 pairs and extrapolated to all pairs.
- **a first Japanese kit**: `muster kit --lang ja` with an empty cache, in elapsed time.
- **the gallery**: the whole page of the gallery, with fonts and templates cached, in elapsed time. Each version uses
  its default number of processes.
- **by commit c1cecc9**: the baseline is version 0.1 from the Git history, run with the same version of Python.
  Without the Git history, these rows are left out.
"""


def page(figures: Sequence[Figure], heavy: Sequence[str]) -> str:
    """Return the Markdown text of docs/figures.md.

    `heavy` are the libraries that `muster --help` imports although it should not.
    """
    imported = f"{', '.join(heavy)}, but should import none of" if heavy else "none of"
    return "\n".join([INTRODUCTION, *table(figures, times=False), "", NOTES.format(heavy=imported)])
