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
 * @param {{ id: string, from: string, to: string }} lastMove the last move by hand; its empty cell is offered to a
 * unit on whose cell it ended
 */
export function fixes(item, finding, change, lastMove) {
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
  const units = (page.battle.report || {}).units || [];
  const other = units.find((row) => finding.cells.includes(row.at) && row.at === lastMove.to && row.id !== lastMove.id);
  if (other && lastMove.from) {
    const swap = () => change(`${other.id}>${lastMove.from}`);
    const text = word("fix_swap", { unit: other.id, cell: lastMove.from });
    places.push(make("button", { class: "fix", "data-fix": `${other.id}>${lastMove.from}`, onclick: swap }, text));
  }
  if (cells.length + places.length) item.append(make("div", { class: "row" }, ...cells.map(go), ...places));
}
