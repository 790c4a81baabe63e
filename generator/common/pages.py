"""Fill the pages that every kit has, such as the cover, the warning and the certificate of fairness."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import cast

import msgspec
from msgspec.structs import replace

from generator.common.cover_text import split_text
from generator.common.fairness import Certificate, Exact, Fairness, MeasureRow, S, certificate_line
from generator.common.search import certified_lines
from generator.common.tables import mark_house_content, place_words, shared_words
from generator.common.tables import words as words_of
from generator.grid.hexes import Cell, aspect
from generator.model.picture import Item, Pen, Picture, line, rectangle
from generator.model.scenario import AdventureTexts, Scenario, WithTexts
from generator.model.views import Figure, Kit, Later, Legend, MapView, Printed, Ring, Shade, Sheet
from generator.model.words import LANGS, Lang, Words, joined, same
from generator.rules import LEVELS, Finding, Report

MAX_FINDINGS_ON_COVER = 6
"""The maximum number of findings on a cover. `muster check` lists all findings."""


def verdict(report: Report, texts: Mapping[str, Words]) -> Words:
    """Return the result of a check as text.

    `texts` has the keys `legal`, `illegal`, `unproved` and `remarked`. In each text, {n} is the number of rules and
    {m} the number of findings. Advice is not counted, because it does not affect legality.
    """
    n = deciding_rules(report)
    if report.illegal:
        return texts["illegal"].fill(n=n, m=len(report.illegal))
    if report.unproved:
        return texts["unproved"].fill(n=n, m=len(report.unproved))
    if remarks := len(report.remarks):
        return texts["remarked"].fill(n=n, m=remarks)
    return texts["legal"].fill(n=n)


def deciding_rules(report: Report) -> int:
    """Return the number of rules that decide whether a scenario is legal. Advice does not."""
    return sum(rule.tier != "advice" for rule in report.rules)


def source_words(source: str) -> Words:
    """Return the source of a rule in words.

    `source` has the notation of rules.toml, such as `seed: set-up; house: ties`.
    """
    texts, (first, *more) = shared_words()["source"], source.split("; ")
    kind, _, where = first.partition(": ")
    found = texts[f"{kind}_of"].fill(where=_place(kind, where)) if where else texts.get(kind, same(first))
    return texts["also"].fill(one=found, other=source_words("; ".join(more))) if more else found


def _place(kind: str, where: str) -> Words:
    """Return a place in a rule text (`go 3a-2`, `chess, castling`) or a house rule (`ties`) in words.

    The house rule of a user's game may be a sentence of its own, which is returned unchanged.
    """
    if kind == "house":
        return shared_words()["aside"].get(where, same(where))
    game, chapter = re.split(",? ", where, maxsplit=1)
    # The numbers of paragraphs are the same in both languages.
    place = joined(map(same, chapter.split(", "))) if chapter[0].isdigit() else words_of(game)["chapter"][chapter]
    # A full-width bracket needs no space before it.
    return Words(place.en, place.ja if place.ja.startswith("「") else f" {place.ja}")


def with_source(text: Words, source: str) -> Words:
    """Return a sentence followed by its source."""
    return shared_words()["source"]["behind"].fill(text=text, source=source_words(source))


def warning(report: Report) -> Words | None:
    """Return the warning at the foot of every page of an illegal kit, or None for a legal one."""
    return shared_words()["cover"]["warning"] if report.illegal else None


def _illegal(report: Report) -> dict[str, object]:
    """Return the values for the warning on an illegal kit's cover: the first findings and the verdict."""
    texts, found = shared_words()["cover"], report.illegal
    if not found:
        return {}
    return {
        "head": texts["warning"],
        "findings": [_finding_words(finding) for finding in found[:MAX_FINDINGS_ON_COVER]],
        "see": verdict(report, texts),
    }


def _finding_words(finding: Finding) -> Words:
    """Return the place and the reason of a finding.

    Only the reason is returned if it already names the place, or if the place is only a key of the file.
    """
    if not finding.cells or not finding.where or finding.why.en.startswith(finding.where):
        return finding.why
    return shared_words()["cover"]["finding"].fill(where=place_words(finding.where), why=finding.why)


class Cover(msgspec.Struct, frozen=True):
    """The values of a cover that the game supplies."""

    template: str
    field: Figure
    facts: Iterable[tuple[Words, Words]]
    """The main facts of the battle, as names and values."""
    content: Iterable[Words]
    """Lines that credit each part to its owner."""
    extra: Mapping[str, object] = {}
    """Other values for the template."""
    figures: Mapping[str, Figure] = {}
    """The pictures in the margin, keyed by name."""


def kit_with_cover(
    title: Words,
    scenario: Scenario,
    report: Report,
    stamp: str,
    command: str,
    cover: Cover | Callable[[], Cover],
    sheets: Sequence[Printed | Later],
    more: Iterable[Printed | Later],
) -> Kit:
    """Return a game's kit, which begins with its cover. The sheets in `more` are printed only if requested.

    A cover that is slow to compute is given as a function, which is called only if the cover is printed.
    """

    def front_sheet() -> Sheet:
        return _cover_sheet(scenario, report, stamp, command, cover() if callable(cover) else cover)

    front = Later("cover", lambda: [front_sheet()]) if callable(cover) else front_sheet()
    return Kit(title, scenario.title, stamp, (front, *_texts_sheets(scenario), *sheets), tuple(more))


LEAD_LIMITS: Mapping[Lang, int] = {"en": 450, "ja": 250}
"""The maximum number of characters of a briefing that the cover has room for, by language. A text that Muster writes
has about the same length."""
_LEAD_LINES: Mapping[Lang, int] = {"en": 160, "ja": 80}
"""The maximum number of characters of a briefing that is set in larger type on a few lines."""


def _texts(scenario: Scenario) -> AdventureTexts:
    return scenario.texts if isinstance(scenario, WithTexts) else AdventureTexts()


def _fits_cover(briefing: Words) -> bool:
    """Return whether a briefing is a single short paragraph, which the cover prints in place of its own sentence."""
    return all(len(briefing[lang]) <= LEAD_LIMITS[lang] and "\n" not in briefing[lang] for lang in LANGS)


def _written_lead(briefing: Words) -> object:
    """Return a briefing for a cover: in larger type if it is short, and otherwise in columns."""
    if all(len(briefing[lang]) <= _LEAD_LINES[lang] for lang in LANGS):
        return briefing
    return split_text(briefing).view


def _paragraphs(text: Words) -> list[Words]:
    """Return the lines of a text; if a language has fewer lines, its last ones are empty."""
    lines = [[line for line in text[lang].splitlines() if line.strip()] for lang in LANGS]
    return [Words(*pair) for pair in zip_longest(*lines, fillvalue="")]


def _texts_sheets(scenario: Scenario) -> Iterator[Sheet]:
    """Yield the sheet with the briefing and the special rules, unless there are none that the cover lacks."""
    texts, names = _texts(scenario), shared_words()["adventure"]
    rows = [
        {"name": names[name], "paragraphs": _paragraphs(words)}
        for name, words in (("briefing", texts.briefing), ("special_rules", texts.special_rules))
        if words.en and (texts.special_rules.en or not _fits_cover(words))
    ]
    if rows:
        view = {"rows": rows, "note": names["players_apply"] if texts.special_rules.en else None}
        yield Sheet("briefing", names["title"], "base/briefing.xml", view, pages=4)


def _cover_sheet(scenario: Scenario, report: Report, stamp: str, command: str, cover: Cover) -> Sheet:
    """Return the cover with the game's own facts, the command that prints the kit again, and the verdict.

    The last fact identifies the kit: its code, or the content hash of a scenario written by hand.
    """
    texts = shared_words()["cover"]
    known = texts["code" if scenario.origin.code else "content"], same(stamp)
    view = {
        "facts": [{"name": name, "value": value} for name, value in (*cover.facts, known)],
        "command": command,
        "files": [f"{f.name}  sha256 {f.sha256}" for f in scenario.origin.files.values()],
        "verdict": verdict(report, texts),
        "illegal": _illegal(report),
        "content": list(cover.content),
        **cover.extra,
    }
    written = _texts(scenario)
    if written.briefing.en and _fits_cover(written.briefing):
        view |= {key: _written_lead(written.briefing) for key in ("brief", "lead") if key in view}
    if written.special_rules.en:
        view["content"] = [*cover.content, shared_words()["adventure"]["see"]]
    return Sheet("cover", scenario.title, cover.template, view, {"map": cover.field, **cover.figures}, landscape=True)


def audit_sheet(
    report: Report,
    groups: Iterable[Mapping[str, object]],
    drawn: bool,
    lines: Iterable[Words] = (),
    position: MapView | None = None,
) -> Sheet:
    """Return the page that lists the steps of a scenario's log in words, grouped by `scenario_file.checklist`.

    `drawn` is false for a scenario written by hand, whose steps are derived from it. `lines` are further lines
    about the scenario's origin, such as its fairness and the owners of its parts. Below the steps are the texts of
    the rules that decide whether the scenario is legal. If there is room below them, the map of the checked
    `position` is added.
    """
    texts, rows, count = shared_words()["audit"], list[dict[str, object]](), 0
    for group in groups:
        steps = list(cast(Iterable[Words], group["steps"]))
        rows.append({"who": group["who"], "first": count + 1, "steps": steps})
        count += len(steps)
    # The second column starts with the group closest to the middle.
    middle = min(
        range(len(rows)), key=lambda i: abs(2 * (cast(int, rows[i]["first"]) - 1) - count), default=0
    ) or len(rows)
    return Sheet(
        part="audit",
        title=texts["title"],
        template="base/audit.xml",
        view={
            "intro": texts["drawn" if drawn else "read" if rows else "blank"],
            "halves": [rows[:middle], rows[middle:]],
            "lines": [
                verdict(report, shared_words()["cover"]),
                *(line for line in lines if line.en),
                *([texts["streams"]] if drawn else []),
            ],
            "rules_head": texts["rules"],
            "rules": [with_source(rule.text, rule.source) for rule in report.rules if rule.tier != "advice"],
            "position": texts["position"] if position else "",
            "aspect": aspect(position.grid) if position else 1.0,
        },
        figures={"position": position} if position else {},
        pages=4,
        rather=1,
    )


def findings_sheet(kit: Kit, report: Report) -> Sheet:
    """Return a page with all findings of a check. Findings about cells have numbered rings on the map of the kit.

    A cell with several findings has all their numbers. The legal alternatives to a finding are shaded.
    """
    texts = shared_words()["findings"]
    numbered = list(enumerate(report.findings, 1))
    figures: dict[str, Figure] = {}
    if (view := _map(kit)) and (ringed := _ringed(view, numbered)):
        figures["map"] = ringed
    groups = [
        {
            "head": texts[level],
            "rows": [
                {
                    "n": n,
                    "line": texts["line"].fill(n=found.line) if found.line else None,
                    "why": _finding_words(found),
                    "rule": with_source(found.rule.text, found.rule.source),
                    "mend": found.suggested_fix.splitlines(),
                }
                for n, found in numbered
                if found.level == level
            ],
        }
        for level in LEVELS
        if report.of(level)
    ]
    view_values = {"verdict": verdict(report, shared_words()["say"]), "groups": groups, "map": "map" in figures}
    return Sheet("findings", texts["title"], "findings.xml", view_values, figures, pages=6)


def _map(kit: Kit) -> MapView | None:
    """Return the first map of a kit that shows units, or None if there is none."""
    figures = (figure for sheet in kit.sheets if isinstance(sheet, Sheet) for figure in sheet.figures.values())
    return next((figure for figure in figures if isinstance(figure, MapView) and figure.tokens), None)


MAX_NUMBERS_ON_RING = 2
"""The maximum number of findings whose numbers fit on a ring."""


def _ringed(view: MapView, findings: Iterable[tuple[int, Finding]]) -> MapView | None:
    """Return the map with faulty cells ringed and legal ones shaded, or None if no finding is about a cell."""
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
    texts = shared_words()["findings"]
    legend = [Legend("ring", texts["ringed"]), *([Legend("reach", texts["lawful"])] if lawful else [])]
    return replace(
        view,
        rings=tuple(
            Ring(cell, " ".join(of if len(of) <= MAX_NUMBERS_ON_RING else [of[0], "…"]))
            for cell, of in numbers.items()
        ),
        shades=(Shade("reach", tuple(lawful)),) if lawful else (),
        rays=(),
        legend=tuple(legend),
    )


WIDTH, HEIGHT = 42.0, 4.6
"""The width and height of a bar's picture, in mm."""
AT_LIMIT = 14.0
"""The distance between the middle of a bar and the limit, in mm."""
_SHORT = 6
"""The maximum number of characters of a fraction that fits in its column."""
UNKNOWN = "—"
"""The dash that is printed for a number that was not computed."""
INSIDE, OUTSIDE, RULE = "#8a8a8a", "#202020", "#505050"


def certificate_sheet(fairness: Fairness[S], scenario: S, found: Certificate) -> Sheet:
    """Return the page with the whole certificate, which is meant for the organiser."""
    texts = shared_words()["fairness"]
    figures: dict[str, Figure] = {f"bar{i}": bar(row) for i, row in enumerate(found.rows)}
    return Sheet(
        part="certificate",
        title=texts["title"],
        template="fairness.xml",
        view={
            "line": certificate_line(found),
            "verdict": verdict(found.report, shared_words()["cover"]) if found.report else None,
            "sides": list(found.sides),
            "reported": texts["reported"].fill(first=found.first),
            "heads": [
                mark_house_content(texts["measure"], "house"),
                texts["bar"],
                texts["difference"],
                texts["limit"],
            ],
            "rows": [
                {
                    "name": row.measure.name,
                    "text": row.measure.text,
                    "why": texts["not_computed"].fill(why=row.why) if row.why else None,
                    "values": [in_words(value) for value in row.values or (None, None)],
                    "difference": signed(row.difference),
                    "limit": in_words(row.measure.max_difference),
                    "beyond": row in found.beyond,
                    "bar": f"bar{i}",
                }
                for i, row in enumerate(found.rows)
            ],
            "differs": list(found.differs),
            "about": texts["about"],
            "certified": certified_lines(fairness.tables, scenario),
        },
        figures={"map": fairness.view(scenario), **figures},
    )


def in_words(number: Exact | None, sign: str = "") -> str:
    """Return a number as printed: `5`, `0.33 (1/3)`, `≈6.03` for a longer fraction, or a dash for None."""
    if number is None:
        return UNKNOWN
    if number == int(number):
        return f"{sign}{int(number)}"
    near = float(number)
    decimals = f"{near:.2f}".rstrip("0") if near >= 0.01 else f"{near:.1g}"
    exact = str(number)
    return f"{sign}{decimals} ({sign}{exact})" if len(exact) <= _SHORT else f"≈{sign}{decimals}"


def signed(number: Exact | None) -> str:
    """Return a difference as printed, with its sign.

    >>> signed(Fraction(-1, 2)), signed(3), signed(0)
    ('−0.5 (−1/2)', '+3', '0')
    """
    if number is None:
        return UNKNOWN
    return in_words(max(number, -number), "+" if number > 0 else "−" if number < 0 else "")


def bar(row: MeasureRow) -> Picture:
    """Return a bar from the middle towards the side with the larger value, with vertical lines at the limits.

    If the measure was not computed, the picture is a dashed line across the whole width.
    """
    middle, half = WIDTH / 2, HEIGHT / 2
    items: list[Item] = []
    limit = row.measure.max_difference
    if row.difference is None:
        return Picture(WIDTH, HEIGHT, (line(((0, half), (WIDTH, half)), Pen(INSIDE, 0.3, (1.5, 1.5))),))
    # If the limit is 0, no limit is drawn and any difference reaches the end of the bar.
    share = abs(float(row.difference / Fraction(limit))) if limit else float(bool(row.difference)) * WIDTH
    far = min(share * AT_LIMIT, middle)
    if far:
        left = middle - far if row.difference > 0 else middle
        items.append(rectangle(left, half - 1.1, far, 2.2, INSIDE if row.within else OUTSIDE))
    items.append(line(((middle, 0.4), (middle, HEIGHT - 0.4)), Pen(RULE, 0.3)))
    for x in (middle - AT_LIMIT, middle + AT_LIMIT) if limit else ():
        items.append(line(((x, 0.9), (x, HEIGHT - 0.9)), Pen(RULE, 0.2, (0.6, 0.5))))
    return Picture(WIDTH, HEIGHT, tuple(items))


def lines(found: Certificate) -> list[Words]:
    """Return the certificate as lines for the terminal."""
    texts = shared_words()["fairness"]
    rows = [
        texts["row"].fill(
            mark="✗" if row in found.beyond else " ",
            name=row.measure.name,
            first=in_words(row.values[0]),
            second=in_words(row.values[1]),
            difference=signed(row.difference),
            limit=in_words(row.measure.max_difference),
            unit=row.measure.unit,
        )
        if row.values
        else texts["blank"].fill(name=row.measure.name, why=row.why)
        for row in found.rows
    ]
    sides = texts["sides"].fill(first=found.sides[0], second=found.sides[1])
    checked = [verdict(found.report, shared_words()["cover"])] if found.report else []
    return [
        certificate_line(found),
        *checked,
        sides,
        *rows,
        texts["reported"].fill(first=found.first),
        *found.differs,
    ]
