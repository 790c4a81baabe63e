"""Find the options that a user has given, and refuse those that would be ignored."""

from __future__ import annotations

from collections.abc import Collection

import click
from click.core import ParameterSource

from generator.errors import WrongUsageError
from generator.localization import LocalizedStr, tr


def given_options() -> dict[str, str]:
    """Return the options on the command line, such as `--rounds`, keyed by their parameters' names."""
    context = click.get_current_context()
    return {
        option.name: max(option.opts, key=len)
        for option in context.command.get_params(context)
        if isinstance(option, click.Option)
        and option.name
        and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }


def refuse_others(used: Collection[str], reason: LocalizedStr) -> None:
    """Refuse options that the command would ignore, so that nothing is ignored silently.

    `used` are the names of the parameters that the command uses. `reason` states when it uses only these.

    Raises:
        WrongUsageError: If other options are given.
    """
    ignored = [option for name, option in given_options().items() if name not in used]
    if ignored:
        message = tr("{reason}, so it cannot use {options}", reason=reason, options=ignored)
        raise WrongUsageError(message, hint=tr("leave out {options}", options=ignored))
