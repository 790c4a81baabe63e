"""The entry point of `muster` and `python -m generator`, with the set-up that must come before slow imports."""

import os
import sys


def main() -> None:
    """Set up signal handlers, then run `muster`."""
    try:
        from generator import interrupt

        interrupt.leave_at_once()
        from generator import process

        process.take_over()
    except KeyboardInterrupt:
        os._exit(130)
    from generator.cli import main as run

    run()


def _leave_folder_out() -> None:
    """Do not import from the working folder, which `python -m` puts first in the path: it may contain a json.py."""
    if not sys.flags.safe_path and __file__ != f"{sys.path[0]}{os.sep}generator{os.sep}__main__.py":
        del sys.path[0]


if __name__ == "__main__":
    _leave_folder_out()
    main()
