// @ts-check
// The texts, state and requests that all parts of the page share. It contains no rules of a game.
/** @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);
/**
 * Return an input, selection, text area or button of the page.
 * @param {string} id
 */
export const control = (id) => /** @type {HTMLInputElement} */ ($(id));
/**
 * Return a dialog of the page.
 * @param {string} id
 */
export const dialog = (id) => /** @type {HTMLDialogElement} */ ($(id));
/**
 * Return the elements that a selector matches.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {HTMLElement[]}
 */
export const all = (selector, root = document) =>
  [...root.querySelectorAll(selector)].map((node) => /** @type {HTMLElement} */ (node));
/**
 * Return the inputs, selections and buttons that a selector matches.
 * @param {string} selector
 * @param {ParentNode} root
 */
export const controls = (selector, root = document) => /** @type {HTMLInputElement[]} */ (all(selector, root));
/**
 * Return the innermost element around the target of an event that a selector matches, or null.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function within(event, selector) {
  return event.target instanceof Element ? /** @type {HTMLElement} */ (event.target.closest(selector)) : null;
}
/**
 * Return the parts of a picture that a selector matches.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {SVGGraphicsElement[]}
 */
const shapes = (selector, root) =>
  [...root.querySelectorAll(selector)].map((node) => /** @type {SVGGraphicsElement} */ (node));
export const WORDS = JSON.parse($("words").textContent);
export const FILE = "battle.toml";
const NEXT = "next.toml";
const SVG = "http://www.w3.org/2000/svg";
export const DEFAULTS = { lang: document.documentElement.lang, paper: "a4", ink: "full", parts: "", booklet: "" };
export const state = { game: "", code: "", wishes: {}, ...DEFAULTS, view: "battle", dozen: "", from: "", to: "" };
export const page = {
  games: [],
  forms: {},
  wrong: {},
  own: {},
  battle: null, // { toml, files, hand, report }: what stands on the map, and what a check says of it
  settle: null, // what is still to be done to a map that was drawn out of sight
  asked: 0, // how many battles were asked for: what belongs to an earlier one is thrown away
};

export function read(key, from = localStorage) {
  try {
    return JSON.parse(from.getItem(key));
  } catch {
    return null;
  }
}
export function write(key, value, to = localStorage) {
  try {
    to.setItem(key, JSON.stringify(value));
  } catch {
    /* a private window keeps nothing */
  }
}
export function word(key, values = {}) {
  let text = WORDS[key][state.lang];
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(`{${name}}`, value);
  return text;
}
/** Return a heading and the text after it, joined by the colon of the language. */
export function labelled(head, text) {
  return word("labelled", { head, text });
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

// Requests: a command line, and the files that it names.

/** The controller of the requests about the battle on the map. They are aborted when another battle is asked for. */
let battleRequests = new AbortController();

/** Return the signal that aborts the requests about the battle on the map. */
export function battleSignal() {
  return battleRequests.signal;
}
/** Begin another battle: abort the requests about the last one, and return the number of the new one. */
export function nextBattle() {
  battleRequests.abort();
  battleRequests = new AbortController();
  page.asked += 1;
  return page.asked;
}

const NO_ANSWER = { out: null, err: "", files: {}, problems: [] };

/**
 * Run a command and return its answer.
 *
 * `aboutBattle` requests are aborted when another battle is asked for. Requests in the background leave a process of
 * the server to others.
 * @param {string[]} words
 * @param {Record<string, string>} files
 * @param {{ aboutBattle?: boolean, background?: boolean }} [how]
 */
export async function ask(words, files = {}, { aboutBattle = false, background = false } = {}) {
  const signal = aboutBattle ? battleRequests.signal : null;
  const body = JSON.stringify({ words, files, background });
  let answer;
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch("/ask", { method: "POST", headers, body, signal });
    answer = await response.json();
    $("bar").hidden = true;
  } catch {
    if (signal && signal.aborted) return { ...NO_ANSWER, exit: 130 };
    $("bar").textContent = word("gone");
    $("bar").hidden = false;
    return { ...NO_ANSWER, exit: 70 };
  }
  return withProblems(answer);
}

/** Return an answer with its problems in the language of the page. */
export function withProblems(answer) {
  const problems = answer.problems || (answer.out && answer.out.problems) || [];
  return { files: {}, err: "", ...answer, problems: problems.filter((row) => !row.lang || row.lang === state.lang) };
}

/** Return the label of an option of the game or of the print, or an empty string. */
function labelOf(name) {
  const option = (page.forms[state.game] || []).find((one) => one.name === name);
  return option ? option.label : name in WORDS ? word(name) : "";
}
/** Return a message of the command line in the words of the page: the labels of options instead of their names. */
export function inPageWords(text) {
  const subject = /^[^:：\n]*--([a-z][a-z-]*)['」]?[^:：\n]*[:：]\s*/.exec(text);
  const rest = subject && labelOf(subject[1]) ? text.slice(subject[0].length) : text;
  const found = rest.replace(/--([a-z][a-z-]*)/g, (whole, name) => (labelOf(name) ? `“${labelOf(name)}”` : whole));
  return rest === text ? found : labelled(labelOf(subject[1]), found);
}
/** Return the name of the option that a message of the command line is about, or an empty string. */
export function optionOf(text) {
  const form = page.forms[state.game] || [];
  const names = [...text.matchAll(/--([a-z][a-z-]*)/g)].map(([, name]) => name);
  return names.find((name) => form.some((one) => one.name === name)) || "";
}
export function problem(row) {
  const line = row.line ? `${row.line}: ` : "";
  return inPageWords(`${line}${row.message}${row.hint ? ` (${row.hint})` : ""}`);
}
export function faults(answer) {
  if (answer.problems.length) return answer.problems.map(problem);
  return answer.err.trim().split("\n").filter(Boolean).map(inPageWords);
}

/** Change a file with `muster edit`. Return its text and the report of its check. Without changes, only check it. */
export async function edited(name, changes, files) {
  const written = changes.length ? ["-o", NEXT] : [];
  const words = ["edit", name, ...changes, "--json", "--lang", state.lang, ...written];
  const answer = await ask(words, files, { aboutBattle: name === FILE });
  const report = answer.out && Array.isArray(answer.out.findings) ? answer.out : null;
  return { text: changes.length ? answer.files[NEXT] : files[name], report, faults: faults(answer) };
}

export function options() {
  return ["--lang", state.lang, ...(state.ink === "full" ? [] : ["--ink", state.ink])];
}
export function printing() {
  return [
    ...options(),
    ...(state.paper === "a4" ? [] : ["--paper", state.paper]),
    ...(state.parts ? ["--parts", state.parts] : []),
    ...(state.booklet ? ["--evening"] : []),
  ];
}
export function wished() {
  return Object.entries(state.wishes)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `--${name}=${value}`);
}
export function brought() {
  const names = (page.forms[state.game] || []).filter((wish) => wish.file).map((wish) => state.wishes[wish.name]);
  return Object.fromEntries(names.filter((name) => name in page.own).map((name) => [name, page.own[name]]));
}
/** Return the user's own files that the text of a scenario names. */
export function namedFiles(text) {
  return Object.fromEntries(Object.entries(page.own).filter(([name]) => text.includes(`"${name}"`)));
}
export function save(name, content, type = "application/toml") {
  const link = make("a", {
    href: URL.createObjectURL(new Blob([content], { type })),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Pictures. The symbols of two pictures on a page must have different names.
let pictures = 0;
export function drawn(svg) {
  const mark = `p${++pictures}-`;
  return svg
    .replace(/\bid="/g, `id="${mark}`)
    .replace(/href="#/g, `href="#${mark}`)
    .replace(/url\(#/g, `url(#${mark}`);
}
/** @returns {SVGGraphicsElement[]} */
export function zones(root = $("map")) {
  return shapes('[data-layer="cells"] [data-cell]', root);
}
export function zone(name, root = $("map")) {
  return zones(root).find((path) => path.dataset.cell === name);
}
/** @returns {SVGGraphicsElement[]} */
export function units(root = $("map")) {
  return shapes('[data-layer="units"] [data-cell]', root);
}
export function middle(path) {
  const box = path.getBBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
/** The minimum height of letters on a map, in pixels. */
const MIN_LETTERS_PX = 11;
/** Return the size of letters in a cell, in units of the picture: a fifth of the cell, but legible on a phone. */
export function letterSize(path) {
  const { a, b } = path.getScreenCTM();
  return Math.max(path.getBBox().height * 0.2, MIN_LETTERS_PX / Math.hypot(a, b));
}
// The y axis of a picture points upwards, that of the page downwards.
function onScreen(path) {
  const box = path.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
// The cell at a point of the window, also below a unit.
export function under(x, y) {
  const found = document.elementsFromPoint(x, y).find((node) => node.matches('[data-layer="cells"] [data-cell]'));
  return found ? found.getAttribute("data-cell") : "";
}
export function overlay(name, root = $("map")) {
  for (const old of root.querySelectorAll(`.over.${name}`)) old.remove();
  const group = shape("g", { class: `over ${name}` }),
    every = zones(root);
  if (every.length) every[0].closest('[data-layer="cells"]').before(group);
  return group;
}
export function laid(group, cell, kind, root = $("map")) {
  const path = zone(cell, root);
  if (path) group.append(shape("path", { d: path.getAttribute("d"), class: kind }));
}
// A map as a grid for the arrow keys. Enter calls `chosen`.
export function grid(root, label, chosen) {
  const every = zones(root),
    svg = root.querySelector("svg"),
    rows = new Map();
  // The descriptions of the cells contain everything that is drawn on them.
  svg.setAttribute("role", "presentation");
  const layer = svg.querySelector('[data-layer="cells"]');
  for (const other of svg.querySelectorAll("[data-layer]"))
    if (!layer || (!other.contains(layer) && other !== layer)) other.setAttribute("aria-hidden", "true");
  if (layer)
    for (const [name, value] of Object.entries({ role: "grid", "aria-label": label }))
      layer.setAttribute(name, value);
  for (const path of every) {
    const title = path.querySelector("title"),
      parts = [title ? title.textContent : path.dataset.cell];
    for (const unit of units(root))
      if (unit.dataset.cell === path.dataset.cell)
        parts.push([unit.dataset.unit, unit.dataset.name].filter(Boolean).join(" "));
    for (const [name, value] of Object.entries({
      role: "gridcell",
      tabindex: "-1",
      "aria-label": parts.filter(Boolean).join(word("dozen_list")),
    }))
      path.setAttribute(name, value);
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
/**
 * How much a step aside counts against a step ahead. With more than 1.6, the arrow keys would skip every second row of
 * hexes, whose cells lie half a hex aside.
 */
const ASIDE = 1.2;
function step(event, root, chosen) {
  const here = event.currentTarget,
    [x, y] = onScreen(here);
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    chosen(here.dataset.cell);
    return;
  }
  if (!(event.key in ways)) return;
  event.preventDefault();
  const [dx, dy] = ways[event.key];
  let best = null,
    least = Infinity;
  for (const other of zones(root)) {
    const [ox, oy] = onScreen(other),
      along = (ox - x) * dx + (oy - y) * dy,
      aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (other !== here && along > 0.5 && along + ASIDE * aside < least) {
      best = other;
      least = along + ASIDE * aside;
    }
  }
  if (best) focus(best, root);
}
