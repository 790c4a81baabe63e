// @ts-check
// The form of a battle: its game, its code and every option, made from the output of `muster games`.
import { html, nothing, render } from "./lit-html.js";
import { $, WORDS, controls, page, state, word } from "./base.js";
import { PAPERS } from "./makers.js";

const GROUPS = ["forces", "ground", "play", "rulings", "files"];

/** The actions of the form after a choice. `studio.js` sets them. */
let actions = {};
export function listen(given) {
  actions = given;
}

function isSeatOption(option) {
  const form = page.forms[state.game];
  return /^(place|reserves)-/.test(option.name) && form.some((one) => one.name.startsWith("reserves-"));
}

/** The word for no value. Options for symmetry and fairness restrict the draw, so they are not drawn themselves. */
function wordForNone(option) {
  return word(option.bare || option.name === "fair" ? "any" : "drawn");
}

function selectControl(option, value, choices) {
  const label = (choice) => option.called[choice] || choice;
  const others = choices.filter((choice) => choice !== option.default);
  if (value && !choices.includes(value)) others.push(value);
  return html`<select
    title=${option.help}
    data-value=${value}
    @change=${(event) => actions.setOption(option.name, event.target.value)}
  >
    <option value="">${option.default ? label(option.default) : wordForNone(option)}</option>
    ${others.map((choice) => html`<option value=${choice} ?selected=${choice === value}>${label(choice)}</option>`)}
  </select>`;
}

/** @param {unknown} [list] the id of a datalist */
function textControl(option, value, list = nothing) {
  return html`<input
    data-value=${value}
    title=${option.help}
    placeholder=${option.default || wordForNone(option)}
    spellcheck="false"
    aria-label=${option.label}
    list=${list}
    @change=${(event) => actions.setOption(option.name, event.target.value.trim())}
  />`;
}

function control(option) {
  const value = state.wishes[option.name] ?? "";
  const files = option.file ? Object.keys(page.own) : [];
  const choices = [...option.choices, ...files];
  if (choices.length) return selectControl(option, value, choices);
  if (option.file) return html`<span class="small" title=${option.help}>${word("none")}</span>`;
  const isSeat = isSeatOption(option);
  if (option.several || isSeat) {
    const label = word(isSeat ? "at_table" : "pick");
    const act = () => (isSeat ? actions.openView("seats") : actions.pick(option));
    return html`<span class="code"
      >${textControl(option, value)}
      <button type="button" class="pick" aria-label=${`${label}: ${option.label}`} title=${label} @click=${act}>
        …
      </button>
    </span>`;
  }
  if (!option.known.length) return textControl(option, value);
  const list = `known-${option.name}`;
  const known = option.known.map((name) => html`<option value=${name}>${option.called[name] || name}</option>`);
  return html`<span class="code">${textControl(option, value, list)}<datalist id=${list}>${known}</datalist></span>`;
}

function row(label, inside, name = "", isChanged = false) {
  const fault = page.wrong[name];
  return html`<label class=${isChanged ? "wish changed" : "wish"} data-wish=${name || nothing}>
    <span>${label}</span>${inside}${fault ? html`<span class="fault">${fault}</span>` : nothing}
  </label>`;
}

function optionRow(option) {
  return row(option.label, control(option), option.name, Boolean(state.wishes[option.name]));
}

function printRow(name, choices) {
  const label = (choice) => (choice in WORDS ? word(choice) : choice || word("pages_apart"));
  const options = choices.map(
    (choice) => html`<option value=${choice} ?selected=${state[name] === choice}>${label(choice)}</option>`,
  );
  const select = html`<select data-value=${state[name]} @change=${(e) => actions.setPrint(name, e.target.value)}>
    ${options}
  </select>`;
  return row(word(name), select);
}

function codeRow() {
  const set = (event) => actions.setCode(event.target.value.trim());
  return row(
    word("code"),
    html`<span class="code">
      <input
        data-value=${state.code}
        spellcheck="false"
        aria-label=${word("code")}
        title=${word("code_help")}
        @change=${set}
      />
      <button
        type="button"
        id="throw"
        aria-keyshortcuts="t"
        title=${word("throw")}
        aria-label=${word("throw")}
        @click=${actions.drawAnother}
      >
        ⚄
      </button>
    </span>`,
    "seed",
  );
}

function partsRow() {
  const label = `${word("pick")}: ${word("parts")}`;
  return row(
    word("parts"),
    html`<span class="code">
      <input
        data-value=${state.parts}
        aria-label=${word("parts")}
        placeholder=${word("all")}
        spellcheck="false"
        @change=${(event) => actions.setPrint("parts", event.target.value.trim())}
      />
      <button
        type="button"
        class="pick"
        id="pick-parts"
        aria-label=${label}
        title=${word("pick")}
        @click=${actions.pickParts}
      >
        …
      </button>
    </span>`,
  );
}

function groupOf(name, label, rows) {
  return html`<details data-group=${name}>
    <summary>${label}</summary>
    ${rows}
  </details>`;
}

/** Show the form. Nodes stay, so the focus and the open groups stay as well. */
export function showForm() {
  const options = page.forms[state.game] || [];
  const games = page.games.map(
    (game) => html`<option value=${game.name} ?selected=${game.name === state.game}>${game.title}</option>`,
  );
  const grouped = GROUPS.map((group) => [group, options.filter((one) => one.group === group && !one.common)]);
  render(
    html`${row(
      word("game"),
      html`<select data-value=${state.game} @change=${(e) => actions.newGame(e.target.value)}>
        ${games}
      </select>`,
    )}
    ${codeRow()} ${options.filter((one) => one.common).map(optionRow)} ${printRow("paper", PAPERS)}
    ${printRow("ink", ["full", "saver"])}
    ${grouped
      .filter(([, rows]) => rows.length)
      .map(([group, rows]) => groupOf(group, word(group), rows.map(optionRow)))}
    ${groupOf("print", word("print"), html`${partsRow()}${printRow("booklet", ["", "on"])}
        <button type="button" id="to-makers" @click=${actions.openMakers}>${word("makers")} …</button>`)}`,
    $("form"),
  );
  // A control displays the last input until its value is set.
  for (const node of controls("[data-value]", $("form"))) {
    if (node !== document.activeElement && node.value !== node.dataset.value) node.value = node.dataset.value;
  }
  openFault();
}

/** Show the form with the values of the battle on the map, also in the control that was changed last. */
export function restoreForm() {
  showForm();
  for (const node of controls("[data-value]", $("form"))) node.value = node.dataset.value;
}

/** Open the group of the first option with a fault. */
function openFault() {
  const fault = $("form").querySelector(".fault");
  const group = fault && fault.closest("details");
  if (group) group.open = true;
}
