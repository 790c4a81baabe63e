"""What is the organiser's alone: every code and answer of a round, and where everything lies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from generator.games.covers import verdict
from generator.games.fairness import certificate_line
from generator.games.fairsheet import certificate_sheet
from generator.model.views import Kit, Sheet
from generator.model.words import Words, joined, same
from generator.tournament.event import Drawn, Event
from generator.tournament.pairings import Round
from generator.tournament.scenarios import Deal
from generator.tournament.sheets import own_kit, pages
from generator.tournament.words import words


def organiser_kit(event: Event, round_: Round, deal: Deal) -> Kit:
    """The organiser's sheets of a round: what was drawn for it, and how fair that is."""
    say = words()["organiser"]
    facts = [
        (say["event"], same(event.name)),
        (say["game"], event.game.title),
        (say["code"], same(event.order.code)),
        *([(say["opens"], same(event.secret_of(round_.number)))] if event.secret else []),
        (say["mode"], say[event.mode]),
        *((same(f"--{name}"), same(value)) for name, value in event.order.wishes.items()),
    ]
    played = deal.played
    tables = [{"table": p.table, "a": p.a, "b": p.b, "kit": deal.at[p.table].stamp} for p in round_.tables]
    view = {
        "event": event.name,
        "round": words()["at"]["round"].fill(n=round_.number),
        "facts": [_fact(name, value) for name, value in facts],
        "scenarios": [_answer(event, one, deal) for one in played],
        "tables": tables,
        "several": len(played) > 1,
        "byes": [p.a for p in round_.pairings if p.bye],
    }
    title = words()["part"]["organiser"]
    many = pages(tables) + len(played)
    sheet = Sheet("organiser", title, "tournament/organiser.xml", view, pages=many)
    return own_kit(event, event.order.code, sheet, *_certificates(event, played))


def index_kit(event: Event, rounds: Sequence[tuple[int, Sequence[Mapping[str, object]]]]) -> Kit:
    """Where everything lies: for each round, as its manifest lists them, the files, pages, tables and kits."""
    rows = [row for _, found in rounds for row in found]
    view = {"event": event.name, "rounds": [_contents(number, found) for number, found in rounds]}
    many = pages(rows) + len(rounds)
    title = words()["part"]["index"]
    return own_kit(event, "", Sheet("index", title, "tournament/index.xml", view, pages=many))


def _contents(number: int, rows: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """A round of the index; `kit` where all its tables have the same."""
    kits = list(dict.fromkeys(row["kit"] for row in rows if row["kit"]))
    return {
        "round": words()["at"]["round"].fill(n=number),
        "file": rows[0]["file"],
        "kit": kits[0] if len(kits) == 1 else "",
        "rows": [dict(row) for row in rows],
    }


def _certificates(event: Event, played: Sequence[Drawn]) -> Iterator[Sheet]:
    """A page for each scenario, headed by its kit; none in a game that has no measures."""
    for one in played:
        if event.game.fairness and one.certificate:
            sheet = certificate_sheet(event.game.fairness, one.scenario, one.certificate)
            yield replace(sheet, side=words()["organiser"]["of"].fill(stamp=one.stamp))


def _answer(event: Event, drawn: Drawn, deal: Deal) -> dict[str, object]:
    """All that there is to know of a scenario."""
    say = words()["organiser"]
    again = [
        say["again_at"].fill(table=table, names=", ".join(names))
        for table, names in deal.again.items()
        if deal.at[table] is drawn
    ]
    facts = [
        (say["own"], same(drawn.code)),
        (say["tables"], say["all"] if len(deal.played) == 1 else joined([same(t) for t in deal.tables(drawn)])),
        (say["command"], same(drawn.command)),
        (say["verdict"], verdict(drawn.report, say)),
        *([(say["fairness"], certificate_line(drawn.certificate))] if drawn.certificate else []),
        *([(say["again"], joined(again))] if again else []),
    ]
    return {
        "title": say["scenario"].fill(stamp=drawn.stamp, title=drawn.scenario.title),
        "story": event.game.story(drawn.scenario),
        "facts": [_fact(name, value) for name, value in facts],
    }


def _fact(name: Words, value: Words) -> dict[str, Words]:
    return {"name": name, "value": value}
