"""Create the picture of the studio for the READMEs, taken in a real browser, with a line of sight.

Run `python -m docs.make_screenshot` in the top folder of the repository. It requires Chromium.
"""

from __future__ import annotations

import os
import tempfile
from importlib.util import find_spec
from pathlib import Path

from generator.model.words import Lang
from generator.store.write import write
from tests.cli.browser import PROGRAM, browser
from tests.cli.run import studio

CODE = "K7Q2M-9FHN5"
WIDE, HIGH = 1440, 1080
SHOWN = """document.querySelector('#sight .told') !== null && document.querySelector('#map').ariaBusy === 'false'
  && /%/.test(document.querySelector('#chances').textContent)"""
"""Whether the page shows the map, the line of sight and the win rates of computer players."""
LINE = ("C2", "E6")
"""An archer, and an enemy that it cannot see. The answer covers neither of them."""
FONT_PACKAGES = ("noto_cjk_sans_jp_regular", "noto_cjk_sans_jp_bold")
"""The packages with the Japanese font of printed pages. Many systems do not have a Japanese font."""
FONT_SETTINGS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  {folders}
  <alias binding="strong"><family>system-ui</family><prefer><family>Noto Sans CJK JP</family></prefer></alias>
</fontconfig>
"""


def main() -> None:
    """Write docs/studio.png and docs/studio.ja.png."""
    program, here = PROGRAM, Path(__file__).parent
    if program is None:
        raise SystemExit("no Chromium is installed")
    of: tuple[tuple[Lang, str], ...] = (("en", ""), ("ja", ".ja"))
    line = "from={}&to={}".format(*LINE)
    with tempfile.TemporaryDirectory() as folder:
        use_packaged_fonts(Path(folder) / "fonts.conf")
        with studio() as started, browser(program, Path(folder) / "profile") as page:
            for lang, ending in of:
                page.open("about:blank", WIDE, HIGH)
                page.open(f"{started['address']}#/battle/call_to_arms?seed={CODE}&lang={lang}&{line}", WIDE, HIGH)
                assert page.becomes(SHOWN, True, 60.0)
                picture = Path(folder) / "shot.png"
                page.shoot(picture)
                write(here / f"studio{ending}.png", picture.read_bytes())


def use_packaged_fonts(settings: Path) -> None:
    """Write font settings for the browser, which reads them when it starts."""
    found = [spec for name in FONT_PACKAGES if (spec := find_spec(name))]
    folders = "".join(f"<dir>{Path(str(spec.origin)).parent}</dir>" for spec in found)
    settings.write_text(FONT_SETTINGS.format(folders=folders), "utf-8")
    os.environ["FONTCONFIG_FILE"] = str(settings)


if __name__ == "__main__":
    main()
