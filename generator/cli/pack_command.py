"""How `muster tournament pack` finds its game and its folder on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from generator import games
from generator.cli import request
from generator.cli.event import begun_in
from generator.cli.find_event import near_event
from generator.errors import near, nearest
from generator.localization import tr
from generator.notation.text import visible


class PackCommand(request.GameCommand):
    """A command whose game, where none is named, is that of the event in the folder it packs into."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Name the game, then parse; a folder that is named alone is what is packed."""
        place = next((arg for arg in self._bare(args) if arg not in games.names() and Path(arg).is_dir()), "")
        first = next((arg for arg in self._bare(args) if arg not in games.names()), "")
        if first and not place and not nearest(first, games.names()):
            hint = near_event(Path(first)) or near(first, games.names())
            ctx.fail(tr("no event and no game {name!r}; {hint}", name=visible(first), hint=hint))
        if place and not any(map(_folder, args, [*args[1:], ""])):
            args = [*(arg for arg in args if arg != place), f"--out={place}"]
        named = any(arg in games.names() for arg in self._bare(args)) or not "".join(args[:1]).startswith("-")
        out = next(filter(None, map(_folder, args, [*args[1:], ""])), "")
        game = begun_in(Path(out)).game if out and not named and not ctx.resilient_parsing else ""
        return super().parse_args(ctx, [game, *args] if game else args)


def _folder(arg: str, after: str) -> str:
    """The folder that an argument names to write to, or the one after it; empty where neither does."""
    return after if arg in ("-o", "--out") else arg.removeprefix("--out=") if arg.startswith("--out=") else ""
