"""--help in groups, in the language of the command: what data/help.toml and the games' wishes say of each option.

It reads data only when it is asked for help.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Literal

import click

from generator.localization import Lang, default_lang, display_width, localize, shipped_folder

if TYPE_CHECKING:
    Kind = click.ParamType[Any]
else:
    # Before Click 8.4 it takes no parameter.
    Kind = click.ParamType
"""The type of an option's value, as every Click that we promise knows it."""

WIDEST = 100
"""Columns that help keeps to on a wide terminal."""
LEFT, GAP = 30, 2
"""Columns of what is typed, at most, and what parts it from what it does."""

FEW = 4
"""So many words of a wish stand in its option, `[left|right]`."""

Row = tuple[str, str]
"""What is typed, and what it does."""


@lru_cache(2)  # the two files
def texts(file: Literal["verbs", "help"]) -> dict[str, dict[str, Any]]:
    """The tables of data/verbs.toml, or of data/help.toml, which the verbs in a line need not wait for."""
    return shipped_table(f"{file}.toml")


def shipped_table(name: str) -> dict[str, Any]:
    """A file of data/, read with as little as that takes; FileNotFoundError where there is none."""
    import tomllib

    with open(f"{shipped_folder('data')}/{name}", "rb") as file:  # noqa: PTH123 - as in localization.py
        return tomllib.load(file)


def verb_text(ctx: click.Context) -> Mapping[str, Any]:
    """What is said of a command; nothing of a verb that a game brings."""
    name = path(ctx)
    found: Mapping[str, Any] = texts("verbs")["muster"] if name == "muster" else texts("help")["verb"].get(name, {})
    return found


def option_text(option: click.Option) -> Mapping[str, Any]:
    """What is said of an option wherever it stands; nothing where its verb or its wish says it."""
    name = "help" if "--help" in option.opts else str(option.name)  # Click calls its own otherwise
    shared: Mapping[str, Any] = texts("verbs")["option"].get(name) or texts("help")["option"].get(name, {})
    return shared


def in_words(key: str, lang: Lang, **values: object) -> str:
    """One of the words around help."""
    return str(texts("verbs")["say"][key][lang]).format(**values)


def path(ctx: click.Context) -> str:
    """How data/help.toml calls a command: `kit`, `data list`, and `muster` for the whole."""
    return " ".join(ctx.command_path.split()[1:]) or str(ctx.command.name)


def usage(ctx: click.Context, lang: Lang) -> str:
    """How a command is typed."""
    pieces = ctx.command.collect_usage_pieces(ctx)
    ours = {"[OPTIONS]": in_words("options", lang), "COMMAND [ARGS]...": f"{in_words('verb', lang)} …"}
    return " ".join([ctx.command_path, *(ours.get(piece, piece) for piece in pieces)])


def option_help(ctx: click.Context, option: click.Option, lang: Lang) -> str:
    """What an option does, with what it may be and what holds where it is not typed."""
    wish = getattr(option.type, "wish", None)
    own = verb_text(ctx).get("option", {}).get(str(option.name))
    if wish is not None:
        does = localize(wish.text.help, lang)
    elif of := own or option_text(option).get("does"):
        does = str(of[lang])
    else:
        does = localize(option.help or "", lang)
    more = [in_words("span", lang, least=wish.span[0], most=wish.span[1])] if wish and wish.span else []
    more += _called(wish, does, lang) if wish is not None else []
    if usual := str(wish.default) if wish else _usual(option):
        more.append(in_words("usual", lang, value=usual))
    bare = does.removesuffix({"en": ".", "ja": "。"}[lang])
    return in_words("behind", lang, help=bare, more=in_words("apart", lang).join(more)) if more else does


def _called(wish: Any, does: str, lang: Lang) -> list[str]:
    """What each of a few words of a wish is called; nothing where they, or its help, say it themselves."""
    names = {choice: str(wish.choice_label(choice)[lang]) for choice in wish.choices if 1 < len(wish.choices) <= FEW}
    if all(word in does or word.replace("_", " ").casefold() in name.casefold() for word, name in names.items()):
        return []
    return [in_words("called", lang, word=word, name=name) for word, name in names.items()]


def _usual(option: click.Option) -> str:
    """What an option is where it is not typed; empty where it is nothing to tell."""
    value = option.default
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def group_of(option: click.Option) -> str:
    """The heading under which an option stands."""
    wish = getattr(option.type, "wish", None)
    if wish is not None:
        return "common" if wish.text.common else str(wish.text.group)
    return str(option_text(option).get("group", "print"))


def page(ctx: click.Context) -> str:
    """All that --help says."""
    lang, command = default_lang(), ctx.command
    width = max(min(get_terminal_size().columns, WIDEST) - GAP, 2 * LEFT)
    lines = [in_words("usage", lang, usage=usage(ctx, lang))]
    for paragraph in verb_help(command, ctx, lang).split("\n\n"):
        lines += ["", *(f"  {line}" for line in broken(paragraph, width))]
    below = command.sections(ctx, lang) if isinstance(command, VerbGroup) else []
    for heading, rows in (*below, *_options(ctx, lang)):
        lines += ["", f"{heading}:" if lang == "en" else f"{heading}：", *_laid(rows, width)]
    return "\n".join(lines)


def verb_help(command: click.Command, ctx: click.Context, lang: Lang) -> str:
    """What a verb does, at length."""
    row = verb_text(ctx)
    return "\n\n".join(part[lang] for part in row["help"]) if row else localize(command.help or "", lang)


def _options(ctx: click.Context, lang: Lang) -> Iterator[tuple[str, list[Row]]]:
    """The options by their headings."""
    options = [param for param in ctx.command.get_params(ctx) if isinstance(param, click.Option) and not param.hidden]
    for group, heading in texts("verbs")["group"].items():
        of = [option for option in options if group_of(option) == group]
        if of:
            yield heading[lang], [(_typed(option, ctx), option_help(ctx, option, lang)) for option in of]


def _typed(option: click.Option, ctx: click.Context) -> str:
    """An option as it is typed."""
    names = ", ".join(sorted(option.opts, key=len))
    return names if option.is_flag or option.count else f"{names} {option.make_metavar(ctx)}"


def _laid(rows: Sequence[Row], room: int) -> Iterator[str]:
    """Rows in two columns."""
    left = min(max(display_width(typed) for typed, _ in rows), LEFT) + GAP
    for typed, does in rows:
        lines = broken(does, room - left - GAP)
        start = f"  {typed}" + " " * (left - display_width(typed))
        if display_width(typed) > left - GAP:
            yield f"  {typed}"
            start = " " * (left + GAP)
        for line in lines:
            yield f"{start}{line}".rstrip()
            start = " " * (left + GAP)


def broken(text: str, room: int) -> list[str]:
    """A text in lines of that many columns: broken at spaces, or anywhere between Japanese letters."""
    lines = [""]
    for part in re.findall(r"[（「]*(?:[!-~…–]+ ?|[ァ-ヶー]+|.)[、。）」]*", text):
        if lines[-1] and display_width(lines[-1] + part.rstrip()) > room:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += part
    return lines


class Option(click.Option):
    """An option that brings what it does in both languages."""

    def __init__(self, *args: Any, does: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.help = does  # Click's own way makes a plain text of it


class Verb(click.Command):
    """A command that tells of itself from data/help.toml."""

    def get_help(self, ctx: click.Context) -> str:
        """All that --help says."""
        return page(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """What goes on from what is typed, each option with what it does."""
        lang = default_lang()
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        does = {name: option_help(ctx, option, lang) for option in options for name in option.opts}
        return _helped(super().shell_complete(ctx, incomplete), does)


class VerbGroup(click.Group):
    """Commands below a verb, told of likewise."""

    command_class = Verb

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the group's own options; NoArgsIsHelpError if no command follows them, as if there were none."""
        rest = super().parse_args(ctx, args)
        if not (rest or ctx.resilient_parsing or self.make_parser(ctx).parse_args(list(args))[1]):
            raise click.exceptions.NoArgsIsHelpError(ctx)
        return rest

    def get_help(self, ctx: click.Context) -> str:
        """All that --help says."""
        return page(ctx)

    def sections(self, ctx: click.Context, lang: Lang) -> list[tuple[str, list[Row]]]:
        """The commands with a line each, by headings."""
        return [(in_words("verbs", lang), [(name, self.line(ctx, name, lang)) for name in self.list_commands(ctx)])]

    def line(self, ctx: click.Context, name: str, lang: Lang) -> str:
        """What a command of the group does, in a line."""
        before = "" if path(ctx) == "muster" else f"{path(ctx)} "
        return str(texts("verbs")["told"][before + name][lang])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """What goes on from what is typed, each command with what it does."""
        does = {name: self.line(ctx, name, default_lang()) for name in self.list_commands(ctx)}
        return _helped(super().shell_complete(ctx, incomplete), does)


def _helped(items: list[Any], does: Mapping[str, str]) -> list[Any]:
    """Completions with what they do."""
    for item in items:
        item.help = does.get(item.value, item.help)
    return items
