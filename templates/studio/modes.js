// @ts-check
// The three things that one can do with a battle: set it up, watch it played, and play it.
import { html, nothing, render } from "./lit-html.js";
import { state, word } from "./base.js";

const MODES = { battle: "mode_set_up", watch: "mode_watch", play: "mode_play" };
const SIGNS = { battle: "", watch: "▶ ", play: "⚔ " };
/** @type {Record<string, string>} */
const KEYS = { watch: "w", play: "g" };

/**
 * Show the modes in every place for them.
 * @param {(view: string) => void} openView
 */
export function showModes(openView) {
  for (const place of document.querySelectorAll(".modes")) {
    const button = (/** @type {[string, string]} */ [view, key]) =>
      html`<button
        data-mode=${view}
        aria-current=${state.view === view ? "page" : nothing}
        aria-keyshortcuts=${KEYS[view] && state.view !== view ? KEYS[view] : nothing}
        @click=${() => openView(view)}
      >
        ${SIGNS[/** @type {keyof typeof SIGNS} */ (view)]}${word(key)}
      </button>`;
    place.setAttribute("aria-label", word("mode"));
    render(Object.entries(MODES).map(button), /** @type {HTMLElement} */ (place));
  }
}

/** Return the view of the navigation to which a view belongs. @param {string} view */
export function navigationView(view) {
  return view in MODES ? "battle" : view;
}
