"""`muster completion`: print the completion script for a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from generator.cli import console
from generator.cli.help import Verb

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_MUSTER_COMPLETE"
"""The environment variable with which the script requests completions from Click."""
HINTS = {
    "bash": 'eval "$(muster completion bash)"    # in ~/.bashrc',
    "zsh": 'eval "$(muster completion zsh)"    # in ~/.zshrc, after compinit',
    "fish": "muster completion fish | source    # in ~/.config/fish/config.fish",
}
"""The command that loads the script, for each shell's start-up file."""


@click.command(cls=Verb)
@click.argument("shell", type=click.Choice(SHELLS))
@console.language_free_options
def completion_verb(shell: str, as_json: bool) -> None:
    """Print a shell script that completes commands, games, options and their values.

    The first line of the script explains how to add it to the start-up file of the shell.
    """
    from generator.cli import muster

    found = get_completion_class(shell)
    assert found, shell
    complete = found(muster, {}, "muster", VARIABLE)
    # The method source() is not used, because it would run the shell to find its version.
    script = f"# {HINTS[shell]}\n{complete.source_template % complete.source_vars()}"
    if as_json:
        console.print_json({"shell": shell, "script": script})
    else:
        click.echo(script)
