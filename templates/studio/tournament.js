// @ts-check
// The desk of a tournament. It knows no rule: it shows the state of the event folder and asks for actions on it.
import { measureHeader } from "./header.js";
import { html, nothing, render } from "./lit-html.js";
import { $, act, post, problemsOf, room, speak, theme, word } from "./room.js";
import { eventsPanel, newEvent } from "./tournament_events.js";
import { playersPanel } from "./tournament_players.js";
import { pairPanel, printPanel, standingsPanel, standingsTable } from "./tournament_rounds.js";
import { resultsPanel } from "./tournament_results.js";

/** The time between two looks at the event, in milliseconds. */
const LOOK_MS = 3000;
/** The time for which a message about something that was done is shown, in milliseconds. */
const MESSAGE_MS = 8000;
const PANELS = ["players", "pair", "print", "results", "standings"];

/** The state of the page. */
export const desk = {
  /** @type {any} */ list: null,
  /** @type {any} */ event: null,
  id: "",
  panel: "players",
  round: 0,
  /** @type {{ text: string, share: number | null, stop: () => void } | null} */ busy: null,
  /** @type {{ lines: string[], problems: string[], stale: boolean, offers: any[] }} */
  answer: { lines: [], problems: [], stale: false, offers: [] },
  /** @type {{ name: string, url: string }[]} */ files: [],
};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let messageTimer;

/** Show a short message that a screen reader reads out. @param {string} text */
export function say(text) {
  clearTimeout(messageTimer);
  $("said").textContent = text;
  messageTimer = setTimeout(() => {
    $("said").textContent = "";
  }, MESSAGE_MS);
}

/** Move the focus to the first element that matches, once the page is drawn. @param {string} selector */
export function focusOn(selector) {
  const node = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  if (node) node.focus();
}

/** Return the round that the panels show: the chosen one, or the last one. @returns {any} */
export function shownRound() {
  const rounds = desk.event ? desk.event.round : [];
  return (
    rounds.find((/** @type {any} */ one) => one.round === desk.round) || rounds[rounds.length - 1] || null
  );
}

function remember() {
  const place = desk.id
    ? `#/${encodeURIComponent(desk.id)}/${desk.panel}${desk.round ? `/${desk.round}` : ""}`
    : "#/";
  if (place !== location.hash) history.pushState(null, "", place);
}

/** Open a panel of the event. @param {string} panel @param {number} [round] */
export function openPanel(panel, round = 0) {
  Object.assign(desk, { panel, round, files: [] });
  desk.answer = { lines: [], problems: [], stale: false, offers: [] };
  remember();
  draw();
}

/** Open an event, or the list of events. @param {string} id */
export async function openEvent(id) {
  Object.assign(desk, { id, event: null, round: 0, files: [] });
  desk.answer = { lines: [], problems: [], stale: false, offers: [] };
  if (id) await look(true);
  else await listEvents();
  if (desk.event) desk.panel = panelOf(desk.event.step);
  remember();
  draw();
  $("desk").focus();
}

/** Return the panel of the next step. @param {string} step */
function panelOf(step) {
  return { join: "players", pair: "pair", pack: "print", results: "results" }[step] || "standings";
}

async function listEvents() {
  const answer = await post("/tournament/list", { lang: room.lang });
  if (answer.status === 200) desk.list = answer;
  else if (answer.status) desk.answer.problems = problemsOf(answer);
}

/** Look whether the event has changed. @param {boolean} [whole] whether to fetch it anyway */
async function look(whole = false) {
  const { id } = desk;
  const version = whole || !desk.event ? "" : desk.event.version;
  const answer = await post("/tournament/state", { event: id, lang: room.lang, version });
  if (id !== desk.id || answer.same || !answer.status) return;
  if (answer.status !== 200) {
    desk.answer.problems = problemsOf(answer);
    if (answer.status === 404) desk.event = null;
    draw();
    return;
  }
  const isNews = desk.event && !whole && desk.event.version !== answer.version;
  desk.event = answer;
  if (isNews) say(word("updated"));
  draw();
}

/**
 * Carry out an action on the event. If the action asks a question, buttons offer the answers.
 * @param {any} action
 * @returns {Promise<any>} the answer of the server
 */
export async function perform(action) {
  if (desk.busy) return { status: 0, problems: [] };
  const stop = new AbortController();
  desk.busy = { text: word("busy"), share: null, stop: () => stop.abort() };
  desk.answer = { lines: [], problems: [], stale: false, offers: [] };
  draw();
  const version = desk.event ? desk.event.version : "";
  const body = { do: action, event: desk.id, version, lang: room.lang };
  const answer = await act(
    body,
    (row) => {
      if (desk.busy) Object.assign(desk.busy, { text: row.at, share: row.share });
      draw();
    },
    stop.signal,
  );
  desk.busy = null;
  if (answer.state) desk.event = answer.state;
  const offers = [];
  if (answer.offer && answer.offer.reopen)
    offers.push({ text: word("confirm_reopen"), action: { reopen: true } });
  if (answer.offer && answer.offer.rematch)
    offers.push({ text: word("confirm_rematch"), action: { rematch: true } });
  if (answer.offer && answer.offer.rounds) {
    const { rounds } = answer.offer;
    offers.push({ text: word("confirm_rounds", { n: rounds }), action: { rounds } });
  }
  desk.answer = {
    lines: answer.lines,
    problems: answer.stale ? [] : problemsOf(answer),
    stale: answer.stale,
    offers: offers.map((offer) => ({ text: offer.text, action: { ...action, ...offer.action } })),
  };
  const isDone = answer.status === 200 && !answer.problems.length && !answer.stale;
  if (isDone && !answer.lines.length) say(answer.said || word("done"));
  draw();
  if (!isDone) focusOn("#answer");
  return { ...answer, isDone };
}

/** Show a file of the event below the panel. @param {string} name */
export async function showFile(name) {
  const answer = await post("/tournament/file", { event: desk.id, name });
  if (answer.status !== 200) desk.answer.problems = problemsOf(answer);
  else desk.files = [{ name, url: answer.url }];
  draw();
  if (answer.status === 200) focusOn("#shown a");
}

/** Open a dialog. @param {unknown} content a template of lit-html whose heading has the id `dialog-head` */
export function openDialog(content) {
  const dialog = /** @type {HTMLDialogElement} */ ($("dialog"));
  render(content, dialog);
  if (!dialog.open) dialog.showModal();
}
export function closeDialog() {
  const dialog = /** @type {HTMLDialogElement} */ ($("dialog"));
  if (dialog.open) dialog.close();
}

/** Return the number of games with a result, and of all games of a round. @param {any} round */
export function countGames(round) {
  const games = round.tables.flatMap((/** @type {any} */ table) => table.games);
  return { n: games.filter((/** @type {any} */ game) => game.won).length, m: games.length };
}

/** Return whether a step is done, and its second line. @param {string} panel */
function stepState(panel) {
  const { event } = desk;
  const last = event.round[event.round.length - 1];
  const name = last ? word("round_n", { n: last.round }) : "";
  const here = event.players.filter((/** @type {any} */ player) => player.here).length;
  if (panel === "players") return { isDone: here > 1, text: String(here) };
  if (panel === "pair") return { isDone: Boolean(last), text: name };
  if (panel === "print") return { isDone: Boolean(last) && last.state !== "paired", text: last ? name : "" };
  if (panel === "results") {
    return {
      isDone: Boolean(last) && last.state === "played",
      text: last ? word("of_games", countGames(last)) : "",
    };
  }
  return { isDone: event.step === "over", text: "" };
}

/** Return one of the five steps. @param {string} panel @param {number} at */
function step(panel, at) {
  const { isDone, text } = stepState(panel);
  const isHere = desk.panel === panel;
  return html`<li>
    <button
      class=${isDone && !isHere ? "step done" : "step"}
      data-panel=${panel}
      aria-current=${isHere ? "step" : nothing}
      @click=${() => openPanel(panel)}
    >
      <span class="disc" aria-hidden="true">${isDone && !isHere ? "✓" : at + 1}</span>
      <span><strong>${word(panel)}</strong>${text ? html`<small>${text}</small>` : nothing}</span>
    </button>
  </li>`;
}

/** Return what comes next, with its button. */
function nextStep() {
  const { event } = desk;
  const last = event.round[event.round.length - 1];
  const waiting = event.round.flatMap((/** @type {any} */ one) => one.waiting);
  const values = { n: event.step === "pack" && last ? last.round : event.next, tables: waiting.join(", ") };
  const known = ["join", "pair", "pack", "results", "over"].includes(event.step) ? event.step : "over";
  const panel = panelOf(known);
  return html`<div class="next">
    <p><strong>${word("next_step")}</strong> ${word(`step_${known}`, values)}</p>
    ${
      panel === desk.panel && !["pair", "pack"].includes(known)
        ? nothing
        : html`<button
            class="chief"
            id="next"
            ?disabled=${Boolean(desk.busy)}
            @click=${() => goOn(known, panel)}
          >
            ${known === "pair" ? word("pair_round", { n: event.next }) : nextLabel(known, values.n)}
          </button>`
    }
  </div>`;
}
/** Return the label of the button of the next step. @param {string} known @param {number} n */
function nextLabel(known, n) {
  return known === "pack" ? word("print_round", { n }) : word(panelOf(known));
}
/** Do the next step, or open its panel. @param {string} known @param {string} panel */
async function goOn(known, panel) {
  openPanel(panel);
  if (known === "pair") await perform({ kind: "pair" });
  if (known === "pack") await makePages({});
}

/** Make the pages of the rounds that are paired, and show them. @param {any} options */
export async function makePages(options) {
  const answer = await perform({ kind: "pack", ...options });
  const last = shownRound();
  if (answer.isDone && last)
    await showFile(`round-${options.round || last.round}/round-${options.round || last.round}.pdf`);
}

/** Return the report of the last action. */
function report() {
  const { lines, problems, stale, offers } = desk.answer;
  if (desk.busy) {
    return html`<div class="working" role="status">
      <progress aria-label=${word("busy")} .max=${1} value=${desk.busy.share ?? nothing}></progress>
      <span>${desk.busy.text}</span>
      <button class="cancel" @click=${desk.busy.stop}>${word("cancel")}</button>
    </div>`;
  }
  if (!lines.length && !problems.length && !stale) return nothing;
  return html`<div id="answer" class=${problems.length || stale ? "bad" : "well"} role="status" tabindex="-1">
    ${stale ? html`<p>${word("stale")}</p>` : nothing} ${problems.map((text) => html`<p>${text}</p>`)}
    ${lines.map((text) => html`<p>${text}</p>`)}
    ${
      offers.length
        ? html`<p class="row">
            ${offers.map((offer) => html`<button @click=${() => perform(offer.action)}>${offer.text}</button>`)}
          </p>`
        : nothing
    }
  </div>`;
}

/** Return the files that are shown. */
function shownFiles() {
  return desk.files.map(
    (file) =>
      html`<section class="card" id="shown" aria-label=${file.name}>
        <p><a href=${file.url} target="_blank" rel="noopener">${word("open_pdf")}</a> · ${file.name}</p>
        ${file.name.endsWith(".pdf") ? html`<iframe src=${file.url} title=${file.name} tabindex="-1"></iframe>` : nothing}
      </section>`,
  );
}

/** Return what needs to be checked, if there is anything. */
function remarks() {
  const { event } = desk;
  const lost = event.unrecorded;
  const lines = [
    ...event.remarks,
    ...(lost.count ? [word("waiting_file", { n: lost.count })] : []),
    ...(lost.problems ? [word("wrong_rows", { n: lost.problems })] : []),
    ...(lost.files.length ? [word("other_files", { files: lost.files.join(", ") })] : []),
  ];
  if (!lines.length) return nothing;
  return html`<section class="card remarks" aria-labelledby="remarks-head">
    <h3 id="remarks-head">${word("remarks")}</h3>
    <ul>
      ${lines.map((text) => html`<li>${text}</li>`)}
    </ul>
    ${
      lost.count || lost.problems
        ? html`<button @click=${() => perform({ kind: "record" })}>${word("record_files")}</button>`
        : nothing
    }
  </section>`;
}

/** Return the page of an event. */
function eventPage() {
  const { event } = desk;
  const about = event.rounds ? "about" : "about_open";
  const system = word(`short_${event.system}`);
  const values = { game: event.title, system, rounds: event.rounds, games: event.games };
  const panels = { players: playersPanel, pair: pairPanel, print: printPanel, results: resultsPanel };
  const panel = /** @type {any} */ (panels)[desk.panel] || standingsPanel;
  const isWide = ["pair", "results"].includes(desk.panel) && event.standings.rows.length;
  return html`<div class="event-head">
      <div>
        <h2>${event.name}</h2>
        <p class="small">${word(about, values)}</p>
      </div>
      <button id="all-events" @click=${() => openEvent("")}>${word("other_event")}</button>
      <a class="button" href=${wallAddress()} target="_blank" rel="noopener">${word("second_screen")}</a>
    </div>
    <nav aria-label=${word("steps")}>
      <ol class="steps">
        ${PANELS.map(step)}
      </ol>
    </nav>
    ${nextStep()} ${report()} ${remarks()}
    <div class=${isWide ? "columns" : ""}>
      <div>${panel()} ${shownFiles()}</div>
      ${
        isWide
          ? html`<aside class="card" aria-labelledby="live">
              <h3 id="live">${word("standings_live")}</h3>
              ${standingsTable(true)}
            </aside>`
          : nothing
      }
    </div>`;
}
function wallAddress() {
  return `/wall?lang=${room.lang}#/${encodeURIComponent(desk.id)}`;
}

/** Draw the page. */
export function draw() {
  document.title = `${desk.event ? desk.event.name : word("title")} · Muster studio`;
  render(desk.id && desk.event ? eventPage() : html`${report()}${eventsPanel()}`, $("desk"));
}

async function arrive() {
  draw();
  const [, id, panel, round] = /^#\/([^/]*)\/?(\w*)\/?(\d*)$/.exec(location.hash) || [];
  Object.assign(desk, { id: decodeURIComponent(id || ""), event: null, round: Number(round || 0) });
  if (desk.id) await look(true);
  if (!desk.event) {
    desk.id = "";
    await listEvents();
  } else desk.panel = PANELS.includes(panel) ? panel : panelOf(desk.event.step);
  draw();
}

newEvent.onMade = (id, state) => {
  Object.assign(desk, { id, event: state, panel: panelOf(state.step), round: 0 });
  remember();
  draw();
};
measureHeader();
theme();
speak(() => {
  if (desk.id) look(true);
  else draw();
});
addEventListener("popstate", arrive);
setInterval(() => {
  if (desk.id && desk.event && !desk.busy) look();
  else post("/alive", {});
}, LOOK_MS);
arrive();
