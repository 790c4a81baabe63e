// @ts-check
// The list of events, and the form that makes a new one.
import { html, nothing } from "./lit-html.js";
import { post, room, word } from "./room.js";
import { desk, draw, openEvent, perform } from "./tournament.js";
import { chosenEntries, listEditor, list } from "./tournament_list.js";

/** The form of a new event. `onMade` is called with the event's name and state. */
export const newEvent = {
  game: "",
  /** @type {Record<string, string>} */ options: {},
  /** @type {any[]} */ form: [],
  /** @type {(id: string, state: any) => void} */ onMade: () => {},
};
const FINALS = [2, 4, 8];

/** Read the options of a game. @param {string} name */
async function chooseGame(name) {
  Object.assign(newEvent, { game: name, options: {} });
  const answer = await post("/ask", { words: ["games", name, "--json", "--lang", room.lang], files: {} });
  newEvent.form = (Array.isArray(answer.out) ? answer.out : []).filter(
    (/** @type {any} */ option) => option.choices.length && !option.file && option.group !== "print",
  );
  draw();
}

/** Make the event of the form. @param {SubmitEvent} event */
async function make(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const given = new FormData(form);
  const text = (/** @type {string} */ name) => String(given.get(name) || "").trim();
  const answer = await perform({
    ...{ kind: "new", game: text("game"), name: text("name"), players: chosenEntries() },
    ...{ rounds: Number(text("rounds")) || 0, system: text("system"), games: Number(text("games")) },
    ...{ scenarios: text("scenarios"), byes: text("byes"), bid: text("bid"), cut: Number(text("cut")) },
    ...{ sealed: given.has("sealed"), clock: text("clock"), options: newEvent.options },
    notices: text("notices")
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
  });
  if (!answer.isDone || !answer.state) return;
  list.clear();
  newEvent.onMade(answer.event, answer.state);
}

/** Return a select box. @param {string} name @param {[string | number, string][]} choices @param {string} [label] */
function select(name, choices, label = name) {
  return html`<label class="field"
    ><span>${word(label)}</span>
    <select name=${name}>
      ${choices.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
    </select></label
  >`;
}

/** Return the form of a new event. */
function newEventForm() {
  const { games } = desk.list;
  if (!newEvent.game && games.length) setTimeout(() => chooseGame(games[0].name));
  const systems = ["swiss", "rotation", "dutch"].map(
    (name) => /** @type {[string, string]} */ ([name, word(`system_${name}`)]),
  );
  return html`<form class="card" id="new-event" @submit=${make} autocomplete="off">
    <h3>${word("make_event")}</h3>
    <div class="fields">
      <label class="field"
        ><span>${word("event_name")}</span><input name="name" required maxlength="80"
      /></label>
      <label class="field"
        ><span>${word("game")}</span>
        <select name="game" @change=${(/** @type {any} */ event) => chooseGame(event.target.value)}>
          ${games.map(
            (/** @type {any} */ game) =>
              html`<option value=${game.name} ?selected=${game.name === newEvent.game}>
                ${game.title[room.lang]}
              </option>`,
          )}
        </select></label
      >
      <label class="field"
        ><span>${word("rounds")}</span
        ><input name="rounds" type="number" min="1" max="50" value="4" inputmode="numeric"
      /></label>
      ${select("system", systems)}
    </div>
    ${listEditor()}
    <details>
      <summary>${word("more_settings")}</summary>
      <div class="fields">
        ${select("games", [
          [2, word("games_2")],
          [1, word("games_1")],
        ])}
        ${select("scenarios", [
          ["duplicate", word("scenarios_duplicate")],
          ["per-table", word("scenarios_per_table")],
        ])}
        ${select("byes", [
          ["lowest", word("byes_lowest")],
          ["drawn", word("byes_drawn")],
        ])}
        ${select("bid", [
          ["", word("bid_none")],
          ["banners", word("bid_banners")],
          ["cards", word("bid_cards")],
        ])}
        ${select("cut", [
          [0, word("cut_none")],
          ...FINALS.map((n) => /** @type {[number, string]} */ ([n, word("cut_of", { n })])),
        ])}
        <label class="field"
          ><span>${word("clock")}</span><input name="clock" placeholder=${word("clock_help")} maxlength="400"
        /></label>
      </div>
      <label class="field tall"
        ><span>${word("notices")}</span><textarea name="notices" rows="2"></textarea>
      </label>
      <label class="check"><input type="checkbox" name="sealed" /> ${word("sealed")}</label>
      ${
        newEvent.form.length
          ? html`<h4>${word("game_options")}</h4>
              <div class="fields">${newEvent.form.map(gameOption)}</div>`
          : nothing
      }
    </details>
    <p><button class="chief" ?disabled=${Boolean(desk.busy)}>${word("make")}</button></p>
  </form>`;
}

/** Return the select box of an option of the game. @param {any} option */
function gameOption(option) {
  const changed = (/** @type {any} */ event) => {
    newEvent.options = { ...newEvent.options, [option.name]: event.target.value };
  };
  return html`<label class="field" title=${option.help}
    ><span>${option.label}</span>
    <select @change=${changed} .value=${newEvent.options[option.name] || ""}>
      <option value="">
        ${option.default ? option.called[option.default] || option.default : word("any_value")}
      </option>
      ${option.choices
        .filter((/** @type {string} */ choice) => choice !== option.default)
        .map(
          (/** @type {string} */ choice) =>
            html`<option value=${choice}>${option.called[choice] || choice}</option>`,
        )}
    </select></label
  >`;
}

/** Return the list of events and the form of a new one. */
export function eventsPanel() {
  if (!desk.list) return html`<p role="status">${desk.answer.problems.length ? "" : word("busy")}</p>`;
  const { events, folder } = desk.list;
  const row = (/** @type {any} */ event) => {
    const values = {
      game: event.game ? event.game[room.lang] : "",
      players: event.players,
      round: event.round,
    };
    return html`<li>
      <button
        class="event"
        data-event=${event.id}
        ?disabled=${!event.game}
        @click=${() => openEvent(event.id)}
      >
        <strong>${event.name}</strong>
        <small>${event.game ? word("event_line", values) : word("damaged")} · ${event.id}</small>
      </button>
    </li>`;
  };
  return html`<section aria-labelledby="events-head">
      <h2 id="events-head">${word("events")}</h2>
      <p class="small">${word("events_help", { folder })}</p>
      ${
        events.length
          ? html`<ul class="events">
              ${events.map(row)}
            </ul>`
          : html`<p>${word("no_events")}</p>`
      }
    </section>
    ${newEventForm()}`;
}
