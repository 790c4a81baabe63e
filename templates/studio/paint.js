// @ts-check
// One's own map, painted: by symbols, and by what else its file may lay on cells. What may be laid is the verb's to
// say.
import {
  $,
  all,
  ask,
  control,
  drawn,
  edited,
  faults,
  focus,
  grid,
  laid,
  make,
  middle,
  overlay,
  page,
  problem,
  read as recall,
  save,
  shape,
  state,
  under,
  word,
  write,
  zone,
} from "./base.js";
import { mirrored, showBeginnings, showMirror, showSwatches, swatchesOf } from "./palette.js";
import { grounds, picture } from "./see.js";
import { apply, reset } from "./zoom.js";

/** @type {(name: string, value: string) => void} */
let wishFor = () => {};
/** @type {(view: string) => void} */
let turn = () => {};
/** @type {() => void} */
let keep = () => {};
/** @type {(file: string) => void} */
let edit = () => {};
export function listen(hooks) {
  ({ wishFor, turn, keep, edit } = hooks);
}

// Painting: a map's own file, its symbols, what else lies on cells, and cells that are drawn over.
const PAINTED = "muster.studio.paint",
  MOST = 60;
let map = null,
  stroke = null,
  corners = [],
  tip = { symbol: "", brush: null, way: "", taking: false };
function store() {
  write(
    PAINTED,
    map && { file: map.file, game: state.game, past: map.past.slice(-MOST), ahead: map.ahead.slice(-MOST) },
    sessionStorage,
  );
}
/** Show the map that was painted last, or else the maps to begin with. */
export function enter() {
  const kept = map ? null : recall(PAINTED, sessionStorage);
  if (kept && kept.game === state.game && kept.file in page.own)
    begin(kept.file, (grounds()[0] || ["", []])[1], kept);
  else showBeginnings(map ? [] : grounds(), begin);
}
export async function begin(name, wishes, kept = {}) {
  if (state.view !== "paint") turn("paint");
  let text = page.own[name],
    file = name;
  if (!text) {
    file = `my_${name.replaceAll("-", "_")}.toml`;
    const told = await ask(["data", "copy", name, "-o", file, "--lang", state.lang]);
    text = told.files[file];
  }
  if (!text) return;
  reset($("canvas"));
  map = { file, text, wishes, past: kept.past || [], ahead: kept.ahead || [] };
  await shown();
}
// The palette, and the map, in the language of the page.
export async function shown() {
  if (!map) return;
  const { report } = await edited(map.file, [], { [map.file]: map.text });
  const symbols = report ? report.symbols : [],
    brushes = report ? report.brushes : [];
  const taken = brushes.find((one) => tip.brush && one.brush === tip.brush.brush);
  if (taken) tip.brush = taken;
  else if (!symbols.some((row) => row.symbol === tip.symbol))
    tip =
      symbols.length > 1
        ? { ...tip, symbol: symbols[1].symbol, brush: null }
        : { ...tip, symbol: "", brush: brushes[0] || null };
  $("palette").replaceChildren(
    ...symbols.map((row) =>
      make(
        "button",
        { role: "radio", "data-symbol": row.symbol, onclick: () => choose({ symbol: row.symbol, brush: null }) },
        make("code", {}, row.symbol),
        ` ${row.name}`,
      ),
    ),
    ...brushes.map((row) =>
      make(
        "button",
        {
          role: "radio",
          "data-brush": row.brush,
          onclick: () => choose({ symbol: "", brush: row, way: row.ways.length ? row.ways[0].way : "" }),
        },
        make("code", {}, "+"),
        ` ${row.name}`,
      ),
    ),
  );
  if (tip.brush && !taken) tip.way = tip.brush.ways.length ? tip.brush.ways[0].way : "";
  $("paint-none").hidden = symbols.length + brushes.length > 0;
  showBeginnings([], begin);
  swatchesOf(map).then(showSwatches);
  choose({});
  await redraw(report);
}
function choose(other) {
  tip = { ...tip, ...other };
  corners = [];
  cornered();
  for (const button of all("[role=radio]", $("palette")))
    button.setAttribute(
      "aria-checked",
      String(tip.brush ? button.dataset.brush === tip.brush.brush : button.dataset.symbol === tip.symbol),
    );
  const { brush } = tip,
    inside = [];
  if (brush && brush.ways.length)
    inside.push(
      make(
        "span",
        { class: "segments", role: "radiogroup", "aria-label": brush.name },
        ...brush.ways.map((row) =>
          make(
            "button",
            {
              type: "button",
              role: "radio",
              "data-way": row.way,
              "aria-checked": String(row.way === tip.way),
              onclick: () => choose({ way: row.way }),
            },
            row.name,
          ),
        ),
      ),
    );
  if (brush && brush.named)
    inside.push(
      make(
        "label",
        {},
        make("span", {}, word("paint_name")),
        make("input", {
          id: "paint-name",
          value: tip.way,
          spellcheck: "false",
          oninput: (event) => {
            tip.way = event.target.value.trim();
          },
        }),
      ),
    );
  if (brush && brush.several)
    inside.push(
      make("span", { class: "small" }, word("paint_corners")),
      make("button", { type: "button", id: "paint-close", disabled: true, onclick: close }, word("paint_close")),
    );
  if (brush)
    inside.push(
      make(
        "label",
        { class: "check" },
        make("input", {
          type: "checkbox",
          id: "paint-take",
          checked: tip.taking,
          onchange: (event) => {
            tip.taking = event.target.checked;
            corners = [];
            cornered();
          },
        }),
        make("span", {}, word("paint_take")),
      ),
    );
  $("paint-how").replaceChildren(...inside);
  showMirror(Boolean(map) && !(brush && (brush.ways.length || brush.several || brush.named)));
}
async function redraw(report) {
  page.own[map.file] = map.text;
  keep();
  store();
  const canvas = $("canvas");
  const { svg, told } = await picture(map.file);
  const active = document.activeElement;
  const held = active && canvas.contains(active) ? active.getAttribute("data-cell") : "";
  $("paint-title").textContent = map.file;
  if (svg) {
    canvas.innerHTML = drawn(svg);
    apply(canvas);
    const said = canvas.querySelector("svg > title");
    if (said) said.remove();
    grid(canvas, word("map"), (cell) => strokes([cell]));
    if (held) focus(zone(held, canvas), canvas);
  }
  const problems = report ? report.problems : [],
    remarks = problems.filter((row) => row.remark),
    wrong = problems.filter((row) => !row.remark);
  if (!svg) wrong.push(...faults(told).map((message) => ({ message })));
  $("paint-told").className = wrong.length ? "fault" : remarks.length ? "remark" : "good";
  $("paint-told").replaceChildren(
    ...(wrong.length
      ? wrong.map((row) => make("p", {}, `✕ ${problem(row)}`))
      : [make("p", {}, `✓ ${word("paint_good")}`)]),
    ...remarks.map((row) => make("p", {}, `! ${problem(row)}`)),
  );
  buttons();
}
function buttons() {
  for (const [id, which] of [
    ["paint-undo", "past"],
    ["paint-redo", "ahead"],
  ])
    control(id).disabled = !map || !map[which].length;
  for (const id of ["paint-save", "paint-play", "paint-file"]) control(id).disabled = !map;
}
// Cells that were drawn over: a thing of several corners waits for its last.
function strokes(cells) {
  if (!tip.brush || !tip.brush.several || tip.taking) {
    paint(cells);
    return;
  }
  const cell = cells[cells.length - 1];
  if (cell === corners[0] && corners.length > 2) {
    close();
    return;
  }
  if (!corners.includes(cell)) corners.push(cell);
  cornered();
}
function close() {
  const cells = corners;
  corners = [];
  cornered();
  paint(cells);
}
function cornered() {
  const group = overlay("corners", $("canvas"));
  const ends = corners.map((cell) => middle(zone(cell, $("canvas"))));
  if (ends.length > 1)
    group.append(
      shape("path", {
        d: `M${ends.map((end) => end.join(" ")).join("L")}${ends.length > 2 ? "z" : ""}`,
        class: "target",
      }),
    );
  for (const cell of corners) laid(group, cell, "end-of-line", $("canvas"));
  if ($("paint-close")) control("paint-close").disabled = corners.length < 3;
}
async function paint(drawnOver) {
  const { symbol, brush, way, taking } = tip;
  if (!map || !drawnOver.length || !(symbol || brush)) return;
  const isPlain = !brush || !(brush.ways.length || brush.several || brush.named);
  const cells = isPlain ? mirrored(drawnOver) : drawnOver;
  const changes = symbol
    ? cells.map((cell) => `${cell}=${symbol}`)
    : [`${cells.join(",")}${taking ? "-" : "+"}${brush.brush}${way ? `:${way}` : ""}`];
  const { text, report, faults: wrong } = await edited(map.file, changes, { [map.file]: map.text });
  if (!text) {
    overlay("stroke", $("canvas"));
    $("paint-told").className = "fault";
    $("paint-told").replaceChildren(make("p", {}, `✕ ${wrong.join("\n")}`));
    return;
  }
  map.past.push(map.text);
  map.ahead = [];
  map.text = text;
  await redraw(report);
}
async function restore(from, to) {
  if (!map || !map[from].length) return;
  map[to].push(map.text);
  map.text = map[from].pop();
  await redraw((await edited(map.file, [], { [map.file]: map.text })).report);
}
export function undo() {
  restore("past", "ahead");
}
export function redo() {
  restore("ahead", "past");
}
export function letGo() {
  corners = [];
  if (map) cornered();
}
export function brush() {
  const canvas = $("canvas");
  const over = (event) => {
    const cell = under(event.clientX, event.clientY);
    if (!cell || stroke.includes(cell)) return;
    stroke.push(cell);
    const group = canvas.querySelector(".over.stroke") || overlay("stroke", canvas);
    laid(group, cell, "target", canvas);
  };
  // A second finger zooms; what the first began is let go.
  canvas.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary) {
      stroke = null;
      overlay("stroke", canvas);
    }
  });
  canvas.addEventListener("pointerdown", (event) => {
    if (map && event.isPrimary && !event.button) {
      event.preventDefault();
      stroke = [];
      over(event);
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    if (stroke && event.isPrimary) over(event);
  });
  addEventListener("pointerup", (event) => {
    if (stroke && event.isPrimary) {
      const cells = stroke;
      stroke = null;
      overlay("stroke", canvas);
      if (cells.length) strokes(cells);
    }
  });
  canvas.addEventListener("pointercancel", () => {
    stroke = null;
    overlay("stroke", canvas);
  });
  $("paint-undo").addEventListener("click", undo);
  $("paint-redo").addEventListener("click", redo);
  $("paint-save").addEventListener("click", () => {
    if (map) save(map.file, map.text);
  });
  $("paint-file").addEventListener("click", () => {
    if (map) edit(map.file);
  });
  $("paint-play").addEventListener("click", () => {
    if (map && map.wishes.length) {
      const [wish] = map.wishes;
      turn("battle");
      wishFor(wish.name, map.file);
    }
  });
  buttons();
}
