"""Create the picture of docs/importing.md, which shows the map that the commands of the page make."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from generator.store.write import write

ROOT = Path(__file__).resolve().parents[1]
SCENARIO = ROOT / "tests" / "imports" / "bocage.json"
"""The scenario of the page, in the format of Memoir '44 editors."""
WIDTH, COLOURS = 800, 256
"""The width of the picture in pixels, and its number of colours, for a small file."""


def main() -> None:
    """Write docs/importing.png."""
    with tempfile.TemporaryDirectory() as folder:
        muster(
            "import", SCENARIO, "--game", "battlelore", "--terrain", "hedgerow=forest", "-o", f"{folder}/bocage.toml"
        )
        muster("boards", "battlelore", "--map", f"{folder}/bocage.toml", "--format", "png", "-o", f"{folder}/boards")
        (board,) = Path(folder, "boards").glob("*.png")
        write(ROOT / "docs" / "importing.png", reduced(board))


def muster(*words: str | Path) -> None:
    """Run a command. `muster import` exits with 1, because the river of the scenario ends within the map."""
    done = subprocess.run(
        [sys.executable, "-m", "generator", *map(str, words)], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)


def reduced(board: Path) -> bytes:
    """Return a picture of a board with the width and the colours of the page."""
    image = Image.open(board).convert("RGB")
    image = image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    main()
