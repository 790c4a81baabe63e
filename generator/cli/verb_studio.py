"""`muster studio`: serve the studio on this machine and open it in a browser."""

from __future__ import annotations

import secrets
import socket
import threading
import time
import webbrowser
from contextlib import suppress

import click

from generator.cli import console
from generator.cli.help import Verb
from generator.errors import WrongUsageError, install_hint
from generator.localization import localize, tr
from generator.model.words import Lang

LOCALHOST = "127.0.0.1"
IDLE_TIMEOUT_S = 180.0
"""The number of seconds without a request after which the studio ends.

Even a page in a background tab sends a request every minute.
"""


@click.command(cls=Verb)
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), default=0)
@click.option("--no-open", "quiet", is_flag=True)
@click.option("--share", is_flag=True)
@console.answer_options
def studio_verb(port: int, quiet: bool, share: bool, lang: Lang, as_json: bool) -> None:
    """Open the studio in a browser. It ends with Ctrl-C, or a few minutes after its page is closed."""
    try:
        import uvicorn

        from generator.cli.studio_server import Studio
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("uvicorn", "starlette"):
            raise
        hint = install_hint("starlette", "uvicorn")
        raise WrongUsageError(tr("the studio needs 2 packages that are not installed"), hint=hint) from None
    try:
        door = _listen("" if share else LOCALHOST, port)
    except OSError:
        raise WrongUsageError(
            tr("port {port} is already in use", port=port), hint=tr("omit --port, or give another port")
        ) from None
    number = door.getsockname()[1]
    names = [LOCALHOST, "localhost", *([_lan_address()] if share else [])]
    key = secrets.token_urlsafe(9) if share else ""
    place = f"http://{names[-1] if share else LOCALHOST}:{number}/"
    studio = Studio(frozenset(f"{name}:{number}" for name in names), key, address=place)
    address = place + (f"?key={key}" if key else "")
    # Headers of proxies are ignored, because a client could use them to appear to be on this machine.
    config = uvicorn.Config(studio.app(), log_level="critical", lifespan="on", access_log=False, proxy_headers=False)
    server = uvicorn.Server(config)

    def watch() -> None:
        while not server.should_exit:
            time.sleep(1)
            if studio.last_seen and time.monotonic() - studio.last_seen > IDLE_TIMEOUT_S:
                server.should_exit = True

    with suppress(KeyboardInterrupt):  # The studio is usually ended with Ctrl-C.
        if as_json:
            console.print_json({"address": address, "port": number})
        else:
            console.print_line(f"{address}\n{localize(tr('To stop the studio, press Ctrl-C.'), lang)}")
        threading.Thread(target=watch, daemon=True).start()
        if not quiet:
            threading.Timer(0.5, webbrowser.open, (address,)).start()
        server.run(sockets=[door])


def _listen(host: str, port: int) -> socket.socket:
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((host, port))
        door.listen()
    except OSError:
        door.close()
        raise
    return door


def _lan_address() -> str:
    """Return the address of this machine in the local network. The function sends no packets."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return LOCALHOST
        return str(probe.getsockname()[0])
