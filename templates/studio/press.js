// Long work: what it is at, as Muster says it, and a way to end it.
import { make, state, word } from "./base.js";

export async function asking(words, files, bar) {
  const stop = new AbortController();
  const progress = make("progress", { max: 1, "aria-label": word("busy") });
  const at = make("span", {}, word("busy"));
  bar.replaceChildren(make("span", { class: "working" }, progress, at, make("button", { type: "button", class: "cancel", onclick: () => stop.abort() }, word("cancel"))));
  const nothing = { exit: 130, out: null, err: "", files: {}, problems: [] };
  try {
    const sent = await fetch("/ask", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ words, files, progress: true }), signal: stop.signal });
    let answer = null, rest = "";
    const letters = new TextDecoder();
    for (const reader = sent.body.getReader(); ;) {
      const { done, value } = await reader.read();
      rest += letters.decode(value, { stream: !done });
      const lines = rest.split("\n");
      rest = done ? "" : lines.pop();
      for (const line of lines.filter((text) => text.trim())) {
        const told = JSON.parse(line);
        if (!("at" in told)) { answer = told; continue; }
        at.textContent = told.at;
        if (told.share !== null) progress.value = told.share;
      }
      if (done) break;
    }
    return { ...nothing, ...answer, problems: (answer.problems || (answer.out && answer.out.problems) || []).filter((row) => !row.lang || row.lang === state.lang) };
  } catch {
    return { ...nothing, problems: [{ message: word(stop.signal.aborted ? "cancelled" : "gone") }] };
  }
}
