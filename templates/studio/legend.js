// @ts-check
// The legend below the map: a list of samples with their texts, as wide as the page allows.
import { $, drawn, make, shape } from "./base.js";

/** Space around a sample for the width of its lines, in mm. */
const EDGE = 0.4;

/**
 * Show the entries of a legend picture as a list. The picture must be displayed while its samples are measured.
 * @param {string} svg The picture, or an empty text if the map has no legend.
 */
export function showLegend(svg) {
  const legend = $("legend");
  legend.innerHTML = drawn(svg);
  const picture = legend.querySelector("svg");
  if (!picture) return;
  const entries = [...legend.querySelectorAll('[data-layer="entry"]')].map(listed);
  const definitions = shape("svg", { width: 0, height: 0, "aria-hidden": "true" });
  definitions.append(...picture.querySelectorAll("defs"));
  legend.replaceChildren(definitions, make("ul", {}, ...entries));
}

/** Return an entry as an item of a list: its sample, and the text with which the group ends. */
function listed(entry) {
  const label = entry.lastElementChild;
  label.remove();
  const { x, y, width, height } = entry.getBBox();
  const [left, low, wide, high] = [x - EDGE, y - EDGE, width + 2 * EDGE, height + 2 * EDGE];
  // The picture's y axis points upwards.
  const upward = shape("g", {
    transform: `matrix(1 0 0 -1 0 ${2 * low + high})`,
    "stroke-miterlimit": 10,
    fill: "none",
  });
  upward.append(entry);
  const box = `${left} ${low} ${wide} ${high}`;
  const sample = shape("svg", { viewBox: box, width: `${wide}mm`, height: `${high}mm`, "aria-hidden": "true" });
  sample.append(upward);
  return make("li", {}, make("span", { class: "sample" }, sample), label.getAttribute("aria-label"));
}
