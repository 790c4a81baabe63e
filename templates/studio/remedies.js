// @ts-check
// The places and remedies of a finding: its hexes on the map, and moves that would satisfy the rule.
import { focus, laid, make, overlay, page, word, zone } from "./base.js";

/** The number of places that are offered for a unit. */
const MAX_PLACES = 4;

/** Mark the hexes of a finding and the hexes on which the unit may stand. */
function point(finding) {
  const group = overlay("finding");
  for (const cell of finding.cells) laid(group, cell, "end-of-line");
  for (const cell of finding.lawful) laid(group, cell, "lawful");
}

/** Return the id of the only unit on a cell that a finding names, or an empty string. */
function unitOf(finding) {
  const units = (page.battle.report || {}).units || [];
  const there = units.filter((row) => finding.cells.includes(row.at));
  const named = there.filter((row) => new RegExp(`\\b${row.id}\\b`).test(finding.message));
  const found = named.length ? named : there;
  return found.length ? found[found.length - 1].id : "";
}

/**
 * Add to the line of a finding buttons that show its hexes on the map and that fix it.
 * @param {HTMLElement} item
 * @param {{ cells: string[], lawful: string[], message: string }} finding
 * @param {(change: string) => void} change
 */
export function fixes(item, finding, change) {
  item.addEventListener("mouseenter", () => point(finding));
  item.addEventListener("focusin", () => point(finding));
  item.addEventListener("mouseleave", () => overlay("finding"));
  const cells = finding.cells.filter((cell) => zone(cell));
  const unit = unitOf(finding);
  const go = (cell) => make("button", { class: "point", "data-at": cell, onclick: () => focus(zone(cell)) }, cell);
  const move = (cell) => {
    const act = () => change(`${unit}>${cell}`);
    return make("button", { class: "fix", "data-fix": `${unit}>${cell}`, onclick: act }, word("fix_to", { cell }));
  };
  const places = unit ? finding.lawful.slice(0, MAX_PLACES).map(move) : [];
  if (cells.length + places.length) item.append(make("div", { class: "row" }, ...cells.map(go), ...places));
}
