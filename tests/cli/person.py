"""A person in front of a browser: with a mouse, with a keyboard alone, or with a finger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli import browser

WAIT_S = 90.0
"""How long a person waits for what a page should show. A quiet machine needs a few seconds at most."""
MAX_TABS = 40
"""How often a person presses Tab, or an arrow key on a map, before it is a fault of the page."""
KEYS = {
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
    "Space": 32,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}
"""The codes of keys."""
SHIFT, CONTROL = 8, 2
"""The bits of modifier keys in the DevTools protocol."""
IN_SIGHT = """(node => {
    if (!node) return "there is no such element";
    const box = node.getBoundingClientRect();
    const x = Math.min(Math.max(box.x + box.width / 2, 1), innerWidth - 1);
    const y = Math.min(Math.max(box.y + box.height / 2, 1), innerHeight - 1);
    const isOutside = box.bottom < 1 || box.top > innerHeight - 1 || box.right < 1 || box.left > innerWidth - 1;
    if (isOutside) return "off the screen";
    const top = document.elementFromPoint(x, y);
    const label = node.closest("label");
    const isHere = top && (node.contains(top) || top.contains(node) || (label && label.contains(top)));
    return isHere || node.closest("svg") ? "" : `covered by ${top && top.outerHTML.slice(0, 120)}`;
})"""
"""A function of the page that returns why a person does not see an element, or an empty text."""


class Person:
    """A user of the page who has a mouse, or nothing but a keyboard. Scripts only look at the page, and never act."""

    def __init__(self, tab: browser.Page, keyboard: bool) -> None:
        self.tab, self.keyboard = tab, keyboard

    # Looking at the page.

    def sees(self, script: str) -> None:
        """Wait until an expression of the page is true."""
        if not self.tab.becomes(f"Boolean({script})", True, WAIT_S):
            raise AssertionError((script, self.tab.run("document.body.innerText")))

    def finds(self, selector: str) -> None:
        """Wait until an element exists and is displayed."""
        self.sees(f"[...document.querySelectorAll({json.dumps(selector)})].some(node => node.checkVisibility())")

    def reads(self, selector: str) -> str:
        """Return the text of an element, which must be on the screen."""
        self.finds(selector)
        reason = self.tab.run(f"{IN_SIGHT}(document.querySelector({json.dumps(selector)}))")
        assert not reason, (selector, reason)
        return str(self.tab.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    # Keys.

    def key(self, name: str, modifiers: int = 0) -> None:
        """Press and release a key."""
        code = KEYS.get(name) or ord(name.upper())
        letter = " " if name == "Space" else name
        event: dict[str, Any] = {"key": letter, "code": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        text = {"Enter": "\r", "Space": " "}.get(name, name if len(name) == 1 and not modifiers else "")
        self.tab.call("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.tab.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def focused(self, selector: str) -> bool:
        return bool(self.tab.run(f"document.activeElement.matches({json.dumps(selector)})"))

    def go(self, selector: str) -> None:
        """Move the focus to an element with Tab, or with Shift and Tab if the element is above the focus."""
        self.finds(selector)
        found = f"[...document.querySelectorAll({json.dumps(selector)})].find(node => node.checkVisibility())"
        above = f"(n => Boolean(n.compareDocumentPosition(document.activeElement) & 4))({found})"
        passed = []
        for _ in range(MAX_TABS):
            if self.focused(selector):
                reason = self.tab.run(f"{IN_SIGHT}(document.activeElement)")
                assert not reason, (selector, reason)
                return
            self.key("Tab", SHIFT if self.tab.run(above) and not self.focused("body") else 0)
            passed.append(self.tab.run("document.activeElement.outerHTML.slice(0, 80)"))
        raise AssertionError((f"the keyboard does not reach {selector}", passed))

    def walk(self, root: str, cell: str) -> None:
        """Move the focus over a map with arrow keys to a cell: first to its row, then along the row."""
        if self.focused("body"):
            self.press("#skip")
        self.go(f"{root} [data-layer=cells] [data-cell][tabindex='0']")
        there = self.tab.middle(f"{root} [data-layer=cells] [data-cell='{cell}']")
        for _ in range(MAX_TABS):
            if self.focused(f"[data-cell='{cell}']"):
                return
            here = self.tab.run(
                "(b => [b.x + b.width / 2, b.y + b.height / 2])(document.activeElement.getBoundingClientRect())"
            )
            dx, dy = there[0] - here[0], there[1] - here[1]
            if abs(dy) > 5:
                self.key("ArrowDown" if dy > 0 else "ArrowUp")
            else:
                self.key("ArrowRight" if dx > 0 else "ArrowLeft")
        raise AssertionError(f"arrow keys do not reach {cell}")

    # The mouse.

    def point(self, selector: str) -> tuple[float, float]:
        """Scroll to an element as a mouse wheel does, and return its centre, where nothing may cover it."""
        self.finds(selector)
        found = f"[...document.querySelectorAll({json.dumps(selector)})].find(node => node.checkVisibility())"
        node = self.tab.call("Runtime.evaluate", expression=found)["result"]["objectId"]
        self.tab.call("DOM.scrollIntoViewIfNeeded", objectId=node)
        reason = self.tab.run(f"{IN_SIGHT}({found})")
        assert not reason, (selector, reason)
        x, y = self.tab.run(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({found}.getBoundingClientRect())")
        return x, y

    def click_at(self, x: float, y: float) -> None:
        held = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.tab.call("Input.dispatchMouseEvent", type="mousePressed", **held)
        self.tab.call("Input.dispatchMouseEvent", type="mouseReleased", **held)

    # Acting, with mouse or keyboard.

    def press(self, selector: str) -> None:
        """Press a button or follow a link."""
        if self.keyboard:
            self.go(selector)
            self.key("Enter")
        else:
            self.click_at(*self.point(selector))

    def press_cell(self, root: str, cell: str) -> None:
        """Choose a cell of a map."""
        if self.keyboard:
            self.walk(root, cell)
            self.key("Enter")
        else:
            self.click_at(*self.point(f"{root} [data-layer=cells] [data-cell='{cell}']"))

    def drag(self, root: str, start: str, end: str) -> None:
        """Move a unit from cell to cell: drag it, or pick it up and put it down with Enter."""
        if not self.keyboard:
            self.point(f"{root} [data-layer=cells] [data-cell='{start}']")
            unit = f"{root} [data-layer=units] [data-cell='{start}']"
            self.tab.drag(unit, f"{root} [data-layer=cells] [data-cell='{end}']")
            return
        self.radio("[data-tool=move]")
        self.walk(root, start)
        self.key("Enter")
        self.walk(root, end)
        self.key("Enter")

    def radio(self, selector: str) -> None:
        """Choose a button of a group of radio buttons, in which arrow keys move."""
        if not self.keyboard:
            self.press(selector)
            return
        self.finds(selector)
        self.go(f"[role=radiogroup]:has({selector}) [role=radio][tabindex='0']")
        for _ in range(MAX_TABS):
            if self.focused(selector):
                return
            self.key("ArrowRight")
        raise AssertionError(f"arrow keys do not reach {selector}")

    def native_radio(self, name: str, place: int) -> None:
        """Choose an input of a group of radio buttons of the browser by its place."""
        value = f"document.querySelectorAll('[name={name}]')[{place}].value"
        self.finds(f"[name={name}]")
        if not self.keyboard:
            self.press(f"label:has([name={name}][value='{self.tab.run(value)}'])")
            return
        self.go(f"[name={name}]")
        self.key("Space")
        for _ in range(place):
            self.key("ArrowRight")

    def write(self, selector: str, text: str) -> None:
        """Replace the text of a field."""
        if self.keyboard:
            self.go(selector)
        else:
            self.press(selector)
        self.tab.call(
            "Input.dispatchKeyEvent",
            type="keyDown",
            key="a",
            code="KeyA",
            windowsVirtualKeyCode=65,
            modifiers=CONTROL,
            commands=["selectAll"],
        )
        self.tab.call("Input.dispatchKeyEvent", type="keyUp", key="a", code="KeyA", windowsVirtualKeyCode=65)
        self.tab.call("Input.insertText", text=text)

    def bring(self, selector: str, file: Path) -> None:
        """Press a button that asks for a file, and choose one in the dialog of the browser."""
        self.tab.call("Page.setInterceptFileChooserDialog", enabled=True)
        self.tab.events.clear()
        self.press(selector)
        self.tab.wait("Page.fileChooserOpened")
        node = self.tab.all("Page.fileChooserOpened")[-1]["backendNodeId"]
        self.tab.call("DOM.setFileInputFiles", files=[str(file)], backendNodeId=node)
        self.tab.call("Page.setInterceptFileChooserDialog", enabled=False)
