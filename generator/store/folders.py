"""The folders Muster reads from: in a wheel they lie inside the package, in a clone beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def shipped(name: str) -> Path:
    """A folder that ships with Muster: `data` or `templates`."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


@cache
def cached() -> Path:
    """The user's cache folder (made on first use); MUSTER_CACHE names another."""
    import os

    import platformdirs

    return Path(os.environ.get("MUSTER_CACHE") or platformdirs.user_cache_dir("muster", appauthor=False))


def config() -> Path:
    """The user's folder of settings (made on first use); MUSTER_CONFIG names another."""
    import os

    import platformdirs

    return Path(os.environ.get("MUSTER_CONFIG") or platformdirs.user_config_dir("muster", appauthor=False))


def is_file(path: Path) -> bool:
    """Whether a file lies there; a path that cannot be one (too long, through a file) leads to none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
