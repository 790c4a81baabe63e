"""A minimal Click program with one command, for comparison with the time of `muster --help`."""

from __future__ import annotations

import click


@click.command()
@click.option("--seed", help="Draw the same battle again from its code.")
def do_nothing(seed: str | None) -> None:
    """Do nothing."""


if __name__ == "__main__":
    do_nothing()
