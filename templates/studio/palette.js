// @ts-check
// The palette of a map: swatches of drawn terrain, mirrored painting, and the maps to begin with.
import { html, nothing, render } from "./lit-html.js";
import { $, ask, drawn, middle, state, word, zones } from "./base.js";

const MIRRORS = ["none", "sides", "turn"];
/** How strokes are mirrored: not at all, from left to right, or turned by 180° for the other player. */
let mirror = "none";
/** The pictures of symbols and objects, keyed by game and then by word. */
const known = new Map();

/** Read the pictures of a map's symbols and objects. They are the same for all maps of a game. */
export async function readSwatches(map) {
  if (known.has(state.game)) return;
  const words = ["edit", map.file, "--json", "--swatches", "--lang", state.lang];
  const answer = await ask(words, { [map.file]: map.text }, { background: true });
  const pictures = Object.entries((answer.out && answer.out.swatches) || {});
  known.set(state.game, Object.fromEntries(pictures.map(([key, picture]) => [key, drawn(picture)])));
}
/** Return the picture of a symbol or object, or its letter as long as there is no picture. */
export function swatch(key) {
  return (known.get(state.game) || {})[key] || (/^\w$|^[.~=]$/.test(key) ? key : "+");
}

/** Show how strokes are mirrored. */
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
/** Return the mirror image of a compass direction. */
function mirroredWay(way) {
  const swap = mirror === "turn" ? { E: "W", W: "E", N: "S", S: "N" } : { E: "W", W: "E" };
  return [...way].map((letter) => swap[letter] || letter).join("");
}
/**
 * Return a stroke and its mirror image on the map that is painted. A direction is mirrored too. The image of a place
 * with a name has no name, because no two places have the same one.
 * @param {string[]} cells
 * @param {{ ways: object[], several: boolean } | null} brush
 * @param {string} way
 */
export function mirrored(cells, brush, way) {
  const stroke = { cells, way };
  if (mirror === "none") return [stroke];
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
  const images = cells.map(image);
  if (brush && brush.ways.length) return [stroke, { cells: images, way: mirroredWay(way) }];
  // A building is a whole: it has no image if it is its own image. Other cells are painted once each.
  const isOwnImage = images.every((cell) => cells.includes(cell));
  const others = brush && brush.several ? (isOwnImage ? [] : images) : images.filter((cell) => !cells.includes(cell));
  return others.length ? [stroke, { cells: others, way: "" }] : [stroke];
}

/**
 * Show the maps that the user can copy and paint on, or nothing if a map is being painted already.
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
