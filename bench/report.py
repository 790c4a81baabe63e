"""The figures as a page of the documentation: ratios only, for times belong to a machine."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figure import Figure, table

PAGE = """# Figures

`make bench` measures these side by side, in turn, and takes medians; it tells at its end which targets hold, and
fails where one is missed. Only the ratios are shown here: times belong to a machine. They are a processor's, so that
a busy machine tells the same; those of work that several processes share, and of the studio, are a clock's. The
baselines' code is in `bench/`.

{table}

What is in them
- **muster --help**: whole processes. It imports {heavy} of numpy, shapely, reportlab, jinja2.
- **all pairs, each further board**: from a board with its units to the list of pairs in sight of each other,
  rulings along hexsides and the hills' exceptions included. The traces of the field are there already: they
  depend on the shape of the board alone. The naive loop builds its polygons once, stands on the same
  whole-number lattice, stops at the first hex that blocks, and knows none of those rulings.
- **all pairs, the first board**: the same with the traces of every line made anew, as the first board of that
  shape in a process has it.
- **draw and check**: a Call to Arms battle drawn from its code and held against all rules; tables are read.
- **a kit, draw, check**: `muster kit`, `muster draw` and `muster check` of each game as processes, a kit drawn,
  checked, proved, printed, looked over, its ink measured and written, with what a first one leaves in the cache
  (fonts, compiled templates, the odds of its fights), beside `python -c "import click, shapely, reportlab.platypus,
  jinja2"`. Muster's short process collects no garbage, which saves a tenth; the other is Python as it comes. Fights
  that are reckoned for the first time are told apart, each time by another code.
- **a plain map page, one more**: what a page of hexes, each with its name, and a labelled disc for each unit
  adds to a document; both tools draw the same hexes, names, discs and labels, on a flat tint. It is the time of
  31 pages less that of one, by thirty, from the first hex to the PDF on disk, everything warm. Tokens and labels
  are drawn anew on each page; what lies below them and is the same (ground, grid, names) is laid out once and
  described once a document, as is a token that looks like another (protograf describes each), and Muster's discs
  bear a weapon and a letter besides.
- **every unit elsewhere**: the same, but on each page all units stand one hex on, so that the names of hexes make
  room for them anew.
- **a PDF of that page alone**: the same with one page, so that embedding the fonts weighs in; what opening a
  document costs protograf is left out.
- **the kit's map page, one more**: the page as the kit prints it, with relief, rivers, trees, letters and
  banners, beside protograf's plain one: it has no such drawings to compare with.
- **a print of hundreds of pages**: the kits of four codes of every game, tokens to cut out and boards at true size
  too, as one file: the time from the kits to the PDF, by its pages. protograf draws the pages of one code of
  every game: their texts, lines, boxes and shapes, each at a place that it is given, so that it lays nothing out. A
  symbol of many parts is one dot, be it a form or, as tufts of grass are, a path; what is larger (a map's ground that
  pages share) is taken apart, and hatchings and grids are left out. It makes documents of 20 pages: in longer ones
  each page takes it longer. By this measure 0.1, whose pages have fewer things on them, comes out at 35 ×; its own
  bench drew every fourth page, among them a map of 1,404 marks, and came to 54 ×. Of today's 10.1 ms a page 4.0 go
  into drawing and writing down what is laid out, 5.5 into laying it out (3.2 of them maps, where names find their
  room, 0.7 templates), 0.6 into links, sheets and garbage: 120 × would be 4.7 ms.
- **the most memory**: what that process held at its fullest, drawing, checking, printing and preflight together,
  measured beside the room it may take; it looks for garbage after every hundred pages, as every print does.
- **ten times the pages**: the same process for one code of every game and for ten. A kit is drawn when its turn
  comes, and its pages are written as they are made, into a file that lies on disk.
- **past silhouettes**: from a town's polygons to the table of all pairs of hexes in sight of each other, nothing
  kept from before. The loop over Shapely has its buildings joined and prepared beforehand; it is timed on 20,000
  pairs, and all pairs are counted as so many times as long.
- **a thread**: two players guard with three machines each, turn after turn, and talk; from the text to what the judge
  tells of it, beside a thread a tenth as long.
- **rounds of a tournament**: the whole command with `--jobs 2` beside the same with `--jobs 1`, each table with a
  scenario of its own: pairings, draws, pages, preflight, index and files (docs/scaling.md).
- **the studio's picture**: from a wish changed as none was before to the SVG, by what the page asks of a warm studio,
  `muster kit --parts map --format svg`, over its socket; beside `muster kit --parts map` as a process.
- **rounds of a large tournament**: the whole command, by as many processes as there are cores, beside the same by the
  code of version 0.1, taken from the history and run by the same Python; left out where there is no history. Its
  memory is that of the largest of its processes for ten rounds, beside that for two.
- **a first Japanese kit**: `muster kit --lang ja` with nothing in the cache, beside version 0.1 by a code of its own.
- **the gallery**: the whole page with fonts and templates cached, beside version 0.1.
- **a case of the tests**: all tests of today and of version 0.1, each once by as many processes as there are cores,
  everything compiled and nothing in the cache: the time of all these processes, of those that collect and tell and of
  what the tests start, by the number of cases that ran (those that fail with newer libraries, too). Cases that are
  skipped take next to nothing and do not count; of a browser's processes those count that it has waited for.
- **games a second, games of BattleLore**: these hang on the machine itself: the code that had 1.43 × in one place has
  0.91 × in another, where its slow reference takes longer too.
- **make kit in a fresh clone**: its environment is set up before the clock starts; nothing is compiled or cached.
"""


def page(figures: Sequence[Figure], heavy: Sequence[str]) -> str:
    """The Markdown of docs/figures.md."""
    return PAGE.format(table="\n".join(table(figures, times=False)), heavy=", ".join(heavy) or "none")
