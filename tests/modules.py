"""What the modules of Muster hold, each read once for all tests that ask."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ASKED = ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Call


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All that a module holds that the tests ask about: what it imports, defines and calls."""
    return tuple(n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ASKED))
