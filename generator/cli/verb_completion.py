"""`muster completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_MUSTER_COMPLETE"
HINTS = {
    "bash": 'eval "$(muster completion bash)"    # in ~/.bashrc',
    "zsh": 'eval "$(muster completion zsh)"    # in ~/.zshrc, after compinit',
    "fish": "muster completion fish | source    # in ~/.config/fish/config.fish",
}


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the shell's script that completes verbs, games, options and their words.

    Put it into the shell's own start file: its first line says how.
    """
    from generator.cli import muster

    found = get_completion_class(shell)
    assert found, shell
    complete = found(muster, {}, "muster", VARIABLE)
    click.echo(f"# {HINTS[shell]}")
    # Not source(), which calls the shell to ask for its version.
    click.echo(complete.source_template % complete.source_vars())
