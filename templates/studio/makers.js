// @ts-check
// Printing for makers: cards, tokens and boards for print services, for sheets that are cut already, and for virtual
// tables. The commands `muster cards`, `muster tokens` and `muster boards` make the files.
import { html, nothing, render } from "./lit-html.js";
import { $, ask, brought, faults, page, state, word } from "./base.js";
import { askWithProgress } from "./press.js";

/** The pieces that can be made, with the kinds of their files. An empty kind is a PDF to print at home. */
const KINDS = { cards: ["", "service", "tts"], tokens: ["", "service"], boards: ["", "tts", "vtt"] };
export const PAPERS = ["a4", "letter", "a3", "tabloid"];
const BACKS = ["both", "single", "backs-only", "fold"];

/** The values of the form. The names of options are those of the commands. */
const chosen = {
  pieces: "tokens",
  ...{ format: "", paper: "a4", size: "", die: "", hex: "", bleed: "", url: "", backs: "both" },
  "crop-marks": false,
};
/** The names of card sizes and of sheets that are cut already. The command lists them. */
const known = { size: /** @type {string[]} */ ([]), die: /** @type {string[]} */ ([]) };
/** @type {{ name: string, url: string }[]} */
let files = [];
/** @type {string[]} */
let problems = [];
let isBusy = false;

/** Return the pieces that can be made for the game on the map. */
function pieces() {
  const game = page.games.find((one) => one.name === state.game);
  return Object.keys(KINDS).filter((name) => game && game.prints.includes(name));
}
/** Return the fields that the present choices leave open. */
function fields() {
  const { pieces: what, format, die } = chosen;
  const isHome = format === "";
  const hasCards = what === "cards";
  return {
    paper: isHome && !die,
    die: isHome && what !== "boards",
    size: hasCards && !(isHome && die),
    hex: !hasCards,
    "crop-marks": what === "tokens" && isHome,
    bleed: format === "service",
    backs: what !== "boards" && format !== "tts",
    url: format === "tts",
  };
}

/** Return the words of the command. */
function command() {
  const open = fields();
  const words = [chosen.pieces, state.game, "--lang", state.lang];
  if (state.ink !== "full") words.push("--ink", state.ink);
  if (chosen.pieces === "boards") words.push("--seed", state.code);
  if (chosen.format) words.push("--format", chosen.format);
  for (const name of ["paper", "size", "die", "hex", "bleed", "url"]) {
    const value = chosen[name].trim();
    if (open[name] && value && !(name === "paper" && value === "a4")) words.push(`--${name}=${value}`);
  }
  if (open["crop-marks"] && chosen["crop-marks"]) words.push("--crop-marks");
  if (open.backs && chosen.backs !== "both") words.push(`--${chosen.backs}`);
  const isFolder = chosen.format && chosen.format !== "service";
  return [...words, "-o", isFolder ? chosen.pieces : `${chosen.pieces}.pdf`];
}

async function make() {
  const now = page.asked;
  [files, problems, isBusy] = [[], [], true];
  show();
  const own = chosen.die in page.own ? { [chosen.die]: page.own[chosen.die] } : {};
  const answer = await askWithProgress(command(), { ...brought(), ...own }, $("makers-progress"));
  isBusy = false;
  if (now === page.asked) {
    problems = answer.exit ? faults(answer) : [];
    files = answer.exit ? [] : Object.entries(answer.files).map(linkOf);
  }
  show();
}
/** Return the name and address of a file. The content of a text file comes with the answer. */
function linkOf([name, content]) {
  const url = typeof content === "string" ? URL.createObjectURL(new Blob([content])) : content.url;
  return { name: name.split("/").pop(), url };
}

/** Read the names of card sizes and sheets. A command lists them if it is asked for one that does not exist. */
async function readNames() {
  if (known.die.length) return;
  const names = async (option) => {
    const words = ["cards", "battlelore", `--${option}=?`, "--json", "--lang", "en", "-o", "cards.pdf"];
    const answer = await ask(words, {}, { background: true });
    return answer.problems.flatMap((row) => (row.hint || "").split(": ").pop().split(", "));
  };
  [known.size, known.die] = await Promise.all([names("size"), names("die")]);
  show();
}

function set(name, value) {
  Object.assign(chosen, { [name]: value });
  files = [];
  if (!KINDS[chosen.pieces].includes(chosen.format)) chosen.format = "";
  if (chosen.format !== "" && chosen.backs === "fold") chosen.backs = "both";
  show();
}
function select(name, values, label) {
  const option = (value) =>
    html`<option value=${value} ?selected=${value === chosen[name]}>${label(value)}</option>`;
  return html`<label class="field"
    ><span>${word(`makers_${name}`)}</span
    ><select id=${`makers-${name}`} .value=${chosen[name]} @change=${(event) => set(name, event.target.value)}>
      ${values.map(option)}
    </select></label
  >`;
}
/** Return a text field, with the names that a command knows as suggestions. */
function text(name, example, names = []) {
  return html`<label class="field"
    ><span>${word(`makers_${name}`)}</span
    ><input
      id=${`makers-${name}`}
      list=${names.length ? `makers-${name}-names` : nothing}
      placeholder=${example}
      spellcheck="false"
      .value=${chosen[name]}
      @input=${(event) => set(name, event.target.value)}
    />${names.length
      ? html`<datalist id=${`makers-${name}-names`}>${names.map((one) => html`<option value=${one}></option>`)}</datalist>`
      : nothing}</label
  >`;
}

/** Show the form. */
export function show() {
  if (!pieces().includes(chosen.pieces)) chosen.pieces = "tokens";
  const open = fields();
  const dies = ["", ...known.die, ...Object.keys(page.own)];
  // The pictures are made in a folder that is deleted afterwards, so the saved object must name another place.
  const isWithoutAddress = open.url && !chosen.url.trim();
  const backs = BACKS.filter((name) => name !== "fold" || chosen.format === "");
  render(
    html`<p class="small">${word("makers_help")}</p>
      <div class="makers-fields">
        ${select("pieces", pieces(), (name) => word(`makers_${name}`))}
        ${select("format", KINDS[chosen.pieces], (name) => word(name ? `makers_to_${name}` : "makers_to_pdf"))}
        ${open.die ? select("die", dies, (name) => name || word("makers_no_die")) : nothing}
        ${open.paper ? select("paper", PAPERS, word) : nothing}
        ${open.size ? text("size", "poker", known.size) : nothing} ${open.hex ? text("hex", "40mm") : nothing}
        ${open.bleed ? text("bleed", "3") : nothing} ${open.url ? text("url", "https://") : nothing}
        ${open.backs ? select("backs", backs, (name) => word(`makers_backs_${name.replace("-", "_")}`)) : nothing}
      </div>
      ${open["crop-marks"]
        ? html`<label class="check"
            ><input
              type="checkbox"
              id="makers-crop-marks"
              .checked=${chosen["crop-marks"]}
              @change=${(event) => set("crop-marks", event.target.checked)}
            /><span>${word("makers_crop")}</span></label
          >`
        : nothing}
      <div class="row">
        <button type="button" class="chief" id="makers-make" ?disabled=${isBusy || isWithoutAddress} @click=${make}>
          ${word("makers_make")}
        </button>
      </div>
      ${problems.map((problem) => html`<p class="fault" role="alert">${problem}</p>`)}
      ${files.length
        ? html`<ul id="makers-files">
            ${files.map(
              (file) => html`<li><a href=${file.url} target="_blank" rel="noopener" download=${file.name}>${file.name}</a></li>`,
            )}
          </ul>`
        : nothing}`,
    $("makers-form"),
  );
}

/** Show the form when its group is opened. */
export function listen() {
  $("makers").addEventListener("toggle", () => {
    if (!$("makers").open) return;
    show();
    readNames();
  });
}
/** Open the group, and focus it. */
export function open() {
  $("makers").open = true;
  $("makers-head").focus();
}
/** Forget the files, which belong to another battle. */
export function forget() {
  [files, problems] = [[], []];
  if ($("makers").open) show();
}
