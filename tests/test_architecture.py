"""The arrows of docs/architecture.md, held over the code's own imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CODE = ROOT / "generator"
MODULES = sorted(CODE.rglob("*.py"))

MAY_IMPORT = {
    "errors": set(),
    "interrupt": set(),
    "grid": {"errors"},
    "model": {"grid", "errors"},
    "sight": {"grid", "model", "errors"},
    "store": {"errors"},
    "notation": {"grid", "model", "store", "errors"},
    "rules": {"grid", "model", "sight", "errors"},
    "draw": {"grid", "model", "rules", "errors"},
    "games": {"grid", "model", "sight", "store", "notation", "rules", "draw", "errors"},
    "tournament": {"grid", "model", "store", "notation", "rules", "draw", "games", "errors"},
    "press": {"grid", "model", "sight", "store", "notation", "errors"},
    "cli": {
        "grid",
        "model",
        "sight",
        "store",
        "notation",
        "rules",
        "draw",
        "games",
        "tournament",
        "press",
        "interrupt",
        "errors",
    },
}
"""Which rooms a room may import; itself always."""

ONLY_IN = {
    "shapely": {"sight"},
    "numpy": {"sight"},
    "reportlab": {"press"},
    "jinja2": {"press"},
    "fontTools": {"press"},
    "pypdfium2": {"press"},
    "PIL": {"press"},
    "pikepdf": {"press"},
    "click": {"cli"},
}
"""The one room that may import each of these libraries."""


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(path: Path) -> str:
    parts = path.relative_to(CODE).parts
    return parts[0] if len(parts) > 1 else Path(parts[0]).stem


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


def test_grid_and_errors_need_the_standard_library_alone() -> None:
    for path in MODULES:
        if room(path) in ("grid", "errors"):
            for name in imports(path):
                top = name.split(".")[0]
                assert top == "generator" or top in sys.stdlib_module_names, f"{path}: {name}"


def games() -> list[str]:
    return sorted(p.name for p in (CODE / "games").iterdir() if p.is_dir() and (p / "__init__.py").exists())


WITHIN_A_GAME = {
    "ground": {"draw", "rules", "pages", "logbook"},
    "forces": {"draw", "rules", "pages", "logbook"},
    "play": {"draw", "rules", "pages", "logbook"},
    "draw": {"rules", "pages"},
    "rules": {"draw", "pages"},
}
"""Rooms of games that a room of a game must not import: the checker knows nothing of the draw, nor the draw of it."""


def test_rooms_of_a_game_keep_to_themselves() -> None:
    base = CODE / "games"
    for path in sorted(base.glob("*/**/*.py")):
        here = path.relative_to(base).with_suffix("").parts[1]
        for name in imports(path):
            parts = name.split(".")
            inside = len(parts) > 3 and parts[:2] == ["generator", "games"] and parts[2] in games()
            assert not (inside and parts[3] in WITHIN_A_GAME.get(here, ())), f"{path}: {name}"
            drawn = name.startswith("generator.draw") or (inside and parts[3:5] == ["ground", "maker"])
            assert not (here == "rules" and drawn), f"{path}: the rules must not import {name}"


def test_no_file_outside_its_rooms_names_a_game() -> None:
    rooms = {CODE / "games" / g for g in games()} | {ROOT / d / g for d in ("data", "templates") for g in games()}
    shared = [*MODULES, *(ROOT / "data").rglob("*.toml"), *(ROOT / "templates").rglob("*.xml")]
    for path in shared:
        if any(r in path.parents for r in rooms):
            continue
        text = path.read_text(encoding="utf-8").replace(" ", "_").lower()
        # data/muster.toml may: it says which game is drawn when none is named.
        named = [g for g in games() if g in text and path != ROOT / "data" / "muster.toml"]
        assert not named, f"{path.relative_to(ROOT)} names {named}"


def test_modules_stay_small() -> None:
    for path in MODULES:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= 400, f"{path.relative_to(ROOT)} has {lines} lines"


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
"""What makes, changes or removes files, by the name that is called."""
EXCEPT = {
    "store/write.py": WRITERS | {"open", "replace"},
    # What no cache can hold is kept for one run; a font that was damaged goes from the cache.
    "press/type/typefounding.py": {"mkdtemp"},
    "press/type/fonts.py": {"unlink"},
    # Where nobody listens any more.
    "cli/__init__.py": {"open"},
    # The pipe to the parent.
    "press/inmate.py": {"fdopen", "open"},
}
PUT = {"cli/put.py", "notation/printers.py", "press/sheets/compiled.py", "press/type/typefounding.py"}
"""Who may call what writes: output, the user's settings, and caches."""
REMOVE = {"cli/paper.py", "cli/rounds.py"}
"""Who may remove files: pages of an earlier kit or round, while they are as they were made."""


def changing(path: Path) -> Iterator[str]:
    """What a module calls that may change files."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        of = node.func
        name = of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else ""
        modes = [a.value for a in (*node.args, *(k.value for k in node.keywords)) if isinstance(a, ast.Constant)]
        whose = of.value.id if isinstance(of, ast.Attribute) and isinstance(of.value, ast.Name) else ""
        if (
            name in WRITERS
            or (name == "open" and whose == "os")
            or (name == "open" and any(isinstance(m, str) and set(m) & set("wax+") and len(m) < 4 for m in modes))
            or (name == "replace" and (whose == "os" or (len(node.args) == 1 and not node.keywords)))
        ):
            yield name


def test_files_are_written_in_one_place() -> None:
    for path in MODULES:
        here = path.relative_to(CODE).as_posix()
        found = set(changing(path)) - EXCEPT.get(here, set())
        assert not found, f"{here} calls {', '.join(sorted(found))}: let cli/put.py or store/write.py do it"


def test_output_goes_through_what_spares_other_people_s_files() -> None:
    for path in MODULES:
        here, names = path.relative_to(CODE).as_posix(), set(imports(path))
        if names & {f"generator.store.write.{name}" for name in ("write", "write_all")}:
            assert here in PUT, f"{here} writes past cli/put.py"
        if "generator.store.write.remove" in names:
            assert here in REMOVE, f"{here} removes files"
