// Asking about the map: lines, fields, units, open readings. Every answer is a verb's.
import { $, FILE, ask, faults, laid, make, middle, overlay, page, shape, state, units, word, zone } from "./base.js";

const BESIDE = 1.6; // millimetres between a line and what another reading makes of it
let known = new Map(); // what was asked of this battle
let remember = () => {}, wishFor = () => {}, change = () => {};
export function listen(hooks) { ({ remember, wishFor, change } = hooks); }
// What was said of another battle goes at once.
export function forget() { known = new Map(); suppose(""); $("readings").replaceChildren(); }
// An answer is asked for once for a battle and a language.
function once(words) {
  const key = words.join(" ");
  if (!known.has(key)) known.set(key, ask([...words, "--lang", state.lang], page.battle.files));
  return known.get(key);
}

export function pick(cell) {
  if (!state.from || state.to) [state.from, state.to] = [cell, ""];
  else if (state.from !== cell) state.to = cell;
  remember(true);
  line();
}
export function wipe() { [state.from, state.to] = ["", ""]; suppose(""); remember(true); line(); }
export async function line() {
  if (!$("map").querySelector("svg")) return;
  const group = overlay("sight"), told = $("sight"), { from, to } = state;
  told.replaceChildren();
  marks();
  if (!from || !zone(from)) return;
  laid(group, from, "end-of-line");
  if (!to || !zone(to)) { field(group, from); return; }
  laid(group, to, "end-of-line");
  const [rows, text] = await Promise.all([once(["sight", FILE, from, to, "--json"]), once(["sight", FILE, from, to])]);
  if (from !== state.from || to !== state.to || !group.isConnected) return;
  const row = rows.out;
  if (rows.exit || !row) { told.replaceChildren(make("p", { class: "told" }, faults(rows).join("\n"))); return; }
  const clear = "clear" in row ? row.clear : row.in_sight;
  for (const cell of row.through || []) laid(group, cell, "crossed");
  for (const cell of row.along || []) laid(group, cell, "beside");
  for (const cell of row.blocked_by || row.blocked_in || row.hidden_by || []) laid(group, cell, "blocker");
  const [x1, y1] = middle(zone(from)), [x2, y2] = middle(zone(to));
  group.append(shape("line", { x1, y1, x2, y2, class: clear ? "clear" : "blocked" }));
  marks();
  told.replaceChildren(
    make("p", {}, make("strong", {}, `${from} → ${to} `), make("span", { class: `verdict ${clear ? "clear" : "blocked"}` }, `${clear ? "✓" : "✕"} ${word(clear ? "clear" : "blocked")}`)),
    make("p", { class: "told" }, String(text.out || text.err).trim()),
    make("div", { class: "row" },
      make("button", { "aria-keyshortcuts": "x", onclick: () => { [state.from, state.to] = [to, from]; remember(true); line(); } }, word("swap")),
      make("button", { onclick: wipe }, word("wipe"))));
}
async function seen(from) {
  const every = await once(["sight", FILE, ...(from ? [from] : []), "--json"]);
  const rows = Array.isArray(every.out) ? every.out : [];
  const found = rows.filter((row) => "clear" in row ? row.clear : row.in_sight).map((row) => row.to);
  // Where only guns look, a place without one tells what a gun there would see.
  return { rows, found, would: rows.some((row) => row.gun === null), none: rows.length ? "" : faults(every).join("\n") || word("no_sight") };
}
async function field(group, from) {
  const { found, would, none } = await seen(from);
  if (from !== state.from || state.to || !group.isConnected) return;
  if (none || would) $("sight").replaceChildren(make("p", { class: "told" }, none || word("would_see", { cell: from })));
  for (const cell of found) laid(group, cell, "seen");
}

// Open readings: what would be otherwise, on the map and on the line that is asked about.
export async function readings() {
  const now = page.asked, told = await once(["rulings", FILE, "--json"]);
  if (now !== page.asked) return;
  const rows = Array.isArray(told.out) ? told.out : [];
  $("readings").replaceChildren(...rows.map((row) => {
    const form = page.forms[state.game] || [];
    const wish = form.find((one) => one.name === row.option && one.choices.includes(row.choice)) || form.find((one) => one.group === "rulings" && one.choices.includes(row.choice) && one.choices.includes(row.chosen));
    const called = (choice) => (wish && wish.called[choice]) || choice;
    const inside = [make("strong", {}, `${row.name}: ${called(row.chosen)}`), make("p", { class: "told" }, word(row.changes.length ? "other" : "same", { n: row.changes.length, text: row.text }))];
    if (row.changes.length) inside.push(...differing(row, called(row.choice)));
    inside.push(make("p", { class: "on-line", "data-ends": JSON.stringify(row.changes.filter((change) => change.what === "sight").map((change) => [change.about, change.then])) }));
    if (row.changes.length && page.battle.hand) inside.push(make("button", { class: "use", onclick: () => change(`${row.ruling}=${row.choice}`) }, word("use")));
    else if (row.changes.length && wish) inside.push(make("button", { class: "use", onclick: () => wishFor(wish.name, row.choice) }, word("use")));
    return make("div", { class: "reading" }, ...inside);
  }));
  marks();
}
// What a reading would change, told one by one; lines of sight are drawn as well, beside those that hold.
const TOLD = 60;
function differing(row, name) {
  const lines = row.changes.map((change) => make("li", {}, `${change.about}: ${change.now} → ${change.then}`));
  const rest = lines.length > TOLD ? [make("li", {}, word("own_more", { n: lines.length - TOLD }))] : [];
  const list = make("details", { class: "differing" }, make("summary", {}, word("one_by_one")), make("ul", { tabindex: "0", "aria-label": word("one_by_one") }, ...lines.slice(0, TOLD), ...rest));
  if (!row.changes.some((change) => change.what === "sight")) return [list];
  return [make("button", { class: "what-if", "data-ruling": row.ruling, "aria-pressed": String(supposed === row.ruling), onclick: () => suppose(supposed === row.ruling ? "" : row.ruling, row, name) }, word("what_if")), list];
}
const endsOf = (about) => about.split(" ").pop().split("–");
let supposed = ""; // the reading whose lines are drawn
export async function suppose(ruling, row = null, name = "") {
  supposed = ruling;
  const group = overlay("what-if");
  for (const button of document.querySelectorAll("#readings .what-if")) button.setAttribute("aria-pressed", String(button.dataset.ruling === ruling));
  $("what-if").replaceChildren();
  if (!ruling) return;
  const changes = row.changes.filter((change) => change.what === "sight"), { rows } = await seen("");
  if (supposed !== ruling || !group.isConnected) return;
  const open = new Set(rows.flatMap((one) => (one.clear ?? one.in_sight) ? [`${one.from}–${one.to}`, `${one.to}–${one.from}`] : []));
  const drawn = { opens: [], closes: [] };
  for (const { about, then } of changes) {
    const [from, to] = endsOf(about), kind = open.has(`${from}–${to}`) ? "closes" : "opens";
    if (!zone(from) || !zone(to)) continue;
    const [x1, y1] = middle(zone(from)), [x2, y2] = middle(zone(to));
    group.append(shape("line", { x1, y1, x2, y2, class: kind }));
    drawn[kind].push(then);
  }
  const key = (kind) => { const swatch = shape("svg", { viewBox: "0 0 12 2", class: "over swatch", "aria-hidden": "true" }); swatch.append(shape("line", { x1: 0, y1: 1, x2: 12, y2: 1, class: kind })); return swatch; };
  $("what-if").replaceChildren(make("strong", {}, `${row.name}: ${name}`), ...Object.entries(drawn).filter(([, every]) => every.length).map(([kind, every]) => make("span", {}, key(kind), ` ${every[0]} (${every.length})`)), make("button", { onclick: () => suppose("") }, word("put_away")));
}
// Beside each reading: what it says of the line that is asked about, and of how many others.
function marks() {
  const { from, to } = state;
  overlay("other-line");
  for (const node of document.querySelectorAll("#readings .on-line")) {
    const ends = JSON.parse(node.dataset.ends);
    const here = from && to ? ends.find(([about]) => { const names = endsOf(about); return names.includes(from) && names.includes(to); }) : null;
    node.classList.toggle("turned", Boolean(here));
    if (here) other(from, to);
    const line = here ? word("otherwise", { then: here[1] }) : word("not_here");
    node.textContent = from && to ? [line, ends.length ? word("lines_differ", { n: ends.length }) : ""].join(" ").trim() : "";
  }
}

// The asked line as another reading has it, beside the line that holds.
function other(from, to) {
  if (!zone(from) || !zone(to)) return;
  const [x1, y1] = middle(zone(from)), [x2, y2] = middle(zone(to)), far = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [-(y2 - y1) / far * BESIDE, (x2 - x1) / far * BESIDE];
  const kind = document.querySelector("#map .over.sight line.clear") ? "closes" : "opens";
  overlay("other-line").append(shape("line", { x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy, class: kind }));
}

// A unit: its moves, its field of fire and its odds, in the verbs' words.
export function idOf(unit) {
  const { cell, side } = unit.dataset, label = unit.dataset.unit || "";
  const there = ((page.battle.report || {}).units || []).filter((row) => row.side === side);
  const found = there.find((row) => row.id === label) || there.find((row) => row.at === cell && row.id.endsWith(label));
  return found ? found.id : label;
}
// Of a told text the lines of one unit: those below its own, set in farther.
function about(text, id) {
  const lines = String(text || "").split("\n"), own = new RegExp(`^(\\s*)${id}(?![\\w])`);
  const found = [];
  lines.forEach((line, at) => {
    const match = own.exec(line);
    for (let next = at + 1; match && next < lines.length && lines[next].search(/\S/) > match[1].length; next++) found.push(lines[next].trim());
  });
  return found;
}
let pointed = "";
export function unpoint() { pointed = ""; overlay("unit"); }
export function rest() { unpoint(); $("unit").replaceChildren(make("p", { class: "small" }, word("unit_help"))); }
export async function point(unit) {
  const id = idOf(unit), cell = unit.dataset.cell, told = $("unit");
  if (pointed === `${id} ${cell}`) return;
  pointed = `${id} ${cell}`;
  const mine = pointed, group = overlay("unit"), now = page.asked;
  const stale = () => pointed !== mine || now !== page.asked;
  told.replaceChildren(make("p", {}, make("strong", {}, id), ` ${cell}`), make("p", { class: "small" }, word("busy")));
  laid(group, cell, "end-of-line");
  const [moves, words] = await Promise.all([once(["moves", FILE, id, "--json"]), once(["moves", FILE, id])]);
  if (stale()) return;
  const can = Array.isArray(moves.out) && moves.out[0];
  if (can) for (const row of can.moves) laid(group, row.to, "reach");
  const [head, ...rest] = String(can ? words.out : "").trim().split("\n");
  const inside = [make("p", {}, make("strong", {}, head || `${id} ${cell}`))];
  if (rest.length) inside.push(make("h4", {}, word("moves")), make("p", { class: "told", tabindex: "0" }, rest.join("\n")));
  told.replaceChildren(...inside, make("p", { class: "small" }, word("busy")));
  const odds = await once(["odds", FILE]);
  if (stale()) return;
  const can_do = odds.exit ? [] : about(odds.out, id);
  if (can_do.length) inside.push(make("h4", {}, word("odds")), make("p", { class: "told", tabindex: "0" }, can_do.join("\n")));
  told.replaceChildren(...inside);
  const { found, would } = await seen(cell);
  if (stale() || would || !found.length) return;
  for (const other of found) laid(group, other, "seen");
  const foes = units().filter((other) => other.dataset.side !== unit.dataset.side && found.includes(other.dataset.cell));
  told.append(make("h4", {}, word("in_sight")), make("p", { class: "told" }, word("sees", { n: found.length, foes: foes.map((other) => `${idOf(other)} ${other.dataset.cell}`).join(", ") || "–" })));
}

export async function tell(id, verb) {
  $(id).replaceChildren(make("p", {}, word("busy")));
  const told = await once([verb, FILE]);
  $(id).replaceChildren(make("p", { class: "told" }, String(told.exit ? faults(told).join("\n") : told.out).trim()));
}
