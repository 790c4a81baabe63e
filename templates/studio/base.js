// What every part of the page shares: its words, its state, and how it asks. It knows no rule.
export const $ = (id) => document.getElementById(id);
export const WORDS = JSON.parse($("words").textContent);
export const FILE = "battle.toml";
const NEXT = "next.toml";
const SVG = "http://www.w3.org/2000/svg";
export const DEFAULTS = { lang: document.documentElement.lang, paper: "a4", ink: "full", parts: "", booklet: "" };
export const state = { game: "", code: "", wishes: {}, ...DEFAULTS, view: "battle", from: "", to: "" };
export const page = {
  games: [], forms: {}, wrong: {}, own: {},
  battle: null, // { toml, files, hand, report }: what stands on the map, and what a check says of it
  settle: null, // what is still to be done to a map that was drawn out of sight
  asked: 0, // how many battles were asked for: what belongs to an earlier one is thrown away
};

export function read(key, from = localStorage) { try { return JSON.parse(from.getItem(key)); } catch { return null; } }
export function write(key, value, to = localStorage) { try { to.setItem(key, JSON.stringify(value)); } catch { /* a private window keeps nothing */ } }
export function word(key, values = {}) {
  let text = WORDS[key][state.lang];
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(`{${name}}`, value);
  return text;
}
export function make(tag, attributes = {}, ...inside) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  }
  node.append(...inside);
  return node;
}
export function shape(tag, attributes = {}) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// Asking: a command line, and the files that it names.
export async function ask(words, files = {}) {
  let answer;
  try {
    const sent = await fetch("/ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ words, files }) });
    answer = await sent.json();
    $("bar").hidden = true;
  } catch {
    $("bar").textContent = word("gone");
    $("bar").hidden = false;
    return { exit: 70, out: null, err: "", files: {}, problems: [] };
  }
  const told = answer.problems || (answer.out && answer.out.problems) || [];
  return { files: {}, err: "", ...answer, problems: told.filter((row) => !row.lang || row.lang === state.lang) };
}
export function problem(row) { return `${row.line ? `${row.line}: ` : ""}${row.message}${row.hint ? ` (${row.hint})` : ""}`; }
export function faults(answer) { return answer.problems.length ? answer.problems.map(problem) : answer.err.trim().split("\n").filter(Boolean); }
// A file with changes, and what comes of them: { text, report }; no text where the changes cannot be.
export async function edited(name, changes, files) {
  const told = await ask(["edit", name, ...changes, "--json", "--lang", state.lang, ...(changes.length ? ["-o", NEXT] : [])], files);
  const report = told.out && Array.isArray(told.out.findings) ? told.out : null;
  return { text: changes.length ? told.files[NEXT] : files[name], report, faults: faults(told) };
}

export function options() { return ["--lang", state.lang, ...(state.ink === "full" ? [] : ["--ink", state.ink])]; }
export function printing() { return [...options(), ...(state.paper === "a4" ? [] : ["--paper", state.paper]), ...(state.parts ? ["--parts", state.parts] : []), ...(state.booklet ? ["--evening"] : [])]; }
export function wished() { return Object.entries(state.wishes).filter(([, value]) => value !== "").map(([name, value]) => `--${name}=${value}`); }
export function brought() {
  const names = (page.forms[state.game] || []).filter((wish) => wish.file).map((wish) => state.wishes[wish.name]);
  return Object.fromEntries(names.filter((name) => name in page.own).map((name) => [name, page.own[name]]));
}
export function save(name, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/toml" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Pictures. Two on a page must not share their symbols' names.
let pictures = 0;
export function drawn(svg) {
  const mark = `p${++pictures}-`;
  return svg.replace(/\bid="/g, `id="${mark}`).replace(/href="#/g, `href="#${mark}`).replace(/url\(#/g, `url(#${mark}`);
}
export function zones(root = $("map")) { return [...root.querySelectorAll('[data-layer="cells"] [data-cell]')]; }
export function zone(name, root = $("map")) { return zones(root).find((path) => path.dataset.cell === name); }
export function units(root = $("map")) { return [...root.querySelectorAll('[data-layer="units"] [data-cell]')]; }
export function middle(path) { const box = path.getBBox(); return [box.x + box.width / 2, box.y + box.height / 2]; }
// Pictures count their heights from below, people from above.
function onScreen(path) { const box = path.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }
// The cell under a point of the window, whatever stands on it.
export function under(x, y) {
  const found = document.elementsFromPoint(x, y).find((node) => node.closest('[data-layer="cells"]') && node.dataset.cell);
  return found ? found.dataset.cell : "";
}
export function overlay(name, root = $("map")) {
  for (const old of root.querySelectorAll(`.over.${name}`)) old.remove();
  const group = shape("g", { class: `over ${name}` }), every = zones(root);
  if (every.length) every[0].closest('[data-layer="cells"]').before(group);
  return group;
}
export function laid(group, cell, kind, root = $("map")) {
  const path = zone(cell, root);
  if (path) group.append(shape("path", { d: path.getAttribute("d"), class: kind }));
}
// A map as a grid that is walked with arrow keys; `chosen` hears of Enter.
export function grid(root, label, chosen) {
  const every = zones(root), svg = root.querySelector("svg"), rows = new Map();
  // What is drawn is told with the cells.
  svg.setAttribute("role", "presentation");
  const layer = svg.querySelector('[data-layer="cells"]');
  for (const other of svg.querySelectorAll("[data-layer]")) if (!layer || !other.contains(layer) && other !== layer) other.setAttribute("aria-hidden", "true");
  if (layer) for (const [name, value] of Object.entries({ role: "grid", "aria-label": label })) layer.setAttribute(name, value);
  for (const path of every) {
    const title = path.querySelector("title"), parts = [title ? title.textContent : path.dataset.cell];
    for (const unit of units(root)) if (unit.dataset.cell === path.dataset.cell) parts.push([unit.dataset.unit, unit.dataset.name].filter(Boolean).join(" "));
    for (const [name, value] of Object.entries({ role: "gridcell", tabindex: "-1", "aria-label": parts.filter(Boolean).join(", ") })) path.setAttribute(name, value);
    path.addEventListener("keydown", (event) => step(event, root, chosen));
    const at = Math.round(middle(path)[1] * 2) / -2;
    rows.set(at, [...(rows.get(at) || []), path]);
  }
  for (const [, row] of [...rows].sort(([one], [other]) => one - other)) {
    const group = shape("g", { role: "row" });
    row[0].parentNode.append(group);
    group.append(...row);
  }
  if (every.length) every[0].setAttribute("tabindex", "0");
}
export function focus(path, root = $("map")) {
  for (const other of zones(root)) other.setAttribute("tabindex", other === path ? "0" : "-1");
  if (path) path.focus({ preventScroll: true });
}
function step(event, root, chosen) {
  const here = event.currentTarget, [x, y] = onScreen(here);
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); chosen(here.dataset.cell); return; }
  if (!(event.key in ways)) return;
  event.preventDefault();
  const [dx, dy] = ways[event.key];
  let best = null, least = Infinity;
  for (const other of zones(root)) {
    const [ox, oy] = onScreen(other), along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (other !== here && along > 0.5 && along + 2.5 * aside < least) { best = other; least = along + 2.5 * aside; }
  }
  if (best) focus(best, root);
}
