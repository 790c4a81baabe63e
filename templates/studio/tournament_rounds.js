// @ts-check
// Pairings, printed pages, QR codes for phones, and standings of an event.
import { html, nothing } from "./lit-html.js";
import { post, problemsOf, word } from "./room.js";
import {
  closeDialog,
  desk,
  draw,
  makePages,
  openDialog,
  openPanel,
  perform,
  say,
  showFile,
  shownRound,
} from "./tournament.js";

/** The columns of the narrow standings next to the results. */
const FEW_COLUMNS = ["rank", "player", "points", "wins", "losses", "margin"];
const LOCAL = /^https?:\/\/(127\.0\.0\.1|localhost)[:/]/;
/** How pages are printed. */
const printing = { paper: "a4", ink: "full", fillable: false };

/** Return the Base64 text of chosen files, keyed by name. @param {FileList} files */
export async function encoded(files) {
  /** @type {Record<string, string>} */
  const made = {};
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000)
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    made[file.name] = btoa(text);
  }
  return made;
}

/** Return a button that opens files. @param {string} key @param {string} accept @param {(files: any) => void} chosen */
export function fileButton(key, accept, chosen) {
  const changed = async (/** @type {any} */ event) => {
    const files = await encoded(event.target.files);
    event.target.value = "";
    if (Object.keys(files).length) chosen(files);
  };
  return html`<label class="button file"
    ><input type="file" class="hidden-file" multiple accept=${accept} @change=${changed} />${word(key)}</label
  >`;
}

/** Return the buttons that choose a round. */
export function roundChoice() {
  const shown = shownRound();
  if (!shown || desk.event.round.length < 2) return nothing;
  return html`<p class="row rounds">
    ${desk.event.round.map(
      (/** @type {any} */ one) =>
        html`<button
          aria-pressed=${one.round === shown.round}
          data-round=${one.round}
          @click=${() => openPanel(desk.panel, one.round)}
        >
          ${word("round_n", { n: one.round })}
        </button>`,
    )}
  </p>`;
}

/** Return the name of a bye. @param {any} table */
export function byeName(table) {
  if (table.against) return word("forfeit_bye", { name: table.against });
  return word(table.half ? "half_bye" : "bye");
}

/** Return the panel with the pairings. */
export function pairPanel() {
  const { event } = desk;
  const shown = shownRound();
  const last = event.round[event.round.length - 1];
  const canPair = ["pair", "over"].includes(event.step);
  const isLast = shown && shown === last;
  const pairAgain = () => perform({ kind: "pair", round: shown.round });
  return html`<section class="card" aria-labelledby="pair-head">
    <h3 id="pair-head">${shown ? word("round_n", { n: shown.round }) : word("pair")}</h3>
    ${shown && shown.final ? html`<p>${word("final_of", { n: shown.final })}</p>` : nothing} ${roundChoice()}
    ${
      shown
        ? html`<table class="pairings">
            <tbody>
              ${shown.tables.map(
                (/** @type {any} */ table) =>
                  html`<tr>
                    <th scope="row">${table.b ? table.table : "–"}</th>
                    <td>${table.a}</td>
                    <td>${table.b || html`<span class="chip">${byeName(table)}</span>`}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        : html`<p>${word("not_paired")}</p>`
    }
    <p class="small">${word("pairing_help")}</p>
    <p class="row">
      ${
        canPair
          ? html`<button
              id="pair-next"
              ?disabled=${Boolean(desk.busy)}
              @click=${() => perform({ kind: "pair" })}
            >
              ${word("pair_round", { n: event.next })}
            </button>`
          : nothing
      }
      ${
        isLast
          ? html`<button id="pair-again" ?disabled=${Boolean(desk.busy)} @click=${pairAgain}>
              ${word("pair_again", { n: shown.round })}
            </button>`
          : nothing
      }
      ${fileButton("pair_file", ".csv,.tsv,.txt", (files) => perform({ kind: "pair", files }))}
      ${
        event.rounds
          ? html`<button @click=${() => perform({ kind: "pair", rounds: event.rounds + 1 })}>
              ${word("more_rounds")}
            </button>`
          : nothing
      }
      ${
        event.step === "over"
          ? [2, 4, 8]
              .filter((n) => n <= event.players.length)
              .map(
                (n) =>
                  html`<button @click=${() => perform({ kind: "pair", cut: n })}>
                    ${word("labelled", { head: word("pair_final"), text: word("cut_of", { n }) })}
                  </button>`,
              )
          : nothing
      }
    </p>
  </section>`;
}

/** Print the pages of a table again. @param {number} round @param {number} table */
async function reprint(round, table) {
  const answer = await perform({ kind: "reprint", round, tables: [table] });
  if (answer.isDone) await showFile(`round-${round}-tables-${table}.pdf`);
}

/** Carry out an action and show the file that it wrote. @param {any} action @param {string} file */
async function make(action, file) {
  const answer = await perform(action);
  if (answer.isDone) await showFile(file);
}

/** Check the event and its pages. */
async function verify() {
  const answer = await perform({ kind: "verify" });
  if (answer.isDone) say(word("all_well"));
}

/** Return a select box for how pages are printed. @param {"paper" | "ink"} name @param {string[]} values */
function printChoice(name, values) {
  const changed = (/** @type {any} */ event) => {
    printing[name] = event.target.value;
  };
  const text = (/** @type {string} */ value) =>
    name === "ink" ? word(`ink_${value}`) : value === "a4" ? "A4" : "Letter";
  return html`<label class="field"
    ><span>${word(name)}</span>
    <select @change=${changed}>
      ${values.map((value) => html`<option value=${value} ?selected=${printing[name] === value}>${text(value)}</option>`)}
    </select></label
  >`;
}

/** Return the panel with the printed pages. */
export function printPanel() {
  const { event } = desk;
  const shown = shownRound();
  if (!shown) return html`<section class="card"><p>${word("not_paired")}</p></section>`;
  const n = shown.round;
  const names = {
    [`round-${n}.pdf`]: "pack_of",
    [`organiser-${n}.pdf`]: "organiser_of",
    [`slips-${n}.pdf`]: "slips_of",
  };
  const tables = shown.tables.filter((/** @type {any} */ table) => table.b);
  const isPrinted = shown.files.length > 0;
  const isCurrent = n === event.next - 1;
  return html`<section class="card" aria-labelledby="print-head">
      <h3 id="print-head">${word("round_n", { n })}</h3>
      ${roundChoice()}
      <p class="small">${word("print_help")}</p>
      <div class="fields">
        ${printChoice("paper", ["a4", "letter"])}${printChoice("ink", ["full", "saver"])}
      </div>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${printing.fillable}
          @change=${(/** @type {any} */ change) => {
            printing.fillable = change.target.checked;
          }}
        />
        ${word("fillable")}</label
      >
      <p class="row">
        <button
          class="chief"
          id="make-pages"
          ?disabled=${Boolean(desk.busy)}
          @click=${() => makePages({ round: isPrinted ? n : 0, ...printing })}
        >
          ${word("print_round", { n })}
        </button>
        ${shown.files.map(
          (/** @type {string} */ file) =>
            html`<button data-file=${file} @click=${() => showFile(`round-${n}/${file}`)}>
              ${word(names[file], { n })}
            </button>`,
        )}
      </p>
      ${
        isPrinted
          ? html`<h4>${word("again_table")}</h4>
              <p class="row">
                ${tables.map(
                  (/** @type {any} */ table) =>
                    html`<button
                      aria-label=${word("table_n", { n: table.table })}
                      @click=${() => reprint(n, table.table)}
                    >
                      ${table.table}
                    </button>`,
                )}
              </p>`
          : nothing
      }
    </section>
    <section class="card" aria-labelledby="codes-head">
      <h3 id="codes-head">${word("phone_codes")}</h3>
      <p class="small">${word("phone_help")}</p>
      <p>
        <button id="phone-codes" ?disabled=${!isCurrent} @click=${() => phoneCodes(n, [])}>
          ${word("phone_codes")}
        </button>
      </p>
    </section>
    <section class="card">
      <p class="row">
        <button @click=${() => make({ kind: "days" }, "days.pdf")}>${word("days")}</button>
        <button @click=${verify}>${word("verify")}</button>
        ${
          event.sealed && isPrinted
            ? html`<button @click=${() => perform({ kind: "commit" })}>${word("commit")}</button> ${
                  shown.state === "played"
                    ? html`<button @click=${() => perform({ kind: "reveal", round: n })}>
                        ${word("reveal", { n })}
                      </button>`
                    : nothing
                }`
            : nothing
        }
      </p>
    </section>`;
}

/** Make QR codes for tables of a round, and show them to print. @param {number} round @param {number[]} tables */
export async function phoneCodes(round, tables) {
  const answer = await post("/tournament/phones", { event: desk.id, round, tables });
  if (answer.status !== 200) {
    desk.answer.problems = problemsOf(answer);
    draw();
    return;
  }
  const shown = shownRound();
  const isLocal = answer.slips.some((/** @type {any} */ slip) => LOCAL.test(slip.address));
  const players = (/** @type {number} */ number) => {
    const found = shown.tables.find((/** @type {any} */ table) => table.table === number);
    return found ? `${found.a} – ${found.b}` : "";
  };
  openDialog(
    html`<div class="codes-head">
        <h2 id="dialog-head">${word("phone_codes")} · ${word("round_n", { n: round })}</h2>
        <p class="small">${word("phone_new")}</p>
        ${isLocal ? html`<p class="bad">${word("phone_private")}</p>` : nothing}
        <p class="row">
          <button class="chief" @click=${() => print()}>${word("print_codes")}</button>
          <button @click=${closeDialog}>${word("close")}</button>
        </p>
      </div>
      <ul class="codes">
        ${answer.slips.map(
          (/** @type {any} */ slip) =>
            html`<li data-address=${slip.address}>
              <p class="small">${desk.event.name} · ${word("round_n", { n: round })}</p>
              <h3>${word("table_n", { n: slip.table })}</h3>
              <img src=${slip.qr} alt=${word("phone_codes")} width="164" height="164" />
              <p>${players(slip.table)}</p>
              <p class="address">${slip.address}</p>
            </li>`,
        )}
      </ul>`,
  );
}

/** Return the standings as a table. @param {boolean} [isNarrow] */
export function standingsTable(isNarrow = false) {
  const { columns, rows, title, note } = desk.event.standings;
  if (!rows.length) return html`<p>${word("no_standings")}</p>`;
  const shown = columns.filter((/** @type {any} */ column) => !isNarrow || FEW_COLUMNS.includes(column.key));
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
      <table class="standings">
        <caption>
          ${title}
        </caption>
        <thead>
          <tr>
            ${shown.map((/** @type {any} */ column) => html`<th scope="col" class=${column.key}>${column.label}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (/** @type {any} */ row) =>
              html`<tr>
                ${shown.map((/** @type {any} */ { key }) =>
                  key === "player"
                    ? html`<th scope="row" class="player">${row.player}</th>`
                    : html`<td class=${key}>${key === "margin" && row.margin > 0 ? "+" : ""}${row[key]}</td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="small">${note}</p>`;
}

/** Return the panel with the standings. */
export function standingsPanel() {
  return html`<section class="card" aria-labelledby="standings-head">
    <h3 id="standings-head">${word("standings")}</h3>
    ${standingsTable()}
    <p class="row">
      <button
        class="chief"
        id="make-standings"
        ?disabled=${!desk.event.round.length || Boolean(desk.busy)}
        @click=${() => make({ kind: "standings" }, "standings.pdf")}
      >
        ${word("print_standings")}
      </button>
    </p>
  </section>`;
}
