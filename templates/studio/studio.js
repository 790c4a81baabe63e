// The studio's page. It knows no rule: it types commands for the player and shows what they say.
import { $, DEFAULTS, FILE, WORDS, ask, brought, drawn, edited, faults, grid, make, options, page, printing, problem, read, save, state, wished, word, write } from "./base.js";
import * as asks from "./ask.js";
import { keyboard } from "./keys.js";
import * as move from "./move.js";
import * as mine from "./own.js";
import * as paint from "./paint.js";
import { pick } from "./pick.js";
import * as see from "./see.js";
import * as seats from "./seats.js";
import * as zoom from "./zoom.js";
const GROUPS = ["forces", "ground", "play", "rulings", "files"];
const KEPT = "muster.studio";
const kept = read(KEPT) || {};
const own = page.own;
Object.assign(own, kept.own);

// What is chosen stays in the browser; another page's own files stay too.
function keep() {
  const others = (read(KEPT) || {}).own || {};
  for (const [name, text] of Object.entries(others)) if (!(name in own)) own[name] = text;
  write(KEPT, { address: location.hash, own, thread: $("thread").value, hand: hand() });
}
function hand() { return page.battle && page.battle.hand ? page.battle.toml : ""; }

// The address holds all that differs from the defaults; what was moved by hand lies beside it, with the page.
function address() {
  const query = new URLSearchParams();
  if (state.code) query.set("seed", state.code);
  for (const [name, value] of Object.entries(state.wishes)) query.set(`w.${name}`, value);
  for (const name of ["lang", "paper", "ink", "parts", "booklet"]) if (state[name] !== DEFAULTS[name]) query.set(name, state[name]);
  if (state.from) query.set("from", state.from);
  if (state.to) query.set("to", state.to);
  return `#/${state.view}/${state.game}?${query}`;
}
function fromAddress(hash) {
  const [, view, game, query] = /^#\/(\w+)\/(\w*)\??(.*)$/.exec(hash) || [null, "battle", "", ""];
  const found = new URLSearchParams(query);
  const wishes = Object.fromEntries([...found].filter(([name]) => name.startsWith("w.")).map(([name, value]) => [name.slice(2), value]));
  const plain = Object.fromEntries(["lang", "paper", "ink", "parts", "booklet"].map((name) => [name, found.get(name) || DEFAULTS[name]]));
  return { game, view, code: found.get("seed") || "", wishes, ...plain, from: found.get("from") || "", to: found.get("to") || "" };
}
function remember(replacing = false) {
  const now = address();
  history[replacing || now === location.hash ? "replaceState" : "pushState"]({ hand: hand() }, "", now);
  keep();
}
function shellWord(text) { return /^[\w.,:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`; }
function commandLine() {
  const wishes = Object.entries(state.wishes).filter(([, value]) => value !== "").flatMap(([name, value]) => [`--${name}`, value]);
  const words = page.battle && page.battle.hand ? ["muster", "print", FILE] : ["muster", "kit", state.game, "--seed", state.code, ...wishes];
  return [...words, ...printing()].map(shellWord).join(" ");
}

// The command line of a print, as its QR code holds it, typed where a code goes: the same battle again.
function shellWords(text) { return [...text.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"[^"]*")+/g)].map(([one]) => one.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, a, b, c) => a ?? b ?? c)); }
async function commanded(text) {
  const [, verb, game, ...rest] = shellWords(text);
  if (verb !== "kit" || !page.games.some((one) => one.name === game)) { failed([word("no_command")]); return; }
  if (hand()) move.record();
  const told = {}, plain = { ...DEFAULTS, lang: state.lang };
  state.game = game;
  await wishes();
  while (rest.length) {
    const [, name, , value] = /^--([^=]+)(=(.*))?$/s.exec(rest.shift()) || [null, ""];
    const wish = page.forms[game].find((one) => one.name === name);
    if (name === "evening") { told.booklet = "on"; continue; }
    const bare = wish && wish.bare && (!rest.length || rest[0].startsWith("--"));
    told[name] = value ?? (bare ? wish.bare : rest.shift() ?? "");
  }
  for (const name of Object.keys(plain)) if (name in told) plain[name] = told[name];
  const wanted = Object.fromEntries(page.forms[game].filter((wish) => wish.name in told).map((wish) => [wish.name, told[wish.name]]));
  const other = plain.lang !== state.lang;
  page.battle = null;
  Object.assign(state, plain, { code: told.seed || "", wishes: wanted, from: "", to: "" });
  if (other) { await speak(state.lang); }
  await draw();
  form();
  remember();
  spoken();
}

// Drawing, and what stands on the page of it.
async function draw() {
  const now = ++page.asked;
  $("map").setAttribute("aria-busy", "true");
  page.settle = null;
  const seed = state.code ? ["--seed", state.code] : [];
  const told = await ask(["kit", state.game, ...seed, ...wished(), "--parts", "map", "--format", "svg", ...options(), "-o", "kit"], brought());
  const text = told.files["kit/scenario.toml"];
  if (now !== page.asked) return;
  if (!text) { failed(faults(told)); return; }
  if (page.battle && page.battle.hand) move.record();
  state.code = (/^code = "([^"]+)"/m.exec(text) || [null, state.code])[1];
  page.battle = { toml: text, files: { [FILE]: text, ...brought() }, hand: false, report: null };
  await shown(now, told);
  remember(true);
}
// A battle that was there before, or that a hand has changed.
async function again(entry, report = null) {
  const now = ++page.asked;
  const other = entry.game !== state.game;
  Object.assign(state, { game: entry.game, code: entry.code, wishes: entry.wishes });
  if (other) await wishes();
  page.battle = { toml: entry.toml, files: { [FILE]: entry.toml, ...own }, hand: entry.hand, report };
  form();
  await shown(now);
  remember(true);
}
async function shown(now, made = null) {
  const { battle } = page;
  asks.forget();
  asks.unpoint();
  const [picture, check] = await Promise.all([
    made || ask(["print", FILE, "--parts", "map", "--format", "svg", ...options(), "-o", "kit"], battle.files),
    battle.report ? { report: battle.report, faults: [] } : edited(FILE, [], battle.files),
  ]);
  if (now !== page.asked) return;
  const svg = picture.files["kit/map.svg"];
  if (!svg || !check.report) { failed(svg ? check.faults : faults(picture)); return; }
  const fresh = !battle.report;
  battle.report = check.report;
  move.drop();
  $("map").innerHTML = svg;
  zoom.apply($("map"));
  $("legend").innerHTML = drawn(picture.files["kit/map-legend.svg"] || "");
  $("map").setAttribute("aria-busy", "false");
  const title = $("map").querySelector("svg > title");
  $("title").textContent = title ? title.textContent.split(/ · |・/)[0] : "";
  if (title) title.remove();
  page.wrong = {};
  for (const old of document.querySelectorAll("#form .fault")) old.remove();
  $("stamp").textContent = battle.hand ? word("by_hand") : state.code;
  $("command").textContent = commandLine();
  $("toml").textContent = battle.toml;
  see.clear();
  const settle = () => { grid($("map"), word("map"), move.chosen); move.verdict(battle.report, !fresh); asks.line(); asks.readings(); };
  // What is not shown has no places on the screen.
  if (state.view === "battle") settle(); else page.settle = settle;
  asks.rest();
  for (const id of ["fairness", "odds"]) $(id).replaceChildren();
}
function failed(texts) {
  $("map").setAttribute("aria-busy", "false");
  $("status").className = "bad";
  $("status").textContent = texts[0] || "";
  $("tiers").replaceChildren();
  $("findings").replaceChildren(...texts.slice(1).map((text) => make("li", {}, text)));
  const wish = (page.forms[state.game] || []).find((one) => texts.some((text) => text.includes(`--${one.name}`)));
  page.wrong = wish ? { [wish.name]: texts[0] } : {};
  form();
}

// The form, made from what the game's wishes say of themselves.
function wishFor(name, value) {
  if (value === "") delete state.wishes[name]; else state.wishes[name] = value;
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
    const called = (choice) => wish.called[choice] || choice;
    const list = make("select", { onchange: set, title: wish.help }, make("option", { value: "" }, wish.default ? called(wish.default) : word("drawn")), ...choices.filter((c) => c !== wish.default).map((choice) => make("option", { value: choice, selected: choice === value }, called(choice))));
    if (value && !choices.includes(value)) list.append(make("option", { value, selected: true }, value));
    return list;
  }
  if (wish.file) return make("span", { class: "small", title: wish.help }, word("none"));
  const field = { value, onchange: set, title: wish.help, placeholder: wish.default || word("drawn"), spellcheck: "false" };
  const seats = /^(place|reserves)-/.test(wish.name) && page.forms[state.game].some((one) => one.name.startsWith("reserves-"));
  if (wish.several || seats) {
    const act = seats ? () => turn("seats") : () => pick(wish, (text) => wishFor(wish.name, text));
    return make("span", { class: "code" }, make("input", { ...field, "aria-label": wish.label }), make("button", { type: "button", class: "pick", "aria-label": `${word(seats ? "at_table" : "pick")}: ${wish.label}`, title: word(seats ? "at_table" : "pick"), onclick: act }, "…"));
  }
  const known = wish.known.map((name) => make("option", { value: name }, wish.called[name] || name));
  if (!known.length) return make("input", field);
  return make("span", { class: "code" }, make("input", { ...field, "aria-label": wish.label, list: `known-${wish.name}` }), make("datalist", { id: `known-${wish.name}` }, ...known));
}
function row(label, inside, name = "", changed = false) {
  return make("label", { class: changed ? "wish changed" : "wish", "data-wish": name || false }, make("span", {}, label), inside, ...(page.wrong[name] ? [make("span", { class: "fault" }, page.wrong[name])] : []));
}
function form() {
  const focused = document.activeElement && document.activeElement.closest("[data-wish]");
  const open = new Set([...document.querySelectorAll("#form details[open]")].map((node) => node.dataset.group));
  const list = make("select", { onchange: (event) => newGame(event.target.value) }, ...page.games.map((game) => make("option", { value: game.name, selected: game.name === state.game }, game.title)));
  const code = make("span", { class: "code" },
    make("input", { value: state.code, spellcheck: "false", "aria-label": word("code"), title: word("code_help"), onchange: (event) => { if (/^\s*muster\s/.test(event.target.value)) { commanded(event.target.value); return; } state.code = event.target.value.trim(); remember(); draw(); } }),
    make("button", { type: "button", id: "throw", "aria-keyshortcuts": "t", title: word("throw"), "aria-label": word("throw"), onclick: () => { state.code = ""; asks.wipe(); draw().then(() => { form(); remember(); $("throw").focus(); }); } }, "⚄"));
  const wishes = page.forms[state.game] || [];
  const of = (wish) => row(wish.label, control(wish), wish.name, Boolean(state.wishes[wish.name]));
  const groups = GROUPS.map((group) => [group, wishes.filter((wish) => wish.group === group && !wish.common)]).filter(([, rows]) => rows.length);
  const segment = (name, choices) => row(word(name), make("select", { onchange: (event) => { printed(name, event.target.value); if (page.battle && name !== "booklet") shown(++page.asked); } }, ...choices.map((choice) => make("option", { value: choice, selected: state[name] === choice }, choice in WORDS ? word(choice) : choice || word("pages_apart")))));
  $("form").replaceChildren(
    row(word("game"), list), row(word("code"), code, "seed"),
    ...wishes.filter((wish) => wish.common).map(of),
    segment("paper", ["a4", "letter"]), segment("ink", ["full", "saver"]),
    ...groups.map(([group, rows]) => make("details", { "data-group": group, open: open.has(group) }, make("summary", {}, word(group)), ...rows.map(of))),
    make("details", { "data-group": "print", open: open.has("print") }, make("summary", {}, word("print")), row(word("parts"), make("span", { class: "code" },
      make("input", { value: state.parts, "aria-label": word("parts"), placeholder: word("all"), spellcheck: "false", onchange: (event) => printed("parts", event.target.value.trim()) }),
      make("button", { type: "button", class: "pick", id: "pick-parts", "aria-label": `${word("pick")}: ${word("parts")}`, title: word("pick"), onclick: parts }, "…"))),
      segment("booklet", ["", "on"])));
  if (focused) { const again = document.querySelector(`[data-wish="${focused.dataset.wish}"] :is(select, input)`); if (again) again.focus(); }
}
function printed(name, value) { state[name] = value; remember(); form(); $("command").textContent = commandLine(); }
// Which parts a kit has is the verb's to say: it tells them where none is named so.
async function parts() {
  const told = await ask(["kit", state.game, "--seed", state.code, "--parts", "?", "--json", "--lang", "en", "-o", "kit"], brought());
  const known = told.problems.flatMap((row) => (row.hint || "").split(/[^a-z-]+/)).filter((name) => `part_${name}` in WORDS);
  const called = Object.fromEntries(known.map((name) => [name, word(`part_${name}`)]));
  pick({ name: "parts", label: word("parts"), help: "", known, called, several: known.length, pieces: "", value: state.parts }, (text) => printed("parts", text));
}
async function newGame(name) {
  if (hand()) move.record();
  Object.assign(state, { game: name, code: "", wishes: {}, from: "", to: "" });
  zoom.reset($("map"));
  page.battle = null;
  await wishes();
  form();
  await draw();
  form();
  remember();
  spoken();
}
async function wishes() {
  const told = await ask(["games", state.game, "--json", "--lang", state.lang]);
  page.forms[state.game] = Array.isArray(told.out) ? told.out : [];
}

// Views, and words in either language.
function views() { return ["battle", ...(seats.seated() || state.view === "seats" ? ["seats"] : []), "gallery", "paint", "print", "own", "umpire"]; }
function spoken() {
  document.documentElement.lang = state.lang;
  document.title = word("studio");
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = word(node.dataset.word);
  for (const node of document.querySelectorAll("[data-word-label]")) for (const name of ["aria-label", "title"]) node.setAttribute(name, word(node.dataset.wordLabel));
  $("views").replaceChildren(...views().map((view, i) => make("button", { "aria-keyshortcuts": String(i + 1), "aria-current": state.view === view ? "page" : false, "data-view": view, onclick: () => turn(view) }, word(view))));
  $("lang").replaceChildren(...[["en", "EN"], ["ja", "日本語"]].map(([lang, name]) => make("button", { role: "radio", "aria-keyshortcuts": state.lang === lang ? false : "j", "aria-checked": String(state.lang === lang), lang, onclick: () => speak(lang) }, name)));
  move.tools();
}
function turn(view, replacing = false) {
  if (state.view === "seats" && view !== "seats") seats.leave();
  state.view = view;
  for (const main of document.querySelectorAll("main")) main.hidden = main.dataset.view !== view;
  spoken();
  remember(replacing);
  if (view === "battle" && page.settle) { page.settle(); page.settle = null; }
  if (view === "own") mine.enter();
  if (view === "seats") seats.enter();
  if (view === "gallery") see.gallery();
  if (view === "paint") paint.enter();
}
async function speak(lang) {
  state.lang = lang;
  spoken();
  remember();
  const told = await ask(["games", "--json", "--lang", lang]);
  page.games = told.out || page.games;
  await wishes();
  form();
  if (page.battle) { page.battle.report = null; await shown(++page.asked); }
  if (["seats", "gallery"].includes(state.view)) turn(state.view);
  mine.speak();
  paint.shown();
}

// A thread of posts.
async function judge() {
  keep();
  const files = { ...page.battle.files, "thread.txt": $("thread").value };
  const [told, post] = await Promise.all([
    ask(["orders", "check", "thread.txt", "--scenario", FILE, "--lang", state.lang], files),
    ask(["orders", "next", "thread.txt", "--scenario", FILE, "--lang", state.lang, "-o", "next.png"], files),
  ]);
  $("judged").replaceChildren(make("p", { class: "told" }, String(told.out || "").trim() || faults(told).join("\n")));
  // Behind the post it says which file was written.
  $("next").textContent = post.exit ? faults(post).join("\n") : String(post.out).replace(/next\.png\s*$/, "").trim();
  const picture = post.files["next.png"];
  $("next-picture").replaceChildren(...(picture ? [make("img", { src: picture.url, alt: word("next") })] : []));
}

async function opened(text) {
  const report = await ask(["check", FILE, "--json", "--lang", state.lang], { [FILE]: text, ...own });
  const game = (/^game = "([a-z_]+)"/m.exec(text) || [])[1];
  const of = Array.isArray(report.out) ? report.out[0] : null;
  if (!game || !of || of.problems.length) { failed(of ? of.problems.map(problem) : faults(report)); return; }
  if (page.battle) move.record();
  Object.assign(state, { from: "", to: "" });
  await again({ toml: text, hand: true, game, code: "", wishes: {} });
}

async function arrive(beside) {
  Object.assign(state, fromAddress(location.hash || kept.address || ""));
  const told = await ask(["games", "--json", "--lang", state.lang]);
  page.games = told.out || [];
  if (!page.games.some((game) => game.name === state.game)) state.game = (page.games.find((game) => game.default) || page.games[0] || {}).name || "";
  await wishes();
  const view = [...document.querySelectorAll("main")].some((main) => main.dataset.view === state.view) ? state.view : "battle";
  state.view = "battle";
  form();
  if (beside) await again({ toml: beside, hand: true, game: state.game, code: state.code, wishes: state.wishes });
  else await draw();
  form();
  turn(view, true);
}

async function play(game, wish, file) {
  if (state.game !== game) await newGame(game);
  turn("battle");
  wishFor(wish, file);
}

keyboard();
mine.listen({ keep, play, changed: form, openBattle: async (text) => { turn("battle"); await opened(text); } });
asks.listen({ remember, wishFor, change: move.change });
move.listen({ show: again, failed });
see.listen({ wishFor, turn, begin: paint.begin });
paint.listen({ wishFor, turn, keep, edit: async (file) => { turn("own"); await mine.edit(file); } });
seats.listen({ turn, take: (sealed) => { Object.assign(state.wishes, sealed); remember(); form(); draw(); } });
move.recall();
move.hands();
paint.brush();
zoom.zoomable($("map"), move.busy);
zoom.zoomable($("canvas"), () => true);
zoom.buttons();
$("thread").value = kept.thread || "";
$("thread").addEventListener("input", keep);
$("print").addEventListener("click", see.press);
$("make").addEventListener("click", see.press);
$("undo").addEventListener("click", move.undo);
$("redo").addEventListener("click", move.redo);
$("reset").addEventListener("click", () => { if (hand()) move.record(); state.wishes = {}; state.parts = ""; page.battle = null; remember(); form(); draw(); });
$("asks-close").addEventListener("click", () => { asks.wipe(); asks.rest(); });
$("fairness-ask").addEventListener("click", () => asks.tell("fairness", "fairness"));
$("odds-ask").addEventListener("click", () => asks.tell("odds", "odds"));
$("judge").addEventListener("click", judge);
$("save").addEventListener("click", () => save(FILE, page.battle.toml));
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
addEventListener("keydown", (event) => {
  if (event.key === "Escape") { move.drop(); paint.letGo(); asks.wipe(); }
  if (event.target.closest && event.target.closest("input, textarea, select")) return;
  if ((event.ctrlKey || event.metaKey) && ["z", "y"].includes(event.key.toLowerCase()) && ["battle", "paint"].includes(state.view)) {
    event.preventDefault();
    const whose = state.view === "paint" ? paint : move;
    if (event.key.toLowerCase() === "y" || event.shiftKey) whose.redo(); else whose.undo();
  }
  if (state.view === "print" && ["ArrowLeft", "ArrowRight"].includes(event.key)) see.leaf(event.key === "ArrowRight" ? 1 : -1);
});
addEventListener("storage", (event) => { if (event.key === KEPT) { for (const [name, text] of Object.entries((read(KEPT) || {}).own || {})) if (!(name in own)) own[name] = text; form(); } });
document.addEventListener("visibilitychange", () => { if (document.hidden) seats.leave(); });
addEventListener("popstate", (event) => arrive(event.state && event.state.hand));
setInterval(() => fetch("/alive", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }).catch(() => {}), 30000);
arrive(history.state ? history.state.hand : location.hash && location.hash !== kept.address ? "" : kept.hand);
