// @ts-check
// The result slip on a phone: who won each game, and the loser's score. The token opens this table and nothing else.
import { html, nothing, render } from "./lit-html.js";
import { $, post, problemsOf, room, speak, word } from "./room.js";

const token = location.hash.slice(1);
/** @type {any} */
let slip = null;
/** The choices for each game. @type {Record<number, any>} */
const chosen = {};
/** @type {string[]} */
let problems = [];
let isSending = false;

/** Return the scores of a game as chosen, or null if something is missing. @param {any} game */
function scoreOf(game) {
  const own = chosen[game.game];
  if (!own || !own.won) return null;
  if (own.score) return own.score;
  if (own.count === undefined) return null;
  return own.won === "a" ? [game.over, own.count] : [own.count, game.over];
}
/** Return the games without a result. */
function openGames() {
  return slip.games.filter((/** @type {any} */ game) => !game.result);
}

/** Send the chosen results. */
async function send() {
  isSending = true;
  problems = [];
  draw();
  const games = openGames()
    .filter((/** @type {any} */ game) => scoreOf(game))
    .map((/** @type {any} */ game) => ({
      game: game.game,
      won: chosen[game.game].won,
      score: scoreOf(game),
    }));
  const answer = await post("/slip/send", { token, games });
  isSending = false;
  if (answer.status === 200) slip = answer;
  else {
    problems = answer.status ? problemsOf(answer) : [word("phone_gone")];
    if (answer.status === 409) {
      problems = [word("phone_changed"), ...problems];
      await read();
    } else if (answer.status === 404) slip = null;
  }
  draw();
  $("report").focus();
}

/**
 * Return a choice as a radio button.
 * @param {string} name
 * @param {string} value
 * @param {any} content
 * @param {boolean} on
 * @param {() => void} choose
 */
function radio(name, value, content, on, choose) {
  return html`<label class=${on ? "choice on" : "choice"}
    ><input type="radio" name=${name} value=${value} .checked=${on} @change=${choose} /><span
      >${content}</span
    ></label
  >`;
}

/**
 * Return two number fields for a game without a winning score, or one that ended early.
 * @param {any} game
 * @param {any} own
 */
function scoreFields(game, own) {
  const changed = (/** @type {number} */ at) => (/** @type {any} */ event) => {
    const score = own.score || [0, 0];
    own.score = score.map((/** @type {number} */ old, /** @type {number} */ i) =>
      i === at ? Number(event.target.value) : old,
    );
    draw();
  };
  return html`<div class="numbers">
    ${[slip.a, slip.b].map(
      (name, at) =>
        html`<label
          ><span>${word("phone_score", { counted: slip.counted ? slip.counted[room.lang] : "", name })}</span
          ><input type="number" min="0" max="9999" inputmode="numeric" @input=${changed(at)}
        /></label>`,
    )}
  </div>`;
}

/** Return a game to fill in, or its recorded result. @param {any} game */
function gameFields(game) {
  const legend = word("phone_who", { n: game.game });
  if (game.result) {
    return html`<section class="game done">
      <h2>${word("game_n", { n: game.game })}</h2>
      <p>✓ ${word("phone_recorded", { score: `${slip.a} ${game.result.score.join(" : ")} ${slip.b}` })}</p>
    </section>`;
  }
  const own = (chosen[game.game] ??= {});
  const choose = (/** @type {string} */ won) => () => {
    own.won = won;
    if (won === "draw" || !game.over) own.score ||= [0, 0];
    else own.score = null;
    draw();
  };
  const side = (/** @type {number} */ at) =>
    game.sides ? html`<small>${game.sides[at][room.lang]}</small>` : nothing;
  const isQuick = game.over && ["a", "b"].includes(own.won) && !own.early;
  const isA = own.won === "a";
  const loser = isA ? slip.b : slip.a;
  const most = game.over ? Math.min(game.over - 1, game.most ? game.most[isA ? 1 : 0] : game.over - 1) : 0;
  const counted = slip.counted ? slip.counted[room.lang] : "";
  return html`<fieldset class="game">
    <legend>${legend}</legend>
    <div class="pair">
      ${radio(`won${game.game}`, "a", html`<strong>${slip.a}</strong>${side(0)}`, own.won === "a", choose("a"))}
      ${radio(`won${game.game}`, "b", html`<strong>${slip.b}</strong>${side(1)}`, own.won === "b", choose("b"))}
    </div>
    ${
      own.won && isQuick
        ? html`<div role="radiogroup" aria-label=${word("phone_score", { counted, name: loser })}>
            <p>${word("phone_score", { counted, name: loser })}</p>
            <div class="counts">
              ${Array.from({ length: most + 1 }, (_, count) =>
                radio(`count${game.game}`, String(count), count, own.count === count, () => {
                  own.count = count;
                  draw();
                }),
              )}
            </div>
          </div>`
        : nothing
    }
    ${own.won && !isQuick ? scoreFields(game, own) : nothing}
    <div class="pair more">
      ${radio(`won${game.game}`, "draw", word("draw"), own.won === "draw", choose("draw"))}
      ${
        own.won && game.over && own.won !== "draw" && !own.early
          ? html`<button
              @click=${() => {
                own.early = true;
                own.score = [0, 0];
                draw();
              }}
            >
              ${word("time_called")}
            </button>`
          : nothing
      }
    </div>
  </fieldset>`;
}

function draw() {
  const report = html`<div id="report" role="status" tabindex="-1" class=${problems.length ? "bad" : ""}>
    ${problems.map((text) => html`<p>${text}</p>`)}
  </div>`;
  if (!slip) {
    render(
      html`<h1>${word("phone_closed")}</h1>
        ${report}`,
      $("slip"),
    );
    return;
  }
  document.title = `${word("table_n", { n: slip.table })} · Muster`;
  const ready = openGames().filter((/** @type {any} */ game) => scoreOf(game));
  const scores = ready.map((/** @type {any} */ game) => (scoreOf(game) || []).join(" : ")).join(", ");
  const isDone = !openGames().length;
  render(
    html`<div class="who">
        <span class="table" aria-label=${word("table_n", { n: slip.table })}>${slip.table}</span>
        <div>
          <h1>${slip.a} – ${slip.b}</h1>
          <p>${word("phone_head", { event: slip.event, n: slip.round })}</p>
        </div>
      </div>
      ${slip.games.map(gameFields)} ${report}
      ${
        isDone
          ? html`<p class="well">✓ ${word("phone_sent")}</p>`
          : html`<button class="chief" id="send" ?disabled=${!ready.length || isSending} @click=${send}>
              ${word("phone_send")}${scores ? ` · ${scores}` : nothing}
            </button>`
      }
      <p class="small">${word("phone_only", { table: slip.table, n: slip.round })}</p>`,
    $("slip"),
  );
}

async function read() {
  const answer = await post("/slip/read", { token });
  if (answer.status === 200) slip = answer;
  else {
    slip = null;
    problems = answer.status ? problemsOf(answer) : [word("phone_gone")];
  }
}

$("slip").replaceChildren(); // lit-html keeps what it has not rendered itself.
speak(draw);
read().then(draw);
