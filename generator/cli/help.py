"""Format --help in groups, in the language of the command, from data/help.toml and the games' options.

The data is read only when help is requested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Literal

import click

from generator.localization import Lang, default_lang, display_width, localize, shipped_folder, tr

if TYPE_CHECKING:
    ParamType = click.ParamType[Any]
else:
    # ParamType is not generic before Click 8.4.
    ParamType = click.ParamType
"""The type of an option's value, for every supported version of Click."""

MAX_COLUMNS = 100
"""The maximum width of help in columns, even if the terminal is wider."""
MAX_LEFT_COLUMNS, GAP = 30, 2
"""The maximum width of the column with the options, and the width of the gap to their descriptions, in columns."""

MAX_LISTED_CHOICES = 4
"""The maximum number of choices that an option lists, as in `[left|right]`."""

Row = tuple[str, str]
"""The left and the right cell of a row of help."""


@lru_cache(2)  # One entry per file.
def texts(file: Literal["verbs", "help"]) -> dict[str, dict[str, Any]]:
    """Return the tables of data/verbs.toml or data/help.toml. The list of commands needs only the first file."""
    return shipped_table(f"{file}.toml")


def shipped_table(name: str) -> dict[str, Any]:
    """Return the content of a file of data/. This function imports very little.

    Raises:
        FileNotFoundError: If there is no such file.
    """
    import tomllib

    with open(f"{shipped_folder('data')}/{name}", "rb") as file:  # noqa: PTH123 - as in localization.py
        return tomllib.load(file)


def verb_text(ctx: click.Context) -> Mapping[str, Any]:
    """Return the help entry of a command, or an empty mapping for a command that a game adds."""
    name = verb_path(ctx)
    found: Mapping[str, Any] = texts("verbs")["muster"] if name == "muster" else texts("help")["verb"].get(name, {})
    return found


def option_text(option: click.Option) -> Mapping[str, Any]:
    """Return the help entry of an option that several commands share, or an empty mapping for other options."""
    name = "help" if "--help" in option.opts else str(option.name)  # Click uses another name for --help.
    shared: Mapping[str, Any] = texts("verbs")["option"].get(name) or texts("help")["option"].get(name, {})
    return shared


def help_phrase(key: str, lang: Lang, **values: object) -> str:
    """Return a phrase of the help page, such as a heading, with its placeholders filled."""
    return str(texts("verbs")["say"][key][lang]).format(**values)


def verb_path(ctx: click.Context) -> str:
    """Return the name of a command in data/help.toml, such as `kit`, `data list`, or `muster` for the top level."""
    return " ".join(ctx.command_path.split()[1:]) or str(ctx.command.name)


def usage(ctx: click.Context, lang: Lang) -> str:
    """Return the usage line of a command."""
    pieces = ctx.command.collect_usage_pieces(ctx)
    ours = {"[OPTIONS]": help_phrase("options", lang), "COMMAND [ARGS]...": f"{help_phrase('verb', lang)} …"}
    return " ".join([ctx.command_path, *(ours.get(piece, piece) for piece in pieces)])


def option_help(ctx: click.Context, option: click.Option, lang: Lang) -> str:
    """Return the description of an option, with its range or choices and its default."""
    game_option = getattr(option.type, "option", None)
    specific = verb_text(ctx).get("option", {}).get(str(option.name))
    if game_option is not None:
        description = localize(game_option.text.help, lang)
    elif of := specific or option_text(option).get("does"):
        description = str(of[lang])
    else:
        description = localize(option.help or "", lang)
    details = (
        [help_phrase("span", lang, least=game_option.span[0], most=game_option.span[1])]
        if game_option and game_option.span
        else []
    )
    details += _choice_labels(game_option, description, lang) if game_option is not None else []
    if default := str(game_option.default) if game_option else _default_of(option):
        details.append(help_phrase("usual", lang, value=default))
    without_stop = description.removesuffix({"en": ".", "ja": "。"}[lang])
    return (
        help_phrase("behind", lang, help=without_stop, more=help_phrase("apart", lang).join(details))
        if details
        else description
    )


def _choice_labels(game_option: Any, does: str, lang: Lang) -> list[str]:
    """Return the label of each choice.

    The list is empty if there are many choices, or if the help or the words already contain the labels. The choices
    of a ruling always have labels, because its help is only the name of a rule.
    """
    names = {
        choice: str(game_option.choice_label(choice)[lang])
        for choice in game_option.choices
        if 1 < len(game_option.choices) <= MAX_LISTED_CHOICES
    }
    known = all(word in does or word.replace("_", " ").casefold() in name.casefold() for word, name in names.items())
    if known and game_option.text.group != "rulings":
        return []
    return [help_phrase("called", lang, word=word, name=name) for word, name in names.items()]


def _default_of(option: click.Option) -> str:
    """Return the default of an option as text, or an empty string if the default should not be shown."""
    value = option.default
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def group_of(option: click.Option) -> str:
    """Return the group of an option, which determines the heading under which it is listed."""
    game_option = getattr(option.type, "option", None)
    if game_option is not None:
        return "common" if game_option.text.common else str(game_option.text.group)
    return str(option_text(option).get("group", "common"))


def help_page(ctx: click.Context) -> str:
    """Return the whole text of a command's --help."""
    lang, command = default_lang(), ctx.command
    width = max(min(get_terminal_size().columns, MAX_COLUMNS) - GAP, 2 * MAX_LEFT_COLUMNS)
    lines = [help_phrase("usage", lang, usage=usage(ctx, lang))]
    for paragraph in verb_help(command, ctx, lang).split("\n\n"):
        lines += ["", *(f"  {line}" for line in wrap(paragraph, width))]
    below = command.sections(ctx, lang) if isinstance(command, VerbGroup) else []
    for heading, rows in (*below, *_options(ctx, lang)):
        lines += ["", f"{heading}:" if lang == "en" else f"{heading}：", *_two_columns(rows, width)]
    return "\n".join(lines)


def verb_help(command: click.Command, ctx: click.Context, lang: Lang) -> str:
    """Return the description of a command."""
    row = verb_text(ctx)
    return "\n\n".join(part[lang] for part in row["help"]) if row else localize(command.help or "", lang)


def _options(ctx: click.Context, lang: Lang) -> Iterator[tuple[str, list[Row]]]:
    """Yield each heading with the options below it."""
    options = [param for param in ctx.command.get_params(ctx) if isinstance(param, click.Option) and not param.hidden]
    for group, heading in texts("verbs")["group"].items():
        of = [option for option in options if group_of(option) == group]
        if of:
            yield heading[lang], [(_option_usage(option, ctx), option_help(ctx, option, lang)) for option in of]


def _option_usage(option: click.Option, ctx: click.Context) -> str:
    """Return the names of an option and the placeholder for its value."""
    names = ", ".join(sorted(option.opts, key=len))
    alone = option.is_flag or option.count or getattr(getattr(option.type, "option", None), "flag_value", None)
    return names if alone else f"{names} {option.make_metavar(ctx)}"


def _two_columns(rows: Sequence[Row], width: int) -> Iterator[str]:
    """Yield the lines of a table with two columns."""
    left = min(max(display_width(usage_text) for usage_text, _ in rows), MAX_LEFT_COLUMNS) + GAP
    for usage_text, does in rows:
        lines = wrap(does, width - left - GAP)
        start = f"  {usage_text}" + " " * (left - display_width(usage_text))
        if display_width(usage_text) > left - GAP:
            yield f"  {usage_text}"
            start = " " * (left + GAP)
        for line in lines:
            yield f"{start}{line}".rstrip()
            start = " " * (left + GAP)


def wrap(text: str, width: int) -> list[str]:
    """Wrap a text to lines of at most `width` columns, at spaces or between Japanese characters."""
    lines = [""]
    for part in re.findall(r"[（「]*(?:[!-~…–]+ ?|[ァ-ヶー]+|.)[、。）」]*", text):
        if lines[-1] and display_width(lines[-1] + part.rstrip()) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += part
    return lines


class Option(click.Option):
    """An option that has its own description in both languages."""

    def __init__(self, *args: Any, does: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.help = does  # Click would convert it to a plain str.


class Verb(click.Command):
    """A command whose help comes from data/help.toml."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments.

        Raises:
            click.UsageError: If there are too many arguments. The message contains the command without them.
        """
        allowed, ctx.allow_extra_args = ctx.allow_extra_args, True
        whole = [*args]
        extra = super().parse_args(ctx, args)
        ctx.allow_extra_args = allowed
        if extra and not (allowed or ctx.resilient_parsing):
            from generator.notation.text import suggested_command

            for word in reversed(extra):
                del whole[len(whole) - 1 - whole[::-1].index(word)]
            command = suggested_command([*ctx.command_path.split(), *whole])
            ctx.fail(
                tr(
                    "`{command_path}` cannot use {extra}; without it: {command}",
                    command_path=ctx.command_path,
                    extra=extra,
                    command=command,
                )
            )
        return extra

    def get_help(self, ctx: click.Context) -> str:
        """Return the whole text of the command's --help."""
        return help_page(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return the shell's completions. Each option has its description."""
        lang = default_lang()
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        does = {name: option_help(ctx, option, lang) for option in options for name in option.opts}
        return _with_help(super().shell_complete(ctx, incomplete), does)


class VerbGroup(click.Group):
    """A group of commands whose help comes from data/help.toml."""

    command_class = Verb

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options of the group.

        Raises:
            click.exceptions.NoArgsIsHelpError: If no command follows, even if there are options.
        """
        rest = super().parse_args(ctx, args)
        if not (rest or ctx.resilient_parsing or self.make_parser(ctx).parse_args(list(args))[1]):
            raise click.exceptions.NoArgsIsHelpError(ctx)
        return rest

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. `help COMMAND` is the same as `COMMAND --help`.

        Raises:
            click.UsageError: If there is no such command. The message suggests a similar one.
        """
        name, *rest = args
        known = self.list_commands(ctx)
        if name == "help" and rest and not rest[0].startswith("-"):
            return self.resolve_command(ctx, [*rest, "--help"])
        if name == "help":
            click.echo(self.get_help(ctx))
            ctx.exit()
        if name not in known and not name.startswith("-"):
            ctx.fail(
                tr("there is no command named {name!r}; {hint}", name=name, hint=_near_command(ctx, name, known))
            )
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of data/verbs.toml, which is that of their use."""
        listed = [name for name in texts("verbs")["told"] if name.startswith(f"{verb_path(ctx)} ")]
        order = [name.rpartition(" ")[2] for name in listed]
        return sorted(self.commands, key=lambda name: order.index(name) if name in order else len(order))

    def get_help(self, ctx: click.Context) -> str:
        """Return the whole text of the group's --help."""
        return help_page(ctx)

    def sections(self, ctx: click.Context, lang: Lang) -> list[tuple[str, list[Row]]]:
        """Return each heading with the commands below it and their descriptions."""
        return [
            (help_phrase("verbs", lang), [(name, self.line(ctx, name, lang)) for name in self.list_commands(ctx)])
        ]

    def line(self, ctx: click.Context, name: str, lang: Lang) -> str:
        """Return the line that describes a command of the group."""
        before = "" if verb_path(ctx) == "muster" else f"{verb_path(ctx)} "
        return str(texts("verbs")["told"][before + name][lang])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Return the shell completions, with a description for each command."""
        does = {name: self.line(ctx, name, default_lang()) for name in self.list_commands(ctx)}
        return _with_help(super().shell_complete(ctx, incomplete), does)


def _near_command(ctx: click.Context, name: str, known: Sequence[str]) -> str:
    """Return a hint for an unknown command: one of the group, one of another group, or how to list them all."""
    from generator.errors import near_or, nearest

    inside: dict[str, list[str]] = {}
    """The full commands below each group of the top level, keyed by their last word."""
    for path in texts("verbs")["told"]:
        if " " in path:
            inside.setdefault(path.rpartition(" ")[2], []).append(f"muster {path}")
    if ctx.parent is None and (word := nearest(name, inside)) and (word == name or not nearest(name, known)):
        return tr("did you mean {word}?", word=inside[word])
    return near_or(name, known, tr("`{command}` lists the commands", command=f"{ctx.command_path} --help"))


def _with_help(items: list[Any], does: Mapping[str, str]) -> list[Any]:
    """Return completions with descriptions added."""
    for item in items:
        item.help = does.get(item.value, item.help)
    return items
