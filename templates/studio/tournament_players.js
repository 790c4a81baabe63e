// @ts-check
// The players of an event: adding a list, and changing one player.
import { html, nothing } from "./lit-html.js";
import { word } from "./room.js";
import { closeDialog, desk, openDialog, perform, showFile } from "./tournament.js";
import { chosenEntries, list, listEditor } from "./tournament_list.js";

/** Add the players of the list. */
async function add() {
  const players = chosenEntries();
  const answer = await perform({ kind: "join", players });
  if (answer.isDone) list.clear();
}

/** Return the special properties of a player. @param {any} player */
function notes(player) {
  const { next } = desk.event;
  const found = [
    ...(player.left ? [word("left_at", { n: player.left })] : []),
    ...(player.since > next ? [word("starts_at", { n: player.since })] : []),
    ...player.rests
      .filter((/** @type {number} */ n) => n >= next)
      .map((/** @type {number} */ n) => word("rests_at", { n })),
    ...(player.table ? [word("sits_at", { n: player.table })] : []),
    ...(player.no_bye ? [word("never_bye")] : []),
  ];
  return found.length ? found.join(" · ") : word("here");
}

/** Carry out an action from the dialog. @param {any} action */
async function from(action) {
  closeDialog();
  await perform(action);
}

/** Open the dialog of a player. @param {any} player */
function change(player) {
  const { next } = desk.event;
  const { name } = player;
  const players = [{ name, team: "" }];
  const join = (/** @type {any} */ more) => from({ kind: "join", players, ...more });
  const isResting = player.rests.includes(next);
  const others = desk.event.players.filter((/** @type {any} */ one) => one.name !== name);
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const text = (/** @type {string} */ key) => String(given.get(key) || "").trim();
    const table = text("table") === "" ? 0 : Number(text("table"));
    const apart = text("apart") ? [text("apart")] : [];
    join({ players: [{ name, team: text("team") }], table, no_bye: given.has("no_bye"), apart });
  };
  const rename = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const to = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("to") || "").trim();
    from({ kind: "rename", name, to });
  };
  const day = async () => {
    closeDialog();
    const answer = await perform({ kind: "days", name });
    if (answer.isDone && answer.files.length) await showFile(answer.files[0]);
  };
  openDialog(
    html`<h2 id="dialog-head">${word("change_player", { name })}</h2>
      <p class="row">
        ${
          player.left
            ? html`<button @click=${() => join({})}>${word("returns", { n: next })}</button>`
            : html`<button @click=${() => from({ kind: "drop", name })}>
                ${word("leaves", { n: next })}
              </button>`
        }
        ${
          player.left
            ? nothing
            : isResting
              ? html`<button @click=${() => join({ round: next })}>${word("no_rest", { n: next })}</button>`
              : html`<button @click=${() => join({ rest: [next] })}>${word("rest", { n: next })}</button>`
        }
        ${
          player.played
            ? nothing
            : html`<button @click=${() => from({ kind: "drop", name, remove: true })}>
                ${word("remove")}
              </button>`
        }
        <button @click=${day}>${word("day_sheet")}</button>
      </p>
      <form @submit=${submit} autocomplete="off">
        <div class="fields">
          <label class="field"
            ><span>${word("team")}</span><input name="team" maxlength="80" .value=${player.team}
          /></label>
          <label class="field"
            ><span>${word("fix_table")}</span
            ><input
              name="table"
              type="number"
              min="0"
              max="999"
              inputmode="numeric"
              .value=${String(player.table || "")}
          /></label>
          <label class="field"
            ><span>${word("keep_apart")}</span>
            <select name="apart">
              <option value=""></option>
              ${others.map((/** @type {any} */ one) => html`<option>${one.name}</option>`)}
            </select></label
          >
        </div>
        ${
          player.no_bye
            ? nothing
            : html`<label class="check"><input type="checkbox" name="no_bye" /> ${word("set_no_bye")}</label>`
        }
        <p><button class="chief">${word("apply")}</button></p>
      </form>
      <form @submit=${rename} autocomplete="off" class="row">
        <label class="field"
          ><span>${word("rename")}</span><input name="to" required maxlength="80" .value=${name}
        /></label>
        <button>${word("rename")}</button>
      </form>
      <p><button @click=${closeDialog}>${word("close")}</button></p>`,
  );
}

/** Return the panel with the players. */
export function playersPanel() {
  const count = chosenEntries().length;
  return html`<section class="card" aria-labelledby="players-head">
      <h3 id="players-head">${word("players")}</h3>
      <table class="players">
        <thead>
          <tr>
            <th scope="col">${word("name")}</th>
            <th scope="col">${word("team")}</th>
            <th scope="col">${word("status")}</th>
            <th scope="col"><span class="unseen">${word("change")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${desk.event.players.map(
            (/** @type {any} */ player) =>
              html`<tr class=${player.here ? "" : "gone"}>
                <th scope="row">${player.name}</th>
                <td>${player.team}</td>
                <td>${notes(player)}</td>
                <td>
                  <button
                    aria-label=${word("change_player", { name: player.name })}
                    @click=${() => change(player)}
                  >
                    ${word("change")}
                  </button>
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
    <section class="card">
      ${listEditor()}
      ${
        list.rows
          ? html`<p>
              <button class="chief" id="add-players" ?disabled=${!count || Boolean(desk.busy)} @click=${add}>
                ${word("add_players", { n: count })}
              </button>
            </p>`
          : nothing
      }
    </section>`;
}
