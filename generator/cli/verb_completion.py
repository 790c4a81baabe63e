"""`muster completion`: print the completion script of a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from generator.cli import console
from generator.cli.help import Verb

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_MUSTER_COMPLETE"
"""The environment variable by which the script asks Click for completions."""
HINTS = {
    "bash": 'eval "$(muster completion bash)"    # in ~/.bashrc',
    "zsh": 'eval "$(muster completion zsh)"    # in ~/.zshrc, after compinit',
    "fish": "muster completion fish | source    # in ~/.config/fish/config.fish",
}
"""How to load the script in each shell's start-up file."""


@click.command(cls=Verb)
@click.argument("shell", type=click.Choice(SHELLS))
@console.language_free_options
def completion_verb(shell: str, as_json: bool) -> None:
    """Print a shell script that completes commands, games, options and their values.

    Add it to your shell's start-up file; its first line says how.
    """
    from generator.cli import muster

    found = get_completion_class(shell)
    assert found, shell
    complete = found(muster, {}, "muster", VARIABLE)
    # Do not call source(): it would run the shell to find its version.
    script = f"# {HINTS[shell]}\n{complete.source_template % complete.source_vars()}"
    if as_json:
        console.print_json({"shell": shell, "script": script})
    else:
        click.echo(script)
