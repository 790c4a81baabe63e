// @ts-check
// Saved games in the browser. Every move is kept at once, so that closing the page loses no game.
import { read } from "./base.js";

/**
 * @typedef {{ id: string, saved: string, files: Record<string, string>, game: string, title: string, turn: number,
 *   seats: string[], when: number, isOver: boolean, byHand: boolean }} Kept
 */

const GAMES = "muster.games";
const CURRENT = "muster.game";
/** The number of games that the browser keeps. Games that are over make room first. */
const MAX_GAMES = 20;

/** Return all games, the latest one first. @returns {Kept[]} */
export function games() {
  const found = Object.values(read(GAMES) || {});
  return found.sort((one, other) => other.when - one.when);
}

/** Return the game of this tab, or null. @returns {Kept | null} */
export function current() {
  const id = read(CURRENT, sessionStorage);
  return games().find((game) => game.id === id) || null;
}

/** Remember which game this tab plays. @param {string} id */
export function choose(id) {
  try {
    sessionStorage.setItem(CURRENT, JSON.stringify(id));
  } catch {
    /* a private window keeps nothing */
  }
}

/** Keep a game. Return whether the browser could. @param {Kept} game */
export function keep(game) {
  // Games that another tab keeps stay.
  const others = games().filter((one) => one.id !== game.id);
  const room = [game, ...others.filter((one) => !one.isOver), ...others.filter((one) => one.isOver)];
  return write(room.slice(0, MAX_GAMES));
}

/** Remove a game. @param {string} id */
export function remove(id) {
  write(games().filter((game) => game.id !== id));
}

/** @param {Kept[]} every */
function write(every) {
  try {
    localStorage.setItem(GAMES, JSON.stringify(Object.fromEntries(every.map((game) => [game.id, game]))));
  } catch {
    return false;
  }
  return true;
}
