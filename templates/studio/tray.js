// @ts-check
// Changes to a unit other than moves: adding another one like it, removing it, and turning it.
import { html, nothing, render } from "./lit-html.js";
import { $, laid, overlay, page, word } from "./base.js";
import { change } from "./move.js";

/** The directions of a unit's front, clockwise. */
const DIRECTIONS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
/** The unit that waits for a cell for another one like it, as its id, or an empty string. */
let copied = "";

/** Return the row of a unit in the report of the battle. */
function rowOf(id) {
  return ((page.battle.report || {}).units || []).find((row) => row.id === id);
}

/** Return the buttons that change a unit. */
export function trayOf(id) {
  const row = rowOf(id);
  if (!row) return nothing;
  const turn = (step) => {
    const at = DIRECTIONS.indexOf(row.facing) + step + DIRECTIONS.length;
    change(`${id}@${DIRECTIONS[at % DIRECTIONS.length]}`);
  };
  return html`<div class="row tray" role="group" aria-label=${word("tray_head")}>
    ${row.facing
      ? html`<button type="button" data-turn="-1" aria-label=${word("tray_left")} @click=${() => turn(-1)}>↶ ${row.facing}</button
          ><button type="button" data-turn="1" aria-label=${word("tray_right")} @click=${() => turn(1)}>↷</button>`
      : nothing}
    <button type="button" data-add @click=${() => beginCopy(id)}>+ ${word("tray_add")}</button>
    <button type="button" data-remove @click=${() => change(`${id}-`)}>− ${word("tray_remove")}</button>
  </div>`;
}

/** Wait for a cell on which another unit like this one is placed. */
function beginCopy(id) {
  copied = id;
  const group = overlay("hand");
  laid(group, rowOf(id).at, "end-of-line");
  render(html`${word("tray_place", { unit: id })}`, $("tray-said"));
  const cell = /** @type {HTMLElement | null} */ ($("map").querySelector('[data-cell][tabindex="0"]'));
  if (cell) cell.focus({ preventScroll: true });
}
/** Forget the unit that waits for a cell. Return whether there was one. */
export function endCopy() {
  const had = Boolean(copied);
  copied = "";
  if (had) overlay("hand");
  render(nothing, $("tray-said"));
  return had;
}
/** Place the unit that waits on a cell. Return whether there was one. */
export function placeCopy(cell) {
  const id = copied;
  if (!endCopy()) return false;
  change(`${id}+${cell}`);
  return true;
}
