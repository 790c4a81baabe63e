// @ts-check
// The studio's page. It contains no rules of a game: it runs commands for the user and shows their output.
import { html, nothing, render } from "./lit-html.js";
import {
  $,
  DEFAULTS,
  FILE,
  WORDS,
  all,
  ask,
  brought,
  control,
  edited,
  faults,
  grid,
  inPageWords,
  make,
  namedFiles,
  nextBattle,
  optionOf,
  options,
  page,
  printing,
  problem,
  read,
  save,
  state,
  wished,
  within,
  word,
  write,
} from "./base.js";
import * as asks from "./ask.js";
import { showChances } from "./chances.js";
import * as dozen from "./dozen.js";
import { showHeatControl } from "./heat.js";
import { measureHeader } from "./header.js";
import * as form from "./options_form.js";
import { keyboard } from "./keys.js";
import { showLegend } from "./legend.js";
import { PAPERS } from "./makers.js";
import * as makers from "./makers.js";
import * as move from "./move.js";
import * as mine from "./own.js";
import * as paint from "./paint.js";
import { pick } from "./pick.js";
import { mayReplace } from "./replace.js";
import { watchBubble } from "./bubble.js";
import { askWithProgress } from "./press.js";
import * as see from "./see.js";
import * as seats from "./seats.js";
import { navigationView, showModes } from "./modes.js";
import * as game from "./play.js";
import * as watch from "./watch.js";
import * as zoom from "./zoom.js";

const KEPT = "muster.studio";
const PRINT_OPTIONS = ["lang", "paper", "ink", "parts", "booklet"];
/** The options after which a line of sight of the last battle makes no sense. */
const GROUND_OPTIONS = ["map", "board", "arena", "columns", "rows"];
/** The words of a command that draws only the map. */
const DRAWING = ["--parts", "map", "--format", "svg", "--json"];
const kept = read(KEPT) || {};
Object.assign(page.own, kept.own);

/** Store the choices in the browser. Files that another page of the studio has stored are kept. */
function keep() {
  const others = (read(KEPT) || {}).own || {};
  for (const [name, text] of Object.entries(others)) if (!(name in page.own)) page.own[name] = text;
  write(KEPT, { address: location.hash, own: page.own, thread: control("thread").value, hand: handSet() });
}
/** Return the text of a battle that a hand has changed, or an empty string. */
function handSet() {
  return page.battle && page.battle.hand ? page.battle.toml : "";
}
/** Return whether the battle was read from a file, so that no code and moves lead to it. */
function isFromFile() {
  return Boolean(handSet() && !page.battle.moves);
}

// The address contains all values other than the defaults, and the moves by hand.
function address() {
  const query = new URLSearchParams();
  if (isFromFile()) query.set("file", "1");
  else if (state.code) query.set("seed", state.code);
  for (const [name, value] of Object.entries(state.wishes)) query.set(`w.${name}`, value);
  if (handSet() && !isFromFile()) query.set("m", page.battle.moves.join(" "));
  for (const name of PRINT_OPTIONS) if (state[name] !== DEFAULTS[name]) query.set(name, state[name]);
  if (state.view === "dozen" && state.dozen) query.set("dozen", state.dozen);
  if (state.from) query.set("from", state.from);
  if (state.to) query.set("to", state.to);
  return `#/${state.view}/${state.game}?${query}`;
}
/** Return the values of an address. Invalid values are replaced by their defaults. */
function fromAddress(hash) {
  const [, view, game, query] = /^#\/(\w+)\/(\w*)\??(.*)$/.exec(hash) || [null, "battle", "", ""];
  const found = new URLSearchParams(query);
  const wishes = [...found].filter(([name]) => name.startsWith("w.")).map(([name, value]) => [name.slice(2), value]);
  const print = Object.fromEntries(PRINT_OPTIONS.map((name) => [name, found.get(name) || DEFAULTS[name]]));
  if (!["en", "ja"].includes(print.lang)) print.lang = DEFAULTS.lang;
  if (!PAPERS.includes(print.paper)) print.paper = DEFAULTS.paper;
  if (!["full", "saver"].includes(print.ink)) print.ink = DEFAULTS.ink;
  const text = (name) => found.get(name) || "";
  return {
    ...{ game, view, code: text("seed"), wishes: Object.fromEntries(wishes), from: text("from"), to: text("to") },
    dozen: text("dozen") || state.dozen,
    ...{ ...print, moves: text("m").split(" ").filter(Boolean), needsFile: found.has("file") },
  };
}
function remember(replacing = false) {
  const now = address();
  history[replacing || now === location.hash ? "replaceState" : "pushState"]({ hand: handSet() }, "", now);
  keep();
}

function shellWord(text) {
  return /^[\w.,:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
function commandLine() {
  const chosen = Object.entries(state.wishes).filter(([, value]) => value !== "");
  const chosenWords = chosen.flatMap(([name, value]) => [`--${name}`, value]);
  const kit = ["muster", "kit", state.game, "--seed", state.code, ...chosenWords];
  const words = handSet() ? ["muster", "print", FILE] : kit;
  return [...words, ...printing()].map(shellWord).join(" ");
}
function shellWords(text) {
  return [...text.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"[^"]*")+/g)].map(([one]) =>
    one.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, a, b, c) => a ?? b ?? c),
  );
}
/** Draw the battle of a command line, as the QR code of a printed page contains it. */
async function drawFromCommand(text) {
  const [, verb, game, ...rest] = shellWords(text);
  if (verb !== "kit" || !page.games.some((one) => one.name === game)) {
    showFaults([word("no_command")]);
    return;
  }
  if (handSet()) move.record();
  const given = {};
  state.game = game;
  await readOptions();
  while (rest.length) {
    const [, name, , value] = /^--([^=]+)(=(.*))?$/s.exec(rest.shift()) || [null, ""];
    const option = page.forms[game].find((one) => one.name === name);
    const isBare = option && option.bare && (!rest.length || rest[0].startsWith("--"));
    if (name === "evening") given.booklet = "on";
    else given[name] = value ?? (isBare ? option.bare : (rest.shift() ?? ""));
  }
  const print = { ...DEFAULTS, lang: state.lang };
  for (const name of Object.keys(print)) if (name in given) print[name] = given[name];
  const chosen = page.forms[game].filter((option) => option.name in given);
  const isOtherLanguage = print.lang !== state.lang;
  page.battle = null;
  const wishes = Object.fromEntries(chosen.map((option) => [option.name, given[option.name]]));
  Object.assign(state, print, { code: given.seed || "", wishes, from: "", to: "" });
  if (isOtherLanguage) await setLanguage(state.lang);
  await draw();
  form.showForm();
  remember();
  showWords();
}

/** Draw the battle of the form. Return its text, or an empty string if it failed or another one was asked for. */
async function drawText(number, changes) {
  const seed = state.code ? ["--seed", state.code] : [];
  const words = ["kit", state.game, ...seed, ...wished(), ...DRAWING, ...options(), "-o", "kit"];
  const isLong = words.some((one) => one === "--fair=C");
  const answer = await askWithProgress(words, brought(), $("drawing"), { aboutBattle: true, background: isLong });
  const text = answer.files["kit/scenario.toml"];
  if (number !== page.asked) return "";
  if (!text) {
    showFaults(answer.problems.length ? answer.problems.map((row) => row.message + hintOf(row)) : faults(answer));
    return "";
  }
  if (page.battle && page.battle.hand) move.record();
  state.code = (/^code = "([^"]+)"/m.exec(text) || [null, state.code])[1];
  page.battle = { toml: text, files: { [FILE]: text, ...brought() }, hand: false, moves: [], report: null };
  if (!changes.length) await showBattle(number, answer);
  return text;
}
function hintOf(row) {
  return row.hint ? ` (${row.hint})` : "";
}
/** Draw the battle of the form, make the changes of a link, and show the result. */
async function draw(changes = []) {
  const number = nextBattle();
  $("map").setAttribute("aria-busy", "true");
  page.settle = null;
  const text = await drawText(number, changes);
  if (!text) return;
  if (changes.length) await drawChanged(number, text, changes);
  if (number === page.asked) remember(true);
}
async function drawChanged(number, text, changes) {
  const files = page.battle.files;
  const changed = await edited(FILE, changes, files);
  if (number !== page.asked) return;
  if (changed.text) {
    const moved = { ...files, [FILE]: changed.text };
    page.battle = { toml: changed.text, files: moved, hand: true, moves: changes, report: changed.report };
  }
  await showBattle(number);
  if (!changed.text) showFaults([word("no_moves"), ...changed.faults]);
}
/** Show a battle that was there before, or that a hand has changed. */
async function showEntry(entry, report = null, isNew = false) {
  const number = nextBattle();
  const isOther = entry.game !== state.game;
  Object.assign(state, { game: entry.game, code: entry.code, wishes: entry.wishes });
  if (isOther) await readOptions();
  const files = { ...brought(), ...namedFiles(entry.toml), [FILE]: entry.toml };
  page.battle = { toml: entry.toml, files, hand: entry.hand, moves: entry.moves || null, report };
  form.showForm();
  await showBattle(number);
  // A change by hand is a new entry of the history, so that Back undoes it.
  if (number === page.asked) remember(!isNew);
}
async function showBattle(number, made = null) {
  const { battle } = page;
  asks.forget();
  asks.unpoint();
  const print = ["print", FILE, ...DRAWING, ...options(), "-o", "kit"];
  const [picture, check] = await Promise.all([
    made || ask(print, battle.files, { aboutBattle: true }),
    battle.report ? { report: battle.report, faults: [] } : edited(FILE, [], battle.files),
  ]);
  if (number !== page.asked) return;
  const svg = picture.files["kit/map.svg"];
  if (!svg || !check.report) {
    showFaults(svg ? check.faults : faults(picture));
    return;
  }
  const isEdit = Boolean(battle.report);
  battle.report = check.report;
  page.wrong = {};
  showMap(svg);
  $("command").textContent = commandLine();
  $("toml").textContent = battle.toml;
  see.clear();
  makers.forget();
  const settle = () => {
    showLegend(picture.files["kit/map-legend.svg"] || "");
    grid($("map"), word("map"), move.chosen);
    move.verdict(battle.report, isEdit);
    asks.line();
    showHeatControl();
    showChances();
  };
  // Hidden elements have no position on the screen.
  if (state.view === "battle") settle();
  else page.settle = settle;
  for (const id of ["fairness", "odds"]) $(id).replaceChildren();
  form.showForm();
}
function showMap(svg) {
  move.drop();
  $("map").innerHTML = svg;
  zoom.apply($("map"));
  $("map").setAttribute("aria-busy", "false");
  const title = $("map").querySelector("svg > title");
  $("title").textContent = title ? title.textContent.split(/ · |・/)[0] : "";
  if (title) title.remove();
  $("stamp").textContent = stampOf(page.battle);
}
function stampOf(battle) {
  if (!battle.hand) return state.code;
  return battle.moves ? `${state.code} + ${battle.moves.join(", ")}` : word("by_hand");
}
/** Show faults in the words of the page, and the first one at its option. */
function showFaults(texts) {
  const shown = texts.map(inPageWords);
  $("map").setAttribute("aria-busy", "false");
  $("status").className = "bad";
  $("status").textContent = shown[0] || "";
  $("tiers").replaceChildren();
  $("findings").replaceChildren(...shown.slice(1).map((text) => make("li", {}, text)));
  const isAboutCode = state.code && texts.some((text) => text.includes(state.code));
  const name = texts.map(optionOf).find(Boolean) || (isAboutCode ? "seed" : "");
  page.wrong = name ? { [name]: shown[0].replace(/^[^:：]+[:：]\s*/, "") } : {};
  form.showForm();
}
// The actions of the form.
async function setOption(name, value) {
  if (!(await mayReplace())) {
    form.restoreForm();
    return;
  }
  if (value === "") delete state.wishes[name];
  else state.wishes[name] = value;
  if (state.from && GROUND_OPTIONS.includes(name)) [state.from, state.to] = ["", ""];
  remember();
  form.showForm();
  draw();
}
function setPrint(name, value) {
  state[name] = value;
  remember();
  form.showForm();
  $("command").textContent = commandLine();
  if (page.battle && ["paper", "ink"].includes(name)) showBattle(nextBattle());
}
async function setCode(text) {
  if (!(await mayReplace())) {
    form.restoreForm();
    return;
  }
  if (/^\s*muster\s/.test(text)) {
    drawFromCommand(text);
    return;
  }
  state.code = text;
  remember();
  draw();
}
async function drawAnother() {
  if (!(await mayReplace())) return;
  state.code = "";
  asks.wipe();
  await draw();
  form.showForm();
  remember();
}
/** Let the user pick the parts of a kit. The command lists them if it is asked for a part that does not exist. */
async function pickParts() {
  const words = ["kit", state.game, "--seed", state.code, "--parts", "?", "--json", "--lang", "en", "-o", "kit"];
  const answer = await ask(words, brought());
  const names = answer.problems.flatMap((row) => (row.hint || "").split(/[^a-z-]+/));
  const known = names.filter((name) => `part_${name}` in WORDS);
  const called = Object.fromEntries(known.map((name) => [name, word(`part_${name}`)]));
  const option = { name: "parts", label: word("parts"), help: "", known, called, several: known.length, pieces: "" };
  pick({ ...option, value: state.parts }, (text) => setPrint("parts", text));
}
async function newGame(name) {
  if (!(await mayReplace())) {
    form.restoreForm();
    return;
  }
  if (handSet()) move.record();
  Object.assign(state, { game: name, code: "", wishes: {}, from: "", to: "" });
  zoom.reset($("map"));
  page.battle = null;
  await readOptions();
  form.showForm();
  await draw();
  form.showForm();
  remember();
  showWords();
}
async function readOptions() {
  const answer = await ask(["games", state.game, "--json", "--lang", state.lang]);
  page.forms[state.game] = Array.isArray(answer.out) ? answer.out : [];
}

// Views, and texts in both languages.
function views() {
  const seated = seats.seated() || state.view === "seats";
  return ["battle", "dozen", ...(seated ? ["seats"] : []), "gallery", "paint", "own", "umpire"];
}
function showWords() {
  document.documentElement.lang = state.lang;
  document.title = word("studio");
  for (const node of all("[data-word]")) node.textContent = word(node.dataset.word);
  for (const node of all("[data-word-label]")) {
    for (const name of ["aria-label", "title"]) node.setAttribute(name, word(node.dataset.wordLabel));
  }
  const view = (name, i) =>
    html`<button
      aria-keyshortcuts=${i + 1}
      aria-current=${navigationView(state.view) === name ? "page" : nothing}
      data-view=${name}
      @click=${() => openView(name)}
    >
      ${word(name)}
    </button>`;
  const room = html`<a href=${`/tournament?lang=${state.lang}`}>${word("tournament")}</a>`;
  render([...views().map(view), room], $("views"));
  // On a phone the views are wider than the window.
  const [here] = all("[aria-current]", $("views"));
  if (here) $("views").scrollLeft = here.offsetLeft - ($("views").clientWidth - here.offsetWidth) / 2;
  const names = { en: "EN", ja: "日本語" };
  const language = ([lang, name]) =>
    html`<button
      role="radio"
      aria-keyshortcuts=${state.lang === lang ? nothing : "j"}
      aria-checked=${state.lang === lang}
      tabindex=${state.lang === lang ? 0 : -1}
      lang=${lang}
      @click=${() => setLanguage(lang)}
    >
      ${name}
    </button>`;
  render(Object.entries(names).map(language), $("lang"));
  showModes(openView);
  move.showHelp();
  move.tools();
}
function openView(view, replacing = false) {
  if (state.view === "seats" && view !== "seats") seats.leave();
  if (state.view === "watch") watch.leave();
  if (state.view === "play") game.leave();
  if (state.view === "dozen" && view !== "dozen") dozen.leave();
  const focused = document.activeElement;
  state.view = view;
  for (const main of all("main")) main.hidden = main.dataset.view !== view;
  showWords();
  keepFocus(focused);
  remember(replacing);
  if (view === "battle" && page.settle) {
    page.settle();
    page.settle = null;
  }
  if (view === "own") mine.enter();
  if (view === "seats") seats.enter();
  if (view === "gallery") see.gallery();
  if (view === "dozen") dozen.enter();
  if (view === "paint") paint.enter();
  if (view === "print") see.enter();
  if (view === "watch") watch.enter();
  if (view === "play") game.enter();
}
/** Focus the same control in the new view, or its heading, if the focused control is no longer displayed. */
function keepFocus(focused) {
  if (!focused || focused === document.body || focused.checkVisibility()) return;
  const [main] = all("main:not([hidden])");
  const isMode = focused.matches("[data-mode]");
  const mode = isMode ? main.querySelector("[data-mode][aria-current]") : null;
  const heading = state.view === "battle" ? $("title") : main.querySelector("h2");
  if (!mode) heading.tabIndex = -1;
  (mode || heading).focus({ preventScroll: true });
}
function openMakers() {
  openView("print");
  makers.open();
}
async function setLanguage(lang) {
  state.lang = lang;
  showWords();
  remember();
  const answer = await ask(["games", "--json", "--lang", lang]);
  page.games = answer.out || page.games;
  await readOptions();
  form.showForm();
  if (page.battle) {
    page.battle.report = null;
    await showBattle(nextBattle());
  }
  if (["seats", "gallery", "dozen"].includes(state.view)) openView(state.view);
  mine.speak();
  paint.shown();
  await Promise.all([watch.speak(), game.speak()]);
}

/** Judge a thread of posts. */
async function judge() {
  keep();
  const files = { ...page.battle.files, "thread.txt": control("thread").value };
  const words = ["thread.txt", "--scenario", FILE, "--lang", state.lang];
  const [judged, post] = await Promise.all([
    ask(["orders", "check", ...words], files),
    ask(["orders", "next", ...words, "-o", "next.png"], files),
  ]);
  const text = String(judged.out || "").trim() || faults(judged).join("\n");
  render(html`<p class="told">${text}</p>`, $("judged"));
  // The command names the file that it has written after the post.
  const next = String(post.out).replace(/next\.png\s*$/, "");
  $("next").textContent = post.exit ? faults(post).join("\n") : next.trim();
  const picture = post.files["next.png"];
  render(picture ? html`<img src=${picture.url} alt=${word("next")} />` : nothing, $("next-picture"));
}

/** Open a scenario file. */
async function openBattle(text) {
  const answer = await ask(["check", FILE, "--json", "--lang", state.lang], { ...namedFiles(text), [FILE]: text });
  const game = (/^game = "([a-z_]+)"/m.exec(text) || [])[1];
  const row = Array.isArray(answer.out) ? answer.out[0] : null;
  if (!game || !row || row.problems.length) {
    showFaults(row && row.problems.length ? row.problems.map(problem) : [word("no_scenario"), ...faults(answer)]);
    return;
  }
  if (page.battle) move.record();
  Object.assign(state, { from: "", to: "" });
  await showEntry({ toml: text, hand: true, game, code: "", wishes: {} });
}
/** Open a file that was chosen or dropped: a scenario as the battle, any other file in the form of own files. */
async function openFile(file) {
  const text = await file.text();
  if (/^\s*\{/.test(text)) {
    openView("play");
    await game.openText(text);
    return;
  }
  if (/^\s*\[muster\]|^muster\s*=/m.test(text)) {
    openView("battle");
    await openBattle(text);
    return;
  }
  openView("own");
  await mine.open(file.name, text);
}

async function arrive(beside) {
  const { moves, needsFile, ...found } = fromAddress(location.hash || kept.address || "");
  Object.assign(state, found);
  const answer = await ask(["games", "--json", "--lang", state.lang]);
  page.games = Array.isArray(answer.out) ? answer.out : [];
  if (!page.games.some((game) => game.name === state.game)) {
    state.game = (page.games.find((game) => game.default) || page.games[0] || { name: "" }).name;
  }
  await readOptions();
  const isKnown = all("main").some((main) => main.dataset.view === state.view);
  const view = isKnown ? state.view : "battle";
  state.view = "battle";
  form.showForm();
  const { game, code, wishes } = state;
  if (beside) await showEntry({ toml: beside, hand: true, game, code, wishes, moves: needsFile ? null : moves });
  else await draw(moves);
  form.showForm();
  if (needsFile && !beside) showFaults([word("needs_file")]);
  openView(view, true);
}

async function play(game, option, file) {
  if (state.game !== game) await newGame(game);
  openView("battle");
  setOption(option, file);
}

measureHeader();
keyboard();
form.listen({
  ...{ setOption, setPrint, setCode, drawAnother, pickParts, newGame, openView, openMakers },
  pick: (option) => pick(option, (text) => setOption(option.name, text)),
});
mine.listen({
  keep,
  play,
  changed: form.showForm,
  openBattle: async (text) => {
    openView("battle");
    await openBattle(text);
  },
});
asks.listen({ remember, wishFor: setOption, change: move.change });
move.listen({ show: showEntry, failed: showFaults });
see.listen({ wishFor: setOption, turn: openView, begin: paint.begin });
paint.listen({
  wishFor: setOption,
  turn: openView,
  keep,
  edit: async (file) => {
    openView("own");
    await mine.edit(file);
  },
});
watch.listen({
  playOn: async (saved, files, step) => {
    openView("play");
    await game.branch(saved, files, step);
  },
});
dozen.listen({
  remember,
  open: async (code) => {
    if (!(await mayReplace())) return;
    Object.assign(state, { code, from: "", to: "" });
    openView("battle");
    await draw();
    form.showForm();
  },
  chooseGame: async (name) => {
    state.dozen = "";
    await newGame(name);
    openView("dozen");
  },
});
seats.listen({
  turn: openView,
  take: async (sealed) => {
    if (!(await mayReplace())) return;
    Object.assign(state.wishes, sealed);
    remember();
    form.showForm();
    draw();
  },
});
makers.listen();
watchBubble();
move.recall();
move.hands();
paint.brush();
zoom.zoomable($("map"), move.busy);
zoom.zoomable($("canvas"), () => true);
zoom.buttons();
control("thread").value = kept.thread || "";
$("thread").addEventListener("input", keep);
$("print").addEventListener("click", see.press);
$("make").addEventListener("click", see.press);
$("undo").addEventListener("click", move.undo);
$("redo").addEventListener("click", move.redo);
$("reset").addEventListener("click", async () => {
  if (!(await mayReplace())) return;
  if (handSet()) move.record();
  Object.assign(state, { wishes: {}, parts: "" });
  page.battle = null;
  remember();
  form.showForm();
  draw();
});
$("asks-close").addEventListener("click", () => {
  asks.wipe();
  asks.unpoint();
});
$("fairness-ask").addEventListener("click", () => asks.tell("fairness", "fairness"));
$("odds-ask").addEventListener("click", () => asks.tell("odds", "odds"));
$("readings-ask").addEventListener("click", asks.readings);
$("judge").addEventListener("click", judge);
$("save").addEventListener("click", () => save(FILE, page.battle.toml));
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", async () => {
  const [file] = control("file").files;
  if (file) await openFile(file);
  control("file").value = "";
});
$("skip").addEventListener("click", (event) => {
  event.preventDefault();
  const map = ["watch", "play"].includes(state.view) ? $(`${state.view}-map`) : $("map");
  const [cell] = all('[data-cell][tabindex="0"]', map);
  if (cell) cell.focus();
});
$("form").addEventListener("submit", (event) => event.preventDefault());
for (const button of all("[data-copy]")) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText($(button.dataset.copy).textContent);
    } catch {
      getSelection().selectAllChildren($(button.dataset.copy));
      return;
    }
    button.textContent = word("copied");
    setTimeout(() => {
      button.textContent = word("copy");
    }, 1200);
  });
}
// A file that is dropped anywhere is opened, and the browser stays on the page.
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) openFile(file);
});
// In a group of radio buttons the arrow keys choose, and Tab leaves the group.
addEventListener("keydown", (event) => {
  const group = within(event, '[role="radiogroup"]');
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (!group || !step) return;
  event.preventDefault();
  const radios = all('[role="radio"]', group);
  const next = radios[(radios.indexOf(within(event, '[role="radio"]')) + step + radios.length) % radios.length];
  next.focus();
  next.click();
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    move.drop();
    paint.letGo();
    asks.wipe();
  }
  if (within(event, "input, textarea, select")) return;
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && ["z", "y"].includes(key) && ["battle", "paint"].includes(state.view)) {
    event.preventDefault();
    const changes = state.view === "paint" ? paint : move;
    if (key === "y" || event.shiftKey) changes.redo();
    else changes.undo();
  }
  if (state.view === "print" && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    see.leaf(event.key === "ArrowRight" ? 1 : -1);
  }
});
addEventListener("storage", (event) => {
  if (event.key !== KEPT) return;
  const others = Object.entries((read(KEPT) || {}).own || {});
  for (const [name, text] of others) if (!(name in page.own)) page.own[name] = text;
  form.showForm();
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) seats.leave();
});
addEventListener("popstate", (event) => arrive(event.state && event.state.hand));
const ALIVE_MS = 30000;
setInterval(() => {
  fetch("/alive", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }).catch(() => {});
}, ALIVE_MS);
arrive(history.state ? history.state.hand : location.hash && location.hash !== kept.address ? "" : kept.hand);
