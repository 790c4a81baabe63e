"""Muster imported by another program changes nothing for that program."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMPORT_ALL = """
    import importlib, os, pkgutil, sys
    os.environ["RL_invariant"] = "1"
    before = dict(os.environ)
    assert not {"numpy", "reportlab"} & set(sys.modules)
    import generator
    names = [found.name for found in pkgutil.walk_packages(generator.__path__, "generator.")]
    for name in names:
        if not name.endswith("__main__"):
            importlib.import_module(name)
    assert len(names) > 150, len(names)
"""
"""Imports every module of ours before NumPy and ReportLab, in a process that nothing else has touched."""


def run(script: str) -> str:
    """Run a script after every module of ours was imported; its output."""
    whole = textwrap.dedent(IMPORT_ALL) + textwrap.dedent(script)
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_numpy_keeps_its_docstrings_and_types() -> None:
    run(
        """
        import numpy, numpy._typing
        assert "reshape" in dir(numpy.ndarray) and numpy.ndarray.__doc__ and numpy.ndarray.reshape.__doc__
        assert numpy.float64.__doc__
        assert numpy._typing.NDArray is numpy.typing.NDArray is not list
        assert all(type(module) is type(sys) for name, module in sys.modules.items() if name.startswith("numpy._"))
        """
    )


def test_no_module_of_another_library_is_a_stand_in() -> None:
    run(
        """
        import PIL.ExifTags, PIL.TiffTags, ctypes.util, numpy, segno.writers, urllib.request
        assert all(type(module) is type(sys) for module in (PIL.ExifTags, PIL.TiffTags, ctypes.util, segno.writers))
        assert type(urllib.request) is type(sys) and PIL.TiffTags.lookup(256).name == "ImageWidth"
        """
    )
