"""Control a headless Chromium over a pair of pipes."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-extensions", "--disable-background-networking", "--disable-component-update", "--kiosk"),
    "--disable-features=SpareRendererForSitePerProcess,BackForwardCache",
)
"""Flags without a sandbox, because the browser opens only pages of these tests, and some containers have no sandbox.
"""
PAGE_TIMEOUT_S = 5.0

PROGRAM = next((path for name in NAMES if (path := shutil.which(name))), None)
"""Path of a Chromium, or None if no Chromium is installed."""


@dataclass
class Page:
    """A browser tab, with the pipes to the browser and the events received from it."""

    to: IO[bytes]
    back: int
    """File descriptor of the pipe from the browser."""
    rest: bytes = b""
    """Bytes of an incomplete message."""
    session: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0

    def call(self, method: str, **params: Any) -> Any:
        """Call a method of the DevTools protocol and return its result."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        self.to.flush()
        while (answer := self.read()).get("id") != self.count:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def read(self) -> dict[str, Any]:
        """Return the next message from the browser."""
        parts = [self.rest]
        while b"\0" not in parts[-1]:
            parts.append(os.read(self.back, 1 << 20))
            assert parts[-1], "the browser has gone"
        text, _, self.rest = b"".join(parts).partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def wait(self, method: str) -> None:
        """Wait for an event of the given kind."""
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.read())

    def all(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of every event of the given kind."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def open(self, page: Path | str, width: int, height: int = 844, *, dark: bool = False, first: str = "") -> None:
        """Load a file or an address in a window of the given size, and discard earlier events.

        The script `first` runs before the scripts of the page.
        """
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        for domain in ("Page", "Runtime"):
            self.call(f"{domain}.enable")
        # Opening the same page with another fragment would not reload the page, so leave it first.
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self.wait("Page.loadEventFired")
        self.events.clear()
        before = self.call("Page.addScriptToEvaluateOnNewDocument", source=first)["identifier"]
        self.call("Page.navigate", url=page if isinstance(page, str) else page.resolve().as_uri())
        self.wait("Page.loadEventFired")
        self.call("Page.removeScriptToEvaluateOnNewDocument", identifier=before)

    @contextmanager
    def listening(self, *domains: str) -> Iterator[None]:
        """Receive the events of the given domains, such as Network, within the context."""
        for domain in domains:
            self.call(f"{domain}.enable")
        try:
            yield
        finally:
            for domain in domains:
                self.call(f"{domain}.disable")

    def run(self, script: str) -> Any:
        """Evaluate an expression in the page and return its value. A promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def becomes(self, script: str, wanted: Any, patience: float = PAGE_TIMEOUT_S) -> bool:
        """Return whether the expression `script` gets the value `wanted` within `patience` seconds."""
        end = time.monotonic() + patience
        while (value := self.run(script)) != wanted and time.monotonic() < end:
            time.sleep(0.1)
        return bool(value == wanted)

    def press(self, key: str, code: int) -> None:
        """Press and release a key."""
        event = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        text = {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **event, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def middle(self, selector: str) -> tuple[float, float]:
        """Return the centre of the first element that matches the selector, in window coordinates."""
        found = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        x, y = self.run(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({found})")
        return x, y

    def drag(self, start: str, end: str, *, touch: bool = False) -> None:
        """Drag from one element to another, by mouse or by touch."""
        (ax, ay), (bx, by) = self.middle(start), self.middle(end)
        way = [(ax + (bx - ax) * n / 5, ay + (by - ay) * n / 5) for n in range(6)]
        if touch:
            for number, (x, y) in enumerate(way):
                kind = "touchMove" if number else "touchStart"
                self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            return
        held = {"button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=ax, y=ay)
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=ax, y=ay, **held)
        for x, y in way[1:]:
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=bx, y=by, **held)

    def fingers(self, *ways: tuple[tuple[float, float], tuple[float, float]]) -> None:
        """Move several fingers at the same time, each from one point of the window to another."""
        for number in range(6):
            points = [{"x": a + (c - a) * number / 5, "y": b + (d - b) * number / 5} for (a, b), (c, d) in ways]
            self.call("Input.dispatchTouchEvent", type="touchMove" if number else "touchStart", touchPoints=points)
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def another(self) -> str:
        """Open a background tab, which handles input slowly, and return the id of its session."""
        target = self.call("Target.createTarget", url="about:blank", background=True)["targetId"]
        session: str = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return session

    def shoot(self, path: Path) -> None:
        """Write a screenshot of the window to a PNG file."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))


@contextmanager
def browser(program: str, profile: Path) -> Iterator[Page]:
    """Start a browser and yield its tab."""
    (their_in, our_out), (our_in, their_out) = os.pipe(), os.pipe()
    # The shell moves the pipes to the file descriptors that Chromium uses: 3 for reading, 4 for writing.
    start = 'r=$1 w=$2; shift 2; exec "$@" 3<"/dev/fd/$r" 4>"/dev/fd/$w"'
    command = ["sh", "-c", start, "sh", str(their_in), str(their_out), program, *FLAGS]
    command += ["--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, pass_fds=(their_in, their_out), stdin=quiet, stdout=quiet, stderr=quiet)
    os.close(their_in)
    os.close(their_out)
    with os.fdopen(our_out, "wb") as to, os.fdopen(our_in, "rb"):
        page = Page(to, our_in)
        try:
            targets = page.call("Target.getTargets")["targetInfos"]
            target = next(t["targetId"] for t in targets if t["type"] == "page")
            page.session = page.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            yield page
            page.session = ""
            page.call("Browser.close")
        finally:
            process.terminate()
            process.wait(20)
