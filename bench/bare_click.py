"""The least that a Click program can be: one command. Its `--help` is what Muster's is measured beside."""

from __future__ import annotations

import click


@click.command()
@click.option("--seed", help="Draw the same battle again from its code.")
def bare(seed: str | None) -> None:
    """Do nothing."""


if __name__ == "__main__":
    bare()
