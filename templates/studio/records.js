// @ts-check
// Campaigns and replays. The page runs commands on the files that the user opens, and shows what they report.
import { measureHeader } from "./header.js";
import { html, nothing, render } from "./lit-html.js";
import { $, post, problemsOf, room, speak, theme, word } from "./room.js";

const KEPT = "muster.campaign";
/** The commands of each game with campaigns: the record that starts one, its sheet, and the sides. */
const GAMES = {
  travel_battle: {
    record: "brigade-campaign",
    sheet: "campaign",
    sides: ["blue", "red"],
  },
  call_to_arms: {
    record: "track-campaign",
    sheet: "sheets",
    sides: ["pennant", "standard"],
  },
};
const ALIVE_MS = 30000;

/** The open campaign: its game, the name of its record, and the text of its files. */
let campaign = { game: "", record: "", /** @type {Record<string, string>} */ files: {} };
/** @type {{ lines: string[], problems: string[], next: string[] }} */
let report = { lines: [], problems: [], next: [] };
/** @type {{ name: string, url: string }[]} */
let prints = [];
/** The chosen files of a battle and of a replay. @type {Record<string, { name: string, text: string }>} */
const chosen = {};
let replay = { at: 0, /** @type {string[]} */ pictures: [], pdf: "", lines: /** @type {string[]} */ ([]) };
let isBusy = false;
/** The titles of the games, keyed by name. @type {Record<string, string>} */
let titles = {};

/** Return the words of a command line. @param {string} text */
function wordsOf(text) {
  return [...text.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"[^"]*")+/g)].map(([one]) =>
    one.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, a, b, c) => a ?? b ?? c),
  );
}
function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(campaign));
  } catch {
    /* a private window keeps nothing */
  }
}
function recall() {
  try {
    campaign = { ...campaign, ...JSON.parse(localStorage.getItem(KEPT) || "{}") };
  } catch {
    /* nothing is kept */
  }
}

/** Return a message without the names of options. @param {string} text */
function inPageWords(text) {
  return text
    .replace(/`?muster [a-z]+[^`()]*`?/g, "…")
    .replace(/--([a-z-]+)/g, (_, name) => `“${name.replaceAll("-", " ")}”`);
}
/** Return the input that a command refused. @param {any} answer */
function faultsOf(answer) {
  const problems = answer.problems || (answer.out && answer.out.problems) || [];
  if (!answer.status) return [];
  if (problems.length && problems[0].lang) return problemsOf({ problems });
  const texts = problems.map((/** @type {any} */ row) => `${row.line ? `${row.line}: ` : ""}${row.message}`);
  return (
    texts.length
      ? texts
      : String(answer.err || "")
          .trim()
          .split("\n")
  ).map(inPageWords);
}
/** Run a command. @param {string[]} words @param {Record<string, string>} [files] */
async function run(words, files = {}) {
  isBusy = true;
  draw();
  const answer = await post("/ask", { words, files });
  isBusy = false;
  return { files: {}, ...answer };
}

/** Open a record with the files that belong to it. @param {{ name: string, text: string }[]} files */
function openCampaign(files) {
  const record = files.find(({ text }) => /^\s*(grid|track)\s*=/m.test(text));
  if (!record) return;
  const game = /^\s*grid\s*=/m.test(record.text) ? "travel_battle" : "call_to_arms";
  campaign = {
    game,
    record: record.name,
    files: Object.fromEntries(files.map(({ name, text }) => [name, text])),
  };
  report = { lines: [], problems: [], next: [] };
  keep();
  draw();
}
/** Start a campaign. @param {string} game */
async function start(game) {
  const { record } = /** @type {any} */ (GAMES)[game];
  const answer = await run(["data", "copy", record, "-o", "campaign.toml"]);
  const text = answer.files["campaign.toml"];
  if (text) openCampaign([{ name: "campaign.toml", text }]);
  else report.problems = faultsOf(answer);
  draw();
}
/** Print the campaign sheet. */
async function printSheet() {
  const { sheet } = /** @type {any} */ (GAMES)[campaign.game];
  const words = [
    sheet,
    campaign.game,
    "--record",
    campaign.record,
    "--lang",
    room.lang,
    "--json",
    "-o",
    "campaign.pdf",
  ];
  showPrints(await run(words, campaign.files));
}
/** Show the PDFs that a command made. @param {any} answer */
function showPrints(answer) {
  const found = Object.entries(answer.files).filter(([name]) => name.endsWith(".pdf"));
  prints = found.map(([name, file]) => ({ name, url: /** @type {any} */ (file).url }));
  report = { ...report, problems: prints.length ? [] : faultsOf(answer) };
  draw();
}
/** Print the next battle, and keep its scenario for the result. @param {string[]} words */
async function printBattle(words) {
  const answer = await run([...words, "--lang", room.lang, "--json", "-o", "battle"], campaign.files);
  const text = answer.files["battle/scenario.toml"];
  if (text) chosen.scenario = { name: "scenario.toml", text };
  showPrints(answer);
}
/** Return the words that draw the first battle between two areas. @param {FormData} given */
function firstBattle(given) {
  const grid = (/^\s*grid\s*=\s*"([^"]+)"/m.exec(campaign.files[campaign.record]) || [])[1];
  const area = (/** @type {string} */ side) =>
    `--board-${side}=${grid}:${String(given.get(side) || "")
      .trim()
      .toUpperCase()}`;
  return ["kit", campaign.game, area("blue"), area("red")];
}
/** Add a battle to the record. @param {SubmitEvent} event */
async function addBattle(event) {
  event.preventDefault();
  const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
  if (!chosen.scenario) {
    report = { ...report, problems: [word("no_battle_files")] };
    draw();
    return;
  }
  const lost = String(given.get("lost") || "")
    .split(/[\s,、]+/)
    .filter(Boolean);
  const toml = `winner = ${JSON.stringify(given.get("winner"))}\nlost = ${JSON.stringify(lost)}\n`;
  const result = chosen.result ? { "result.json": chosen.result.text } : { "result.toml": toml };
  const words = [
    "carry",
    campaign.record,
    "scenario.toml",
    Object.keys(result)[0],
    "--json",
    "--lang",
    room.lang,
  ];
  const answer = await run(words, { ...campaign.files, "scenario.toml": chosen.scenario.text, ...result });
  if (answer.out && answer.out.told) {
    for (const [name, text] of Object.entries(answer.files)) campaign.files[name] = String(text);
    delete chosen.scenario;
    delete chosen.result;
    report = { lines: answer.out.told, problems: [], next: answer.out.next };
    keep();
  } else report = { ...report, problems: faultsOf(answer) };
  draw();
}

/** Show a game from its log. */
async function showReplay() {
  if (!chosen.log || !chosen.game) {
    replay = { ...replay, lines: [word("no_log")] };
    draw();
    return;
  }
  const files = { "game.txt": chosen.log.text, "scenario.toml": chosen.game.text };
  const words = [
    "replay",
    "game.txt",
    "--scenario",
    "scenario.toml",
    "--lang",
    room.lang,
    "--json",
    "-o",
    "replay",
  ];
  const answer = await run(words, files);
  const made = /** @type {[string, any][]} */ (Object.entries(answer.files));
  const order = (answer.out && answer.out.files) || [];
  const byName = Object.fromEntries(made.map(([name, file]) => [name.replace(/^replay\//, ""), file.url]));
  const pictures = order.filter((/** @type {string} */ name) => name.endsWith(".png"));
  const lines = pictures.length
    ? String(answer.err || "")
        .trim()
        .split("\n")
        .filter(Boolean)
    : faultsOf(answer);
  replay = {
    ...{ at: 0, pictures: pictures.map((/** @type {string} */ name) => byName[name]).filter(Boolean) },
    ...{ pdf: byName["replay.pdf"] || "", lines: lines.map(inPageWords) },
  };
  draw();
}

/**
 * Return a button that opens text files.
 * @param {string} label
 * @param {string} accept
 * @param {(files: any[]) => void} opened
 * @param {boolean} [several]
 */
function fileButton(label, accept, opened, several = false) {
  const changed = async (/** @type {any} */ event) => {
    const files = await Promise.all(
      [...event.target.files].map(async (file) => ({ name: file.name, text: await file.text() })),
    );
    event.target.value = "";
    if (files.length) opened(files);
  };
  return html`<label class="button file"
    ><input
      type="file"
      class="hidden-file"
      accept=${accept}
      ?multiple=${several}
      @change=${changed}
    />${label}</label
  >`;
}
/**
 * Return a button that chooses one file, with the name of the chosen one.
 * @param {string} key
 * @param {string} label
 * @param {string} accept
 */
function choice(key, label, accept) {
  const opened = (/** @type {any[]} */ files) => {
    [chosen[key]] = files;
    draw();
  };
  return html`<span class="row"
    >${fileButton(word(label), accept, opened)}
    ${chosen[key] ? html`<span class="chip well">✓ ${chosen[key].name}</span>` : nothing}</span
  >`;
}
/** Save a file on this computer. @param {string} name */
function save(name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([campaign.files[name]], { type: "application/toml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Return the section of the open campaign. */
function openedCampaign() {
  const { sides } = /** @type {any} */ (GAMES)[campaign.game];
  const battles = report.next.map(wordsOf).filter((words) => words[1] === "kit");
  const submitFirst = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    printBattle(firstBattle(new FormData(/** @type {HTMLFormElement} */ (event.target))));
  };
  const changed = (/** @type {any} */ event) => {
    campaign.files[campaign.record] = event.target.value;
    keep();
  };
  return html`<h3>${campaign.record}</h3>
    <label class="field tall"
      ><span>${word("record_text")}</span>
      <textarea
        id="record"
        rows="8"
        spellcheck="false"
        .value=${campaign.files[campaign.record]}
        @change=${changed}
      ></textarea>
    </label>
    <p class="row">
      ${Object.keys(campaign.files).map(
        (name) => html`<button @click=${() => save(name)}>${word("labelled", { head: word("save"), text: name })}</button>`,
      )}
      <button id="sheet" ?disabled=${isBusy} @click=${printSheet}>${word("campaign_sheet")}</button>
    </p>
    <h4>${word("next_battle")}</h4>
    ${battles.map(
      (words) =>
        html`<p>
          <button ?disabled=${isBusy} @click=${() => printBattle(words.slice(1))}>
            ${word("next_battle_print")}
          </button>
        </p>`,
    )}
    ${
      campaign.game === "travel_battle"
        ? html`<form class="row" id="areas" @submit=${submitFirst} autocomplete="off">
            ${sides.map(
              (/** @type {string} */ side) =>
                html`<label class="field"
                  ><span>${word("area_of", { side: word(side) })}</span
                  ><input name=${side} required maxlength="4" placeholder=${side === "blue" ? "A1" : "B1"}
                /></label>`,
            )}
            <button ?disabled=${isBusy}>${word("next_battle_print")}</button>
          </form>`
        : html`<p>
            <button ?disabled=${isBusy} @click=${() => printBattle(["kit", campaign.game])}>
              ${word("next_battle_print")}
            </button>
          </p>`
    }
    <h4>${word("battle_result")}</h4>
    <form id="battle-result" @submit=${addBattle} autocomplete="off">
      <p>${choice("scenario", "scenario_of_battle", ".toml")}</p>
      <div class="fields">
        <label class="field"
          ><span>${word("battle_winner")}</span>
          <select name="winner">
            ${[...sides, "draw"].map(
              (/** @type {string} */ side) => html`<option value=${side}>${word(side)}</option>`,
            )}
          </select></label
        >
        <label class="field"
          ><span>${word("battle_lost")}</span><input name="lost" spellcheck="false"
        /></label>
      </div>
      <p>${choice("result", "result_file", ".json")}</p>
      <p><button class="chief" ?disabled=${isBusy}>${word("add_battle")}</button></p>
    </form>`;
}

function draw() {
  document.title = `${word("records")} · Muster studio`;
  const { pictures, at, pdf, lines } = replay;
  const turn = (/** @type {number} */ step) => () => {
    replay.at = Math.min(pictures.length - 1, Math.max(0, at + step));
    draw();
  };
  render(
    html`<section class="card" aria-labelledby="campaign-head">
        <h2 id="campaign-head">${word("campaign")}</h2>
        <p class="small">${word("campaign_help")}</p>
        <p class="row">
          ${fileButton(word("open_campaign"), ".toml", openCampaign, true)}
          ${Object.entries(GAMES).map(
            ([game]) =>
              html`<button data-start=${game} ?disabled=${isBusy} @click=${() => start(game)}>
                ${word("start_campaign", { game: titles[game] || game })}
              </button>`,
          )}
        </p>
        <div id="report" role="status">
          ${isBusy ? html`<p>${word("busy")}</p>` : nothing}
          ${report.problems.map((text) => html`<p class="bad">${text}</p>`)}
          ${report.lines.map((text) => html`<p>${text}</p>`)}
          ${prints.map(
            ({ name, url }) =>
              html`<p>
                <a class="button" href=${url} target="_blank" rel="noopener">${word("open_pdf")} · ${name}</a>
              </p>`,
          )}
        </div>
        ${campaign.record && campaign.files[campaign.record] !== undefined ? openedCampaign() : nothing}
      </section>
      <section class="card" aria-labelledby="replay-head">
        <h2 id="replay-head">${word("replay")}</h2>
        <p class="small">${word("replay_help")}</p>
        <p>${choice("log", "log_file", ".txt,.log,.md")}</p>
        <p>${choice("game", "scenario_file", ".toml")}</p>
        <p>
          <button class="chief" id="show-replay" ?disabled=${isBusy} @click=${showReplay}>
            ${word("show_replay")}
          </button>
        </p>
        <div role="status">${lines.map((text) => html`<p>${text}</p>`)}</div>
        ${
          pictures.length
            ? html`<p class="row">
                  <button @click=${turn(-1)} ?disabled=${at === 0}>${word("earlier")}</button>
                  <span role="status">${word("picture_of", { n: at + 1, m: pictures.length })}</span>
                  <button @click=${turn(1)} ?disabled=${at === pictures.length - 1}>${word("later")}</button>
                  ${pdf
                  ? html`<a class="button" href=${pdf} target="_blank" rel="noopener">${word("open_pdf")}</a>`
                  : nothing}
                </p>
                <img
                  class="replay"
                  src=${pictures[at]}
                  alt=${word("picture_of", { n: at + 1, m: pictures.length })}
                />`
            : nothing
        }
      </section>`,
    $("records"),
  );
}

/** Read the titles of the games in the language of the page. */
async function readTitles() {
  const answer = await post("/ask", { words: ["games", "--json", "--lang", room.lang], files: {} });
  const rows = Array.isArray(answer.out) ? answer.out : [];
  titles = Object.fromEntries(rows.map((/** @type {any} */ { name, title }) => [name, title]));
  draw();
}

recall();
measureHeader();
theme();
speak(readTitles);
draw();
readTitles();
setInterval(() => post("/alive", {}), ALIVE_MS);
