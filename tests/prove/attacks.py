"""Generate malicious templates by kind of attack, with an unlimited number of seeded variations."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

RECORD = "battlelore/record.xml"
"""Template that the attacks replace. It prints two sheets of a kit."""

Lay = Callable[[Path], None]


@dataclass(frozen=True)
class Attack:
    """An attack, given as files of a template folder or as an existing folder."""

    name: str
    files: dict[str, bytes] = field(default_factory=dict)
    lay: Lay | None = None
    """Function that adds entries other than files to the folder."""
    folder: str = ""
    """An existing folder to use instead of a new one."""
    harmless: bool = False
    """Whether the template may print, because Muster has no reason to refuse it."""
    args: tuple[str, ...] = ()

    def folder_in(self, parent: Path) -> Path:
        """Return the folder to print with, which is created below `parent` unless it exists."""
        if self.folder:
            return Path(self.folder)
        user_folder = parent / "own"
        user_folder.mkdir()
        for name, content in self.files.items():
            (user_folder / name).parent.mkdir(parents=True, exist_ok=True)
            (user_folder / name).write_bytes(content)
        if self.lay:
            self.lay(user_folder)
        return user_folder


def attack(number: int, seed: int) -> Attack:
    """Return the attack with the given number. Every kind occurs once before any kind is repeated."""
    name, make = sorted(KINDS.items())[number % len(KINDS)]
    made = make(random.Random(f"{seed} {number}"))
    return made if isinstance(made, Attack) else Attack(name, {RECORD: made.encode()})


def sheet(inside: str) -> str:
    """Return a complete template."""
    return f"<sheet>{inside}</sheet>"


def times(n: int, inside: str) -> str:
    """Return a template loop that repeats `inside` `n` times."""
    return f"{{% for a in range({n}) %}}{inside}{{% endfor %}}"


def loops(rng: random.Random) -> str:
    deep = rng.randint(2, 5)
    ranges = "".join(f"{{% for a{n} in range({rng.randint(20_000, 99_999)}) %}}" for n in range(deep))
    return sheet(ranges + rng.choice(("", "{{ '' }}", "{% set x = a0 %}")) + "{% endfor %}" * deep)


def again(rng: random.Random) -> str:
    n = rng.randint(20_000, 99_999)
    inner = rng.choice(("{% for b in r %}{% endfor %}", "{{ '' if r | sum }}", "{% if r | max %}{% endif %}"))
    return sheet(
        f"{{% set r = range({n}) | list %}}{{% for a in r %}}{{% for c in r %}}{inner}{{% endfor %}}{{% endfor %}}"
    )


def macros(rng: random.Random) -> str:
    calls = "{{ f(n - 1) }}" * rng.randint(2, 4)
    return sheet(
        f"{{% macro f(n) %}}{{% if n %}}{calls}{{% endif %}}{{% endmacro %}}{{{{ f({rng.randint(40, 90)}) }}}}"
    )


def recursive(rng: random.Random) -> str:
    return sheet(
        f"{{% for a in [0, 1] recursive %}}{{{{ loop([0, 1]) if loop.depth < {rng.randint(40, 90)} }}}}{{% endfor %}}"
    )


def holds_itself(rng: random.Random) -> str:
    twice = f"{{% include '{RECORD}' %}}" * rng.randint(1, 3)
    return sheet(
        "{% if n is not defined %}{% set n = 0 %}{% endif %}{% set n = n + 1 %}"
        f"{{% if n < {rng.randint(30, 2000)} %}}{twice}{{% endif %}}"
    )


def compared(rng: random.Random) -> str:
    """Compare nested lists that are doubled repeatedly, so that they have few members and 2 ** n leaves."""
    test = rng.choice(("n.s == n.t", "n.s != n.t", "n.s < n.t", "n.s in [n.t]", "[n.s, n.t] | unique | list"))
    return sheet(
        "{% set n = namespace(s=[0], t=[0]) %}"
        f"{{% for a in range({rng.randint(40, 99)}) %}}{{% set n.s = [n.s, n.s] %}}{{% set n.t = [n.t, n.t] %}}"
        f"{{% endfor %}}\n{{{{ {test} }}}}"
    )


def shown_whole(rng: random.Random) -> str:
    out = rng.choice(("n.s", "n.s | string", "n.s ~ ''", "n.s | join", "n.s | list", "'{}'.format(n.s)"))
    return sheet(
        "{% set n = namespace(s=[0]) %}"
        f"{{% for a in range({rng.randint(40, 99)}) %}}{{% set n.s = [n.s, n.s] %}}{{% endfor %}}{{{{ {out} }}}}"
    )


def sorting(rng: random.Random) -> str:
    key = rng.choice(("sort", "unique", "groupby(0)", "batch(2)", "map('string')", "slice(9)", "reverse", "max"))
    return sheet(
        f"{{% set r = range({rng.randint(50_000, 99_999)}) | map('string') | list %}}"
        f"{{% for a in range(99999) %}}{{% set x = r | {key} | list %}}{{% endfor %}}"
    )


def powers(rng: random.Random) -> str:
    base, power = rng.randint(2, 99), rng.randint(10**8, 10**9)
    return sheet(
        rng.choice(
            (
                f"{{{{ {base} ** {power} }}}}",
                f"{{{{ {base} ** 9 ** 9 ** 9 }}}}",
                f"{{% set n = namespace(i={base}) %}}{times(99, '{% set n.i = n.i * n.i %}')}",
                f"{{{{ ({base} ** {power}) % 7 }}}}",
                f"{{{{ {base} ** {power // 40} | string }}}}",
            )
        )
    )


def multiplied(rng: random.Random) -> str:
    n = rng.randint(10**9, 10**11)
    return sheet(
        rng.choice(
            (
                f"{{{{ 'x' * {n} }}}}",
                f"{{{{ ([0] * {n}) | length }}}}",
                f"{{{{ ((0,) * {n}) | sum }}}}",
                f"{{% for a in range(9) %}}{{{{ 'word ' * {n // 100} }}}}{{% endfor %}}",
                f"{{{{ [['x' * {n // 20}] * 99] | string }}}}",
            )
        )
    )


def doubled(rng: random.Random) -> str:
    start, step = rng.choice(
        (
            ("'x'", "n.s ~ n.s"),
            ("'x'", "n.s + n.s"),
            ("[0]", "n.s + n.s"),
            ("'x'", "n.s * 3"),
            ("'ab'", "n.s | replace('a', n.s)"),
            ("'ab'", "[n.s, n.s] | join(n.s)"),
            ("'x'", "'{0}{0}'.format(n.s)"),
            ("'x'", "'%s%s' % (n.s, n.s)"),
            ("'<'", "(n.s ~ n.s) | e"),
        )
    )
    return sheet(
        f"{{% set n = namespace(s={start}) %}}{{% for a in range(999) %}}{{% set n.s = {step} %}}{{% endfor %}}"
        f"{{{{ n.s | length }}}}"
    )


def set_blocks(rng: random.Random) -> str:
    block = f"{{% set n.s %}}{'{{ n.s }}' * rng.randint(2, 5)}{{% endset %}}"
    return sheet("{% set n = namespace(s='x') %}" + times(99, block))


def padded(rng: random.Random) -> str:
    n = rng.randint(10**9, 10**10)
    return sheet(
        rng.choice(
            (
                f"{{{{ '{{:{n}}}'.format(1) }}}}",
                f"{{{{ '{{:{{w}}}}'.format(1, w={n}) }}}}",
                f"{{{{ '%{n}d' % 1 }}}}",
                f"{{{{ '{{:.{n}f}}'.format(1.5) }}}}",
                f"{{{{ '%.{n}f' % 1.5 }}}}",
                f"{{{{ 'x' | center({n}) }}}}",
                f"{{{{ 'x' | indent({n}) }}}}",
                f"{{{{ 'x'.ljust({n}) }}}}",
            )
        )
    )


def chains(rng: random.Random) -> str:
    """Chain filters that each create a separate list."""
    n = rng.randint(9, 30)
    inner = "".join(
        rng.choice((" | list", " | map('string') | list", " | batch(1) | list", " | map('list') | list"))
        for _ in range(n)
    )
    return sheet(f"{{% set x = ([0] * 30000000) {inner} %}}{{{{ x | length }}}}")


def filled(rng: random.Random) -> str:
    n = rng.randint(10**8, 10**10)
    return sheet(
        rng.choice(
            (
                f"{{{{ [1] | batch({n}, 0) | list }}}}",
                f"{{{{ [1] | slice({n}) | list }}}}",
                f"{{{{ range(99999) | join('x' * {n // 1000}) }}}}",
                f"{{{{ ('x' * 99999) | replace('x', 'y' * {n // 1000}) }}}}",
                f"{{{{ [[0] * 99999] * {n // 1000} | sum(start=[]) }}}}",
                f"{{{{ range(0, {n}) | list }}}}",
                f"{{{{ dict.fromkeys(range(99999), [0] * {n}) }}}}",
            )
        )
    )


def output(rng: random.Random) -> str:
    return sheet(f"{{% for a in range(99999) %}}{{{{ 'x ' * {rng.randint(999, 99999)} }}}}{{% endfor %}}")


def long_text(rng: random.Random) -> Attack:
    size = 1024 * 1024
    inside = rng.choice(("x", "{{ 1 }}", "<para/>", "{%", "<!--", "{#", "<para>", "{{", "&amp;", "{{ q", "<a "))
    count = rng.choice((size + 1, size - 100)) // len(inside) + 1
    return Attack(f"a long template of {inside!r}", {RECORD: sheet(inside * count).encode()})


def nested(rng: random.Random) -> str:
    deep = rng.choice((200, 1_000, 3_000, 10_000, 60_000))
    before, inner, after = rng.choice(
        (
            ("{% if 1 %}", "", "{% endif %}"),
            ("{% for a in [1] %}", "", "{% endfor %}"),
            ("{% filter upper %}", "", "{% endfilter %}"),
            ("{% set x %}", "", "{% endset %}"),
            ("{% with %}", "", "{% endwith %}"),
            ("{% macro m() %}", "", "{% endmacro %}"),
            ("{% if 0 %}{% else %}", "", "{% endif %}"),
            ("<keep>", "", "</keep>"),
            ("<note>", "", "</note>"),
            ("<para><b>", "x", "</b></para>"),
            ("<table cols='*'><tr><td>", "x", "</td></tr></table>"),
            ("<columns><col>", "x", "</col></columns>"),
        )
    )
    deep = min(deep, 1_000_000 // len(before + after))
    return sheet(before * deep + inner + after * deep)


def brackets(rng: random.Random) -> str:
    deep = rng.choice((500, 1_000, 5_000, 20_000, 100_000))
    before, inner, after = rng.choice(
        (
            ("(", "1", ")"),
            ("[", "1", "]"),
            ("{1:", "1", "}"),
            ("not ", "1", ""),
            ("-", "1", ""),
            ("", "1", " | abs"),
            ("", "1", " ~ 1"),
            ("", "1", " + 1"),
            ("", "1", " ** 1"),
            ("", "1", " if 1 else 1"),
            ("", "w", ".w"),
            ("", "w", "[0]"),
            ("", "w", "()"),
            ("range(", "1", ")"),
            ("1 and ", "1", ""),
        )
    )
    deep = min(deep, 1_000_000 // len(before + after))
    return sheet(f"{{{{ {before * deep}{inner}{after * deep} }}}}")


def circles(rng: random.Random) -> Attack:
    way = rng.choice(("extends '{}'", "include '{}'", "import '{}' as x", "from '{}' import x"))
    names = [RECORD, *(f"ring/{n}.xml" for n in range(rng.randint(0, 9)))]
    after = [*names[1:], RECORD]
    files = {a: sheet(f"{{% {way.format(b)} %}}").encode() for a, b in zip(names, after, strict=True)}
    return Attack(f"a circle by {way}", files)


def no_end(rng: random.Random) -> str:
    return sheet(
        rng.choice(
            (
                "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
                "{% macro f(n) %}{{ f(n ~ n) }}{% endmacro %}{{ f('x') }}",
                "{% macro f() %}{% call f() %}{% endcall %}{% endmacro %}{{ f() }}",
                "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
                "{% block b %}{{ self.b() }}{% endblock %}",
            )
        )
    )


def words(rng: random.Random) -> str:
    tag = rng.choice(("para", "small", "note", "h1", "keep"))
    word = rng.choice(("word ", "a ", "語 ", "&amp; ", "x<br/> "))
    count = rng.choice((20_000, 80_000, 400_000))
    if "<" in word and tag in ("note", "keep"):
        tag = "para"
    return sheet(f"<{tag}>{times(99, times(count // 99, word))}</{tag}>")


def letters(rng: random.Random) -> str:
    letter = rng.choice(("x", "W", "語", "ー", "。", "é", "x<b>y</b>", "-"))
    count = rng.choice((9_999, 40_000, 400_000))
    return sheet(f"<para>{times(9, times(count // 9, letter))}</para>")


def just_within(rng: random.Random) -> Attack:
    """Create ten paragraphs of the maximum length, in columns that are too narrow for them."""
    text = rng.choice(("word ", "語", "x" * 1_990 + " ", "x<b>y</b> ", "、語"))
    inside = f"<para>{{% for b in range({9_000 // len(text)}) %}}{text}{{% endfor %}}</para>"
    narrow = f"<table cols='{rng.choice((3, 5, 20))}mm *'><tr><td>{inside}</td><td/></tr></table>"
    source = sheet("{% for a in range(10) %}" + rng.choice((inside, narrow)) + "{% endfor %}")
    return Attack("as much text as there may be", {RECORD: source.encode()}, args=rng.choice(((), ("--lang", "ja"))))


def tables(rng: random.Random) -> str:
    rows, cols = rng.choice(((9_000, 1), (400, 40), (2, 480), (100, 100), (1_500, 12)))
    span = rng.choice(("", f" span='{max(1, cols // 2)}'"))
    cells = f"<td{span}/>" * (2 if span and cols > 1 else cols)
    look = rng.choice(("", " zebra='1'", " rules='grid'", " head='5'", " row='900'", " pad='500'"))
    return sheet(
        f"<table cols='{'* ' * cols}'{look}>{{% for a in range({rows}) %}}<tr>{cells}</tr>{{% endfor %}}</table>"
    )


def deep_tables(rng: random.Random) -> str:
    """Nest tables to the maximum depth, doubling their number at each level."""
    return sheet(
        "{% macro t(n) %}<table cols='* *'><tr><td>{{ t(n - 1) if n else 'x' }}</td>"
        f"<td>{{{{ t(n - 1) if n else 'y' }}}}</td></tr></table>{{% endmacro %}}{{{{ t({rng.randint(5, 9)}) }}}}"
    )


def many(rng: random.Random) -> Attack:
    tag = rng.choice(
        (
            "<boxes n='200' size='2.5' group='1'/>",
            "<track from='1' to='1000' size='5'/>",
            "<field label='x' lines='60' height='5'/>",
            "<field kind='box' height='1000'/>",
            "<figure name='{{ rows[0].id }}' width='1'/>",
            "<figure name='{{ rows[0].id }}' width='1000'/>",
            "<spacer h='1000'/>",
            "<nextPage/>",
            "<rule/>",
            "<ruler/>",
            "<h1>x</h1>",
            "<keep><para>x</para></keep>",
            "<note>x</note>",
            "<columns><col>x</col><col>y</col></columns>",
        )
    )
    count = rng.choice((300, 3_000, 19_000, 99_000))
    args = rng.choice(((), ("--fillable",), ("--lang", "ja"), ("--ink", "saver")))
    source = sheet(f"{{% for a in range({count}) %}}{tag}{{% endfor %}}")
    return Attack(f"many {tag}", {RECORD: source.encode()}, harmless=True, args=args)


def lists(rng: random.Random) -> Attack:
    tag = rng.choice(("ul", "ol from='999'"))
    count = rng.choice((60, 5_000, 19_000))
    source = sheet(f"<{tag}>{{% for a in range({count}) %}}<li>x</li>{{% endfor %}}</{tag[:2]}>")
    return Attack("a long list", {RECORD: source.encode()}, harmless=count < 100)


def measures(rng: random.Random) -> str:
    value = rng.choice(
        ("1e999", "-5", "nan", "inf", "９", "1_0", "9" * 400, "9" * 5_000, "", "0x10", "{{ 2 ** 99 }}")
    )
    return sheet(
        rng.choice(
            (
                f"<spacer h='{value}'/>",
                f"<boxes n='{value}'/>",
                f"<track from='{value}'/>",
                f"<figure name='x' width='{value}'/>",
                f"<table cols='{value}'><tr><td/></tr></table>",
                f"<ol from='{value}'><li>x</li></ol>",
                f"<field lines='{value}'/>",
                f"<columns gap='{value}'><col>x</col></columns>",
                f"<columns><col weight='{value}'>x</col></columns>",
            )
        )
    )


def characters(rng: random.Random) -> Attack:
    text = rng.choice(
        ("\0", "\x1b[2J", "\ud7ff", "\u202e", "\ufffe", "\u200b", "e" + "\u0301" * 50, "\U0001f600", "꧁")
    )
    harmless = text in ("\u202e", "\u200b")
    return Attack(f"{text[:2]!r} as a text", {RECORD: sheet(f"<para>{text}</para>").encode()}, harmless=harmless)


def markup(rng: random.Random) -> str:
    return rng.choice(
        (
            "<!DOCTYPE sheet [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>]>" + sheet("<para>&b;</para>"),
            "<!DOCTYPE sheet SYSTEM 'file:///etc/passwd'>" + sheet("<para>x</para>"),
            sheet("<para>&xxe;</para>"),
            sheet("<{% if 1 %}para{% endif %} _place='/etc/passwd|x'>x</para><oops/>"),
            sheet("<para _place='/etc/passwd|7'>x</para>"),
            "<sheet><para>x</para>",
            "<?php system('id') ?>" + sheet("<oops/>"),
            sheet("<script>alert(1)</script>"),
            sheet("<para onclick='x'>x</para>"),
            sheet(f"<{'x' * rng.randint(99, 99_999)}/>"),
            sheet("<img src='http://localhost/'/>"),
            sheet("<figure name='../../etc/passwd'/>"),
            sheet("<c colour='url(x)'>x</c>"),
            sheet(""),
            "",
        )
    )


def escapes(rng: random.Random) -> str:
    reach = rng.choice(
        (
            "''.__class__.__mro__[1].__subclasses__()",
            "''['__class__']",
            "[''] | map(attribute='__class__') | first",
            "'' | attr('__class__')",
            "self.__init__.__globals__",
            "self._TemplateReference__context",
            "cycler.__init__.__globals__.os.popen('id').read()",
            "joiner.__init__.__globals__",
            "lipsum.__globals__['os'].environ",
            "lipsum(n=99999)",
            "namespace.__init__.__globals__",
            "range.__class__",
            "dict.__subclasses__()",
            "dict.mro()",
            "'{0.__class__.__mro__}'.format('')",
            "'{0.__class__}'.format(w)",
            "'{a.__init__.__globals__}'.format_map({'a': w})",
            "w.get.__self__.__class__",
            "rows.append(1)",
            "rows.__setitem__(0, 1)",
            "w.update({})",
            "w.clear()",
            "rows.sort()",
            "config",
            "request.application",
            "get_flashed_messages.__globals__",
            "environment.loader",
            "context.environment",
            "loop.__class__",
            "caller.__globals__",
            "title.encode('utf-7')",
            "title.__reduce_ex__(2)",
            "(1).to_bytes(10 ** 9, 'big')",
            "1 .__class__.__base__",
            "joiner('x')()",
            "title | random",
            "title | safe",
            "rows | tojson",
            "rows | pprint",
            "'x' | xmlattr",
            "title | urlize",
            "title is __class__",
            "open('/etc/passwd').read()",
            "__import__('os').system('id')",
            "eval('1')",
        )
    )
    return sheet(
        rng.choice(
            (
                f"{{{{ {reach} }}}}",
                f"{{% set x = {reach} %}}{{{{ x }}}}",
                f"{{% for a in [1] %}}{{{{ {reach} }}}}{{% endfor %}}",
                f"{{% macro f() %}}{{{{ {reach} }}}}{{% endmacro %}}{{{{ f() }}}}",
                f"{{% if {reach} %}}x{{% endif %}}<oops/>",
            )
        )
    )


def statements(rng: random.Random) -> str:
    return sheet(
        rng.choice(
            (
                "{% do rows.append(1) %}",
                "{% set rows.x = 1 %}",
                "{% set w.x = 1 %}",
                "{% debug %}",
                "{% trans %}x{% endtrans %}",
                "{% autoescape false %}{{ '<oops/>' }}{% endautoescape %}<oops/>",
                "{% raw %}",
                "{% python %}",
                "{% import os %}",
                "{% from 'os' import system %}",
                "{% extends w %}",
                "{% include rows %}",
                "{% include none %}",
                "{% include ['a', 'b'] %}",
                "{% break %}",
                "{{ 1e9999999|float|int }}",
                "{{ -1e9999999|int }}",
                "{{ '9' * 5000 | int }}",
                "{{ ('9' * 5000) | int + '' }}",
                "{{ 1 / 0 }}",
                "{{ 1 // 0 }}",
                "{{ 1 + 'x' }}",
                "{{ rows < w }}",
                "{{ [] | max | length }}",
                "{{ none.x }}",
                "{{ range('x') }}",
                "{{ range(1, 9, 0) }}",
                "{{ '{'.format() }}",
                "{{ '{0}'.format() }}",
                "{{ '%d' % 'x' }}",
                "{{ 2 ** 'x' }}",
                "{{ 9.9 ** 999 }}",
                f"{{{{ {'9' * 5_000} }}}}",
                f"{{{{ {'x' * 99_999} }}}}",
            )
        )
    )


def reading(rng: random.Random) -> str:
    name = rng.choice(
        (
            "/etc/passwd",
            "../../../../etc/passwd",
            "..\\\\..\\\\secret",
            "battlelore/../../own/../secret.xml",
            "./record.xml",
            "//etc/passwd",
            "C:/secret",
            "file:///etc/passwd",
            "\\0",
            "a\\0.xml",
            "x" * 300,
            "x/" * 3_000,
            "",
            "/",
            "..",
            "~/.ssh/id_rsa",
            "/proc/self/environ",
            "/dev/zero",
            "battlelore",
        )
    )
    way = rng.choice(("include '{}'", "import '{}' as x", "extends '{}'", "from '{}' import x"))
    return sheet(f"{{% {way.format(name)} %}}")


def linked(rng: random.Random) -> Attack:
    target = rng.choice(
        ("/etc/passwd", "/dev/zero", "/dev/stdin", "/proc/self/environ", "record.xml", "nowhere", "..")
    )

    def lay(folder: Path) -> None:
        (folder / RECORD).parent.mkdir()
        (folder / RECORD).symlink_to(target)

    return Attack(f"a link to {target}", lay=lay, harmless=target == "nowhere")


def linked_folder(rng: random.Random) -> Attack:
    target = rng.choice(("/", "/etc", "/proc/self", "/dev"))
    inside = {"/": "etc/passwd", "/etc": "passwd", "/proc/self": "environ", "/dev": "zero"}[target]

    def lay(folder: Path) -> None:
        (folder / "out").symlink_to(target)

    source = sheet(f"{{% include 'out/{inside}' %}}").encode()
    return Attack(f"a link to the folder {target}", {RECORD: source}, lay)


def no_files(rng: random.Random) -> Attack:
    kind = rng.choice(("a FIFO", "a folder", "a socket"))

    def lay(folder: Path) -> None:
        (folder / RECORD).parent.mkdir()
        if kind == "a FIFO":
            os.mkfifo(folder / RECORD)
        elif kind == "a folder":
            (folder / RECORD).mkdir()
        else:
            import socket

            here = Path.cwd()
            os.chdir((folder / RECORD).parent)  # the path of a socket must be short
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind("record.xml")
            os.chdir(here)

    return Attack(f"{kind} as a template", lay=lay)


def encodings(rng: random.Random) -> Attack:
    coding = rng.choice(("utf-16", "utf-32", "cp932", "latin-1", "utf-8-sig", "binary", "gzip", "nothing"))
    text = (
        sheet("<para>Füße 語</para>" if coding != "latin-1" else "<para>Füße</para>")
        .replace("ü", "u")
        .replace("ß", "s")
    )
    content = {
        "binary": rng.randbytes(5_000),
        "gzip": b"\x1f\x8b" + rng.randbytes(500),
        "nothing": b"",
        "latin-1": "<sheet><para>Füße</para></sheet>".encode("latin-1"),
    }.get(coding) or (text.encode(coding) if coding != "nothing" else b"")
    return Attack(f"a template in {coding}", {RECORD: content}, harmless=coding == "utf-8-sig")


def huge(rng: random.Random) -> Attack:
    size = rng.choice((2, 200, 100_000)) * 1024 * 1024

    def lay(folder: Path) -> None:
        (folder / RECORD).parent.mkdir(exist_ok=True)
        with (folder / RECORD).open("wb") as file:
            file.truncate(size)

    return Attack(f"a file of {size:,} bytes", lay=lay)


def crowded(rng: random.Random) -> Attack:
    """Create very many files or deeply nested folders, without a template at the expected path."""
    name = rng.choice(("wide", "deep", "named"))

    def lay(folder: Path) -> None:
        if name == "deep":
            inner = folder
            for _ in range(900):
                inner = inner / "d"
                inner.mkdir()
        else:
            for n in range(9_000):
                (folder / (f"{n}.xml" if name == "named" else f"{n}")).touch()

    return Attack(f"a {name} folder", lay=lay)


def elsewhere(rng: random.Random) -> Attack:
    return Attack(
        "a folder of the system", folder=rng.choice(("/", "/proc", "/sys", "/dev", "/proc/self", "/etc", "/nowhere"))
    )


def slips(rng: random.Random) -> str:
    return sheet(
        rng.choice(
            (
                "{{ q }}",
                "{{ rows[0].q }}",
                "{{ rows[99] }}",
                "{{ w.q.q }}",
                "{{ title | uper }}",
                "{{ title is q }}",
                "{% include 'battlelore/recrod.xml' %}",
                "{% endfor %}",
                "{% if %}",
                "{{ title",
                "{{ title }",
                "<boxs/>",
                "<boxes siz='3'/>",
                "<td/>",
                "<para><table/></para>",
                "<table>x</table>",
                "<figure name='q'/>",
                "<table cols='* *'><tr><td/></tr></table>",
                "<table cols='*'><tr><td/><td/></tr></table>",
                "<para>{{ '<b>' }}</b></para>",
            )
        )
    )


KINDS: dict[str, Callable[[random.Random], str | Attack]] = {
    make.__name__: make
    for make in (
        loops, again, macros, recursive, holds_itself, compared, shown_whole, sorting, powers, multiplied, doubled,
        set_blocks, padded, chains, filled, output, long_text, nested, brackets, circles, no_end, words, letters,
        just_within, tables, deep_tables, many, lists, measures, characters, markup, escapes, statements, reading,
        linked, linked_folder, no_files, encodings, huge, crowded, elsewhere, slips,
    )
}  # fmt: skip
