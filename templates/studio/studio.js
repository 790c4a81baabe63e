// The studio's page. It knows no rule: it types commands for the player and shows what they say.
import { keyboard } from "./keys.js";
import { ownFiles } from "./own.js";
import { asking } from "./press.js";
const $ = (id) => document.getElementById(id);
const WORDS = JSON.parse($("words").textContent);
const GROUPS = ["forces", "ground", "play", "rulings", "files"];
const FILE = "battle.toml";
const DEFAULTS = { lang: (navigator.language || "").startsWith("ja") ? "ja" : "en", paper: "a4", ink: "full", parts: "" };
const kept = read("muster.studio") || {};
let state = { game: "", code: "", wishes: {}, ...DEFAULTS, view: "battle", from: "", to: "" };
let games = [], forms = {}, wrong = {}, battle = null, pairs = null, asked = 0;
const own = kept.own || {};

function read(key) { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } }
function keep() { try { localStorage.setItem("muster.studio", JSON.stringify({ address: location.hash, own, thread: $("thread").value, hand: battle && battle.hand ? battle.toml : "" })); } catch { /* a private window keeps nothing */ } }
function word(key, values = {}) {
  let text = WORDS[key][state.lang];
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(`{${name}}`, value);
  return text;
}
function make(tag, attributes = {}, ...inside) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  }
  node.append(...inside);
  return node;
}

// Asking: a command line, and the files that it names.
async function ask(words, files = {}) {
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
function problem(row) { return `${row.line ? `${row.line}: ` : ""}${row.message}${row.hint ? ` (${row.hint})` : ""}`; }
function faults(answer) { return answer.problems.length ? answer.problems.map(problem) : [answer.err.trim()].filter(Boolean); }

// The address holds all that differs from the defaults.
function address() {
  const query = new URLSearchParams();
  if (state.code) query.set("seed", state.code);
  for (const [name, value] of Object.entries(state.wishes)) query.set(`w.${name}`, value);
  for (const name of ["lang", "paper", "ink", "parts"]) if (state[name] !== DEFAULTS[name]) query.set(name, state[name]);
  if (state.from) query.set("from", state.from);
  if (state.to) query.set("to", state.to);
  return `#/${state.view}/${state.game}?${query}`;
}
function fromAddress(hash) {
  const [, view, game, query] = /^#\/(\w+)\/(\w*)\??(.*)$/.exec(hash) || [null, "battle", "", ""];
  const found = new URLSearchParams(query);
  const wishes = Object.fromEntries([...found].filter(([name]) => name.startsWith("w.")).map(([name, value]) => [name.slice(2), value]));
  const plain = Object.fromEntries(["lang", "paper", "ink", "parts"].map((name) => [name, found.get(name) || DEFAULTS[name]]));
  return { game, view, code: found.get("seed") || "", wishes, ...plain, from: found.get("from") || "", to: found.get("to") || "" };
}
function remember(replacing = false) {
  const now = address();
  if (now !== location.hash) history[replacing ? "replaceState" : "pushState"](null, "", now);
  keep();
}

function options() { return ["--lang", state.lang, ...(state.ink === "full" ? [] : ["--ink", state.ink])]; }
function printing() { return [...options(), ...(state.paper === "a4" ? [] : ["--paper", state.paper]), ...(state.parts ? ["--parts", state.parts] : [])]; }
function wished() { return Object.entries(state.wishes).filter(([, value]) => value !== "").map(([name, value]) => `--${name}=${value}`); }
function brought() {
  const names = forms[state.game] ? forms[state.game].filter((wish) => wish.file).map((wish) => state.wishes[wish.name]) : [];
  return Object.fromEntries(names.filter((name) => name in own).map((name) => [name, own[name]]));
}
function shellWord(text) { return /^[\w.,:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`; }
function commandLine() {
  const wishes = Object.entries(state.wishes).filter(([, value]) => value !== "").flatMap(([name, value]) => [`--${name}`, value]);
  const words = battle && battle.hand ? ["muster", "print", FILE] : ["muster", "kit", state.game, "--seed", state.code, ...wishes];
  return [...words, ...printing()].map(shellWord).join(" ");
}

// Drawing, and what stands on the page of it.
async function draw() {
  const now = ++asked;
  $("map").setAttribute("aria-busy", "true");
  const seed = state.code ? ["--seed", state.code] : [];
  const drawn = await ask(["kit", state.game, ...seed, ...wished(), "--parts", "map", "--format", "svg", ...options(), "-o", "kit"], brought());
  const text = drawn.files["kit/scenario.toml"];
  if (now !== asked) return;
  if (!text) {
    const again = await ask(["draw", state.game, ...seed, ...wished(), "--json", "--lang", state.lang], brought());
    if (now === asked) failed(faults(again.problems.length ? again : drawn));
    return;
  }
  state.code = (/^code = "([^"]+)"/m.exec(text) || [null, state.code])[1];
  battle = { toml: text, files: { [FILE]: text, ...brought() }, hand: false };
  await shown(now, drawn);
  remember(true);
}
async function shown(now, drawn = null) {
  pairs = null;
  const [picture, report] = await Promise.all([
    drawn || ask(["print", FILE, "--parts", "map", "--format", "svg", ...options(), "-o", "kit"], battle.files),
    ask(["check", FILE, "--json", "--lang", state.lang], battle.files),
  ]);
  if (now !== asked) return;
  const svg = picture.files["kit/map.svg"];
  if (!svg) { failed(faults(picture)); return; }
  $("map").innerHTML = svg;
  $("legend").innerHTML = renamed(picture.files["kit/map-legend.svg"] || "");
  $("map").setAttribute("aria-busy", "false");
  const title = $("map").querySelector("svg > title");
  $("title").textContent = title ? title.textContent.split(/ · |・/)[0] : "";
  if (title) title.remove();
  wrong = {};
  for (const old of document.querySelectorAll("#form .fault")) old.remove();
  $("stamp").textContent = battle.hand ? FILE : state.code;
  $("command").textContent = commandLine();
  $("toml").textContent = battle.toml;
  verdict(report);
  cells();
  line();
  readings(now);
  for (const id of ["fairness", "odds", "pages", "printed"]) $(id).replaceChildren();
}
// Two pictures on a page must not share their symbols' names.
function renamed(svg) { return svg.replace(/\bid="/g, 'id="l-').replace(/href="#/g, 'href="#l-').replace(/url\(#/g, "url(#l-"); }
function failed(texts) {
  $("map").setAttribute("aria-busy", "false");
  $("status").className = "bad";
  $("status").textContent = texts[0] || "";
  $("findings").replaceChildren(...texts.slice(1).map((text) => make("li", {}, text)));
  const wish = forms[state.game].find((one) => texts.some((text) => text.includes(`--${one.name}`)));
  wrong = wish ? { [wish.name]: texts[0] } : {};
  form();
}
function verdict(report) {
  const of = Array.isArray(report.out) ? report.out[0] : null;
  if (!of || of.problems.length) { failed(of ? of.problems.map(problem) : faults(report)); return; }
  const illegal = of.findings.filter((finding) => finding.tier === "illegal" || !finding.tier);
  $("status").className = of.legal ? "good" : "bad";
  $("status").textContent = of.legal ? `✓ ${word("legal", { n: of.rules.length })}` : `✕ ${word("illegal", { n: illegal.length })}`;
  $("findings").replaceChildren(...of.findings.map((finding) => make("li", { class: finding.tier || "illegal" }, finding.message)));
}

// The map: a grid whose cells are asked about.
function zones() { return [...$("map").querySelectorAll('[data-layer="cells"] [data-cell]')]; }
function zone(name) { return zones().find((path) => path.dataset.cell === name); }
function middle(path) { const box = path.getBBox(); return [box.x + box.width / 2, box.y + box.height / 2]; }
// Pictures count their heights from below, people from above.
function onScreen(path) { const box = path.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }
function cells() {
  const every = zones();
  const svg = $("map").querySelector("svg"), layer = svg.querySelector('[data-layer="cells"]');
  svg.setAttribute("role", "presentation");
  if (layer) { layer.setAttribute("role", "grid"); layer.setAttribute("aria-label", word("map")); }
  // What is drawn is told with the cells.
  for (const other of svg.querySelectorAll('[data-layer]:not([data-layer="cells"])')) if (!layer || !other.contains(layer)) other.setAttribute("aria-hidden", "true");
  const rows = new Map();
  for (const path of every) {
    const standing = $("map").querySelector(`[data-layer="units"] [data-cell="${CSS.escape(path.dataset.cell)}"]`);
    const title = path.querySelector("title");
    const parts = [title ? title.textContent : path.dataset.cell];
    if (standing) parts.push(standing.dataset.unit || "", standing.dataset.kind || "", standing.dataset.side || "");
    path.setAttribute("role", "gridcell");
    path.setAttribute("tabindex", "-1");
    path.setAttribute("aria-label", parts.filter(Boolean).join(", "));
    path.addEventListener("click", () => pick(path.dataset.cell));
    path.addEventListener("keydown", step);
    const at = Math.round(middle(path)[1] * 2) / -2;
    rows.set(at, [...(rows.get(at) || []), path]);
  }
  for (const [, row] of [...rows].sort(([one], [other]) => one - other)) {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("role", "row");
    row[0].parentNode.append(group);
    group.append(...row);
  }
  if (every.length) every[0].setAttribute("tabindex", "0");
}
function step(event) {
  const here = event.currentTarget, [x, y] = onScreen(here);
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(here.dataset.cell); return; }
  if (!(event.key in ways)) return;
  event.preventDefault();
  const [dx, dy] = ways[event.key];
  let best = null, least = Infinity;
  for (const other of zones()) {
    const [ox, oy] = onScreen(other), along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (other !== here && along > 0.5 && along + 2.5 * aside < least) { best = other; least = along + 2.5 * aside; }
  }
  if (best) { here.setAttribute("tabindex", "-1"); best.setAttribute("tabindex", "0"); best.focus(); }
}
function pick(cell) {
  if (!state.from || state.to) [state.from, state.to] = [cell, ""];
  else if (state.from !== cell) state.to = cell;
  remember(true);
  line();
}
function overlay() {
  for (const old of $("map").querySelectorAll(".over")) old.remove();
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  group.setAttribute("class", "over");
  zones()[0].closest('[data-layer="cells"]').before(group);
  return group;
}
function laid(group, cell, kind) {
  const path = zone(cell);
  if (!path) return;
  const copy = document.createElementNS("http://www.w3.org/2000/svg", "path");
  copy.setAttribute("d", path.getAttribute("d"));
  copy.setAttribute("class", kind);
  group.append(copy);
}
async function line() {
  if (!$("map").querySelector("svg")) return;
  const group = overlay(), told = $("sight"), { from, to } = state;
  told.replaceChildren();
  if (!from || !zone(from)) return;
  laid(group, from, "end-of-line");
  if (!to || !zone(to)) { field(group, from); return; }
  laid(group, to, "end-of-line");
  const [rows, text] = await Promise.all([
    ask(["sight", FILE, from, to, "--json", "--lang", state.lang], battle.files),
    ask(["sight", FILE, from, to, "--lang", state.lang], battle.files),
  ]);
  if (from !== state.from || to !== state.to) return;
  const row = rows.out;
  if (rows.exit || !row) { told.append(make("p", { class: "told" }, faults(rows).join("\n"))); return; }
  const clear = "clear" in row ? row.clear : row.in_sight;
  for (const cell of row.through || []) laid(group, cell, "crossed");
  for (const cell of row.along || []) laid(group, cell, "beside");
  for (const cell of row.blocked_by || row.blocked_in || row.hidden_by || []) laid(group, cell, "blocker");
  const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line"), [x1, y1] = middle(zone(from)), [x2, y2] = middle(zone(to));
  for (const [name, value] of Object.entries({ x1, y1, x2, y2, class: clear ? "clear" : "blocked" })) stroke.setAttribute(name, value);
  group.append(stroke);
  told.append(
    make("p", {}, make("strong", {}, `${from} → ${to} `), make("span", { class: `verdict ${clear ? "clear" : "blocked"}` }, `${clear ? "✓" : "✕"} ${word(clear ? "clear" : "blocked")}`)),
    make("p", { class: "told" }, String(text.out || text.err).trim()),
    make("div", { class: "row" },
      make("button", { "aria-keyshortcuts": "x", onclick: () => { [state.from, state.to] = [to, from]; remember(true); line(); } }, word("swap")),
      make("button", { onclick: wipe }, word("wipe"))));
}
function wipe() { [state.from, state.to] = ["", ""]; remember(true); line(); }
async function field(group, from) {
  if (!pairs) {
    const every = await ask(["sight", FILE, "--json", "--lang", state.lang], battle.files);
    pairs = Array.isArray(every.out) ? every.out : [];
    if (!pairs.length) $("sight").replaceChildren(make("p", { class: "told" }, faults(every).join("\n") || word("no_sight")));
  }
  if (from !== state.from || state.to) return;
  for (const row of pairs) {
    if (!("clear" in row ? row.clear : row.in_sight)) continue;
    if (row.from === from) laid(group, row.to, "seen");
    else if (row.to === from && "clear" in row) laid(group, row.from, "seen");
  }
}
async function readings(now) {
  const told = await ask(["rulings", FILE, "--json", "--lang", state.lang], battle.files);
  if (now !== asked) return;
  const rows = Array.isArray(told.out) ? told.out : [];
  $("readings").replaceChildren(...rows.map((row) => {
    const inside = [make("strong", {}, `${row.name}: ${row.chosen}`), make("p", { class: "told" }, word(row.changes.length ? "other" : "same", { n: row.changes.length, text: row.text }))];
    if (row.changes.length) {
      const some = row.changes.slice(0, 5).map((change) => `${change.about}: ${change.now} → ${change.then}`).join("\n");
      inside.push(make("p", { class: "told small" }, some));
    }
    const wish = (forms[state.game] || []).find((one) => one.name === row.ruling || one.choices.includes(row.choice) && one.group === "rulings" && one.choices.includes(row.chosen));
    if (wish && !battle.hand) inside.push(make("button", { onclick: () => wishFor(wish.name, row.choice) }, word("use")));
    return make("div", { class: "reading" }, ...inside);
  }));
}

// The form, made from what the game's wishes say of themselves.
function wishFor(name, value) {
  if (value === "") delete state.wishes[name]; else state.wishes[name] = value;
  if (battle) battle.hand = false;
  if (state.from && ["map", "board", "arena", "columns", "rows"].includes(name)) [state.from, state.to] = ["", ""];
  remember();
  form();
  draw();
}
function control(wish) {
  const value = state.wishes[wish.name] ?? "";
  const set = (event) => wishFor(wish.name, event.target.value.trim());
  const files = wish.file ? Object.keys(own) : [];
  const choices = [...wish.choices, ...files];
  if (wish.choices.length || (wish.file && files.length)) {
    const usual = wish.default ? `${word("drawn")} (${wish.default})` : word("drawn");
    const list = make("select", { onchange: set, title: wish.help }, make("option", { value: "" }, wish.default ? wish.default : usual), ...choices.filter((c) => c !== wish.default).map((choice) => make("option", { value: choice, selected: choice === value }, choice)));
    if (value && !choices.includes(value)) list.append(make("option", { value, selected: true }, value));
    return list;
  }
  if (wish.file) return make("span", { class: "small", title: wish.help }, word("none"));
  return make("input", { value, onchange: set, title: wish.help, placeholder: wish.default || word("drawn"), spellcheck: "false" });
}
function row(label, inside, name = "", changed = false) {
  return make("label", { class: changed ? "wish changed" : "wish", "data-wish": name || false }, make("span", {}, label), inside, ...(wrong[name] ? [make("span", { class: "fault" }, wrong[name])] : []));
}
function form() {
  const focused = document.activeElement && document.activeElement.closest("[data-wish]");
  const open = new Set([...document.querySelectorAll("#form details[open]")].map((node) => node.dataset.group));
  const list = make("select", { onchange: (event) => newGame(event.target.value) }, ...games.map((game) => make("option", { value: game.name, selected: game.name === state.game }, game.title)));
  const code = make("span", { class: "code" },
    make("input", { value: state.code, spellcheck: "false", "aria-label": word("code"), onchange: (event) => { state.code = event.target.value.trim(); remember(); draw(); } }),
    make("button", { type: "button", id: "throw", "aria-keyshortcuts": "t", title: word("throw"), "aria-label": word("throw"), onclick: () => { state.code = ""; wipe(); draw().then(() => { form(); remember(); $("throw").focus(); }); } }, "⚄"));
  const wishes = forms[state.game] || [];
  const of = (wish) => row(wish.label, control(wish), wish.name, Boolean(state.wishes[wish.name]));
  const groups = GROUPS.map((group) => [group, wishes.filter((wish) => wish.group === group && !wish.common)]).filter(([, rows]) => rows.length);
  const segment = (name, choices) => row(word(name), make("select", { onchange: (event) => { state[name] = event.target.value; remember(); form(); if (battle) shown(++asked); } }, ...choices.map((choice) => make("option", { value: choice, selected: state[name] === choice }, choice in WORDS ? word(choice) : choice))));
  $("form").replaceChildren(
    row(word("game"), list), row(word("code"), code, "seed"),
    ...wishes.filter((wish) => wish.common).map(of),
    segment("paper", ["a4", "letter"]), segment("ink", ["full", "saver"]),
    ...groups.map(([group, rows]) => make("details", { "data-group": group, open: open.has(group) }, make("summary", {}, word(group)), ...rows.map(of))),
    make("details", { "data-group": "print", open: open.has("print") }, make("summary", {}, word("print")), row(word("parts"), make("input", { value: state.parts, onchange: (event) => { state.parts = event.target.value.trim(); remember(); $("command").textContent = commandLine(); } }))));
  if (focused) { const again = document.querySelector(`[data-wish="${focused.dataset.wish}"] :is(select, input)`); if (again) again.focus(); }
}
async function newGame(name) {
  Object.assign(state, { game: name, code: "", wishes: {}, from: "", to: "" });
  battle = null;
  await wishes();
  form();
  await draw();
  form();
  remember();
}
async function wishes() {
  const told = await ask(["games", state.game, "--json", "--lang", state.lang]);
  forms[state.game] = Array.isArray(told.out) ? told.out : [];
}

// Views, and words in either language.
function spoken() {
  document.documentElement.lang = state.lang;
  document.title = word("studio");
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = word(node.dataset.word);
  for (const node of document.querySelectorAll("[data-word-label]")) node.setAttribute("aria-label", word(node.dataset.wordLabel));
  $("views").replaceChildren(...["battle", "print", "own", "umpire"].map((view, i) => make("button", { "aria-keyshortcuts": String(i + 1), "aria-current": state.view === view ? "page" : false, onclick: () => turn(view) }, word(view))));
  $("lang").replaceChildren(...[["en", "EN"], ["ja", "日本語"]].map(([lang, name]) => make("button", { role: "radio", "aria-keyshortcuts": state.lang === lang ? false : "j", "aria-checked": String(state.lang === lang), lang, onclick: () => speak(lang) }, name)));
}
function turn(view) {
  state.view = view;
  for (const main of document.querySelectorAll("main")) main.hidden = main.dataset.view !== view;
  spoken();
  remember();
  if (view === "own") mine.enter();
}
async function speak(lang) {
  state.lang = lang;
  spoken();
  remember();
  const told = await ask(["games", "--json", "--lang", lang]);
  games = told.out || games;
  await wishes();
  form();
  mine.speak();
  if (battle) await shown(++asked);
}

// Printing: the same command, the same bytes.
async function press() {
  turn("print");
  $("make").disabled = true;
  const words = battle.hand ? ["print", FILE] : ["kit", state.game, "--seed", state.code, ...wished()];
  const told = await asking(page, [...words, ...printing(), "-o", "kit"], battle.files, $("printed"));
  const pdf = told.files["kit/kit.pdf"];
  $("make").disabled = false;
  if (!pdf) { $("printed").replaceChildren(make("span", { class: "fault" }, faults(told).join(" "))); return; }
  $("printed").replaceChildren(make("a", { href: pdf.url, target: "_blank", rel: "noopener", download: `${state.game}-${state.code}.pdf` }, word("download")));
  $("pages").replaceChildren(make("iframe", { src: pdf.url, title: word("as_printed") }));
}

async function tell(id, verb) {
  $(id).replaceChildren(make("p", {}, word("busy")));
  const told = await ask([verb, FILE, "--lang", state.lang], battle.files);
  $(id).replaceChildren(make("p", { class: "told" }, String(told.exit ? faults(told).join("\n") : told.out).trim()));
}

function save(name, text) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/toml" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A thread of posts.
async function judge() {
  keep();
  const files = { ...battle.files, "thread.txt": $("thread").value };
  const [told, post] = await Promise.all([
    ask(["orders", "check", "thread.txt", "--scenario", FILE, "--lang", state.lang], files),
    ask(["orders", "next", "thread.txt", "--scenario", FILE, "--lang", state.lang, "-o", "next.png"], files),
  ]);
  $("judged").replaceChildren(make("p", { class: "told" }, String(told.out || "").trim() || faults(told).join("\n")));
  $("next").textContent = post.exit ? faults(post).join("\n") : String(post.out).trim();
  const picture = post.files["next.png"];
  $("next-picture").replaceChildren(...(picture ? [make("img", { src: picture.url, alt: word("next") })] : []));
}

async function opened(text) {
  const report = await ask(["check", FILE, "--json", "--lang", state.lang], { [FILE]: text });
  const game = (/^game = "([a-z_]+)"/m.exec(text) || [])[1];
  if (!game || !Array.isArray(report.out)) { failed(faults(report)); return; }
  Object.assign(state, { game, code: "", wishes: {}, from: "", to: "" });
  await wishes();
  battle = { toml: text, files: { [FILE]: text, ...own }, hand: true };
  form();
  await shown(++asked);
  keep();
}

// What the other scripts of the page are given.
const page = { $, make, word, ask, faults, own, keep, save, lang: () => state.lang, changed: form, play };
async function play(game, wish, file) {
  if (state.game !== game) await newGame(game);
  turn("battle");
  wishFor(wish, file);
}
const mine = ownFiles(page);
keyboard(page);

async function arrive() {
  Object.assign(state, fromAddress(location.hash || kept.address || ""));
  const told = await ask(["games", "--json", "--lang", state.lang]);
  games = told.out || [];
  if (!games.some((game) => game.name === state.game)) state.game = (games.find((game) => game.default) || games[0] || {}).name || "";
  turn(state.view in WORDS ? state.view : "battle");
  await wishes();
  form();
  if (kept.hand && !location.hash) await opened(kept.hand); else await draw();
  form();
}

$("thread").value = kept.thread || "";
$("print").addEventListener("click", press);
$("make").addEventListener("click", press);
$("reset").addEventListener("click", () => { state.wishes = {}; state.parts = ""; battle = null; remember(); form(); draw(); });
$("fairness-ask").addEventListener("click", () => tell("fairness", "fairness"));
$("odds-ask").addEventListener("click", () => tell("odds", "odds"));
$("judge").addEventListener("click", judge);
$("save").addEventListener("click", () => save(FILE, battle.toml));
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", async (event) => { const [file] = event.target.files; if (file) await opened(await file.text()); event.target.value = ""; });
$("form").addEventListener("submit", (event) => event.preventDefault());
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText($(button.dataset.copy).textContent); } catch { getSelection().selectAllChildren($(button.dataset.copy)); return; }
    button.textContent = word("copied");
    setTimeout(() => { button.textContent = word("copy"); }, 1200);
  });
}
addEventListener("keydown", (event) => { if (event.key === "Escape") wipe(); });
addEventListener("popstate", () => { const before = state; state = { ...before, ...fromAddress(location.hash) }; arrive(); });
setInterval(() => fetch("/alive", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }).catch(() => {}), 30000);
arrive();
