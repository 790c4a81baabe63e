// @ts-check
// The answer about a unit: its moves, its attacks with their chances, its danger, and why it cannot attack others.
import { html, nothing, render } from "./lit-html.js";
import {
  $,
  FILE,
  all,
  faults,
  labelled,
  laid,
  letterSize,
  middle,
  overlay,
  page,
  shape,
  state,
  units,
  word,
  zone,
} from "./base.js";
import { once, seenFrom } from "./answers.js";
import { placeBubble } from "./bubble.js";
import { trayOf } from "./tray.js";

/** The unit and cell of the answer, as one text. */
let current = "";

/** Return the id of a unit on the map. Two units of different sides may show the same number. */
export function idOf(unit) {
  const { cell, side } = unit.dataset;
  const label = unit.dataset.unit || "";
  const rows = ((page.battle.report || {}).units || []).filter((row) => row.side === side);
  const byId = rows.find((row) => row.id === label);
  const found = byId || rows.find((row) => row.at === cell && row.id.endsWith(label));
  return found ? found.id : label;
}
/** Return the unit on top of a cell, or undefined. */
export function unitAt(cell) {
  return units()
    .filter((unit) => unit.dataset.cell === cell)
    .pop();
}

/** Remove the answer about a unit. */
export function clear() {
  current = "";
  overlay("unit");
  render(nothing, $("unit"));
}

/** Show the answer about the unit on a cell in the bubble, if there is one. */
export function showAt(cell) {
  const unit = unitAt(cell);
  if (unit) show(unit);
  else {
    clear();
    placeBubble(cell, []);
  }
}

const percent = (chance) => `${Math.round(100 * chance)} %`;

/** Return the lines of a text about one unit, which are indented below the line that begins with its id. */
function linesAbout(text, id) {
  const lines = String(text || "").split("\n");
  const own = new RegExp(`^(\\s*)${id}(?![\\w])`);
  const found = [];
  lines.forEach((line, at) => {
    const match = own.exec(line);
    for (let next = at + 1; match && next < lines.length && lines[next].search(/\S/) > match[1].length; next++) {
      found.push(lines[next].trim());
    }
  });
  return found;
}

/** Show a unit's moves, attacks and dangers on the map and, if it is pinned by a click, in the bubble. */
export async function show(unit, pinned = true) {
  const id = idOf(unit);
  const cell = unit.dataset.cell;
  if (current === `${id} ${cell} ${pinned}`) return;
  current = `${id} ${cell} ${pinned}`;
  const mine = current;
  const group = overlay("unit");
  laid(group, cell, "end-of-line");
  if (pinned) {
    render(html`<p class="small">${word("busy")}</p>`, $("unit"));
    placeBubble(cell, []);
  }
  const facts = await factsOf(id, cell, group, () => current === mine);
  if (!facts) return;
  if (facts.row) {
    drawAttacks(group, facts.row);
    drawDanger(group, cell, facts.ends, facts.danger);
  } else if (!facts.sight.isAssumed) {
    for (const other of facts.sight.found) laid(group, other, "seen");
  }
  if (!pinned) return;
  render(panel({ id, cell, unit, ...facts }), $("unit"));
  const targets = facts.row ? facts.row.attacks.map((one) => one.hex) : [];
  placeBubble(cell, [...facts.ends.map((one) => one.to), ...targets]);
}

/** Request a unit's actions, and draw its moves as soon as they are known. Return null if they are no longer needed. */
async function factsOf(id, cell, group, isWanted) {
  const [moves, words] = await Promise.all([once(["moves", FILE, id, "--json"]), once(["moves", FILE, id])]);
  if (!isWanted()) return null;
  const ends = (Array.isArray(moves.out) && moves.out[0] && moves.out[0].moves) || [];
  for (const end of ends) laid(group, end.to, end.battles === false ? "reach no-attack" : "reach");
  const asked = [once(["odds", FILE, "--json"]), once(["odds", FILE]), seenFrom(cell)];
  const [odds, oddsWords, sight] = await Promise.all(asked);
  if (!isWanted()) return null;
  const report = odds.exit || !odds.out || !odds.out.units ? null : odds.out;
  const row = report ? report.units.find((one) => one.id === id) : null;
  const danger = (row && report.danger[row.camp]) || [];
  const text = String(moves.exit ? faults(moves).join("\n") : words.out).trim();
  return { ends, row, danger, text, sight, odds: odds.exit ? [] : linesAbout(oddsWords.out, id) };
}

/** Draw an arrow from the hex of each attack to its target. */
function drawAttacks(group, row) {
  for (const attack of row.attacks) {
    if (!zone(attack.from) || !zone(attack.hex)) continue;
    const [x1, y1] = middle(zone(attack.from));
    const [x2, y2] = middle(zone(attack.hex));
    laid(group, attack.hex, "target");
    group.append(shape("line", { x1, y1, x2, y2, class: "attack", "data-target": attack.target }));
  }
}

/** Colour the hexes that a unit can reach by the danger there, and write the average number of hits into them. */
function drawDanger(group, cell, ends, danger) {
  const worst = Math.max(1, ...danger.map((one) => one.foot));
  for (const hex of [cell, ...ends.map((one) => one.to)]) {
    const here = danger.find((one) => one.hex === hex);
    if (!here || !zone(hex)) continue;
    const path = shape("path", { d: zone(hex).getAttribute("d"), class: "heat" });
    path.style.opacity = String(0.15 + (0.55 * here.foot) / worst);
    const [x, y] = middle(zone(hex));
    const box = zone(hex).getBBox();
    const label = shape("text", { x: 0, y: 0, class: "heat-label", "font-size": letterSize(zone(hex)) });
    label.setAttribute("transform", `translate(${x} ${y - box.height * 0.24}) ${upright()}`);
    label.textContent = here.foot.toFixed(1);
    group.append(path, label);
  }
}
/** Return the transformation under which text is upright, although the map counts heights from below. */
function upright() {
  const matrix = zone(state.from || "") ? zone(state.from).getCTM() : null;
  return matrix && matrix.d < 0 ? "scale(1 -1)" : "";
}

function panel({ id, cell, unit, ends, text, row, odds, sight }) {
  const [head, ...rest] = text.split("\n");
  const others = units().filter((one) => one.dataset.side !== unit.dataset.side);
  const foes = others.filter((one) => sight.found.includes(one.dataset.cell));
  const names = foes.map((one) => `${idOf(one)} ${one.dataset.cell}`).join(", ");
  const seen = word("sees", { n: sight.found.length, foes: names || "–" });
  return html`<p><strong>${head || `${id} ${cell}`}</strong></p>
    ${trayOf(id)}
    ${row ? dangerLine(row) : nothing}
    ${
      rest.length
        ? html`<details ?open=${!row}>
            <summary>${labelled(word("moves"), ends.length)}</summary>
            <p class="told">${rest.join("\n")}</p>
          </details>`
        : nothing
    }
    ${row ? attacks(row) : html`<p class="told">${odds.join("\n")}</p>`}
    ${
      sight.none || sight.isAssumed || !sight.found.length
        ? nothing
        : html`<p class="told"><span class="label">${word("in_sight")}</span> ${seen}</p>`
    }
    ${row && row.hindered.length ? hindered(row) : nothing}`;
}
function dangerLine(row) {
  if (!row.danger.units) return html`<p class="told">${word("no_danger")}</p>`;
  return html`<p class="told">${word("danger", { hits: row.danger.hits.toFixed(2), n: row.danger.units })}</p>`;
}
function attacks(row) {
  if (!row.attacks.length) return html`<p class="told">${word("no_attacks")}</p>`;
  const line = (one) =>
    html`<li>
      <button class="plain" @mouseenter=${() => touch(one.target)} @focus=${() => touch(one.target)}>
        ${word("attack", { target: one.target, hex: one.hex, from: one.from, n: one.dice, any: percent(one.any) })}
        ${one.destroyed ? word("destroys", { chance: percent(one.destroyed) }) : nothing}
      </button>
    </li>`;
  return html`<p class="label">${word("attacks")}</p>
    <ul class="lines" @mouseleave=${() => touch("")}>
      ${row.attacks.map(line)}
    </ul>`;
}
function hindered(row) {
  const line = (one) =>
    html`<li>
      <button
        class="plain"
        data-target=${one.target}
        @mouseenter=${() => point(one)}
        @focus=${() => point(one)}
      >
        ${reasons(row.id, one)}
      </button>
    </li>`;
  return html`<details class="hindered">
    <summary>${labelled(word("why_not"), row.hindered.length)}</summary>
    <ul class="lines" @mouseleave=${() => overlay("why")}>
      ${row.hindered.map(line)}
    </ul>
  </details>`;
}

/** Return a sentence that explains why a unit cannot attack an enemy, and from where it could. */
export function reasons(id, one) {
  const found = [];
  if (one.engaged) found.push(word("why_engaged"));
  if (one.wall) found.push(word("why_wall"));
  const ways = one.blockers.map((of) => (of.unit ? `${of.unit} ${of.hex}` : of.hex));
  if (ways.length) found.push(word("why_blocked", { what: ways.join(", ") }));
  if (one.distance > one.range) found.push(word("why_far", { n: one.distance, range: one.range }));
  if (!found.length) found.push(word("why_reach"));
  found.push(one.from ? word("why_from", { from: one.from, n: one.steps }) : word("why_never"));
  return `${word("why_head", { unit: id, target: one.target, hex: one.hex })} ${found.join(word("why_and"))}`;
}
/** Mark on the map the obstacles to an attack, and the hex from which it would be possible. */
export function point(one) {
  const group = overlay("why");
  laid(group, one.hex, "end-of-line");
  for (const blocker of one.blockers) laid(group, blocker.hex, "blocker");
  if (one.from) laid(group, one.from, "lawful");
}
/** Emphasise one attack, or all attacks. */
function touch(target) {
  for (const line of all("#map .over.unit .attack")) {
    line.classList.toggle("faded", Boolean(target) && line.dataset.target !== target);
  }
}
