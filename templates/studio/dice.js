// @ts-check
// Faces of dice: numbers as pips, symbols as coloured shapes.
import { html, nothing, svg } from "./lit-html.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const HELMET = "M5 15v-4a7 7 0 0 1 14 0v4h-4v-4h-1.500v7h-3v-7H9v4z";
const STAR = "M12 3l2.400 5.600 6.100.500-4.600 4 1.400 6L12 16l-5.300 3.100 1.400-6-4.600-4 6.100-.500z";
/** @type {Record<string, { paper: string, ink: string, path: string }>} */
const SYMBOLS = {
  green: { paper: "#1f7a43", ink: "#fff", path: HELMET },
  blue: { paper: "#2458a6", ink: "#fff", path: HELMET },
  red: { paper: "#a5221c", ink: "#fff", path: HELMET },
  strike: { paper: "#e08a1e", ink: "#1c1c1c", path: "M12 3l2 3v7h3v2h-3.500v5h-3v-5H7v-2h3V6z" },
  lore: { paper: "#6b3f9a", ink: "#fff", path: STAR },
  flag: { paper: "#fff", ink: "#1c1c1c", path: "M6 3h2v1h10l-3 4 3 4H8v9H6z" },
};
/** The largest number that is shown as pips. A die with more faces shows digits. */
const MAX_PIPS = 6;

/**
 * Return the picture of a face of a die with its name.
 * @param {number | string} face
 * @param {string} name
 * @param {boolean} isDecimal Whether the die has more than six faces.
 */
export function die(face, name, isDecimal = false) {
  const known = typeof face === "string" ? SYMBOLS[face] : null;
  const paper = known ? known.paper : "#fff";
  return html`<svg class="die" viewBox="0 0 24 24" role="img" aria-label=${name}>
    <title>${name}</title>
    ${svg`<rect x="1" y="1" width="22" height="22" rx="4" fill=${paper} stroke="#3f3b31" />`}
    ${known ? svg`<path d=${known.path} fill=${known.ink} />` : nothing}
    ${typeof face === "number" && face <= MAX_PIPS && !isDecimal ? pips(face) : nothing}
    ${
      typeof face === "number" && (face > MAX_PIPS || isDecimal)
        ? svg`<text x="12" y="17" text-anchor="middle" font-size="14" font-weight="700" fill="#1c1c1c">${face}</text>`
        : nothing
    }
  </svg>`;
}
/** @param {number} face */
function pips(face) {
  const places = PIPS[/** @type {keyof typeof PIPS} */ (face)] || [];
  return places.map(
    (at) => svg`<circle cx=${6.5 + 5.5 * (at % 3)} cy=${6.5 + 5.5 * Math.floor(at / 3)} r="2"
    fill="#1c1c1c" />`,
  );
}

/**
 * Return several dice with the names of their faces.
 * @param {(number | string)[]} faces
 * @param {Record<string, string>} names
 */
export function dice(faces, names) {
  const isDecimal = faces.some((face) => typeof face === "number" && face > MAX_PIPS);
  return html`<span class="dice">${faces.map((face) => die(face, names[face] || String(face), isDecimal))}</span>`;
}
