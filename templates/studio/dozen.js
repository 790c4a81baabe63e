// @ts-check
// Twelve battles to choose from, with small maps, fairness and two words each.
import { html, nothing, render } from "./lit-html.js";
import { $, brought, faults, page, state, wished, word } from "./base.js";
import { askWithProgress } from "./press.js";

/** The number of battles of a sheet. */
const COUNT = 12;
/** The signs of the two sides on the small maps. */
const SIGNS = ["●", "■"];

/**
 * @typedef {{ code: string, stamp: string, title: string, words: string[], map: string, story: string[],
 *   grade: string | null, beyond: string[] }} Row
 */

/** @type {(code: string) => void} */
let open = () => {};
/** @type {(name: string) => void} */
let chooseGame = () => {};
/** @type {(replacing: boolean) => void} */
let remember = () => {};
/** @param {{ open: typeof open, chooseGame: typeof chooseGame, remember: typeof remember }} hooks */
export function listen(hooks) {
  ({ open, chooseGame, remember } = hooks);
}

/** The sheet: its rows and small maps, and the request that it answers. */
let sheet = { key: "", rows: /** @type {Row[]} */ ([]), maps: {}, faults: /** @type {string[]} */ ([]) };
/** Whether only battles with a grade are shown. */
let gradedOnly = false;
/** The controller of the request that is running. */
let running = new AbortController();

/** Return the words of the command that draws the sheet of the present code, game and options. */
function command() {
  const seed = state.dozen ? ["--seed", state.dozen] : [];
  const how = ["--count", String(COUNT), "--different-maps", "--small-maps", "--json", "--lang", state.lang];
  return ["draw", state.game, ...seed, ...wished(), ...how, "-o", "dozen"];
}

/** Show the sheet, and draw it first unless it has been drawn already. */
export function enter() {
  if (state.dozen && command().join(" ") === sheet.key) show();
  else drawSheet();
}
/** End the request that is running. */
export function leave() {
  running.abort();
}

async function drawSheet() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  sheet = { key: "", rows: [], maps: {}, faults: [] };
  show(true);
  const answer = await askWithProgress(command(), brought(), $("dozen-status"), { background: true, signal });
  if (signal.aborted) return;
  const rows = answer.out && Array.isArray(answer.out.scenarios) ? answer.out.scenarios : [];
  if (rows.length) {
    state.dozen = answer.out.code;
    remember(true);
  }
  sheet = { key: command().join(" "), rows, maps: answer.files, faults: rows.length ? [] : faults(answer) };
  show();
}

/** Draw other battles. */
function another() {
  state.dozen = "";
  remember(false);
  drawSheet();
}

/** Return the address of a battle of the sheet, so that it can be opened in another tab. */
function addressOf(row) {
  const query = new URLSearchParams({ seed: row.code, lang: state.lang });
  for (const [name, value] of Object.entries(state.wishes)) query.set(`w.${name}`, value);
  return `#/battle/${state.game}?${query}`;
}

/** Return the text of a story's first line after the title. */
function summary(row) {
  return row.story[0].replace(/^[^:：]*[:：]\s*/, "");
}

function card(row) {
  const choose = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(row.code);
  };
  const why = row.beyond.length ? `${word("dozen_beyond")} ${row.beyond.join(word("dozen_list"))}` : "";
  return html`<li>
    <a class="battle-card" href=${addressOf(row)} data-code=${row.code} @click=${choose}>
      <span class="small-map" .innerHTML=${sheet.maps[`dozen/${row.map}`] || ""}></span>
      <span class="battle-title">${row.title}</span>
      <span class="two-words">${row.words.join(word("dozen_and"))}</span>
      <span class="battle-facts"
        ><span class=${row.grade ? "grade" : "grade none"}
          >${row.grade ? word("dozen_grade", { grade: row.grade }) : word("dozen_ungraded")}</span
        >
        <code>${row.code}</code></span
      >
      <span class="small">${summary(row)}</span>
      ${why ? html`<span class="small">${why}</span>` : nothing}
    </a>
  </li>`;
}

/** Show the sheet. */
function show(isWorking = false) {
  const game = page.games.find((one) => one.name === state.game);
  const options = page.games.map(
    (one) => html`<option value=${one.name} ?selected=${one.name === state.game}>${one.title}</option>`,
  );
  const rows = gradedOnly ? sheet.rows.filter((row) => row.grade) : sheet.rows;
  const filter = (isOn, label) =>
    html`<button
      role="radio"
      aria-checked=${gradedOnly === isOn}
      tabindex=${gradedOnly === isOn ? 0 : -1}
      data-graded=${isOn}
      @click=${() => {
        gradedOnly = isOn;
        show();
      }}
    >
      ${label}
    </button>`;
  const sides = game && game.sides ? game.sides : [];
  const changed = Object.keys(state.wishes).length;
  render(
    html`<label class="dozen-game"
        ><span class="visually-hidden">${word("game")}</span
        ><select aria-label=${word("game")} @change=${(event) => chooseGame(event.target.value)}>
          ${options}
        </select></label
      >
      <span class="small">${sides.map((side, at) => html`<span class="side">${SIGNS[at]} ${side}</span> `)}</span>
      <span class="segments" role="radiogroup" aria-label=${word("fairness")}
        >${filter(false, word("dozen_all"))}${filter(true, word("dozen_graded"))}</span
      >
      <button class="chief" id="dozen-another" aria-keyshortcuts="t" @click=${another}>${word("dozen_another")}</button>`,
    $("dozen-bar"),
  );
  render(
    html`${changed ? html`<p class="small">${word("dozen_options", { n: changed })}</p>` : nothing}
      ${sheet.faults.map((text) => html`<p class="fault">${text}</p>`)}
      ${sheet.rows.length && !rows.length ? html`<p>${word("dozen_none")}</p>` : nothing}
      <ul class="dozen" aria-busy=${isWorking}>
        ${isWorking
          ? Array.from({ length: COUNT }, () => html`<li class="battle-card waiting" aria-hidden="true"></li>`)
          : rows.map(card)}
      </ul>`,
    $("dozen-sheet"),
  );
}
