// @ts-check
// The second screen of a tournament. It looks for changes, and turns its pages if the players do not fit on one.
import { html, nothing, render } from "./lit-html.js";
import { $, post, problemsOf, room, speak, theme, word } from "./room.js";

/** The time between two looks at the event, and between two pages, in milliseconds. */
const LOOK_MS = 3000;
const PAGE_MS = 12000;
const CLOCK_MS = 1000;
/** The lines on a page, so that a line is at least 5 % of the height of the screen. */
const LINES = 10;
const TABLES = 7;
const COLUMNS = ["rank", "player", "points", "wins", "losses", "margin"];

/** @type {any} */
let event = null;
let problem = "";
let turn = 0;
const id = decodeURIComponent((/^#\/(.*)$/.exec(location.hash) || ["", ""])[1]);

/** Return the part of the rows that this page shows. @param {any[]} rows @param {number} size */
function pageOf(rows, size) {
  const count = Math.max(1, Math.ceil(rows.length / size));
  const at = turn % count;
  return { rows: rows.slice(at * size, (at + 1) * size), at, count };
}
/** Return which page is shown, if there are several. @param {{ at: number, count: number }} page */
function pageMark({ at, count }) {
  return count > 1 ? html`<small class="mark">${word("page_of", { n: at + 1, m: count })}</small>` : nothing;
}

/** Return a table of players, or a bye. @param {any} table */
function tableRow(table) {
  const scores = table.scores.map((/** @type {number[]} */ score) => html`<span>${score.join(":")}</span>`);
  const state = table.b ? (scores.length ? scores : word("plays")) : word(table.half ? "half_bye" : "bye");
  return html`<tr class=${table.done ? "done" : ""}>
    <th scope="row">${table.b ? table.table : "–"}</th>
    <td><span>${table.a}</span>${table.b ? html`<span>${table.b}</span>` : nothing}</td>
    <td class="state">${table.done ? "✓ " : ""}${state}</td>
  </tr>`;
}

/** Return the standings. */
function standings() {
  const columns = event.standings.columns.filter((/** @type {any} */ column) => COLUMNS.includes(column.key));
  const page = pageOf(event.standings.rows, LINES);
  return html`<table class="standings">
    <caption>
      ${event.standings.title} ${pageMark(page)}
    </caption>
    <thead>
      <tr>
        ${columns.map((/** @type {any} */ column) => html`<th scope="col" class=${column.key}>${column.label}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${page.rows.map(
        (row) =>
          html`<tr>
            ${columns.map((/** @type {any} */ { key }) =>
              key === "player"
                ? html`<th scope="row" class="player">${row.player}</th>`
                : html`<td class=${key}>${key === "margin" && row.margin > 0 ? "+" : ""}${row[key]}</td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function draw() {
  document.title = event ? `${event.name} · ${word("wall")}` : word("wall");
  if (!event) {
    render(html`<p class="none">${problem || word("busy")}</p>`, $("wall"));
    return;
  }
  const end = event.clock.split("-")[1];
  const now = new Date().toLocaleTimeString(room.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
  const page = pageOf(event.tables, TABLES);
  const hasStandings = event.standings.rows.length > 0;
  render(
    html`<header>
        <h1>${event.name}</h1>
        <p>${event.round ? word("round_n", { n: event.round }) : nothing}</p>
        <p class="clock"><strong>${now}</strong> ${end ? word("until", { time: end }) : nothing}</p>
      </header>
      <div class=${hasStandings && event.tables.length ? "both" : "one"}>
        ${hasStandings ? standings() : nothing}
        ${
          event.tables.length
            ? html`<table class="tables">
                <caption>
                  ${word("wall_tables", { n: event.round })} ${pageMark(page)}
                </caption>
                <tbody>
                  ${page.rows.map(tableRow)}
                </tbody>
              </table>`
            : html`<p class="none">${word("wall_none")}</p>`
        }
      </div>
      ${event.notices.length ? html`<p class="notices">${event.notices.join(" · ")}</p>` : nothing}`,
    $("wall"),
  );
}

async function look() {
  const version = event && event.lang === room.lang ? event.version : "";
  const { lang } = room;
  const answer = await post("/wall/state", { event: id, lang, version });
  if (answer.status === 200 && !answer.same) event = { ...answer, lang };
  else if (answer.status && answer.status !== 200) {
    problem = problemsOf(answer).join(" ");
    event = null;
  }
  draw();
}

theme();
speak(look);
$("full").addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
});
setInterval(look, LOOK_MS);
setInterval(() => {
  turn += 1;
  draw();
}, PAGE_MS);
setInterval(draw, CLOCK_MS);
look();
