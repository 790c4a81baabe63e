// @ts-check
// Moving units by hand with pointer, touch and keys. `muster edit` makes and checks the change.
import { html, render } from "./lit-html.js";
import {
  $,
  FILE,
  control,
  edited,
  focus,
  laid,
  make,
  middle,
  overlay,
  page,
  read,
  shape,
  state,
  under,
  units,
  within,
  word,
  write,
  zone,
} from "./base.js";
import { hover as showHovered, pick, unpoint } from "./ask.js";
import { fixes } from "./remedies.js";
import { showRules } from "./rules.js";
import { endCopy, placeCopy } from "./tray.js";
import { idOf } from "./unit.js";

const PAST = "muster.studio.past",
  MOST = 60;
export const TOOLS = ["look", "move"];
const KEYS = { look: "s", move: "m" };
let tool = "look",
  lifted = null,
  drag = null,
  hover = 0;
/** The last move by hand, which a remedy may complete to a swap. */
let lastMove = { id: "", from: "", to: "" };
let past = [],
  ahead = [];
/** @type {(battle: object, report?: object, isNew?: boolean) => void} */
let show = () => {};
/** @type {(faults: string[]) => void} */
let failed = () => {};
export function listen(hooks) {
  ({ show, failed } = hooks);
}

export function tools() {
  const button = (name) =>
    html`<button
      role="radio"
      aria-checked=${tool === name}
      tabindex=${tool === name ? 0 : -1}
      data-tool=${name}
      aria-keyshortcuts=${KEYS[name]}
      @click=${() => turn(name)}
    >
      ${word(name)}
    </button>`;
  render(TOOLS.map(button), $("tools"));
  $("map").dataset.tool = tool;
  buttons();
}
export function turn(name) {
  tool = name;
  drop();
  tools();
  showHelp();
}
/** Show how the map is used with the present tool and game. */
export function showHelp() {
  const game = page.games.find((one) => one.name === state.game);
  const key = tool === "move" ? "move_help" : game && !game.sight ? "march_help" : "map_help";
  $("map-help").dataset.word = key;
  $("map-help").textContent = word(key);
}

// Undo and redo: whole battles, which are kept until the tab is closed.
function now() {
  return {
    toml: page.battle.toml,
    hand: page.battle.hand,
    moves: page.battle.moves,
    game: state.game,
    code: state.code,
    wishes: { ...state.wishes },
  };
}
export function recall() {
  const kept = read(PAST, sessionStorage) || {};
  past = kept.past || [];
  ahead = kept.ahead || [];
  buttons();
}
function store() {
  past = past.slice(-MOST);
  write(PAST, { past, ahead }, sessionStorage);
  buttons();
}
// The present battle can be restored with undo.
export function record() {
  if (page.battle) {
    past.push(now());
    ahead = [];
    store();
  }
}
export function undo() {
  if (past.length) {
    ahead.push(now());
    show(past.pop());
    store();
  }
}
export function redo() {
  if (ahead.length) {
    past.push(now());
    show(ahead.pop());
    store();
  }
}
function buttons() {
  control("undo").disabled = !past.length;
  control("redo").disabled = !ahead.length;
}

export async function change(words, token = null) {
  const { text, report, faults } = await edited(FILE, [words], page.battle.files);
  if (!text) {
    if (token) back(token);
    failed(faults);
    return;
  }
  record();
  const { moves } = page.battle;
  await show({ ...now(), toml: text, hand: true, moves: moves && [...moves, words] }, report, true);
}

// A unit that is picked up.
function standing(cell) {
  return units()
    .filter((unit) => unit.dataset.cell === cell)
    .pop();
}
function lift(unit) {
  drop();
  lifted = unit;
  unit.dataset.stood = unit.dataset.stood || unit.getAttribute("transform") || "";
  unit.classList.add("lifted");
  laid(overlay("hand"), unit.dataset.cell, "end-of-line");
  $("said").textContent = word("lifted", { unit: idOf(unit), cell: unit.dataset.cell });
}
export function drop() {
  if (lifted) lifted.classList.remove("lifted");
  lifted = null;
  overlay("hand");
  endCopy();
  $("said").textContent = "";
}
function down(cell) {
  const unit = lifted;
  drop();
  if (!unit || unit.dataset.cell === cell) {
    if (unit) back(unit);
    return;
  }
  put(unit, cell);
  lastMove = { id: idOf(unit), from: unit.dataset.cell, to: cell };
  change(`${idOf(unit)}>${cell}`, unit).then(() => focus(zone(cell)));
}
// The unit is displayed at its new place at once. The new picture follows.
function put(unit, cell) {
  const [x, y] = middle(zone(cell)),
    [fx, fy] = middle(zone(unit.dataset.cell));
  unit.setAttribute(
    "transform",
    `translate(${x - fx} ${y - fy}) ${unit.dataset.stood || unit.getAttribute("transform")}`,
  );
}
function back(unit) {
  if (unit.dataset.stood) unit.setAttribute("transform", unit.dataset.stood);
}
export function chosen(cell) {
  if (placeCopy(cell)) return;
  if (tool === "look") {
    pick(cell);
    return;
  }
  if (lifted) down(cell);
  else {
    const unit = standing(cell);
    if (unit) lift(unit);
  }
}

// Whether a touch at this place moves a unit.
export function busy(event) {
  return tool === "move" && (lifted || Boolean(within(event, '[data-layer="units"] [data-cell]')));
}
// Pointers. A short touch picks a unit up, a second one puts it down, and a drag does both.
export function hands() {
  const map = $("map");
  // A finger on a unit drags the unit and does not scroll the page.
  map.addEventListener(
    "touchstart",
    (event) => {
      if (tool === "move" && !lifted && within(event, '[data-layer="units"] [data-cell]')) event.preventDefault();
    },
    { passive: false },
  );
  map.addEventListener("pointerdown", (event) => {
    const unit = within(event, '[data-layer="units"] [data-cell]');
    if (!event.isPrimary && drag) {
      back(drag.unit);
      drag = null;
      drop();
    }
    // A finger scrolls the page unless the tool is Move. A mouse drags units with both tools.
    const mayDrag = tool === "move" || event.pointerType === "mouse";
    if (!mayDrag || !unit || lifted || event.button || !event.isPrimary) return;
    event.preventDefault();
    try {
      map.setPointerCapture(event.pointerId);
    } catch {
      /* a pointer that is gone */
    }
    drag = { unit, x: event.clientX, y: event.clientY, far: false };
    unit.dataset.stood = unit.getAttribute("transform") || "";
  });
  map.addEventListener("pointermove", (event) => {
    if (!drag) {
      aim(event);
      return;
    }
    if (!drag.far && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 5) return;
    if (!drag.far) {
      drag.far = true;
      lift(drag.unit);
      unpoint();
    }
    const inverse = drag.unit.parentNode.getScreenCTM().inverse();
    const dx = (event.clientX - drag.x) * inverse.a + (event.clientY - drag.y) * inverse.c;
    const dy = (event.clientX - drag.x) * inverse.b + (event.clientY - drag.y) * inverse.d;
    drag.unit.setAttribute("transform", `translate(${dx} ${dy}) ${drag.unit.dataset.stood}`);
    const over = under(event.clientX, event.clientY),
      group = overlay("hand");
    laid(group, drag.unit.dataset.cell, "end-of-line");
    if (over) laid(group, over, "target");
  });
  map.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { unit, far } = drag,
      cell = under(event.clientX, event.clientY);
    drag = null;
    if (!far && tool === "look") {
      // A click in the default tool asks about the unit. The pointer is captured by the map, so it gets no click.
      chosen(unit.dataset.cell);
    }
    skip = true;
    setTimeout(() => {
      skip = false;
    });
    if (!far && tool === "look") return;
    if (!far) lift(unit);
    else if (cell) down(cell);
    else {
      drop();
      back(unit);
    }
  });
  map.addEventListener("pointercancel", () => {
    if (drag) {
      back(drag.unit);
      drag = null;
      drop();
    }
  });
  let skip = false;
  map.addEventListener("click", (event) => {
    if (skip) {
      skip = false;
      return;
    }
    const at = within(event, "[data-cell]");
    if (at) chosen(at.dataset.cell);
  });
  map.addEventListener("pointerleave", () => clearTimeout(hover));
}
function aim(event) {
  if (event.pointerType !== "mouse") return;
  clearTimeout(hover);
  const unit = within(event, '[data-layer="units"] [data-cell]');
  hover = setTimeout(() => {
    if (drag || lifted) return;
    if (!unit) unpoint();
    else if (unit.isConnected) showHovered(unit);
  }, 250);
}

// The results of a check: counts, reasons, rings, and the places where a unit may be instead.
const LEVELS = ["illegal", "unproved", "remark", "advice"];
export function verdict(report, edit) {
  const counts = Object.fromEntries(
    LEVELS.map((level) => [level, report.findings.filter((finding) => finding.level === level)]),
  );
  const open = new Set([...counts.illegal, ...counts.unproved].map((finding) => finding.rule));
  $("status").className = report.legal ? "good" : "bad";
  // A click on the verdict opens the list of the checked rules.
  const text = report.legal ? `✓ ${word("legal", { n: report.deciding })}` : word("rules_open");
  const opens = { id: "rules-open", type: "button", title: word("rules_open"), onclick: showRules };
  const rules = make("button", opens, text);
  $("status").replaceChildren(report.legal ? rules : `✕ ${counts.illegal[0].message}`);
  const tier = (mark, key, n) =>
    make("span", { class: `tier ${key}`, "data-n": String(n) }, `${mark} ${word(key, { n })}`);
  $("tiers").replaceChildren(
    tier("✓", "proved", report.deciding - open.size),
    tier("?", "unproved", counts.unproved.length),
    tier("✕", "illegal", counts.illegal.length),
    ...(!report.legal && (edit || page.battle.moves) && past.length
      ? [make("button", { id: "put-back", onclick: undo }, `↶ ${word("put_back")}`)]
      : []),
    ...(report.legal ? [] : [rules]),
  );
  const group = overlay("faults"),
    marks = overlay("marks");
  if (units().length) units()[0].closest('[data-layer="units"]').after(marks);
  for (const finding of counts.illegal) {
    for (const cell of finding.lawful) laid(group, cell, "lawful");
    for (const cell of finding.cells) {
      laid(group, cell, "fault-ring");
      cross(marks, cell);
    }
  }
  $("findings").replaceChildren(
    ...report.findings.map((finding) => {
      const item = make(
        "li",
        { class: finding.level },
        ...(finding === counts.illegal[0] ? [] : [make("strong", {}, `${finding.message} `)]),
        make(
          "span",
          { class: "small" },
          `${finding.text} (${finding.source_text})${finding.lawful.length ? ` ${word("lawful", { cells: finding.lawful.join(", ") })}` : ""}`,
        ),
      );
      fixes(item, finding, change, lastMove);
      return item;
    }),
  );
}
function cross(group, cell) {
  const path = zone(cell);
  if (!path) return;
  const box = path.getBBox(),
    x = box.x + box.width * 0.82,
    y = box.y + box.height * 0.82,
    r = box.width * 0.11;
  group.append(
    shape("circle", { cx: x, cy: y, r, class: "fault-mark" }),
    shape("path", { d: `M${x - r / 2} ${y - r / 2}l${r} ${r}m0 ${-r}l${-r} ${r}`, class: "fault-cross" }),
  );
}
