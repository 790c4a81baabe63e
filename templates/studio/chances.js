// @ts-check
// The chances to win the battle on the map, from games of the computer against itself. They begin after the picture.
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

/**
 * Return shares as whole percentages that add up to 100. Those with the largest remainders are rounded up.
 * @param {number[]} shares
 * @returns {number[]}
 */
export function wholePercents(shares) {
  // Counted in millionths of a percentage point, because 100 * 0.29 is less than 29.
  const exact = shares.map((share) => Math.round(1e8 * share));
  const whole = exact.map((millionths) => Math.floor(millionths / 1e6));
  const missing = 100 - whole.reduce((sum, percent) => sum + percent, 0);
  const largest = [...exact.keys()].sort((a, b) => (exact[b] % 1e6) - (exact[a] % 1e6));
  for (const at of largest.slice(0, missing)) whole[at] += 1;
  return whole;
}

function bar(row) {
  const [firstRate, secondRate] = row.rates;
  const [first, draws, second] = wholePercents([firstRate, Math.max(0, 1 - firstRate - secondRate), secondRate]);
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
