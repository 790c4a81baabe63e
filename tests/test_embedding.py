"""Tests that importing Muster changes nothing in the importing program."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMPORT_ALL = """
    import gc, importlib, os, pkgutil, sys
    os.environ["RL_invariant"] = "1"
    before, collecting = dict(os.environ), (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count())
    assert not {"numpy", "reportlab"} & set(sys.modules)
    import generator
    names = [found.name for found in pkgutil.walk_packages(generator.__path__, "generator.")]
    for name in names:
        if not name.endswith("__main__"):
            importlib.import_module(name)
    assert len(names) > 150, len(names)
"""
"""Script that imports every module of Muster before NumPy and ReportLab, in a new process."""


def run(script: str) -> str:
    """Run a script after importing all modules of Muster, and return its output."""
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


def test_the_environment_and_the_collector_stay_as_they_are() -> None:
    run(
        """
        assert dict(os.environ) == before
        assert (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()) == collecting
        """
    )


DRAW = """
    import io
    from reportlab import rl_config
    from reportlab.pdfbase import pdfdoc
    from reportlab.pdfgen.canvas import Canvas

    def drawn():
        out = io.BytesIO()
        canvas = Canvas(out, pageCompression=1)
        canvas.drawString(72, 72, "caf\u00e9")
        canvas.rect(1, 2, 3, 4)
        canvas.showPage()
        canvas.save()
        return out.getvalue()
"""


def test_another_program_s_canvas_works_as_reportlab_made_it() -> None:
    alone = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(DRAW) + "print(drawn())"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "RL_invariant": "1"},
    ).stdout
    assert "Helvetica" in alone and "ASCII85Decode" in alone
    after = run(
        textwrap.dedent(DRAW)
        + """
print(drawn())
from generator.cli import main
from tempfile import TemporaryDirectory
with TemporaryDirectory() as folder:
    try:
        main(["kit", "call_to_arms", "--seed", "K7Q2M-9FHN5", "--parts", "cover", "-o", folder + "/kit"])
    except SystemExit as end:
        assert not end.code
print(drawn())
assert pdfdoc.pdfdocEnc.__module__ == "reportlab.pdfbase.pdfdoc"
assert rl_config.canvas_basefontname == "Helvetica" and rl_config.useA85 == 1
assert dict(os.environ) == before
"""
    ).splitlines()
    assert [after[0], after[-1]] == [alone.strip()] * 2
