// @ts-check
// Watching: computer players play the battle on the map, move by move, with dice, scores and win rates.
import { html, nothing, render, svg } from "./lit-html.js";
import { $, page, state, word } from "./base.js";
import { dice } from "./dice.js";
import { Board, unitsAfter } from "./game_board.js";
import { ABORTED, askGame, battleFiles } from "./game_request.js";
import * as zoom from "./zoom.js";

/** @typedef {import("./game_request.js").Game} Game */
/** @typedef {import("./game_request.js").Frame} Frame */
/** @typedef {import("./game_board.js").Picture} Picture */

/** The levels of the computer players, with the keys of their names. @type {Record<string, string>} */
export const LEVELS = { weak: "level_weak", casual: "level_casual", club: "level_club" };
/** How long a moment is shown, in milliseconds, and how long one with dice. */
const STILL_MS = 450;
const DICE_MS = 1100;
/** The number of games that are played on from each turn for the win rate. */
const RATED_GAMES = 20;
/** The steps that are not worth a moment of their own. */
const DULL = ["order", "end", "draw", "keep", "start"];

/** @type {Game | null} */
let game = null;
/** @type {Frame[]} */
let moments = [];
/** @type {Map<number, Picture>} */
let pictures = new Map();
/** @type {Map<number, { won: number, games: number }>} */
let rates = new Map();
/** How often each side won the games that were watched, keyed by scenario and level. @type {Map<string, number[]>} */
const tallies = new Map();
let at = 0;
let level = "casual";
let timer = 0;
let watched = "";
let fault = "";
let isBusy = false;
let requests = new AbortController();
/** @type {Board} */
let board;
/** @type {(saved: string, files: Record<string, string>, step: number) => void} */
let playOn = () => {};

/** @param {{ playOn: typeof playOn }} hooks */
export function listen(hooks) {
  ({ playOn } = hooks);
}

/** Show the battle on the map being played. */
export async function enter() {
  if (!board) {
    board = new Board($("watch-map"), "w-", () => {});
    zoom.zoomable($("watch-map"), () => false);
  }
  const battle = /** @type {any} */ (page.battle);
  if (!battle) {
    fault = word("game_no_battle");
    show();
    return;
  }
  if (game && watched === battle.toml) {
    show();
    rate();
    return;
  }
  watched = battle.toml;
  await begin("");
}

/** Stop all work for this view. */
export function leave() {
  pause();
  requests.abort();
}

/** Show everything in the language of the page. The moment stays. */
export async function speak() {
  if (!game || state.view !== "watch") {
    game = null;
    return;
  }
  const number = moments[at] ? moments[at].number : 0;
  await begin(game.code);
  at = Math.max(
    0,
    moments.findIndex((frame) => frame.number === number),
  );
  show();
}

/** Let the computer play a game from its first move. @param {string} code */
async function begin(code) {
  leave();
  requests = new AbortController();
  const { signal } = requests;
  [isBusy, fault] = [true, ""];
  show();
  const seat = { player: "", level };
  const values = { ...battleFiles(), seats: [seat, seat], code, draws: true };
  const found = await askGame("new", values, signal);
  if (found.exit === ABORTED) return;
  isBusy = false;
  if (found.exit) {
    [game, fault] = [null, found.faults.join(" ")];
    show();
    return;
  }
  take(found, !code);
  show();
  await rate();
}

/**
 * @param {Game} found
 * @param {boolean} isNew
 */
function take(found, isNew) {
  game = found;
  rates = new Map();
  pictures = new Map(board.read(found).map((picture) => [picture.number, picture]));
  const last = found.frames.length - 1;
  moments = found.frames.filter((frame, number) => number === 0 || number === last || isMoment(frame));
  at = 0;
  if (!isNew || !found.outcome) return;
  const tally = tallies.get(watched + level) || [0, 0, 0];
  tally[found.outcome.winner ?? 2] += 1;
  tallies.set(watched + level, tally);
}
/** @param {Frame} frame */
function isMoment(frame) {
  const isSeen = Object.keys(frame.moved).length > 0 || frame.dice.length > 0;
  return isSeen || (frame.text.length > 0 && !DULL.includes(frame.event.kind));
}

/** Return the first moment of each turn. */
function turns() {
  return moments.filter((frame, number) => {
    const before = moments[number - 1];
    return number > 0 && (number === 1 || frame.turn !== before.turn || frame.mover !== before.mover);
  });
}

/** Ask for the win rates of the turns, a few at a time. */
async function rate() {
  const { signal } = requests;
  const shown = game;
  while (game && game === shown && !signal.aborted) {
    const steps = turns().map((frame) => frame.number - 1);
    const missing = [...new Set([...steps, game.count])].filter((step) => !rates.has(step));
    if (!missing.length) return;
    const values = { saved: game.saved, files: battleFiles().files, steps: missing, games: RATED_GAMES };
    const found = await askGame("rates", values, signal);
    if (found.exit || game !== shown) return;
    for (const row of found.rates) rates.set(row.step, row);
    show();
  }
}

// The slider of moments

function pause() {
  clearTimeout(timer);
  timer = 0;
}
function play() {
  if (timer) {
    pause();
    show();
    return;
  }
  if (at >= moments.length - 1) at = 0;
  tick();
}
function tick() {
  const frame = moments[at];
  timer = window.setTimeout(
    () => {
      if (at >= moments.length - 1) pause();
      else at += 1;
      show();
      if (timer) tick();
    },
    frame && frame.dice.length ? DICE_MS : STILL_MS,
  );
  show();
}
/** @param {number} number */
function go(number) {
  pause();
  at = Math.max(0, Math.min(moments.length - 1, number));
  show();
}

/** Return the latest picture up to a step. @param {number} number */
function pictureOf(number) {
  let found;
  for (const [key, picture] of pictures) if (key <= number) found = picture;
  return found;
}

function drawBoard() {
  const frame = moments[at];
  const picture = frame && pictureOf(frame.number);
  if (!game || !picture) return;
  board.show(picture);
  const rows = unitsAfter(game, frame.number);
  board.counts(rows);
  board.wipe();
  board.label(rows);
  const before = unitsAfter(game, frame.number - 1);
  if (frame.number) board.event(frame.event, before);
}

// The page around the board

function show() {
  if (state.view !== "watch") return;
  $("watch-map").setAttribute("aria-busy", String(isBusy));
  $("watch-title").textContent = game ? game.scenario || game.title : "";
  drawBoard();
  render(isBusy && !game ? html`<p>${word("busy")}</p>` : bar(), $("watch-bar"));
  render(side(), $("watch-side"));
}
/** @param {Frame} frame */
function nameOf(frame) {
  return game && frame.mover !== null ? game.seats[frame.mover].name : "";
}
/** @param {Frame} frame */
function sentence(frame) {
  if (!frame.number) return word("game_start");
  const { unit, from, to } = frame.event;
  return frame.text.join(" ") || (from && to ? word("game_moves", { unit, from, to }) : frame.move);
}
/** @param {Frame} frame */
function heading(frame) {
  return word("game_round", { n: frame.turn, side: nameOf(frame) });
}

function bar() {
  const frame = moments[at];
  if (!game || !frame) return fault ? html`<p class="fault" role="alert">${fault}</p>` : nothing;
  const { faces } = game;
  const last = moments.length - 1;
  const summary = `${heading(frame)}: ${sentence(frame)}`;
  return html`<div class="game-buttons">
      <button
        aria-label=${word("watch_back")}
        title=${word("watch_back")}
        aria-keyshortcuts=","
        @click=${() => go(at - 1)}
      >
        ◂
      </button>
      <button
        class="chief"
        id="watch-play"
        aria-label=${word(timer ? "watch_pause" : "watch_play")}
        title=${word(timer ? "watch_pause" : "watch_play")}
        aria-keyshortcuts="k"
        @click=${play}
      >
        ${timer ? "❚❚" : "▶"}
      </button>
      <button
        aria-label=${word("watch_on")}
        title=${word("watch_on")}
        aria-keyshortcuts="."
        @click=${() => go(at + 1)}
      >
        ▸
      </button>
    </div>
    <div class="game-slider">
      ${curve(last)}
      <input
        type="range"
        id="watch-slider"
        min="0"
        max=${last}
        .value=${String(at)}
        aria-label=${word("watch_slider")}
        aria-valuetext=${summary}
        @input=${(/** @type {any} */ event) => go(Number(event.target.value))}
      />
    </div>
    <div class="game-moment">
      <p><strong>${heading(frame)}</strong> <span class="score">${score(frame)}</span></p>
      <p class="small">${rateText(frame)}</p>
      <p>${frame.dice.length ? dice(frame.dice, faces) : nothing} ${sentence(frame)}</p>
      <p class="unseen" role="status">${timer ? "" : summary}</p>
    </div>`;
}
/** @param {Frame} frame */
function score(frame) {
  if (!game) return "";
  const [first, second] = game.seats.map((seat) => seat.name);
  return `${first} ${frame.score[0]} : ${frame.score[1]} ${second}`;
}
/** Return the rate that holds at a moment. @param {Frame} frame */
function rateAt(frame) {
  let found = null;
  for (const step of [...rates.keys()].sort((one, other) => one - other)) {
    if (step <= frame.number) found = rates.get(step) || null;
  }
  return found;
}
/** @param {Frame} frame */
function rateText(frame) {
  const row = rateAt(frame);
  if (!game || !row) return word("watch_rating");
  const percent = Math.round((100 * row.won) / row.games);
  return word("watch_rate", { side: game.seats[0].name, percent, n: row.games });
}
/** Return the curve of the first side's win rate. @param {number} last */
function curve(last) {
  if (!game || !last) return nothing;
  const points = moments.map((frame, number) => {
    const row = rateAt(frame);
    return row ? `${(100 * number) / last} ${20 - (20 * row.won) / row.games}` : "";
  });
  const known = points.filter(Boolean);
  const x = (100 * at) / last;
  const area = known.length ? `M0 20L${known.join("L")}L${known[known.length - 1].split(" ")[0]} 20Z` : "";
  const label = word("watch_curve", { side: game.seats[0].name });
  return html`<svg class=${area ? "curve" : "curve unknown"} viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${svg`<rect width="100" height="20" class="curve-back" /><path d=${area} class="curve-area" />
      <path d="M0 10H100" class="curve-half" /><path d=${`M${x} 0V20`} class="curve-now" />`}
  </svg>`;
}

function side() {
  const choice = (/** @type {[string, string]} */ [name, key]) =>
    html`<option value=${name} ?selected=${name === level}>${word(key)}</option>`;
  return html`<label class="row"
      ><span>${word("level")}</span>
      <select id="watch-level" @change=${(/** @type {any} */ event) => setLevel(event.target.value)}>
        ${Object.entries(LEVELS).map(choice)}
      </select></label
    >
    <div class="row">
      <button id="watch-again" aria-keyshortcuts="n" @click=${() => begin("")}>${word("watch_again")}</button>
      ${game ? html`<button id="watch-on" @click=${from}>${word("watch_play_on")}</button>` : nothing}
    </div>
    ${
      game
        ? html`<div class="row picture" role="group" aria-label=${word("watch_picture")}>
            <span>${word("watch_picture")}</span>
            <button id="watch-svg" @click=${() => savePicture("svg")}>SVG</button>
            <button id="watch-png" @click=${() => savePicture("png")}>PNG</button>
          </div>`
        : nothing
    }
    ${game ? facts(game) : nothing}`;
}
/** @param {Game} found */
function facts(found) {
  const tally = tallies.get(watched + level) || [0, 0, 0];
  const values = {
    first: found.seats[0].name,
    second: found.seats[1].name,
    a: tally[0],
    b: tally[1],
    draws: tally[2],
  };
  const turn = (/** @type {Frame} */ frame) => {
    const isNow =
      frame ===
      turns()
        .filter((one) => one.number <= (moments[at] || frame).number)
        .at(-1);
    return html`<li>
      <button class="plain" aria-current=${isNow ? "true" : nothing} @click=${() => go(moments.indexOf(frame))}>
        <span>${heading(frame)}</span><span class="score">${frame.score.join(" : ")}</span>
      </button>
    </li>`;
  };
  const seat = (/** @type {import("./game_request.js").Seat} */ one) => html`<li>${one.name}: ${one.policy}</li>`;
  return html`<p class="good">${found.outcome ? found.outcome.text : ""}</p>
    <p class="small">${word("watch_tally", values)}</p>
    <h3>${word("watch_turns", { n: turns().length })}</h3>
    <ol class="lines" id="watch-turns">
      ${turns().map(turn)}
    </ol>
    <details>
      <summary>${word("watch_about")}</summary>
      <ul class="small">
        ${found.seats.map(seat)}${found.goal.map((line) => html`<li>${line}</li>`)}
        ${found.notes.map((line) => html`<li>${line}</li>`)}
      </ul>
    </details>`;
}
/** @param {string} name */
async function setLevel(name) {
  level = name;
  await begin("");
}
function from() {
  const frame = moments[at];
  if (game && frame) playOn(game.saved, battleFiles().files, frame.number);
}
/** @param {"svg" | "png"} kind */
function savePicture(kind) {
  const frame = moments[at];
  if (game && frame) board.savePicture(`${game.game}-${game.code}-${frame.number}`, kind);
}
