// @ts-check
// Playing: against the computer, or two people at one screen. Muster decides what is legal; this page shows it.
import { html, nothing, render } from "./lit-html.js";
import { $, labelled, page, save, state, word } from "./base.js";
import { dice, die } from "./dice.js";
import { Board } from "./game_board.js";
import { askGame, battleFiles } from "./game_request.js";
import * as store from "./game_store.js";
import { LEVELS } from "./watch.js";
import * as zoom from "./zoom.js";

/** @typedef {import("./game_request.js").Game} Game */
/** @typedef {import("./game_request.js").Choice} Choice */
/** @typedef {import("./game_request.js").Unit} Unit */
/** @typedef {import("./game_request.js").Frame} Frame */

/** How long each step of the opponent is shown, in milliseconds. */
const STEP_MS = 350;
/** The time after which the page shows that Muster is working, in milliseconds. Most answers are faster. */
const PATIENCE_MS = 400;
/** The maximum number of moves that are listed at once. */
const MAX_LISTED = 80;
/** The end of the file name of a saved game. */
const SUFFIX = ".game.json";

/** @type {Game | null} */
let game = null;
/** @type {Record<string, string>} */
let files = {};
let id = "";
/** Whether the game is only a picture of the battle before a game begins. */
let isDraft = false;
let isBusy = false;
let selected = "";
let aimed = "";
/** @type {(number | string)[]} */
let entered = [];
/** @type {{ move: string, entry: string, lines: string[] } | null} */
let hint = null;
/** @type {string[]} */
let faults = [];
/** @type {{ text: string[], dice: (number | string)[] }[]} */
let story = [];
let isHandOpen = false;
let isKept = true;
/** The number of the latest animation. An older one ends. */
let animation = 0;
const settings = { seat: 0, level: "casual", people: 1, byHand: false };
/** @type {Board} */
let board;

export function enter() {
  if (!board) {
    board = new Board($("play-map"), "g-", click);
    zoom.zoomable($("play-map"), () => false);
    $("play-file").addEventListener("change", openFile);
    addEventListener("keydown", keydown);
  }
  if (game && !isDraft) {
    show();
    return;
  }
  const kept = store.current();
  if (kept && !kept.isOver) resume(kept);
  else draft();
}
export function leave() {
  animation += 1;
}
export async function speak() {
  if (!game || state.view !== "play") return;
  if (isDraft) await draft();
  else await send("open", { saved: game.saved }, true);
}
/** Play on from a step of a game. @param {string} saved @param {Record<string, string>} own @param {number} step */
export async function branch(saved, own, step) {
  await ready(async () => {
    files = own;
    const answer = await askGame("branch", { saved, files, step, seats: seats(), draws: true, by_hand: byHand() });
    begun(answer);
  });
}

/** The work that is being done, after which other work can begin. @type {Promise<void>} */
let current = Promise.resolve();

/** Run a function while nothing else is sent. It waits for earlier work. @param {() => Promise<void>} work */
function ready(work) {
  current = current
    .catch(() => {})
    .then(async () => {
      isBusy = true;
      $("play-side").dataset.busy = "true";
      const timer = setTimeout(show, PATIENCE_MS);
      try {
        await work();
      } finally {
        clearTimeout(timer);
        isBusy = false;
        show();
      }
    });
  return current;
}
function byHand() {
  return settings.byHand;
}
function seats() {
  const person = { player: "person", level: settings.level };
  const computer = { player: "", level: settings.level };
  if (settings.people === 2) return [person, person];
  return settings.seat === 0 ? [person, computer] : [computer, person];
}

// Beginning, saving and resuming

/** Show the battle on the map, so that a game can begin. */
async function draft() {
  if (!page.battle) {
    faults = [word("game_no_battle")];
    show();
    return;
  }
  await ready(async () => {
    files = battleFiles().files;
    const person = { player: "person", level: "casual" };
    const answer = await askGame("new", { ...battleFiles(), seats: [person, person], draws: true });
    isDraft = true;
    received(answer, true);
  });
}
/** Begin the game of the form. */
async function begin() {
  await ready(async () => {
    const values = isDraft ? battleFiles() : { scenario: JSON.parse(game ? game.saved : "{}").scenario.text, files };
    files = values.files;
    const answer = await askGame("new", { ...values, seats: seats(), draws: true, by_hand: byHand() });
    begun(answer);
  });
}
/** Show a game that has begun, and keep it. @param {any} answer */
function begun(answer) {
  isDraft = false;
  id = `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
  store.choose(id);
  story = [];
  received(answer, true);
  toQuestion();
}
/** @param {store.Kept} kept */
async function resume(kept) {
  await ready(async () => {
    [id, files, isDraft] = [kept.id, kept.files, false];
    settings.byHand = kept.byHand;
    store.choose(id);
    const answer = await askGame("open", { saved: kept.saved, files, draws: true, by_hand: byHand() });
    received(answer, true);
    toQuestion();
  });
}
function keep() {
  if (!game || isDraft) return;
  const { saved, title, scenario, turn, outcome } = game;
  const names = game.seats.map((seat) => (seat.person ? seat.name : `${seat.name} (${seat.policy})`));
  const label = scenario ? labelled(title, scenario) : title;
  const entry = { id, saved, files, game: game.game, title: label, turn, seats: names, when: Date.now() };
  isKept = store.keep({ ...entry, isOver: Boolean(outcome), byHand: byHand() });
}
function saveFile() {
  if (game) save(`${game.game}-${game.code}${SUFFIX}`, game.saved, "application/json");
}
/** Open a saved game from a file. @param {any} event */
async function openFile(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (file) await openText(await file.text());
}
/** @param {string} text */
export async function openText(text) {
  await ready(async () => {
    const own = { ...page.own };
    const named = Object.entries(own).filter(([name]) => text.includes(name));
    const answer = await askGame("open", { saved: text, files: Object.fromEntries(named), draws: true });
    if (answer.exit) {
      faults = answer.faults;
      return;
    }
    files = Object.fromEntries(named);
    settings.byHand = false;
    begun(answer);
  });
}
/** Stop this game, which stays in the browser, and show the form for another one. */
async function leaveGame() {
  game = null;
  store.choose("");
  await draft();
}

// Requests

/**
 * Send a step of the game, and show its results.
 * @param {string} action
 * @param {Record<string, any>} values
 * @param {boolean} draws
 */
async function send(action, values, draws = false) {
  // A second click on a move that is already being made is not another move.
  if (isBusy) return;
  await ready(async () => {
    const since = game ? game.count : 0;
    const common = { saved: game ? game.saved : "", files, since, draws, by_hand: byHand() };
    received(await askGame(action, { ...common, ...values }), draws);
  });
}
/**
 * @param {any} answer
 * @param {boolean} draws
 */
function received(answer, draws) {
  faults = answer.faults;
  if (answer.exit) return;
  const before = game;
  game = /** @type {Game} */ (answer);
  if (!before || before.to_move !== game.to_move || draws) isHandOpen = false;
  [selected, aimed, entered, hint] = ["", "", [], null];
  keep();
  const pictures = board.read(game);
  const frames = draws ? [] : game.frames;
  if (frames.length) story = frames.filter((frame) => frame.text.length || frame.dice.length).map(told);
  if (draws)
    story = game.frames
      .slice(-6)
      .filter((frame) => frame.text.length)
      .map(told);
  animate(draws ? pictures.slice(-1) : pictures, frames);
}
/** @param {Frame} frame */
function told(frame) {
  return { text: frame.text, dice: frame.dice };
}
/**
 * Show the positions one after another.
 * @param {import("./game_board.js").Picture[]} pictures
 * @param {Frame[]} frames
 */
async function animate(pictures, frames) {
  animation += 1;
  const mine = animation;
  const last = pictures.length - 1;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches || last > 60;
  for (const [number, picture] of pictures.entries()) {
    if (isStill && number < last) continue;
    board.show(picture);
    const frame = frames.find((one) => one.number === picture.number);
    if (number === last) break;
    board.wipe();
    if (frame) board.event(frame.event, []);
    await new Promise((resolve) => {
      setTimeout(resolve, STEP_MS);
    });
    if (mine !== animation) break;
  }
  if (mine !== animation) {
    if (game) board.show(pictures[last]);
    return;
  }
  draw();
}

// Choices

/** Return the cell at which a choice aims, or an empty text. @param {Choice} choice */
function aimOf(choice) {
  if (!game) return "";
  const [target] = choice.targets.flatMap((name) => board.cellsOf(name, game ? game.units : []).slice(0, 1));
  return board.has(choice.to) ? choice.to : target || "";
}
/** Return the cells on which a unit with choices stands. @param {string} unit */
function cellsOf(unit) {
  const [choice] = choicesOf(unit);
  return board.cellsOf(unit, game ? game.units : [], choice ? choice.from : "");
}
/** Return the choices that are about units. */
function unitChoices() {
  return game && !isDraft && !game.roll ? game.choices.filter((choice) => choice.unit && !choice.ends) : [];
}
/** Return the units that have choices. */
function ableUnits() {
  return [...new Set(unitChoices().map((choice) => choice.unit))];
}
/** Return the only unit that has choices, or the selected one. */
function activeUnit() {
  const able = ableUnits();
  return able.length === 1 ? able[0] : selected;
}
/** @param {string} unit */
function choicesOf(unit) {
  return unitChoices().filter((choice) => choice.unit === unit);
}
/** @param {string} cell */
function unitsAt(cell) {
  return ableUnits().filter((unit) => cellsOf(unit).includes(cell));
}

/** Answer a click on a cell: select a unit there, or make the move that leads there. @param {string} cell */
function click(cell) {
  if (!game || isBusy || isDraft) return;
  const unit = activeUnit();
  const there = choicesOf(unit).filter((choice) => aimOf(choice) === cell);
  if (there.length === 1) {
    make(there[0]);
    return;
  }
  if (there.length > 1) {
    [selected, aimed] = [unit, cell];
    show();
    return;
  }
  const able = unitsAt(cell);
  const next = able[(able.indexOf(selected) + 1) % able.length];
  // A unit that can do a single thing where it stands, such as receive an order, does it at once.
  const single = next ? choicesOf(next) : [];
  if (single.length === 1 && !aimOf(single[0])) {
    make(single[0]);
    return;
  }
  [selected, aimed] = [next || "", ""];
  show();
}
/** @param {Choice} choice */
function make(choice) {
  send("move", { move: choice.move });
}
/** Select a unit from the list. @param {string} unit */
function select(unit) {
  [selected, aimed] = [unit, ""];
  show();
  toQuestion();
}
async function undo() {
  await send("undo", {});
  toQuestion();
}
async function askHint() {
  await ready(async () => {
    const answer = await askGame("hint", { saved: game ? game.saved : "", files });
    faults = answer.faults;
    hint = answer.exit ? null : answer;
  });
}
/** Move the focus to the question, after which the moves follow. */
function toQuestion() {
  const question = document.getElementById("play-question");
  if (question) question.focus({ preventScroll: true });
}
/** @param {KeyboardEvent} event */
function keydown(event) {
  if (state.view !== "play") return;
  if (event.key === "Escape" && selected) {
    [selected, aimed] = ["", ""];
    show();
  }
  const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea");
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !isTyping) {
    event.preventDefault();
    if (game && game.undoable) undo();
  }
}

// Marks on the board

function draw() {
  if (!game || state.view !== "play") return;
  const rows = game.units;
  board.wipe();
  board.label(rows);
  board.counts(rows);
  if (isDraft || game.roll) return;
  const marks = board.below("choices");
  const above = board.above("chances");
  const active = activeUnit();
  for (const unit of ableUnits()) {
    for (const cell of cellsOf(unit)) board.markCell(marks, cell, unit === active ? "chosen" : "able");
  }
  /** @type {Map<string, number>} */
  const chances = new Map();
  for (const choice of choicesOf(active)) {
    const cell = aimOf(choice);
    if (!cell) continue;
    board.markCell(marks, cell, cell === aimed ? "chosen" : choice.chance === null ? "reach" : "target");
    if (choice.chance !== null) chances.set(cell, Math.max(choice.chance, chances.get(cell) || 0));
  }
  for (const [cell, chance] of chances) board.chance(above, cell, `${Math.round(100 * chance)} %`);
  if (hint) {
    const advised = game.choices.find((choice) => hint && choice.move === hint.move);
    if (advised) board.event({ ...advised, from: advised.from, to: aimOf(advised) }, rows);
  }
}

// The page around the board

function show() {
  if (state.view !== "play") return;
  $("play-map").setAttribute("aria-busy", String(isBusy && !game));
  $("play-title").textContent = game ? game.scenario || game.title : "";
  draw();
  $("play-side").dataset.busy = String(isBusy);
  const hadFocus = $("play-side").contains(document.activeElement);
  render(bar(), $("play-bar"));
  render(side(), $("play-side"));
  if (hadFocus && document.activeElement === document.body) toQuestion();
}
/** @param {number} seat */
function nameOf(seat) {
  return game ? game.seats[seat].name : "";
}
function bar() {
  if (!game || isDraft) return nothing;
  const [first, second] = game.score;
  const mover = game.mover === null ? "" : word("game_round", { n: game.turn, side: nameOf(game.mover) });
  return html`<p>
      <strong>${mover}</strong>
      <span class="score"
        >${nameOf(0)} ${first} : ${second} ${nameOf(1)} <span class="small">${game.counted}</span></span
      >
    </p>
    <div class="row">
      <button
        id="play-undo"
        aria-keyshortcuts="u"
        aria-disabled=${!game.undoable || isBusy}
        @click=${() => game && game.undoable && undo()}
      >
        ↶ ${word("play_undo")}
      </button>
      <button
        id="play-hint"
        aria-keyshortcuts="h"
        aria-disabled=${!game.choices.length || isBusy}
        @click=${() => game && game.choices.length && askHint()}
      >
        ${word("play_hint")}
      </button>
      <button id="play-save" @click=${saveFile}>${word("play_save")}</button>
      <button id="play-leave" @click=${leaveGame}>${word("play_leave")}</button>
    </div>`;
}

function side() {
  const warned = isKept ? nothing : html`<p class="fault" role="alert">${word("play_not_kept")}</p>`;
  const wrong = faults.length ? html`<p class="fault" role="alert">${faults.join(" ")}</p>` : nothing;
  if (!game || isDraft) return html`${wrong}${form()}${others()}`;
  return html`${warned}${wrong}
    <h2 id="play-question" tabindex="-1">${question()}</h2>
    <p class="unseen" role="status">${announcement()}</p>
    ${hint ? advice(hint) : nothing} ${game.roll ? diceForm(game.roll) : moves()} ${hand()} ${latest()} ${notes(game)}`;
}
function question() {
  if (!game) return "";
  if (isBusy) return word("busy");
  if (game.outcome) return game.outcome.text;
  if (game.roll) return word("play_roll", { n: game.roll.count, side: nameOf(game.roll.seat) });
  const isShared = game.people.length === 2 && game.to_move !== null;
  return isShared ? labelled(nameOf(/** @type {number} */ (game.to_move)), game.question) : game.question;
}
/** Return the text that a screen reader reads after each step. */
function announcement() {
  const last = story.flatMap((row) => row.text);
  if (!game || isBusy) return "";
  return [...faults, ...(hint ? hint.lines : []), ...last.slice(-8), game.echo, question()].filter(Boolean).join(" ");
}

function moves() {
  if (!game) return nothing;
  const rest = game.choices.filter((choice) => (!choice.unit || choice.ends) && choice.kind !== "card");
  const unit = activeUnit();
  const listed = choicesOf(unit).filter((choice) => !aimed || aimOf(choice) === aimed);
  const able = ableUnits();
  return html`${
      unit
        ? html`<h3>${unitName(unit)}</h3>
            <ul class="lines" id="play-moves">
              ${listed.slice(0, MAX_LISTED).map(line)}
            </ul>
            ${
              able.length > 1
                ? html`<button aria-keyshortcuts="b" @click=${() => select("")}>${word("play_other_unit")}</button>`
                : nothing
            }`
        : able.length
          ? html`<p class="small">${word("play_pick_unit")}</p>
              <ul class="lines" id="play-units">
                ${able.map(unitLine)}
              </ul>`
          : nothing
    }
    <div class="row">${rest.map(restButton)}</div>`;
}
/** @param {Choice} choice */
function line(choice) {
  const percent = choice.chance === null ? nothing : html`<strong>${Math.round(100 * choice.chance)} %</strong>`;
  return html`<li>
    <button
      class="plain"
      data-move=${choice.move}
      @click=${() => chosen(choice)}
      @mouseenter=${() => point(choice)}
      @focus=${() => point(choice)}
    >
      <span>${choice.text}</span> ${percent}
    </button>
  </li>`;
}
/** @param {Choice} choice */
function restButton(choice) {
  return html`<button
    class=${choice.ends ? "chief" : ""}
    data-move=${choice.move}
    aria-keyshortcuts=${choice.ends ? "e" : nothing}
    @click=${() => chosen(choice)}
  >
    ${choice.text}
  </button>`;
}
/** Make a move of a list, and go on with the next question. @param {Choice} choice */
async function chosen(choice) {
  await send("move", { move: choice.move });
  toQuestion();
}
/** Point at the place of a move. @param {Choice} choice */
function point(choice) {
  if (game) board.event({ ...choice, to: aimOf(choice) }, game.units);
}
/** @param {string} unit */
function unitLine(unit) {
  return html`<li>
    <button class="plain" data-unit=${unit} @click=${() => select(unit)}>
      <span>${unitName(unit)}</span> <span class="small">${choicesOf(unit).length}</span>
    </button>
  </li>`;
}
/** @param {string} unit */
function unitName(unit) {
  const row = game ? game.units.find((one) => one.id === unit) : null;
  if (!row) return unit;
  const left = row.total > 1 ? ` ${word("game_left", { n: row.left, of: row.total })}` : "";
  return `${row.id} ${row.kind}, ${row.place}${left}`;
}

/** @param {{ move: string, entry: string, lines: string[] }} found */
function advice(found) {
  return html`<div class="hint">
    <p><strong>${word("play_hint_is", { move: found.lines[0] })}</strong></p>
    <ul>
      ${found.lines.slice(1).map((text) => html`<li>${text}</li>`)}
    </ul>
    <button data-move=${found.move} @click=${() => chosen(/** @type {any} */ ({ move: found.move }))}>
      ${word("play_hint_use")}
    </button>
  </div>`;
}
function hand() {
  if (!game || !game.hand.length) return nothing;
  const isPrivate = game.people.length === 2 && !isHandOpen;
  if (isPrivate) {
    const side = game.to_move === null ? "" : nameOf(game.to_move);
    return html`<p>${word("play_curtain", { side })}</p>
      <button class="chief" id="play-show-hand" @click=${showHand}>${word("play_show_hand")}</button>`;
  }
  const card = (/** @type {{ id: string, name: string, text: string, count: number }} */ one) => {
    const choice = game && game.choices.find((other) => other.kind === "card" && other.what === one.id);
    const times = one.count > 1 ? ` ×${one.count}` : "";
    const text = html`<strong>${one.name}${times}</strong> <span class="small">${one.text}</span>`;
    return html`<li>
      ${
        choice
          ? html`<button class="card-button" data-move=${choice.move} @click=${() => chosen(choice)}>${text}</button>`
          : html`<p class="card-text">${text}</p>`
      }
    </li>`;
  };
  return html`<h3>${word("hand")}</h3>
    <ul class="hand" id="play-hand">
      ${game.hand.map(card)}
    </ul>`;
}
function showHand() {
  isHandOpen = true;
  show();
  toQuestion();
}
function latest() {
  if (!game || !story.length) return nothing;
  const { faces } = game;
  const row = (/** @type {{ text: string[], dice: (number | string)[] }} */ one) =>
    html`<li>${one.dice.length ? dice(one.dice, faces) : nothing} ${one.text.join(" ")}</li>`;
  return html`<h3>${word("play_latest")}</h3>
    <ol class="story">
      ${story.map(row)}
    </ol>`;
}
/** @param {Game} found */
function notes(found) {
  const lines = [...found.goal, ...found.marks, ...found.notes];
  return html`<details>
    <summary>${word("watch_about")}</summary>
    <ul class="small">
      ${lines.map((text) => html`<li>${text}</li>`)}
    </ul>
  </details>`;
}

// Dice from the table

/** @param {import("./game_request.js").Roll} roll */
function diceForm(roll) {
  const names = Object.fromEntries(roll.faces.map((one) => [one.face, one.name]));
  const isDecimal = roll.faces.length > 6;
  const isFull = entered.length === roll.count;
  return html`<div class="row" id="play-faces" role="group" aria-label=${word("play_faces")}>
      ${roll.faces.map(
        (one) =>
          html`<button
            class="face"
            data-face=${one.face}
            aria-disabled=${isFull}
            @click=${() => enterFace(one.face, roll)}
          >
            ${die(one.face, one.name, isDecimal)}
          </button>`,
      )}
    </div>
    <p role="status">${word("play_entered", { n: entered.length, of: roll.count })} ${dice(entered, names)}</p>
    <div class="row">
      <button class="chief" id="play-take" aria-disabled=${!isFull} @click=${() => isFull && takeDice(entered)}>
        ${word("play_take_dice")}
      </button>
      <button @click=${clearDice}>${word("play_clear_dice")}</button>
      <button id="play-roll" @click=${rollOnce}>${word("play_roll_for_me")}</button>
    </div>`;
}
/**
 * @param {number | string} face
 * @param {import("./game_request.js").Roll} roll
 */
function enterFace(face, roll) {
  if (entered.length < roll.count) entered = [...entered, face];
  show();
}
function clearDice() {
  entered = [];
  show();
}
/** @param {(number | string)[]} faces */
async function takeDice(faces) {
  await send("roll", { faces });
  toQuestion();
}
/** Let Muster roll these dice. */
async function rollOnce() {
  await send("roll", { faces: [] });
  toQuestion();
}

// The form for a new game, and the games that the browser keeps

function form() {
  if (!game) return nothing;
  const choice = (/** @type {[string, string]} */ [name, key]) =>
    html`<option value=${name} ?selected=${name === settings.level}>${word(key)}</option>`;
  const sideOption = (/** @type {number} */ seat) =>
    html`<option value=${seat} ?selected=${seat === settings.seat}>${nameOf(seat)}</option>`;
  return html`<h2 id="play-question" tabindex="-1">${word("play_new")}</h2>
    <label class="row"
      ><span>${word("play_against")}</span>
      <select id="play-people" @change=${(/** @type {any} */ event) => set("people", Number(event.target.value))}>
        <option value="1" ?selected=${settings.people === 1}>${word("play_computer")}</option>
        <option value="2" ?selected=${settings.people === 2}>${word("play_two")}</option>
      </select></label
    >
    ${
      settings.people === 1
        ? html`<label class="row"
              ><span>${word("level")}</span>
              <select id="play-level" @change=${(/** @type {any} */ event) => set("level", event.target.value)}>
                ${Object.entries(LEVELS).map(choice)}
              </select></label
            >
            <label class="row"
              ><span>${word("play_side")}</span>
              <select
                id="play-side-of"
                @change=${(/** @type {any} */ event) => set("seat", Number(event.target.value))}
              >
                ${[0, 1].map(sideOption)}
              </select></label
            >`
        : nothing
    }
    <label class="row"
      ><span>${word("play_dice")}</span>
      <select id="play-dice" @change=${(/** @type {any} */ event) => set("byHand", event.target.value === "1")}>
        <option value="0" ?selected=${!settings.byHand}>${word("play_dice_studio")}</option>
        <option value="1" ?selected=${settings.byHand}>${word("play_dice_table")}</option>
      </select></label
    >
    <div class="row"><button class="chief" id="play-begin" @click=${begin}>${word("play_begin")}</button></div>
    ${game ? notes(game) : nothing}`;
}
/**
 * @param {string} name
 * @param {any} value
 */
function set(name, value) {
  Object.assign(settings, { [name]: value });
  show();
}
function others() {
  const kept = store.games();
  const row = (/** @type {store.Kept} */ one) =>
    html`<li>
      <button class="plain" data-game=${one.id} @click=${() => resume(one)}>
        <span>${one.title}</span>
        <span class="small"
          >${one.seats.join(" – ")}, ${word(one.isOver ? "play_is_over" : "play_in_round", { n: one.turn })}</span
        >
      </button>
      <button class="small" aria-label=${word("play_forget", { title: one.title })} @click=${() => forget(one.id)}>
        ✕
      </button>
    </li>`;
  return html`<h3>${word("play_kept")}</h3>
    ${
      kept.length
        ? html`<ul class="lines kept" id="play-games">
            ${kept.map(row)}
          </ul>`
        : nothing
    }
    <div class="row">
      <button id="play-open" @click=${() => $("play-file").click()}>${word("play_open")}</button>
    </div>`;
}
/** @param {string} which */
function forget(which) {
  store.remove(which);
  show();
}
