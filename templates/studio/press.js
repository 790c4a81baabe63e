// @ts-check
// The progress of long work, as Muster reports it, and a way to end the work.
import { battleSignal, make, state, withProblems, word } from "./base.js";

/** The time after which the progress of a command is shown, in milliseconds. Most commands are faster. */
const DELAY_MS = 600;

/** Show the progress of a command in an element. Return functions that update and remove the message. */
function progressBar(element, stop, delay) {
  const bar = make("progress", { max: 1, "aria-label": word("busy") });
  const step = make("span", {}, word("busy"));
  const cancel = make("button", { type: "button", class: "cancel", onclick: stop }, word("cancel"));
  const message = make("span", { class: "working" }, bar, step, cancel);
  const timer = setTimeout(() => element.replaceChildren(message), delay);
  return {
    update(row) {
      step.textContent = row.at;
      if (row.share !== null) bar.value = row.share;
    },
    remove() {
      clearTimeout(timer);
      if (message.parentNode === element) element.replaceChildren();
    },
  };
}

/** Read the JSON lines of a response. Return the last one, which is the answer, and report the others. */
async function readLines(response, onProgress) {
  const decoder = new TextDecoder();
  let answer = null;
  let rest = "";
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split("\n");
    rest = done ? "" : lines.pop();
    for (const line of lines.filter((text) => text.trim())) {
      const row = JSON.parse(line);
      if ("at" in row) onProgress(row);
      else answer = row;
    }
    if (done) return answer;
  }
}

/**
 * Run a command that may take long, and show its progress in an element. The user can cancel it.
 * @param {string[]} words
 * @param {Record<string, string>} files
 * @param {HTMLElement} element
 * @param {{ aboutBattle?: boolean, background?: boolean, signal?: AbortSignal | null, cancelled?: string }} [how] as in
 * `ask`; `signal` ends the command without a message, and `cancelled` is the message after the user has cancelled
 */
export async function askWithProgress(words, files, element, how = {}) {
  const { aboutBattle = false, background = false, signal: given = null } = how;
  const { cancelled = word(aboutBattle ? "stopped" : "cancelled") } = how;
  const stop = new AbortController();
  const signals = [stop.signal, ...(aboutBattle ? [battleSignal()] : []), ...(given ? [given] : [])];
  const signal = AbortSignal.any(signals);
  const bar = progressBar(element, () => stop.abort(), aboutBattle ? DELAY_MS : 0);
  const nothing = { exit: 130, out: null, err: "", files: {}, problems: [] };
  try {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ words, files, background, progress: true });
    const response = await fetch("/ask", { method: "POST", headers, body, signal });
    const answer = response.ok ? await readLines(response, bar.update) : await response.json();
    return { ...nothing, ...withProblems(answer || {}) };
  } catch {
    if (signal.aborted && !stop.signal.aborted) return nothing;
    const message = stop.signal.aborted ? cancelled : word("gone");
    return { ...nothing, problems: [{ message, lang: state.lang }] };
  } finally {
    bar.remove();
  }
}
