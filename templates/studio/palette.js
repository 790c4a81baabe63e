// @ts-check
// The palette of a map: swatches of drawn terrain, mirrored painting, and the maps to begin with.
import { html, nothing, render } from "./lit-html.js";
import { $, ask, drawn, make, middle, state, word, zones } from "./base.js";

const MIRRORS = ["none", "sides", "turn"];
/** How strokes are mirrored: not at all, from left to right, or turned by 180° for the other player. */
let mirror = "none";
/** The pictures of symbols and objects, keyed by game and then by word. */
const known = new Map();

/** Return the pictures of a map's symbols and objects. They are the same for all maps of a game. */
export async function swatchesOf(map) {
  if (!known.has(state.game)) {
    const words = ["edit", map.file, "--json", "--swatches", "--lang", state.lang];
    const answer = await ask(words, { [map.file]: map.text }, { background: true });
    known.set(state.game, (answer.out && answer.out.swatches) || {});
  }
  return known.get(state.game);
}
/** Put the pictures on the buttons of the palette, instead of letters. */
export function showSwatches(pictures) {
  for (const button of /** @type {HTMLCollectionOf<HTMLElement>} */ ($("palette").children)) {
    const picture = pictures[button.dataset.symbol ?? button.dataset.brush];
    if (!picture || button.querySelector(".swatch-picture")) continue;
    const box = make("span", { class: "swatch-picture", "aria-hidden": "true" });
    box.innerHTML = drawn(picture);
    const letter = button.querySelector("code");
    if (letter) letter.replaceWith(box);
  }
}

/** Show how strokes are mirrored. Objects with a direction, and buildings, are not mirrored. */
export function showMirror(isPossible) {
  const choice = (name) =>
    html`<button
      type="button"
      role="radio"
      data-mirror=${name}
      aria-checked=${mirror === name}
      tabindex=${mirror === name ? 0 : -1}
      @click=${() => {
        mirror = name;
        showMirror(isPossible);
      }}
    >
      ${word(`mirror_${name}`)}
    </button>`;
  render(
    isPossible
      ? html`<span class="small" id="mirror-label">${word("mirror")}</span>
          <span class="segments" role="radiogroup" aria-labelledby="mirror-label">${MIRRORS.map(choice)}</span>`
      : nothing,
    $("paint-mirror"),
  );
}
/** Return cells together with their mirror images on the map that is painted. */
export function mirrored(cells) {
  if (mirror === "none") return cells;
  const every = zones($("canvas")).map((path) => ({ name: path.dataset.cell, at: middle(path) }));
  const centre = [0, 1].map((axis) => {
    const places = every.map(({ at }) => at[axis]);
    return (Math.min(...places) + Math.max(...places)) / 2;
  });
  const image = (cell) => {
    const [x, y] = every.find(({ name }) => name === cell).at;
    const to = [2 * centre[0] - x, mirror === "turn" ? 2 * centre[1] - y : y];
    const far = ({ at }) => Math.hypot(at[0] - to[0], at[1] - to[1]);
    return every.reduce((best, one) => (far(one) < far(best) ? one : best)).name;
  };
  return [...new Set([...cells, ...cells.map(image)])];
}

/**
 * Show the maps on a copy of which the user may paint, or nothing if a map is painted already.
 * @param {[string, object[]][]} maps
 * @param {(name: string, options: object[]) => void} begin
 */
export function showBeginnings(maps, begin) {
  const button = ([name, options]) =>
    html`<button type="button" data-begin=${name} @click=${() => begin(name, options)}>${titleOf(name, options)}</button>`;
  render(
    maps.length
      ? html`<p>${word("paint_begin")}</p>
          <div class="row">${maps.map(button)}</div>`
      : nothing,
    $("paint-begin"),
  );
}
function titleOf(name, options) {
  const [option] = options;
  return (option && option.called && option.called[name]) || name;
}
