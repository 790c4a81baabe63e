// @ts-check
// The texts, language, theme and requests that the pages of the tournament room share.

/** @param {string} id */
export const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {Record<string, Record<string, string>>} */
const WORDS = JSON.parse($("words").textContent || "{}");
const LANG_KEY = "muster.room.lang";
const THEME_KEY = "muster.theme";
const LANGUAGES = { en: "EN", ja: "日本語" };
const NO_ANSWER = { status: 0, problems: [], lines: [], offer: {}, stale: false, files: [] };

export const room = { lang: firstLanguage() };

/** Return a value that the browser keeps, or null. @param {string} key */
function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
/** Keep a value in the browser. A private window keeps nothing. @param {string} key @param {string} value */
function store(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    /* nothing is kept */
  }
}
/** Return the language of the address, else the one chosen before, else the one that the browser asks for. */
function firstLanguage() {
  const asked = new URLSearchParams(location.search).get("lang") || stored(LANG_KEY) || "";
  return asked in LANGUAGES ? asked : document.documentElement.lang;
}

/**
 * Return a text of the page with its placeholders filled.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 */
export function word(key, values = {}) {
  let text = WORDS[key][room.lang];
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(`{${name}}`, String(value));
  return text;
}

/** Return the texts of a refusal in the language of the page. @param {any} answer */
export function problemsOf(answer) {
  const rows = answer.problems || [];
  return rows
    .filter((/** @type {any} */ row) => typeof row === "string" || row.lang === room.lang)
    .map((/** @type {any} */ row) => (typeof row === "string" ? row : row.message));
}

/** Show or hide the message that the studio is gone. @param {boolean} gone */
function showGone(gone) {
  const bar = document.getElementById("bar");
  if (!bar) return;
  bar.textContent = gone ? word("gone") : "";
  bar.hidden = !gone;
}

/**
 * Send a request and return the answer with its status; status 0 means that the studio does not answer.
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<any>}
 */
export async function post(path, body) {
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const answer = await response.json();
    showGone(false);
    return { ...answer, status: response.status };
  } catch {
    showGone(true);
    return { ...NO_ANSWER };
  }
}

/**
 * Carry out an action. Its progress is reported as JSON lines, the last of which is the answer.
 * @param {unknown} body
 * @param {(row: any) => void} onProgress
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function act(body, onProgress, signal) {
  try {
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body), signal };
    const response = await fetch("/tournament/do", init);
    if (!response.ok || !response.body)
      return { ...NO_ANSWER, ...(await response.json()), status: response.status };
    showGone(false);
    const decoder = new TextDecoder();
    let rest = "";
    let answer = {};
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split("\n");
      rest = done ? "" : lines.pop() || "";
      for (const line of lines.filter((text) => text.trim())) {
        const row = JSON.parse(line);
        if ("at" in row) onProgress(row);
        else answer = row;
      }
      if (done) return { ...NO_ANSWER, ...answer, status: 200 };
    }
  } catch {
    if (!signal.aborted) showGone(true);
    return { ...NO_ANSWER };
  }
}

/** Fill the texts of the page's frame, and build the choice of the language. @param {() => void} changed */
export function speak(changed) {
  document.documentElement.lang = room.lang;
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-word]"))) {
    node.textContent = word(node.dataset.word || "");
  }
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("[data-word-label]")
  )) {
    for (const name of ["aria-label", "title"]) node.setAttribute(name, word(node.dataset.wordLabel || ""));
  }
  const group = document.getElementById("lang");
  if (!group) return;
  if (!group.childElementCount) {
    for (const [lang, name] of Object.entries(LANGUAGES)) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: name, lang });
      button.setAttribute("role", "radio");
      button.addEventListener("click", () => {
        room.lang = lang;
        store(LANG_KEY, lang);
        speak(changed);
        changed();
      });
      group.append(button);
    }
    group.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const buttons = /** @type {HTMLElement[]} */ ([...group.children]);
      const at = buttons.indexOf(/** @type {HTMLElement} */ (event.target));
      const next = buttons[(at + step + buttons.length) % buttons.length];
      next.focus();
      next.click();
    });
  }
  for (const button of /** @type {HTMLElement[]} */ ([...group.children])) {
    const chosen = button.lang === room.lang;
    button.setAttribute("aria-checked", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
  }
}

/** Follow the chosen theme, and let the button change it. */
export function theme() {
  const kept = (stored(THEME_KEY) || "").replaceAll('"', "");
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const button = document.getElementById("theme");
  const show = () => button && button.setAttribute("aria-pressed", String(isDark()));
  if (kept) document.documentElement.dataset.theme = kept;
  if (button) {
    button.addEventListener("click", () => {
      const next = isDark() ? "light" : "dark";
      document.documentElement.dataset.theme = next;
      store(THEME_KEY, JSON.stringify(next));
      show();
    });
  }
  show();
}

/** Return a time of day from a time stamp of an event. @param {string} stamp */
export function timeOf(stamp) {
  const time = new Date(stamp);
  if (Number.isNaN(time.getTime())) return stamp;
  return time.toLocaleTimeString(room.lang, { hour: "2-digit", minute: "2-digit" });
}
