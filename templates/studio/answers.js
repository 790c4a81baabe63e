// @ts-check
// The answers of commands about the battle on the map. Each one is asked for once in each language.
import { FILE, ask, faults, page, state, word } from "./base.js";
import { askWithProgress } from "./press.js";

/** The answers by the words of their command and the language. */
let known = new Map();

/** Forget all answers, because another battle is on the map. */
export function forgetAnswers() {
  known = new Map();
}

/** Return the answer to a command about the battle. */
export function once(words, background = false) {
  const key = [...words, state.lang].join(" ");
  if (!known.has(key)) {
    const answer = ask([...words, "--lang", state.lang], page.battle.files, { aboutBattle: true, background });
    known.set(key, answer);
  }
  return known.get(key);
}

/**
 * Return the answer to a command about the battle that may take long. Its progress is shown in an element, where the
 * user can cancel it.
 */
export async function onceWithProgress(words, element) {
  const key = [...words, state.lang].join(" ");
  if (!known.has(key)) {
    const how = { aboutBattle: true, background: true, cancelled: word("cancelled_answer") };
    const answer = await askWithProgress([...words, "--lang", state.lang], page.battle.files, element, how);
    if (answer.exit === 130) return answer;
    known.set(key, answer);
  }
  return known.get(key);
}

/**
 * Return the cells that are seen from a cell, or all lines of sight without a cell.
 *
 * `isAssumed` states that the game only knows what a gun on the cell would see. `none` explains why there is nothing.
 */
export async function seenFrom(cell) {
  const answer = await once(["sight", FILE, ...(cell ? [cell] : []), "--json"]);
  const rows = Array.isArray(answer.out) ? answer.out : [];
  const clear = rows.filter((row) => ("clear" in row ? row.clear : row.in_sight));
  const none = rows.length ? "" : faults(answer).join("\n") || word("no_sight");
  return { rows, found: clear.map((row) => row.to), isAssumed: rows.some((row) => row.gun === null), none };
}
