// @ts-check
// Painting a map of one's own: with the symbols of terrain, and with the other objects that a map file may place on
// cells. A command lists these objects.
import { html, nothing, render } from "./lit-html.js";
import {
  $,
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
import { mirrored, readSwatches, showBeginnings, showMirror, swatch } from "./palette.js";
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

// The painted map: its file, its symbols, the objects on its cells, and the cells of the present stroke.
const PAINTED = "muster.studio.paint",
  MOST = 60;
let map = null,
  stroke = null,
  corners = [],
  tip = { symbol: "", brush: null, way: "", taking: false },
  palette = { symbols: [], brushes: [] };
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
  palette = { symbols, brushes };
  if (tip.brush && !taken) tip.way = tip.brush.ways.length ? tip.brush.ways[0].way : "";
  $("paint-none").hidden = symbols.length + brushes.length > 0;
  showBeginnings([], begin);
  readSwatches(map).then(showPalette);
  choose({});
  await redraw(report);
}
function showPalette() {
  const button = (key, row, isChosen, take) =>
    html`<button
      type="button"
      role="radio"
      data-symbol=${row.symbol ?? nothing}
      data-brush=${row.brush ?? nothing}
      aria-checked=${isChosen}
      tabindex=${isChosen ? 0 : -1}
      @click=${take}
    >
      <span class="swatch-picture" aria-hidden="true" .innerHTML=${swatch(key)}></span> ${row.name}
    </button>`;
  const symbol = (row) =>
    button(row.symbol, row, !tip.brush && row.symbol === tip.symbol, () => choose({ symbol: row.symbol, brush: null }));
  const brush = (row) => {
    const way = row.ways.length ? row.ways[0].way : "";
    const isChosen = Boolean(tip.brush) && row.brush === tip.brush.brush;
    return button(row.brush, row, isChosen, () => choose({ symbol: "", brush: row, way }));
  };
  render([...palette.symbols.map(symbol), ...palette.brushes.map(brush)], $("palette"));
}
function wayButton(row) {
  return html`<button
    type="button"
    role="radio"
    data-way=${row.way}
    aria-checked=${row.way === tip.way}
    tabindex=${row.way === tip.way ? 0 : -1}
    @click=${() => choose({ way: row.way })}
  >
    ${row.name}
  </button>`;
}
function choose(other) {
  tip = { ...tip, ...other };
  corners = [];
  cornered();
  showPalette();
  render(tip.brush ? brushControls(tip.brush) : nothing, $("paint-how"));
  showMirror(Boolean(map));
}
/** Return the controls for placing objects on cells: direction, name, corners, and removal. */
function brushControls(brush) {
  const rename = (event) => {
    tip.way = event.target.value.trim();
  };
  const take = (event) => {
    tip.taking = event.target.checked;
    corners = [];
    cornered();
  };
  const ways = html`<span class="segments" role="radiogroup" aria-label=${brush.name}>${brush.ways.map(wayButton)}</span>`;
  const name = html`<label
    ><span>${word("paint_name")}</span
    ><input id="paint-name" .value=${tip.way} spellcheck="false" @input=${rename}
  /></label>`;
  const outline = html`<span class="small">${word("paint_corners")}</span>
    <button type="button" id="paint-close" ?disabled=${corners.length < 3} @click=${close}>${word("paint_close")}</button>`;
  return html`${brush.ways.length ? ways : nothing} ${brush.named ? name : nothing}
    ${brush.several ? outline : nothing}
    <label class="check"
      ><input type="checkbox" id="paint-take" .checked=${tip.taking} @change=${take} /><span
        >${word("paint_take")}</span
      ></label
    >`;
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
// The cells of a stroke. An object with several corners is placed when the last corner is chosen.
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
  const strokesOf = mirrored(drawnOver, brush, way);
  const changes = symbol
    ? strokesOf.flatMap((one) => one.cells.map((cell) => `${cell}=${symbol}`))
    : strokesOf.map((one) => `${one.cells}${taking ? "-" : "+"}${brush.brush}${one.way ? `:${one.way}` : ""}`);
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
  // A second finger zooms. The stroke of the first finger is cancelled.
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
