"""The entry point of `muster` and `python -m generator`."""

import os
import sys


def main() -> None:
    """Install signal handlers and set up the process before the slow imports, then run `muster`."""
    try:
        from generator import interrupt

        interrupt.leave_at_once()
        from generator import process

        process.take_over()
    except KeyboardInterrupt:
        try:
            from generator import interrupt

            interrupt.leave()
        finally:
            os._exit(130)  # A second signal interrupted the import.
    from generator.cli import main as run

    run()


def _leave_folder_out() -> None:
    """Remove the working folder from the import path, because it may contain a module such as json.py.

    `python -m` puts the working folder first in the path.
    """
    if not sys.flags.safe_path and __file__ != f"{sys.path[0]}{os.sep}generator{os.sep}__main__.py":
        del sys.path[0]


if __name__ == "__main__":
    _leave_folder_out()
    main()
