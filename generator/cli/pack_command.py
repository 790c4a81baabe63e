"""Find the game and the folder of `muster tournament pack` on the command line."""

from __future__ import annotations

from pathlib import Path

import click

from generator import games
from generator.cli import request
from generator.cli.event_folder import existing_event
from generator.cli.find_event import similar_event_hint
from generator.errors import near, nearest
from generator.localization import tr
from generator.notation.text import visible
from generator.store.folders import is_folder


class PackCommand(request.GameCommand):
    """A command whose default game is that of the event in its folder."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Add the game of the event to the arguments.

        If the only argument is a folder, use it as the folder of the event.
        """
        place = next((arg for arg in self._positional(args) if arg not in games.names() and is_folder(Path(arg))), "")
        first = next((arg for arg in self._positional(args) if arg not in games.names()), "")
        if first and not place and not nearest(first, games.names()):
            hint = similar_event_hint(Path(first)) or near(first, games.names())
            ctx.fail(
                tr("there is neither an event nor a game named {name!r}; {hint}", name=visible(first), hint=hint)
            )
        if place and not any(map(_folder, args, [*args[1:], ""])):
            args = [*(arg for arg in args if arg != place), f"--out={place}"]
        names_game = any(arg in games.names() for arg in self._positional(args)) or not "".join(args[:1]).startswith(
            "-"
        )
        out = next(filter(None, map(_folder, args, [*args[1:], ""])), "")
        game = existing_event(Path(out)).game if out and not names_game and not ctx.resilient_parsing else ""
        return super().parse_args(ctx, [game, *args] if game else args)


def _folder(arg: str, after: str) -> str:
    """Return the folder if an argument is the option -o, and an empty string otherwise.

    `after` is the next argument.
    """
    return after if arg in ("-o", "--out") else arg.removeprefix("--out=") if arg.startswith("--out=") else ""
