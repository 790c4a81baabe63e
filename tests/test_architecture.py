"""Check the dependencies documented in docs/architecture.md against the imports of the code."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.modules import nodes

ROOT = Path(__file__).resolve().parent.parent
CODE = ROOT / "generator"
MODULES = sorted(CODE.rglob("*.py"))

BASIS = {"localization", "errors", "grid", "model"}
READING = BASIS | {"store", "notation"}
SHARED = READING | {"sight", "rules", "seeds", "symbols", "workers", "common"}

MAY_IMPORT = {
    "localization": set(),
    "errors": {"localization"},
    "interrupt": set(),
    "process": set(),
    "grid": {"errors"},
    "model": {"localization", "errors", "grid"},
    "store": {"localization", "errors"},
    "workers": {"localization", "errors", "store", "process"},
    "rules": {"localization", "errors", "model"},
    "seeds": {"localization", "errors"},
    "sight": BASIS,
    "notation": BASIS | {"store"},
    "symbols": READING,
    "common": SHARED - {"symbols"},
    "games": SHARED - {"workers"},
    "tournament": SHARED - {"workers"} | {"games"},
    "imports": SHARED - {"workers"} | {"games", "tournament"},
    "press": READING | {"sight", "symbols", "workers", "process"},
    "cli": SHARED | {"games", "tournament", "imports", "press", "interrupt", "process"},
}
"""Packages that a package may import in addition to itself."""

ONLY_IN = {
    "shapely": {"sight"},
    "numpy": {"sight", "games"},
    "jinja2": {"press"},
    "fontTools": {"press"},
    "pypdfium2": {"press"},
    "pypdfium2_raw": {"press"},
    "PIL": {"press"},
    "pikepdf": {"press"},
    "click": {"cli"},
    "concurrent": {"workers"},
    "multiprocessing": {"workers", "cli"},
    "distributed": {"workers"},
    "filelock": {"store"},
}
"""Packages that may import each of these libraries."""

SEVERAL_LINES = ROOT / "tests" / "several_lines.txt"
"""Modules whose docstring still has several lines, with one path per line. The list may only shrink."""


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return the modules that a module imports, including imports inside functions and for types."""
    names: list[str] = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names.append(node.module or "")
            names += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(names)


def room(path: Path) -> str:
    parts = path.relative_to(CODE).parts
    return parts[0] if len(parts) > 1 else Path(parts[0]).stem


def module_name(path: Path) -> str:
    """Return the dotted name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_arrows_point_one_way(path: Path) -> None:
    here = room(path)
    if here in ("__init__", "__main__"):
        return
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "generator" and len(parts) > 1 and parts[1] in MAY_IMPORT:
            assert parts[1] == here or parts[1] in MAY_IMPORT[here], f"{here} must not import {name}"
        if parts[0] in ONLY_IN:
            assert here in ONLY_IN[parts[0]], f"{parts[0]} belongs in {ONLY_IN[parts[0]]}, not in {here}"


PRESS = {
    "pdf": set(),
    "layout": {"pdf"},
    "figures": {"pdf", "layout"},
    "check": {"pdf", "layout"},
    "sandbox": {"pdf", "layout"},
}
"""Packages of press/ that a package may import. Modules directly in press/ may import all of them, but not vice
versa.
"""


@pytest.mark.parametrize("inner", PRESS)
def test_arrows_within_the_press_point_one_way(inner: str) -> None:
    paths = sorted((CODE / "press" / inner).rglob("*.py"))
    assert len(paths) > 3
    checked = 0
    for path in paths:
        for name in imports(path):
            parts = name.split(".")
            if parts[:2] == ["generator", "press"] and len(parts) > 2 and parts[2] not in ("Progress", "silent"):
                assert parts[2] == inner or parts[2] in PRESS[inner], f"{path.name} must not import {name}"
                checked += 1
    assert checked > 3


def test_only_press_pdf_imports_reportlab() -> None:
    using = [path for path in MODULES if any(name.split(".")[0] == "reportlab" for name in imports(path))]
    assert len(using) > 4
    assert {path.parent for path in using} == {CODE / "press" / "pdf"}


PRIVATE = re.compile(
    r"\bcanvas\._\w+|\b_(?:doc|formsinuse|extgstate|currentMatrix|absRect|ttf_data)\b|__InternalName__"
)
"""Private names of ReportLab that the press uses."""


def test_only_press_pdf_uses_reportlab_s_private_names() -> None:
    found = {path: PRIVATE.findall(path.read_text(encoding="utf-8")) for path in MODULES}
    inside = {path for path in found if path.parent == CODE / "press" / "pdf"}
    assert sum(len(found[path]) for path in inside) > 20
    assert {path.name: names for path, names in found.items() if names and path not in inside} == {}


STANDING_FOR_MODULES = re.compile(r"sys\.modules|__dict__")


def test_modules_are_looked_up_and_replaced_only_with_a_reason() -> None:
    lines = [line for path in MODULES for line in path.read_text("utf-8").splitlines()]
    found = [line for line in lines if STANDING_FOR_MODULES.search(line)]
    assert 1 <= len(found) <= 3
    assert all("  # " in line for line in found), found


def test_every_room_stands_in_the_table() -> None:
    assert {room(path) for path in MODULES} - {"__init__", "__main__"} == set(MAY_IMPORT)


def test_grid_and_errors_need_the_standard_library_alone() -> None:
    for path in MODULES:
        if room(path) in ("grid", "errors", "localization"):
            for name in imports(path):
                top = name.split(".")[0]
                assert top == "generator" or top in sys.stdlib_module_names, f"{path}: {name}"


def games() -> list[str]:
    return sorted(p.name for p in (CODE / "games").iterdir() if p.is_dir() and (p / "game.py").exists())


@cache
def imported_modules() -> dict[str, set[str]]:
    """Return the imported modules of each module."""
    known = {module_name(path) for path in MODULES}
    return {module_name(path): {n for n in imports(path) if n in known} - {module_name(path)} for path in MODULES}


def import_cycle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return a cycle of imports, or an empty list."""
    done: set[str] = set()

    def walk(node: str, way: list[str]) -> list[str]:
        if node in way:
            return [*way[way.index(node) :], node]
        if node in done:
            return []
        for after in sorted(graph.get(node, ())):
            if found := walk(after, [*way, node]):
                return found
        done.add(node)
        return []

    return next((found for node in sorted(graph) if (found := walk(node, []))), [])


def test_a_ring_is_found() -> None:
    assert import_cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert import_cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_modules_import_each_other() -> None:
    packages = {module_name(path) for path in MODULES if path.name == "__init__.py"}
    graph = {name: {n for n in wanted if n not in packages} for name, wanted in imported_modules().items()}
    assert import_cycle(graph) == []


def test_folders_do_not_import_each_other() -> None:
    """A game's entry point, `game.py`, counts separately."""

    def folder(name: str) -> str:
        parts = name.split(".")
        front = len(parts) == 4 and parts[1] == "games" and parts[3] == "game"
        return name if front or f"{name}.py" in {p.name for p in CODE.iterdir()} else ".".join(parts[:-1])

    graph: dict[str, set[str]] = {}
    packages = {module_name(path) for path in MODULES if path.name == "__init__.py"}
    for name, wanted in imported_modules().items():
        if name in packages:
            continue
        here = folder(name)
        graph.setdefault(here, set()).update(folder(n) for n in wanted if n not in packages and folder(n) != here)
    graph = {here: wanted - {here} for here, wanted in graph.items() if here != "generator"}
    assert import_cycle({here: wanted - {"generator"} for here, wanted in graph.items()}) == []


def test_only_entry_points_and_pages_import_pages() -> None:
    """The sheets of a replay are also pages, although their module is next to the logs."""
    inner = [path for path in (CODE / "games").glob("*/**/*.py") if path.parent.name != "pages"]
    assert len(inner) > 90
    for path in inner:
        if path.name != "game.py" and path.relative_to(CODE / "games").as_posix() != "battling/post/replay.py":
            assert not [n for n in imports(path) if ".pages" in n], f"{path.relative_to(ROOT)} imports pages"


def test_each_games_counters_are_drawn_by_its_symbols_module() -> None:
    """Drawings are found by the module name in data/<game>/theme.toml, which does not appear in any import."""
    for file in sorted((ROOT / "data").glob("*/theme.toml")):
        game = file.parent.name
        assert tomllib.loads(file.read_text("utf-8"))["drawings"] == f"generator.games.{game}.symbols"
        for name in imports(CODE / "games" / game / "symbols.py"):
            parts = name.split(".")
            assert parts[0] != "generator" or parts[1] in ("localization", "errors", "model", "symbols"), (
                f"{game}: {name}"
            )


def test_checker_and_generator_do_not_import_each_other() -> None:
    drawing, checking = ("draw", "maker", "deploying"), "rules"
    for path in sorted((CODE / "games").glob("*/**/*.py")):
        for name in imports(path):
            parts = name.split(".")
            module = parts[3] if len(parts) > 3 and parts[:2] == ["generator", "games"] else ""
            if path.stem.endswith(checking):
                assert module not in drawing and parts[1:2] != ["seeds"], f"{path}: {name}"
            if path.stem in drawing:
                assert not module.endswith(checking), f"{path}: {name}"


def test_no_file_outside_its_rooms_names_a_game() -> None:
    rooms = {CODE / "games" / g for g in games()} | {ROOT / d / g for d in ("data", "templates") for g in games()}
    shared = [*MODULES, *(ROOT / "data").rglob("*.toml"), *(ROOT / "templates").rglob("*.xml")]
    for path in shared:
        if any(r in path.parents for r in rooms):
            continue
        text = path.read_text(encoding="utf-8").replace(" ", "_").lower()
        # data/muster.toml names the default game.
        named_here = [g for g in games() if g in text and path != ROOT / "data" / "muster.toml"]
        assert not named_here, f"{path.relative_to(ROOT)} names {named_here}"


WORDS = {"Play", "Line", "Drawing", "Span", "Bounds", "Order", "Reading"}
"""Names that used to have several meanings and now have a single meaning."""


def test_a_name_stands_for_one_thing() -> None:
    defined: list[str] = []
    for path in MODULES:
        heads = re.findall(r"^(?:class )?(\w+)(?:[(:]| = )", path.read_text(encoding="utf-8"), re.MULTILINE)
        defined += [name for name in heads if name in WORDS]
    assert len(defined) == len(set(defined)), sorted(defined)


def has_one_topic(docstring: str) -> bool:
    """Return whether a module's docstring is one line, optionally followed by one paragraph about the whole file."""
    paragraphs = docstring.strip().split("\n\n")
    return len(paragraphs[0].splitlines()) == 1 and len(paragraphs) <= 2


def test_module_docstrings_have_one_line() -> None:
    """If a docstring lists several topics, split the module, or move each line to the object it describes."""
    assert not has_one_topic("Two topics\nin two lines.") and not has_one_topic("One.\n\nTwo.\n\nThree.")
    several = {
        path.relative_to(ROOT).as_posix()
        for path in MODULES
        if not has_one_topic(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
    }
    listed = SEVERAL_LINES.read_text(encoding="utf-8").splitlines()
    assert sorted(several - set(listed)) == [], "their docstring needs one line that says what the module is for"
    assert sorted(set(listed) - several) == [], f"these have one line now: remove them from {SEVERAL_LINES.name}"
    assert listed == sorted(set(listed))


def unbounded(path: Path) -> Iterator[str]:
    """Yield the functions of a module with a cache that grows with their arguments."""
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef) and ast.unparse(node.args):
            kinds = [ast.unparse(d) for d in node.decorator_list]
            if {"cache", "functools.cache", "lru_cache(None)", "lru_cache(maxsize=None)"} & set(kinds):
                yield node.name


def test_a_cache_of_what_was_asked_is_bounded_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("@cache\ndef f(x): ...\n@cache\ndef table(): ...\n")
    assert list(unbounded(tmp_path / "bad.py")) == ["f"]
    assert {path.name: names for path in MODULES if (names := list(unbounded(path)))} == {}
    for path in MODULES:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip().startswith("@lru_cache("):
                assert "#" in line or "KEPT" in line, f"{path}: {line}"


def test_the_collector_is_set_in_one_place() -> None:
    using = [path for path in MODULES if "gc" in imports(path)]
    assert using == [CODE / "process.py"]


def test_help_starts_light() -> None:
    script = (
        "import sys\nfrom generator.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('numpy', 'shapely', 'reportlab', 'jinja2', 'msgspec') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "[]"


WRITERS = {
    *("write_bytes", "write_text", "unlink", "rename", "rmdir", "mkdir", "makedirs", "touch", "chmod", "chown"),
    *("symlink_to", "hardlink_to", "truncate", "mkdtemp", "mkstemp", "copyfile", "copytree", "rmtree", "fdopen"),
}
"""Names of functions that create, change or remove files."""
EXCEPT = {
    "store/write.py": WRITERS | {"open", "replace"},
    # Discards output after its reader has closed the pipe.
    "cli/__init__.py": {"open"},
    # Opens the pipe to the parent process.
    "press/sandbox/worker.py": {"fdopen", "open"},
}
PUT = {
    *("cli/safe_write.py", "notation/printers.py", "press/sandbox/compiled.py", "press/pdf/typecase.py"),
    *("store/lock.py", "cli/studio_phones.py"),
}
"""Modules that may call these functions: output, settings, caches, the file that names the holder of a lock, and the
file with the tokens of phones.
"""
REMOVE = {"cli/output.py", "cli/event_folder.py", "cli/round_results.py", "store/lock.py"}
"""Modules that may remove files: unchanged pages of an earlier kit or round, and the file of a lock."""


def changing(path: Path) -> Iterator[str]:
    """Yield the calls of a module that may change files."""
    for node in nodes(path):
        if not isinstance(node, ast.Call):
            continue
        of = node.func
        name = of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""
        modes = [a.value for a in (*node.args, *(k.value for k in node.keywords)) if isinstance(a, ast.Constant)]
        owner = of.value.id if isinstance(of, ast.Attribute) and isinstance(of.value, ast.Name) else ""
        if (
            name in WRITERS
            or (name == "open" and owner == "os")
            or (name == "open" and any(isinstance(m, str) and set(m) & set("wax+") and len(m) < 4 for m in modes))
            or (name == "replace" and (owner == "os" or (len(node.args) == 1 and not node.keywords)))
        ):
            yield name


def test_files_are_written_in_one_place() -> None:
    for path in MODULES:
        here = path.relative_to(CODE).as_posix()
        found = set(changing(path)) - EXCEPT.get(here, set())
        assert not found, f"{here} calls {', '.join(sorted(found))}: let cli/safe_write.py or store/write.py do it"


def test_output_goes_through_what_spares_other_people_s_files() -> None:
    for path in MODULES:
        here, names = path.relative_to(CODE).as_posix(), set(imports(path))
        if names & {f"generator.store.write.{name}" for name in ("write", "write_all")}:
            assert here in PUT, f"{here} writes past cli/safe_write.py"
        if "generator.store.write.remove" in names:
            assert here in REMOVE, f"{here} removes files"


def test_the_way_of_a_kit_has_at_most_twelve_stops_each_found_by_its_name() -> None:
    tour = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    way = tour.partition("## A kit, step by step")[2].partition("\n## ")[0]
    stops = re.findall(r"^\d+\. `([\w/.]+): (\w+)(?:\(\))?`", way, re.MULTILINE)
    assert 8 <= len(stops) <= 12
    assert len(stops) == len(re.findall(r"^\d+\. ", way, re.MULTILINE))
    for file, name in stops:
        tree = ast.parse((CODE / file).read_text(encoding="utf-8"))
        names = {getattr(n, "name", "") for n in tree.body} | {
            target.id for n in tree.body if isinstance(n, ast.AnnAssign) and isinstance(target := n.target, ast.Name)
        }
        assert name in names, f"{file} has no {name}"
    for place in re.findall(r"`((?:[\w]+/)*\w+\.py)`", tour):
        assert list(CODE.glob(f"**/{place}")) or (ROOT / place).is_file(), (
            f"docs/architecture.md names {place}, which is not there"
        )


def test_every_private_function_is_used_in_its_module() -> None:
    unused = []
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
        names += [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
        for node in tree.body:
            # A decorator may register the function.
            if not isinstance(node, ast.FunctionDef) or node.decorator_list:
                continue
            if node.name.startswith("_") and node.name not in names:
                unused.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}")
    assert not unused, "remove functions that nothing calls:\n" + "\n".join(unused)
