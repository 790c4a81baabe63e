// @ts-check
// Who wins the battle on the map, if the computer plays it against itself. The games are played after the picture.
import { html, nothing, render } from "./lit-html.js";
import { $, FILE, page, word } from "./base.js";
import { once } from "./answers.js";

/** The number of games. They take about a second of processor time. */
const GAMES = 200;
/** The time after the picture at which the games begin, in milliseconds, so that quick changes play none. */
const DELAY_MS = 500;
let timer = 0;

/** Play the games of the battle on the map, and show who won. */
export function showChances() {
  clearTimeout(timer);
  render(nothing, $("chances"));
  if (!page.battle || !page.battle.report || !page.battle.report.legal) return;
  const number = page.asked;
  timer = setTimeout(async () => {
    if (number !== page.asked) return;
    render(html`<p class="small">${word("chances_busy", { n: GAMES })}</p>`, $("chances"));
    const answer = await once(["fairness", FILE, "--games", String(GAMES), "--jobs", "1", "--json"], true);
    if (number !== page.asked) return;
    const row = Array.isArray(answer.out) ? answer.out[0] : null;
    render(row && row.rates ? bar(row) : nothing, $("chances"));
  }, DELAY_MS);
}

function bar(row) {
  const [first, second] = row.rates.map((rate) => Math.round(100 * rate));
  const draws = Math.max(0, 100 - first - second);
  const [one, other] = row.sides;
  const low = Math.round(100 * row.interval[0]);
  const high = Math.round(100 * row.interval[1]);
  return html`<p class="label">
      ${row.games ? word("chances", { n: row.games }) : word("chances_computed")}
    </p>
    <div class="win-bar" role="img" aria-label=${row.text}>
      <span class="first" style=${`flex:${first} 0 0`}></span><span class="draw" style=${`flex:${draws} 0 0`}></span
      ><span class="second" style=${`flex:${second} 0 0`}></span>
    </div>
    <p class="win-words">
      <span>${one} <strong>${first} %</strong></span>
      ${draws ? html`<span class="small">${word("chances_draws", { n: draws })}</span>` : nothing}
      <span>${other} <strong>${second} %</strong></span>
    </p>
    ${row.games ? html`<p class="small">${word("chances_interval", { low, high, name: one })}</p>` : nothing}`;
}
