"""Fill the pages that every kit has: cover, warnings, certificate of fairness."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import cast

import msgspec
from msgspec.structs import replace

from generator.common.fairness import Certificate, Exact, Fairness, MeasureRow, S, certificate_line
from generator.common.tables import marked, place_words, shared_words
from generator.common.tables import words as words_of
from generator.grid.hexes import Cell
from generator.model.picture import Item, Pen, Picture, line, rectangle
from generator.model.scenario import Scenario
from generator.model.views import Figure, Kit, Later, Legend, MapView, Printed, Ring, Shade, Sheet
from generator.model.words import Words, same
from generator.rules import LEVELS, Finding, Report

SHOWN = 6
"""So many findings stand on a cover; `muster check` lists them all."""


def verdict(report: Report, say: Mapping[str, Words]) -> Words:
    """What a check came to: `legal`, `illegal`, `unproved` or `remarked`, with {n} rules and {m} such findings.

    Advice counts nowhere: by it nothing is legal or not.
    """
    n = sum(rule.tier != "advice" for rule in report.rules)
    if report.illegal:
        return say["illegal"].fill(n=n, m=len(report.illegal))
    if report.unproved:
        return say["unproved"].fill(n=n, m=len(report.unproved))
    if beside := len(report.remarks):
        return say["remarked"].fill(n=n, m=beside)
    return say["legal"].fill(n=n)


def whence(source: str) -> Words:
    """Where a rule comes from, as a person reads it; `source` is as in rules.toml: `seed: set-up; house: ties`."""
    told, (first, *more) = shared_words()["source"], source.split("; ")
    kind, _, where = first.partition(": ")
    found = told[f"{kind}_of"].fill(where=_place(kind, where)) if where else told.get(kind, same(first))
    return told["also"].fill(one=found, other=whence("; ".join(more))) if more else found


def _place(kind: str, where: str) -> Words:
    """A place of a rule text (`go 3a-2`, `chess, castling`: the game first), or what of a rule is ours (`ties`)."""
    if kind == "house":
        return shared_words()["aside"][where]
    game, chapter = re.split(",? ", where, maxsplit=1)
    # A paragraph by its number reads the same in both languages.
    place = same(chapter) if chapter[0].isdigit() else words_of(game)["chapter"][chapter]
    # A full-width bracket brings its own space.
    return Words(place.en, place.ja if place.ja.startswith("「") else f" {place.ja}")


def sourced(text: Words, source: str) -> Words:
    """A sentence with where it comes from."""
    return shared_words()["source"]["behind"].fill(text=text, source=whence(source))


def warning(report: Report) -> Words | None:
    """What stands at the foot of every page of a kit that is not legal."""
    return shared_words()["cover"]["warning"] if report.illegal else None


def _illegal(report: Report) -> dict[str, object]:
    """What a cover cries out: that the kit is not legal, the first findings, and where to read them all."""
    say, found = shared_words()["cover"], report.illegal
    if not found:
        return {}
    return {
        "head": say["warning"],
        "findings": [_told(finding) for finding in found[:SHOWN]],
        "see": verdict(report, say),
    }


def _told(finding: Finding) -> Words:
    """Where and why; the reason alone where it names the place, or where that is no more than a key of the file."""
    if not finding.cells or not finding.where or finding.why.en.startswith(finding.where):
        return finding.why
    return shared_words()["cover"]["finding"].fill(where=place_words(finding.where), why=finding.why)


class Cover(msgspec.Struct, frozen=True):
    """What a game's cover has of its own."""

    template: str
    field: Figure
    facts: Iterable[tuple[Words, Words]]
    """The battle at a glance, each with its name."""
    content: Iterable[Words]
    """Whose the parts are."""
    own: Mapping[str, object] = {}
    """What its template prints besides."""
    figures: Mapping[str, Figure] = {}
    """The pictures in its margin, by name."""


def covered(
    title: Words,
    scenario: Scenario,
    report: Report,
    stamp: str,
    command: str,
    cover: Cover | Callable[[], Cover],
    sheets: Sequence[Printed | Later],
    more: Iterable[Printed | Later],
) -> Kit:
    """Return a game's kit, which begins with its cover; `more` is printed only if it is requested.

    A cover that takes time is given as a function, which is called only if the cover is printed.
    """

    def front_sheet() -> Sheet:
        return _cover_sheet(scenario, report, stamp, command, cover() if callable(cover) else cover)

    front = Later("cover", lambda: [front_sheet()]) if callable(cover) else front_sheet()
    return Kit(title, scenario.title, stamp, (front, *sheets), tuple(more))


def _cover_sheet(scenario: Scenario, report: Report, stamp: str, command: str, cover: Cover) -> Sheet:
    """The cover: its own, how the kit is made again, whether it is legal.

    By what it is known is the last of the facts: its code, or the hash of what a person wrote.
    """
    say = shared_words()["cover"]
    known = say["code" if scenario.origin.code else "content"], same(stamp)
    view = {
        "facts": [{"name": name, "value": value} for name, value in (*cover.facts, known)],
        "command": command,
        "files": [f"{f.name}  sha256 {f.sha256}" for f in scenario.origin.files.values()],
        "verdict": verdict(report, say),
        "illegal": _illegal(report),
        "content": list(cover.content),
        **cover.own,
    }
    return Sheet("cover", scenario.title, cover.template, view, {"map": cover.field, **cover.figures}, landscape=True)


def audit_sheet(
    report: Report, groups: Iterable[Mapping[str, object]], drawn: bool, lines: Iterable[Words] = ()
) -> Sheet:
    """What was drawn and why: a log in words, its groups as `scenario_file.checklist` makes them.

    `drawn` is false where a person wrote the scenario and the steps follow from it. `lines` are what else is told
    of how it came about: its fairness, whose its parts are.
    """
    say, rows, count = shared_words()["audit"], list[dict[str, object]](), 0
    for group in groups:
        steps = list(cast(Iterable[Words], group["steps"]))
        rows.append({"who": group["who"], "first": count + 1, "steps": steps})
        count += len(steps)
    # Where the second column begins: at the group next to the middle.
    middle = min(
        range(len(rows)), key=lambda i: abs(2 * (cast(int, rows[i]["first"]) - 1) - count), default=0
    ) or len(rows)
    return Sheet(
        part="audit",
        title=say["title"],
        template="base/audit.xml",
        view={
            "intro": say["drawn" if drawn else "read" if rows else "blank"],
            "halves": [rows[:middle], rows[middle:]],
            "lines": [
                verdict(report, shared_words()["cover"]),
                *(line for line in lines if line.en),
                *([say["streams"]] if drawn else []),
            ],
        },
        pages=4,
    )


def findings_sheet(kit: Kit, report: Report) -> Sheet:
    """Every finding of a check, those that are about cells ringed on the map of the kit, by their numbers there.

    A cell with several findings bears all their numbers; where a rule knows lawful cells, these are shaded.
    """
    say = shared_words()["findings"]
    numbered = list(enumerate(report.findings, 1))
    figures: dict[str, Figure] = {}
    if (view := _map(kit)) and (ringed := _ringed(view, numbered)):
        figures["map"] = ringed
    groups = [
        {
            "head": say[level],
            "rows": [
                {
                    "n": n,
                    "line": say["line"].fill(n=found.line) if found.line else None,
                    "why": _told(found),
                    "rule": sourced(found.rule.text, found.rule.source),
                    "mend": found.mend.splitlines(),
                }
                for n, found in numbered
                if found.level == level
            ],
        }
        for level in LEVELS
        if report.of(level)
    ]
    shown = {"verdict": verdict(report, shared_words()["say"]), "groups": groups, "map": "map" in figures}
    return Sheet("findings", say["title"], "findings.xml", shown, figures, pages=6)


def _map(kit: Kit) -> MapView | None:
    """The first map of a kit on which units stand; None where there is none."""
    figures = (figure for sheet in kit.sheets if isinstance(sheet, Sheet) for figure in sheet.figures.values())
    return next((figure for figure in figures if isinstance(figure, MapView) and figure.tokens), None)


BESIDE = 2
"""Numbers of findings that have room beside a ring."""


def _ringed(view: MapView, findings: Iterable[tuple[int, Finding]]) -> MapView | None:
    """The map with rings around what is at fault, and lawful cells shaded; None where no finding is about a cell."""
    cells = {view.grid.name(cell): cell for cell in view.grid.cells}
    numbers: dict[Cell, list[str]] = {}
    lawful: dict[Cell, None] = {}
    for n, found in findings:
        for name in found.cells or (found.where,):
            if name in cells:
                numbers.setdefault(cells[name], []).append(str(n))
        lawful.update((cells[name], None) for name in found.lawful if name in cells)
    if not numbers:
        return None
    say = shared_words()["findings"]
    legend = [Legend("ring", say["ringed"]), *([Legend("reach", say["lawful"])] if lawful else [])]
    return replace(
        view,
        rings=tuple(Ring(cell, " ".join(of if len(of) <= BESIDE else [of[0], "…"])) for cell, of in numbers.items()),
        shades=(Shade("reach", tuple(lawful)),) if lawful else (),
        rays=(),
        legend=tuple(legend),
    )


WIDTH, HEIGHT = 42.0, 4.6
"""Of a bar's picture, in mm."""
AT_LIMIT = 14.0
"""How far from the middle a limit is drawn, in mm."""
_SHORT = 6
"""So many characters of a number find room in a column."""
UNKNOWN = "—"
"""What stands for a number that was not reckoned."""
INSIDE, OUTSIDE, RULE = "#8a8a8a", "#202020", "#505050"


def certificate_sheet(fairness: Fairness[S], scenario: S, found: Certificate) -> Sheet:
    """The whole certificate, for the organiser."""
    say = shared_words()["fairness"]
    figures: dict[str, Figure] = {f"bar{i}": bar(row) for i, row in enumerate(found.rows)}
    return Sheet(
        part="certificate",
        title=say["title"],
        template="fairness.xml",
        view={
            "line": certificate_line(found),
            "verdict": verdict(found.report, shared_words()["cover"]) if found.report else None,
            "sides": list(found.sides),
            "reported": say["reported"].fill(first=found.first),
            "heads": [marked(say["measure"], "house"), say["bar"], say["difference"], say["limit"]],
            "rows": [
                {
                    "name": row.measure.name,
                    "text": row.measure.text,
                    "why": say["not_reckoned"].fill(why=row.why) if row.why else None,
                    "values": [in_words(value) for value in row.values or (None, None)],
                    "difference": signed(row.difference),
                    "limit": in_words(row.measure.most),
                    "beyond": row in found.beyond,
                    "bar": f"bar{i}",
                }
                for i, row in enumerate(found.rows)
            ],
            "differs": list(found.differs),
            "about": say["about"],
        },
        figures={"map": fairness.view(scenario), **figures},
    )


def in_words(number: Exact | None, sign: str = "") -> str:
    """A number as people write it: `5`, `0.33 (1/3)`; `≈6.03` where the fraction is longer; a dash for none."""
    if number is None:
        return UNKNOWN
    if number == int(number):
        return f"{sign}{int(number)}"
    near = float(number)
    decimals = f"{near:.2f}".rstrip("0") if near >= 0.01 else f"{near:.1g}"
    exact = str(number)
    return f"{sign}{decimals} ({sign}{exact})" if len(exact) <= _SHORT else f"≈{sign}{decimals}"


def signed(number: Exact | None) -> str:
    """A difference: with the sign of whose it is more.

    >>> signed(Fraction(-1, 2)), signed(3), signed(0)
    ('−0.5 (−1/2)', '+3', '0')
    """
    if number is None:
        return UNKNOWN
    return in_words(max(number, -number), "+" if number > 0 else "−" if number < 0 else "")


def bar(row: MeasureRow) -> Picture:
    """A bar from the middle towards the side that has more; upright lines stand at the limits.

    Of what was not reckoned there is no bar, no limit and no middle: only a dashed line all across.
    """
    middle, half = WIDTH / 2, HEIGHT / 2
    items: list[Item] = []
    most = row.measure.most
    if row.difference is None:
        return Picture(WIDTH, HEIGHT, (line(((0, half), (WIDTH, half)), Pen(INSIDE, 0.3, (1.5, 1.5))),))
    # A limit of nothing is drawn next to the middle, and whatever is more reaches beyond it.
    share = abs(float(row.difference / Fraction(most))) if most else float(bool(row.difference)) * WIDTH
    far = min(share * AT_LIMIT, middle)
    if far:
        left = middle - far if row.difference > 0 else middle
        items.append(rectangle(left, half - 1.1, far, 2.2, INSIDE if row.within else OUTSIDE))
    items.append(line(((middle, 0.4), (middle, HEIGHT - 0.4)), Pen(RULE, 0.3)))
    for x in (middle - AT_LIMIT, middle + AT_LIMIT) if most else ():
        items.append(line(((x, 0.9), (x, HEIGHT - 0.9)), Pen(RULE, 0.2, (0.6, 0.5))))
    return Picture(WIDTH, HEIGHT, tuple(items))


def lines(found: Certificate) -> list[Words]:
    """The certificate for the terminal: the grade, the measures a line each, what is reported."""
    say = shared_words()["fairness"]
    rows = [
        say["row"].fill(
            mark="✗" if row in found.beyond else " ",
            name=row.measure.name,
            first=in_words(row.values[0]),
            second=in_words(row.values[1]),
            difference=signed(row.difference),
            limit=in_words(row.measure.most),
            unit=row.measure.unit,
        )
        if row.values
        else say["blank"].fill(name=row.measure.name, why=row.why)
        for row in found.rows
    ]
    sides = say["sides"].fill(first=found.sides[0], second=found.sides[1])
    checked = [verdict(found.report, shared_words()["cover"])] if found.report else []
    return [certificate_line(found), *checked, sides, *rows, say["reported"].fill(first=found.first), *found.differs]
