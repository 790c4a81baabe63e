// @ts-check
// A pasted list of players: every line is taken or refused, with its number.
import { html, nothing } from "./lit-html.js";
import { post, room, word } from "./room.js";
import { desk, draw, focusOn } from "./tournament.js";

/** The pasted text and the rows that the server has read. */
export const list = {
  text: "",
  /** @type {any[] | null} */ rows: null,
  /** @type {Set<number>} */ asked: new Set(),
  clear() {
    Object.assign(list, { text: "", rows: null, asked: new Set() });
  },
};

/** Return whether a row needs an answer of the user before it is taken. @param {any} row */
function isQuestion(row) {
  return row.taken && (row.away || row.near);
}

/** Return the players of the rows that are taken. */
export function chosenEntries() {
  return (list.rows || [])
    .filter((row) => row.taken && !(row.known && !row.left) && (!isQuestion(row) || list.asked.has(row.line)))
    .map((row) => ({ name: row.name, team: row.team }));
}

/** Ask the server which lines are players. */
export async function readList() {
  const answer = await post("/tournament/preview", {
    text: list.text,
    event: desk.event ? desk.id : "",
    lang: room.lang,
  });
  if (answer.status !== 200) return;
  list.rows = answer.rows;
  draw();
  focusOn("#list-result");
}

/** Read a file into the text. @param {any} event */
async function readFile(event) {
  const [file] = event.target.files;
  if (!file) return;
  const bytes = await file.arrayBuffer();
  list.text = decoded(bytes);
  event.target.value = "";
  await readList();
}
/** Return the text of a file: Unicode, or else Shift_JIS. @param {ArrayBuffer} bytes */
function decoded(bytes) {
  const head = new Uint8Array(bytes.slice(0, 2));
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

/** Return the state of a row, and the question about it. @param {any} row */
function rowState(row) {
  if (!row.taken)
    return html`<span class=${row.heading ? "chip" : "chip bad"}
        >${word(row.heading ? "heading" : "refused")}</span
      >
      ${row.why}`;
  if (row.known) return html`<span class="chip">${word(row.left ? "comes_back" : "is_known")}</span>`;
  if (!isQuestion(row)) return html`<span class="chip well">${word("taken")}</span>`;
  const changed = (/** @type {any} */ event) => {
    if (event.target.checked) list.asked.add(row.line);
    else list.asked.delete(row.line);
    draw();
  };
  return html`<label class="check"
    ><input type="checkbox" .checked=${list.asked.has(row.line)} @change=${changed} />
    ${row.near ? word("is_near", { near: row.near }) : word("is_away")}
    ${word(row.near ? "new_player" : "include")}</label
  >`;
}

/** Return the text area for a list, and the rows that were read. */
export function listEditor() {
  const changed = (/** @type {any} */ event) => {
    list.text = event.target.value;
    list.rows = null;
    list.asked = new Set();
    draw();
  };
  const rows = list.rows || [];
  const taken = rows.filter((row) => row.taken).length;
  const refused = rows.filter((row) => !row.taken && !row.heading).length;
  return html`<div class="list-editor">
    <label class="field tall"
      ><span>${word("paste")}</span>
      <textarea id="list" rows="6" spellcheck="false" .value=${list.text} @input=${changed}></textarea>
    </label>
    <p class="row">
      <button type="button" id="read-list" ?disabled=${!list.text.trim()} @click=${readList}>
        ${word("read_list")}
      </button>
      <label class="button file"
        ><input
          type="file"
          class="hidden-file"
          accept=".csv,.tsv,.txt,.trf,.md"
          @change=${readFile}
        />${word("list_file")}</label
      >
    </p>
    ${
      list.rows
        ? html`<div id="list-result" tabindex="-1">
            <p role="status">${word("list_result", { n: taken, m: refused })}</p>
            <table class="lines">
              <thead>
                <tr>
                  <th scope="col">${word("line")}</th>
                  <th scope="col">${word("name")}</th>
                  <th scope="col">${word("status")}</th>
                </tr>
              </thead>
              <tbody>
                ${rows.map(
                  (row) =>
                    html`<tr class=${row.taken || row.heading ? "" : "refused"}>
                      <td>${row.line}</td>
                      <td>
                        ${row.name || row.text}${row.team ? html` <small>${row.team}</small>` : nothing}
                      </td>
                      <td>${rowState(row)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
        : nothing
    }
  </div>`;
}
