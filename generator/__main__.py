"""`muster`, and `python -m generator`: what comes before all that takes time."""

import os
import sys


def main() -> None:
    """Be ready to be told to end, then run `muster`."""
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
    """Import nothing from the working folder, which `python -m` puts first: a json.py may lie there."""
    if not sys.flags.safe_path and __file__ != f"{sys.path[0]}{os.sep}generator{os.sep}__main__.py":
        del sys.path[0]


if __name__ == "__main__":
    _leave_folder_out()
    main()
