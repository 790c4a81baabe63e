"""Parse the modules of Muster once for all tests."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ASKED = ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Call


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return the imports, definitions and calls in a module as syntax tree nodes."""
    return tuple(n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ASKED))


WORTH_A_LOOK = 400
"""Number of lines above which a module may have more than one topic."""


def long_modules(folder: Path) -> list[tuple[int, Path]]:
    """Return the number of lines and the path of every module above the length limit, longest first."""
    counted = ((len(path.read_text(encoding="utf-8").splitlines()), path) for path in folder.rglob("*.py"))
    return sorted((pair for pair in counted if pair[0] > WORTH_A_LOOK), reverse=True)


if __name__ == "__main__":
    for lines, path in long_modules(Path(__file__).parents[1] / "generator"):
        print(f"{lines:4} {path.relative_to(Path(__file__).parents[1])}")  # noqa: T201
