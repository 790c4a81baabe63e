// @ts-check
// Answers about the map: lines and fields of sight, and the effects of other rulings. A command gives each answer.
import { $, FILE, all, faults, labelled, laid, make, middle, overlay, page, shape, state, word, zone } from "./base.js";
import { forgetAnswers, once, onceWithProgress, seenFrom } from "./answers.js";
import { hideBubble, placeBubble } from "./bubble.js";
import * as unitAnswer from "./unit.js";

/** The distance between a line of sight and the line under another ruling, in millimetres. */
const BESIDE = 1.6;
/** @type {(isPick?: boolean) => void} */
let remember = () => {};
/** @type {(name: string, value: string) => void} */
let wishFor = () => {};
/** @type {(words: string) => void} */
let change = () => {};
export function listen(hooks) {
  ({ remember, wishFor, change } = hooks);
}
// Answers about another battle are removed at once.
export function forget() {
  forgetAnswers();
  pinned = "";
  overlay("touched");
  suppose("");
  $("readings").replaceChildren();
}
export function pick(cell) {
  overlay("why");
  if (!state.from || state.to) [state.from, state.to] = [cell, ""];
  else if (state.from !== cell) state.to = cell;
  remember(true);
  line();
}
export function wipe() {
  [state.from, state.to] = ["", ""];
  overlay("why");
  unitAnswer.clear();
  suppose("");
  remember(true);
  line();
}
export async function line() {
  if (!$("map").querySelector("svg")) return;
  const group = overlay("sight"),
    told = $("sight"),
    { from, to } = state;
  told.replaceChildren();
  marks();
  if (!from || !zone(from)) {
    hideBubble();
    return;
  }
  laid(group, from, "end-of-line");
  if (!to || !zone(to)) {
    field(group, from);
    unitAnswer.showAt(from);
    return;
  }
  unitAnswer.clear();
  laid(group, to, "end-of-line");
  if (!hasSight()) {
    await march(group, from, to);
    return;
  }
  const [rows, words] = await Promise.all([
    once(["sight", FILE, from, to, "--json"]),
    once(["sight", FILE, from, to]),
  ]);
  if (from !== state.from || to !== state.to || !group.isConnected) return;
  if (rows.exit || !rows.out) {
    told.replaceChildren(make("p", { class: "told" }, faults(rows).join("\n")));
    placeBubble(from, [to]);
    return;
  }
  const clear = drawLine(group, from, to, rows.out);
  marks();
  const reason = await whyNot(from, to);
  if (from !== state.from || to !== state.to || !group.isConnected) return;
  showLine(from, to, { clear, reason, text: String(words.out || words.err).trim() });
  placeBubble(from, [to, ...(rows.out.through || [])]);
}
/** Return whether the game on the map has lines of sight. In the others, a second click asks about a march. */
function hasSight() {
  const game = page.games.find((one) => one.name === state.game);
  return !game || game.sight;
}
/** Show the cheapest march of the stack on one hex to another hex. */
async function march(group, from, to) {
  const unit = unitAnswer.unitAt(from);
  if (!unit) {
    [state.from, state.to] = [to, ""];
    remember(true);
    line();
    return;
  }
  const id = unitAnswer.idOf(unit);
  const answer = await once(["moves", FILE, id, "--json"]);
  if (from !== state.from || to !== state.to || !group.isConnected) return;
  const row = Array.isArray(answer.out) ? answer.out[0] : null;
  const end = row && row.moves.find((one) => one.to === to);
  const way = (end && end.way) || [];
  for (const cell of way) laid(group, cell, "crossed");
  way.slice(1).forEach((cell, at) => {
    const [x1, y1] = middle(zone(way[at]));
    const [x2, y2] = middle(zone(cell));
    group.append(shape("line", { x1, y1, x2, y2, class: "clear" }));
  });
  const values = { unit: id, cell: to, left: row && end ? row.movement - end.cost : 0, path: way.join(" – ") };
  const verdict = end ? "clear" : "blocked";
  const said = answer.exit ? faults(answer).join("\n") : word(end ? "march_steps" : "march_no", values);
  $("sight").replaceChildren(
    make(
      "p",
      {},
      make("strong", {}, `${from} → ${to} `),
      make("span", { class: `verdict ${verdict}` }, end ? "✓" : "✕"),
    ),
    make("p", { class: "reason" }, said),
    make("div", { class: "row" }, make("button", { onclick: wipe }, word("wipe"))),
  );
  placeBubble(from, [to, ...way]);
}
/** Draw a line of sight with the cells that it crosses and that block it. Return whether it is clear. */
function drawLine(group, from, to, row) {
  const clear = "clear" in row ? row.clear : row.in_sight;
  for (const cell of row.through || []) laid(group, cell, "crossed");
  for (const cell of row.along || []) laid(group, cell, "beside");
  for (const cell of row.blocked_by || row.blocked_in || row.hidden_by || []) laid(group, cell, "blocker");
  const [x1, y1] = middle(zone(from));
  const [x2, y2] = middle(zone(to));
  group.append(shape("line", { x1, y1, x2, y2, class: clear ? "clear" : "blocked" }));
  return clear;
}
/** Show in words whether a line of sight is clear, and why. */
function showLine(from, to, { clear, reason, text }) {
  const verdict = clear ? "clear" : "blocked";
  const swap = () => {
    [state.from, state.to] = [to, from];
    remember(true);
    line();
  };
  $("sight").replaceChildren(
    make(
      "p",
      {},
      make("strong", {}, `${from} → ${to} `),
      make("span", { class: `verdict ${verdict}` }, `${clear ? "✓" : "✕"} ${word(verdict)}`),
    ),
    ...(reason ? [make("p", { class: "reason" }, reason)] : []),
    make("p", { class: "told" }, text),
    make(
      "div",
      { class: "row" },
      make("button", { "aria-keyshortcuts": "x", onclick: swap }, word("swap")),
      make("button", { onclick: wipe }, word("wipe")),
    ),
  );
}
/** Return why the unit on one cell cannot attack the unit on another one, or the chance of its attack. */
async function whyNot(from, to) {
  const unit = unitAnswer.unitAt(from);
  const target = unitAnswer.unitAt(to);
  if (!unit || !target || unit.dataset.side === target.dataset.side) return "";
  const odds = await once(["odds", FILE, "--json"]);
  const rows = (odds.out && odds.out.units) || [];
  const row = rows.find((one) => one.id === unitAnswer.idOf(unit));
  if (!row) return "";
  const attack = row.attacks.find((one) => one.hex === to);
  const any = attack && `${Math.round(100 * attack.any)} %`;
  if (attack) return word("attack", { target: attack.target, hex: to, from: attack.from, n: attack.dice, any });
  const hindrance = row.hindered.find((one) => one.hex === to);
  if (!hindrance) return "";
  unitAnswer.point(hindrance);
  return unitAnswer.reasons(row.id, hindrance);
}
async function field(group, from) {
  if (!hasSight()) return;
  const { found, isAssumed, none } = await seenFrom(from);
  if (from !== state.from || state.to || !group.isConnected) return;
  if (none || isAssumed)
    $("sight").replaceChildren(make("p", { class: "told" }, none || word("would_see", { cell: from })));
  for (const cell of found) laid(group, cell, "seen");
}

// The effects of other rulings, on the map and on the line of sight in question.
export async function readings() {
  const number = page.asked;
  $("readings").replaceChildren(make("p", {}, word("busy")));
  const told = await onceWithProgress(["rulings", FILE, "--json"], $("readings"));
  if (number !== page.asked) return;
  if (told.exit) {
    $("readings").replaceChildren(make("p", { class: "told" }, faults(told).join("\n")));
    return;
  }
  const rows = Array.isArray(told.out) ? told.out : [];
  $("readings").replaceChildren(
    ...rows.map((row) => {
      const form = page.forms[state.game] || [];
      const wish =
        form.find((one) => one.name === row.option && one.choices.includes(row.choice)) ||
        form.find(
          (one) => one.group === "rulings" && one.choices.includes(row.choice) && one.choices.includes(row.chosen),
        );
      const called = (choice) => (wish && wish.called[choice]) || choice;
      const inside = [
        make("strong", {}, labelled(row.name, called(row.chosen))),
        make(
          "p",
          { class: "told" },
          word(row.changes.length ? "other" : "same", { n: row.changes.length, text: row.text }),
        ),
      ];
      if (row.changes.length) inside.push(...differing(row, called(row.choice)));
      inside.push(
        make("p", {
          class: "on-line",
          "data-ends": JSON.stringify(
            row.changes.filter((change) => change.what === "sight").map((change) => [change.about, change.then]),
          ),
        }),
      );
      if (row.changes.length && page.battle.hand)
        inside.push(
          make("button", { class: "use", onclick: () => change(`${row.ruling}=${row.choice}`) }, word("use")),
        );
      else if (row.changes.length && wish)
        inside.push(make("button", { class: "use", onclick: () => wishFor(wish.name, row.choice) }, word("use")));
      const reading = make("div", { class: "reading" }, ...inside);
      // The differences of a ruling are on the map while the pointer or the focus is on it.
      const isDrawn = row.changes.some((one) => one.what === "sight");
      if (isDrawn) reading.addEventListener("mouseenter", () => suppose(row.ruling, row, called(row.choice)));
      reading.addEventListener("mouseleave", () => {
        overlay("touched");
        if (pinned !== row.ruling) suppose("");
      });
      return reading;
    }),
  );
  marks();
}
// The changes of a ruling, one by one. Lines of sight are also drawn, next to the present ones.
const TOLD = 60;
function differing(row, name) {
  const lines = row.changes.map((change) => touchable(change));
  const rest = lines.length > TOLD ? [make("li", {}, word("own_more", { n: lines.length - TOLD }))] : [];
  const list = make(
    "details",
    { class: "differing" },
    make("summary", {}, word("one_by_one")),
    make("ul", { tabindex: "0", "aria-label": word("one_by_one") }, ...lines.slice(0, TOLD), ...rest),
  );
  if (!row.changes.some((change) => change.what === "sight")) return [list];
  return [
    make(
      "button",
      {
        class: "what-if",
        "data-ruling": row.ruling,
        "aria-pressed": String(pinned === row.ruling),
        onclick: () => {
          pinned = pinned === row.ruling ? "" : row.ruling;
          suppose(pinned, row, name);
        },
      },
      word("what_if"),
    ),
    list,
  ];
}
/** Return a change as a line that shows the cells and the line of sight it is about when it is touched. */
function touchable(change) {
  const show = () => showChange(change);
  const text = labelled(change.about, `${change.now} → ${change.then}`);
  const button = make("button", { type: "button", class: "touch", onclick: show, onfocus: show }, text);
  button.addEventListener("mouseenter", show);
  return make("li", {}, button);
}
/** Mark on the map the cells and units that a change is about, and its line of sight. */
function showChange(change) {
  const group = overlay("touched");
  const words = new Set(change.about.split(/[^A-Za-z0-9]+/));
  const cells = (page.battle.report.units || []).filter((row) => words.has(row.id)).map((row) => row.at);
  for (const name of words) if (zone(name)) cells.push(name);
  for (const cell of new Set(cells)) laid(group, cell, "end-of-line");
  const [from, to] = endsOf(change.about);
  if (!zone(from) || !to || !zone(to)) return;
  const [x1, y1] = middle(zone(from));
  const [x2, y2] = middle(zone(to));
  group.append(shape("line", { x1, y1, x2, y2, class: "opens" }));
}
const endsOf = (about) => about.split(" ").pop().split("–");
let supposed = ""; // the reading whose lines are drawn
/** The ruling whose lines stay on the map after the pointer has left it. */
let pinned = "";
export async function suppose(ruling, row = null, name = "") {
  supposed = ruling;
  const group = overlay("what-if");
  for (const button of all("#readings .what-if"))
    button.setAttribute("aria-pressed", String(button.dataset.ruling === pinned));
  $("what-if").replaceChildren();
  if (!ruling) return;
  const changes = row.changes.filter((change) => change.what === "sight"),
    { rows } = await seenFrom("");
  if (supposed !== ruling || !group.isConnected) return;
  const open = new Set(
    rows.flatMap((one) => ((one.clear ?? one.in_sight) ? [`${one.from}–${one.to}`, `${one.to}–${one.from}`] : [])),
  );
  const drawn = { opens: [], closes: [] };
  for (const { about, then } of changes) {
    const [from, to] = endsOf(about),
      kind = open.has(`${from}–${to}`) ? "closes" : "opens";
    if (!zone(from) || !zone(to)) continue;
    const [x1, y1] = middle(zone(from)),
      [x2, y2] = middle(zone(to));
    group.append(shape("line", { x1, y1, x2, y2, class: kind }));
    drawn[kind].push(then);
  }
  const key = (kind) => {
    const swatch = shape("svg", { viewBox: "0 0 12 2", class: "over swatch", "aria-hidden": "true" });
    swatch.append(shape("line", { x1: 0, y1: 1, x2: 12, y2: 1, class: kind }));
    return swatch;
  };
  $("what-if").replaceChildren(
    make("strong", {}, labelled(row.name, name)),
    ...Object.entries(drawn)
      .filter(([, every]) => every.length)
      .map(([kind, every]) => make("span", {}, key(kind), ` ${every[0]} (${every.length})`)),
    make(
      "button",
      {
        onclick: () => {
          pinned = "";
          suppose("");
        },
      },
      word("put_away"),
    ),
  );
}
// For each ruling: its effect on the line of sight in question, and the number of other lines that it changes.
function marks() {
  const { from, to } = state;
  overlay("other-line");
  for (const node of all("#readings .on-line")) {
    const ends = JSON.parse(node.dataset.ends);
    const here =
      from && to
        ? ends.find(([about]) => {
            const names = endsOf(about);
            return names.includes(from) && names.includes(to);
          })
        : null;
    node.classList.toggle("turned", Boolean(here));
    if (here) other(from, to);
    const line = here ? word("otherwise", { then: here[1] }) : word("not_here");
    node.textContent =
      from && to ? [line, ends.length ? word("lines_differ", { n: ends.length }) : ""].join(" ").trim() : "";
  }
}

// The line of sight in question under another ruling, next to the present line.
function other(from, to) {
  if (!zone(from) || !zone(to)) return;
  const [x1, y1] = middle(zone(from)),
    [x2, y2] = middle(zone(to)),
    far = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(-(y2 - y1) / far) * BESIDE, ((x2 - x1) / far) * BESIDE];
  const kind = document.querySelector("#map .over.sight line.clear") ? "closes" : "opens";
  overlay("other-line").append(shape("line", { x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy, class: kind }));
}

/** Show the effects of the unit under the pointer on the map, unless an answer is shown already. */
export function hover(unit) {
  if (!state.from) unitAnswer.show(unit, false);
}
/** Remove the effects of the unit under the pointer. */
export function unpoint() {
  if (!state.from) unitAnswer.clear();
}

/** Show the report of a command about the battle. */
export async function tell(id, verb) {
  const number = page.asked;
  $(id).replaceChildren(make("p", {}, word("busy")));
  const answer = await onceWithProgress([verb, FILE], $(id));
  if (number !== page.asked) return;
  const text = answer.exit ? faults(answer).join("\n") : answer.out;
  $(id).replaceChildren(make("p", { class: "told" }, String(text).trim()));
}
