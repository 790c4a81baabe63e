// @ts-check
// The rules against which the battle was checked, with their sources. They are those that the verdict counts.
import { html, nothing, render } from "./lit-html.js";
import { ask, dialog, page, state, word } from "./base.js";

/** The rules of each game and language, as `muster rules` lists them. */
const known = new Map();

/** Return the rules of the game on the map. */
async function rulesOfGame() {
  const key = `${state.game} ${state.lang}`;
  if (!known.has(key)) {
    const answer = await ask(["rules", state.game, "--json", "--lang", state.lang]);
    if (Array.isArray(answer.out)) known.set(key, answer.out);
  }
  return known.get(key) || [];
}

/** Return the mark of a rule: whether the battle breaks it, lacks the evidence for it, or satisfies it. */
function markOf(rule, findings) {
  const own = findings.filter((one) => one.rule === rule);
  if (own.some((one) => one.level === "illegal")) return "×";
  if (own.some((one) => one.level === "unproved")) return "?";
  return own.length ? "!" : "✓";
}

/** Open the list of rules. */
export async function showRules() {
  const box = dialog("rules");
  const { report } = page.battle;
  render(html`<h2 id="rules-head">${word("rules")}</h2><p role="status">${word("busy")}</p>`, box);
  box.showModal();
  const applied = new Set(report.rules);
  const rows = (await rulesOfGame()).filter((row) => applied.has(row.rule));
  if (!box.open) return;
  const deciding = rows.filter((row) => row.tier !== "advice");
  const advice = rows.filter((row) => row.tier === "advice");
  const line = (row) =>
    html`<li data-rule=${row.rule}>
      <span class="rule-mark" aria-hidden="true">${markOf(row.rule, report.findings)}</span>
      <span>${row.text} <span class="small">${row.source_text} · <code>${row.rule}</code></span></span>
    </li>`;
  render(
    html`<h2 id="rules-head">${word("rules_head", { n: deciding.length })}</h2>
      <p class="small">${word("rules_help")}</p>
      <ul class="rule-list" tabindex="0" aria-labelledby="rules-head">
        ${deciding.map(line)}
      </ul>
      ${advice.length
        ? html`<h3>${word("rules_advice", { n: advice.length })}</h3>
            <ul class="rule-list">
              ${advice.map(line)}
            </ul>`
        : nothing}
      <form method="dialog"><button class="chief">${word("close")}</button></form>`,
    box,
  );
}
