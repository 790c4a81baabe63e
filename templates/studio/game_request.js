// @ts-check
// Requests about games in play. The page keeps the saved game and sends it with each request.
import { $, FILE, page, problem, state, word } from "./base.js";

/**
 * @typedef {{ id: string, seat: number, kind: string, place: string, left: number, total: number, note: string }} Unit
 * @typedef {{ kind: string, unit: string, from: string, to: string, targets: string[], what: string }} GameEvent
 * @typedef {{ number: number, turn: number, seat: number | null, mover: number | null, event: GameEvent, move: string,
 *   dice: (number | string)[], moved: Record<string, string>, left: Record<string, number>, score: number[],
 *   text: string[] }} Frame
 * @typedef {{ move: string, entry: string, unit: string, text: string, ends: boolean, kind: string, from: string,
 *   to: string, targets: string[], what: string, chance: number | null }} Choice
 * @typedef {{ name: string, person: boolean, player: string, level: string, policy: string }} Seat
 * @typedef {{ number: number, board: number | null, units: number[] }} Position
 * @typedef {{ seat: number, count: number, faces: { face: number | string, name: string }[] }} Roll
 * @typedef {{ saved: string, game: string, title: string, scenario: string, code: string, people: number[],
 *   seats: Seat[], count: number, turn: number, mover: number | null, to_move: number | null, question: string,
 *   choices: Choice[], undoable: boolean, echo: string, units: Unit[], score: number[], counted: string,
 *   hand: { id: string, name: string, text: string, count: number }[], goal: string[], roll: Roll | null,
 *   faces: Record<string, string>, marks: string[], notes: string[], frames: Frame[], positions: Position[],
 *   outcome: { winner: number | null, text: string } | null, boards: string[], definitions: Record<string, string>,
 *   elements: string[] }} Game
 */

/** The exit code of a request that was aborted, and of one without an answer. */
export const ABORTED = 130;
const NO_ANSWER = 70;

/**
 * Send a request about a game in play and return its answer, with the faults in the words of the page.
 * @param {string} action
 * @param {Record<string, any>} values
 * @param {AbortSignal | null} signal
 * @returns {Promise<any>}
 */
export async function askGame(action, values, signal = null) {
  const body = JSON.stringify({ action, lang: state.lang, ...values });
  let answer;
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch("/play", { method: "POST", headers, body, signal });
    answer = await response.json();
    $("bar").hidden = true;
  } catch {
    if (signal && signal.aborted) return { exit: ABORTED, faults: [] };
    $("bar").textContent = word("gone");
    $("bar").hidden = false;
    return { exit: NO_ANSWER, faults: [word("gone")] };
  }
  const rows = answer.problems.filter((/** @type {any} */ row) => !row.lang || row.lang === state.lang);
  return { ...answer, faults: rows.map(problem) };
}

/**
 * Return the scenario on the map and the user's own files that it names, as values of a request.
 * @returns {{ scenario: string, files: Record<string, string> }}
 */
export function battleFiles() {
  /** @type {any} */
  const battle = page.battle;
  const { [FILE]: scenario, ...files } = battle.files;
  return { scenario, files };
}
