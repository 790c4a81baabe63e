"""Create the picture of the studio for the READMEs, taken in a real browser, with a line of sight.

Run `python -m docs.make_screenshot` in the top folder of the repository. It requires Chromium.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from generator.model.words import Lang
from generator.store.write import write
from tests.cli.browser import PROGRAM, browser
from tests.cli.run import studio

CODE = "K7Q2M-9FHN5"
WIDE, HIGH = 1440, 900
ASKED = "document.querySelector('#sight .told') !== null && document.querySelector('#readings strong') !== null"


def main() -> None:
    """Write docs/studio.png and docs/studio.ja.png."""
    program, here = PROGRAM, Path(__file__).parent
    if program is None:
        raise SystemExit("no Chromium is installed")
    of: tuple[tuple[Lang, str], ...] = (("en", ""), ("ja", ".ja"))
    with tempfile.TemporaryDirectory() as profile, studio() as started, browser(program, Path(profile)) as page:
        for lang, ending in of:
            page.open("about:blank", WIDE, HIGH)
            page.open(f"{started['address']}#/battle/call_to_arms?seed={CODE}&lang={lang}&from=C3&to=G6", WIDE, HIGH)
            assert page.becomes(ASKED, True, 60.0)
            picture = Path(profile) / "shot.png"
            page.shoot(picture)
            write(here / f"studio{ending}.png", picture.read_bytes())


if __name__ == "__main__":
    main()
