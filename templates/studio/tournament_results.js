// @ts-check
// Results by two clicks: the winner, then the loser's score. A result can be corrected at any time.
import { html, nothing } from "./lit-html.js";
import { timeOf, word } from "./room.js";
import { countGames, desk, draw, focusOn, perform, shownRound } from "./tournament.js";
import { byeName, fileButton, phoneCodes, roundChoice } from "./tournament_rounds.js";

/** The game that is being entered: its place, its winner, and whether all fields are shown. @type {any} */
let entry = null;

/** Return whether a game is being entered. @param {any} table @param {any} game */
function isEntered(table, game) {
  const round = shownRound().round;
  return entry && entry.round === round && entry.table === table.table && entry.game === game.game;
}

/** Begin to enter a game. @param {any} table @param {any} game @param {string} won @param {boolean} [whole] */
function begin(table, game, won, whole = false) {
  const isWhole = whole || !game.over || Boolean(desk.event.bid);
  entry = { round: shownRound().round, table: table.table, game: game.game, won, whole: isWhole };
  draw();
  focusOn(isWhole ? "#entry input" : "#entry button");
}

/** Record a game. @param {any} table @param {any} game @param {any} result */
async function record(table, game, result) {
  const { round } = shownRound();
  const games = [{ game: game.game, ...result }];
  const answer = await perform({ kind: "result", round, table: table.table, games });
  if (!answer.isDone) return;
  entry = null;
  draw();
  focusOn(`[data-game="${table.table}/${game.game}"] .correct`);
}

/** Record what the fields of the form state. @param {SubmitEvent} event @param {any} table @param {any} game */
function submit(event, table, game) {
  event.preventDefault();
  const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const pair = (/** @type {string} */ name) => {
    const texts = ["a", "b"].map((seat) => String(given.get(`${name}_${seat}`) ?? "").trim());
    return texts.every((text) => text === "") ? undefined : texts.map((text) => Number(text || 0));
  };
  record(table, game, { won: given.get("won"), score: pair("score"), lost: pair("lost"), bid: pair("bid") });
}

/**
 * Return the buttons for the loser's score, and the ways out for other results.
 * @param {any} table
 * @param {any} game
 */
function quickEntry(table, game) {
  const isA = entry.won === "a";
  const loser = isA ? table.b : table.a;
  const most = Math.min(game.over - 1, game.most ? game.most[isA ? 1 : 0] : game.over - 1);
  const score = (/** @type {number} */ count) => (isA ? [game.over, count] : [count, game.over]);
  return html`<div class="row">
    <span id="entry-label">${word("score_of", { counted: desk.event.counted, name: loser })}</span>
    <span class="row" role="group" aria-labelledby="entry-label">
      ${Array.from({ length: most + 1 }, (_, count) => count).map(
        (count) =>
          html`<button
            class="count"
            @click=${() => record(table, game, { won: entry.won, score: score(count) })}
          >
            ${count}
          </button>`,
      )}
    </span>
    <button @click=${() => begin(table, game, entry.won, true)}>${word("time_called")}</button>
    <button @click=${() => record(table, game, { won: entry.won })}>
      ${word("no_show", { name: loser })}
    </button>
    <button @click=${cancel}>${word("undo_choice")}</button>
  </div>`;
}
function cancel() {
  const place = entry ? `[data-game="${entry.table}/${entry.game}"] button` : "";
  entry = null;
  draw();
  if (place) focusOn(place);
}

/**
 * Return two number fields.
 * @param {string} name
 * @param {string} label
 * @param {any} table
 * @param {number[]} values
 */
function numberFields(name, label, table, values) {
  return html`<fieldset class="pair">
    <legend>${label}</legend>
    ${["a", "b"].map(
      (seat, at) =>
        html`<label
          ><span>${table[seat]}</span
          ><input
            name=${`${name}_${seat}`}
            type="number"
            min="0"
            max="9999"
            inputmode="numeric"
            .value=${values ? String(values[at]) : ""}
        /></label>`,
    )}
  </fieldset>`;
}

/** Return the form with all fields of a result. @param {any} table @param {any} game */
function wholeEntry(table, game) {
  const winners = {
    a: word("won_by", { name: table.a }),
    b: word("won_by", { name: table.b }),
    draw: word("draw"),
  };
  return html`<form @submit=${(/** @type {SubmitEvent} */ event) => submit(event, table, game)}>
    <fieldset>
      <legend>${word("game_n", { n: game.game })}</legend>
      ${Object.entries(winners).map(
        ([won, text]) =>
          html`<label class="check"
            ><input type="radio" name="won" value=${won} required ?checked=${entry.won === won} />
            ${text}</label
          >`,
      )}
    </fieldset>
    ${numberFields("score", desk.event.counted, table, game.won ? game.score : null)}
    ${numberFields("lost", desk.event.lost, table, game.won ? game.lost : null)}
    ${desk.event.bid ? numberFields("bid", word("bid"), table, game.won ? game.bid : null) : nothing}
    <p class="row">
      <button class="chief">${word("record_it")}</button>
      <button type="button" @click=${cancel}>${word("undo_choice")}</button>
    </p>
  </form>`;
}

/** Return a button for the winner of a game. @param {any} table @param {any} game @param {"a" | "b"} seat */
function winner(table, game, seat) {
  const at = seat === "a" ? 0 : 1;
  const isEntry = isEntered(table, game);
  const won = isEntry ? entry.won === seat : game.won === seat;
  const isClosed = Boolean(game.won) && !isEntry;
  return html`<button
    class=${won ? "winner won" : "winner"}
    data-seat=${seat}
    aria-pressed=${won}
    ?disabled=${isClosed || Boolean(desk.busy)}
    @click=${() => begin(table, game, seat)}
  >
    <strong>${table[seat]}</strong><small>${game.sides[at]}</small>
  </button>`;
}

/** Return the row of a game. @param {any} table @param {any} game */
function gameRow(table, game) {
  const isEntry = isEntered(table, game);
  const isForfeit = game.won && game.won !== "draw" && game.score[0] === 0 && game.score[1] === 0;
  const score = game.won
    ? isForfeit
      ? game.won === "a"
        ? "1 – 0"
        : "0 – 1"
      : game.score.join(" : ")
    : "–";
  const marks = [
    ...(game.phone ? [word("from_phone", { at: timeOf(game.phone) })] : []),
    ...(game.changes ? [word("corrected_times", { n: game.changes })] : []),
    ...(game.won === "draw" ? [word("draw")] : []),
    ...(isForfeit ? [word("no_show", { name: game.won === "a" ? table.b : table.a })] : []),
  ];
  const label = word("correct_of", { table: table.table, game: game.game });
  return html`<div class="game" data-game=${`${table.table}/${game.game}`}>
    <span class="game-name">${word("game_n", { n: game.game })}</span>
    ${winner(table, game, "a")}
    <span class="score">${isEntry && !entry.whole ? "? : ?" : score}</span>
    ${winner(table, game, "b")}
    <span class="after">
      ${
        game.won && !isEntry
          ? html`<button class="correct" aria-label=${label} @click=${() => begin(table, game, game.won)}>
              ${word("correct")}
            </button>`
          : nothing
      }
    </span>
    ${marks.length
      ? html`<span class="marks">${marks.map((text) => html`<span class="chip">${text}</span>`)}</span>`
      : nothing}
    ${isEntry
      ? html`<div class="entry" id="entry">
          ${entry.whole ? wholeEntry(table, game) : quickEntry(table, game)}
        </div>`
      : nothing}
  </div>`;
}

/** Return the card of a table. @param {any} table */
function tableCard(table) {
  if (!table.b) {
    return html`<article class="card table">
      <h4><span class="number">–</span> ${table.a} <span class="chip">${byeName(table)}</span></h4>
    </article>`;
  }
  const isDone = table.games.every((/** @type {any} */ game) => game.won);
  const { round } = shownRound();
  return html`<article
    class=${isDone ? "card table" : "card table open"}
    aria-label=${word("table_n", { n: table.table })}
  >
    <div class="head">
      <h4><span class="number">${table.table}</span> ${table.a} – ${table.b}</h4>
      <span class=${isDone ? "chip well" : "chip"}
        >${isDone ? "✓ " : ""}${word(isDone ? "finished" : "plays")}</span
      >
      ${
        !isDone && round === desk.event.next - 1
          ? html`<button class="qr" @click=${() => phoneCodes(round, [table.table])}>
              ▦ ${word("phone_code")}
            </button>`
          : nothing
      }
    </div>
    ${table.games.map((/** @type {any} */ game) => gameRow(table, game))}
  </article>`;
}

/** Return the panel with the results of a round. */
export function resultsPanel() {
  const shown = shownRound();
  if (!shown) return html`<section class="card"><p>${word("not_paired")}</p></section>`;
  const { n, m } = countGames(shown);
  const isPrinted = shown.files.length > 0;
  const files = fileButton("from_files", ".csv,.tsv,.txt,.pdf", (chosen) =>
    perform({ kind: "record", files: chosen }),
  );
  return html`<section aria-labelledby="results-head">
    <div class="head">
      <h3 id="results-head">${word("labelled", { head: word("round_n", { n: shown.round }), text: word("of_games", { n, m }) })}</h3>
      ${files}
    </div>
    ${roundChoice()}
    <p class="small">${n === m ? word("all_in", { n: shown.round }) : word("result_help")}</p>
    ${isPrinted ? nothing : html`<p class="small">${word("not_packed")}</p>`} ${shown.tables.map(tableCard)}
    ${
      shown.corrected.length
        ? html`<section class="card" aria-labelledby="corrections">
            <h4 id="corrections">${word("corrections")}</h4>
            <ul>
              ${shown.corrected.map(
                (/** @type {any} */ one) =>
                  html`<li>${word("correction", { ...one, at: timeOf(one.at) })}</li>`,
              )}
            </ul>
          </section>`
        : nothing
    }
  </section>`;
}
