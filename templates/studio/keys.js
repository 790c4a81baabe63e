// @ts-check
// The keyboard: a key clicks the element with this key in `aria-keyshortcuts`, and ? lists all of them.
import { $, controls, dialog, make, read, word, write } from "./base.js";
const KEPT = "muster.keys",
  THEME = "muster.theme";

export function keyboard() {
  const list = dialog("keys");
  const every = () => controls("[aria-keyshortcuts]").filter((node) => node.offsetParent && !node.disabled);
  const typing = (node) =>
    node.closest("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])");

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || list.open || typing(event.target))
      return;
    if (read(KEPT) === "off" && event.key !== "?") return;
    const found = every().find(
      (node) => node.getAttribute("aria-keyshortcuts").toLowerCase() === event.key.toLowerCase(),
    );
    if (!found) return;
    event.preventDefault();
    found.click();
  });

  function told() {
    const rows = every().map((node) => [
      node.getAttribute("aria-keyshortcuts"),
      node.getAttribute("aria-label") || node.textContent.trim(),
    ]);
    rows.push(["← ↑ ↓ →", word("keys_arrows")], ["Enter", word("keys_enter")], ["Esc", word("wipe")]);
    const letters = make("input", {
      type: "checkbox",
      checked: read(KEPT) !== "off",
      onchange: (event) => write(KEPT, event.target.checked ? "on" : "off"),
    });
    list.replaceChildren(
      make("h2", { id: "keys-head" }, word("keys")),
      make(
        "dl",
        {},
        ...rows.flatMap(([key, text]) => [make("dt", {}, make("kbd", {}, key.toUpperCase())), make("dd", {}, text)]),
      ),
      make("label", {}, letters, make("span", {}, word("keys_letters"))),
      make("form", { method: "dialog" }, make("button", { class: "chief" }, word("close"))),
    );
    list.showModal();
  }
  $("help").addEventListener("click", told);

  // The theme is that of the browser until the user chooses one here.
  const dark = () =>
    (document.documentElement.dataset.theme ||
      (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  function paint(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    $("theme").setAttribute("aria-pressed", String(dark()));
  }
  $("theme").addEventListener("click", () => {
    const theme = dark() ? "light" : "dark";
    write(THEME, theme);
    paint(theme);
  });
  paint(read(THEME));
}
