"""How Muster speaks on the terminal."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from generator.model.words import LANGS, Lang
from generator.rules.rule import Finding, Report


def default_lang() -> Lang:
    """The language of the terminal's locale where Muster speaks it, else English."""
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "ja" if locale.startswith("ja") else "en"


lang_option = click.option(
    "--lang", type=click.Choice(LANGS), default=default_lang, help="Language (default: your locale's)."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output (docs/json.md).")


def as_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def finding_row(finding: Finding, lang: Lang) -> dict[str, str]:
    """A finding as plain values."""
    return {
        "level": finding.level,
        "rule": finding.rule.id,
        "where": finding.where,
        "message": finding.why[lang],
        "text": finding.rule.text[lang],
        "source": finding.rule.source,
    }


def report(name: str, found: Report, lang: Lang) -> None:
    """A check's findings, a line each, and the verdict."""
    for finding in found.findings:
        mark = "✗" if finding.level == "illegal" else "?"
        click.echo(f"{name}: {mark} {finding.rule.id} {finding.where}: {finding.why[lang]}")
        click.echo(f"    {finding.rule.text[lang]} [{finding.rule.source}]")
    count = len(found.rules)
    if found.illegal:
        click.echo(f"{name}: not legal, {len(found.illegal)} finding(s) by {count} rules")
    elif found.unproved:
        click.echo(f"{name}: legal as far as it can be proved, by {count} rules; {len(found.unproved)} unproved")
    else:
        click.echo(f"{name}: legal by {count} rules")
