// @ts-check
// Seats: the secret choices of each player, one player at a time, with a curtain in between.
import {
  $,
  FILE,
  ask,
  brought,
  drawn,
  edited,
  faults,
  focus,
  grid,
  laid,
  make,
  overlay,
  page,
  read,
  state,
  word,
  write,
  zone,
  zones,
} from "./base.js";

const KEPT = "muster.studio.seats";
/** @type {(view: string) => void} */
let turn = () => {};
/** @type {(text: string) => void} */
let take = () => {};
export function listen(hooks) {
  ({ turn, take } = hooks);
}

let table = null; // { of, hands, sides, round, sealed, open }
let chosen = []; // what the player behind the curtain has chosen so far

export function seated() {
  return (page.forms[state.game] || []).some((wish) => wish.name.startsWith("reserves-"));
}
function label(side) {
  const wish = page.forms[state.game].find((one) => one.name === `${table.round}-${side}`);
  return wish ? wish.label : side;
}
function others() {
  return Object.entries(state.wishes).filter(([name, value]) => value !== "" && !/^(place|reserves)-/.test(name));
}
function typed(pairs) {
  return pairs.map(([name, value]) => `--${name}=${value}`);
}
function drawn_by(pairs) {
  return ask(["draw", state.game, "--seed", state.code, ...typed(pairs), "--json", "--lang", state.lang], brought());
}
async function draw(pairs) {
  const told = await drawn_by(pairs);
  return told.out && Array.isArray(told.out.log) ? told.out : null;
}
// Sealed choices are stored so that they cannot be read at a glance. The curtain is closed when the page is reopened.
function keep() {
  write(KEPT, table && { ...table, open: false, sealed: btoa(encodeURIComponent(JSON.stringify(table.sealed))) });
}
export async function enter() {
  const of = JSON.stringify([state.game, state.code, others()]);
  const kept = read(KEPT);
  if (table && table.of === of) {
    render();
    return;
  }
  if (kept && kept.of === of) {
    table = { ...kept, sealed: JSON.parse(decodeURIComponent(atob(kept.sealed))) };
    render();
    return;
  }
  $("seat").replaceChildren(make("p", {}, word("busy")));
  const battle = state.code ? await draw(others()) : null;
  const hands = Object.fromEntries(
    (battle ? battle.log : []).filter((step) => step.step === "hand").map((step) => [step.who, step.result]),
  );
  if (!Object.keys(hands).length) {
    table = null;
    $("seat").replaceChildren(make("p", {}, word("no_seats")));
    return;
  }
  table = { of, hands, sides: Object.keys(hands), round: "place", sealed: {}, open: false };
  keep();
  render();
}
// Leaving closes the curtain.
export function leave() {
  if (table && table.open) {
    table.open = false;
    chosen = [];
    render();
  }
}

function waiting() {
  return table.sides.filter((side) => !(`${table.round}-${side}` in table.sealed));
}
function render() {
  const [side] = waiting();
  $("stages").replaceChildren(
    ...table.sides.map((one) =>
      make(
        "li",
        { "aria-current": one === side ? "step" : false, class: one in doneSides() ? "done" : "" },
        `${one in doneSides() ? "✓ " : ""}${label(one)}`,
      ),
    ),
    make("li", { "aria-current": side ? false : "step" }, word("reveal")),
  );
  if (!side) reveal();
  else if (!table.open) curtain(side);
  else if (table.round === "place") places(side);
  else reserves(side);
}
function doneSides() {
  return Object.fromEntries(
    table.sides.filter((side) => `${table.round}-${side}` in table.sealed).map((side) => [side, true]),
  );
}
function curtain(side) {
  chosen = [];
  $("seat").replaceChildren(
    make(
      "div",
      { class: "curtain" },
      make("h3", {}, label(side)),
      make("p", {}, word("curtain")),
      make(
        "button",
        {
          class: "chief",
          id: "raise",
          onclick: () => {
            table.open = true;
            render();
          },
        },
        word("raise"),
      ),
    ),
  );
  $("raise").focus({ preventScroll: true });
}
async function cards(side, keys) {
  const deck = state.wishes.deck ? ["--deck", state.wishes.deck] : [];
  const named = keys.map((key) => key.split("/"));
  const told = await ask(
    [
      "cards",
      state.game,
      "--only",
      named.map(([key]) => key).join(","),
      ...deck,
      "--format",
      "svg",
      "--single",
      "--lang",
      state.lang,
      "-o",
      "cards",
    ],
    brought(),
  );
  return Object.fromEntries(
    named.map(([key, camp], i) => [
      keys[i],
      told.files[`cards/cards-${camp || side}-${key.toLowerCase()}.svg`] || "",
    ]),
  );
}
function face(key, svg) {
  const card = make("span", { class: "card" });
  if (svg) card.innerHTML = drawn(svg);
  const title = card.querySelector("svg > title");
  card.setAttribute("role", "img");
  card.setAttribute("aria-label", title ? title.textContent : key);
  if (title) title.remove();
  if (!svg) card.textContent = key;
  return card;
}
const SLOTS = ["left", "centre", "right", "reserve"];
async function places(side) {
  const hand = table.hands[side],
    faces = await cards(side, hand);
  if (!table.open || table.round !== "place") return;
  let held = "";
  const show = () => {
    const rest = hand.filter((key) => !chosen.includes(key));
    const slots = SLOTS.map((name, i) =>
      make(
        "button",
        {
          class: "slot",
          "data-slot": name,
          onclick: () => put(i),
          ondragover: (event) => event.preventDefault(),
          ondrop: (event) => {
            event.preventDefault();
            held = event.dataTransfer.getData("text/plain") || held;
            put(i);
          },
        },
        make("span", {}, word(name)),
        ...(chosen[i] ? [face(chosen[i], faces[chosen[i]])] : [make("span", { class: "empty" }, "+")]),
      ),
    );
    $("seat").replaceChildren(
      make("h3", {}, label(side)),
      make("p", { class: "small" }, word("place_help")),
      make("div", { class: "slots" }, ...slots),
      make("h4", {}, word("hand")),
      make(
        "div",
        { class: "slots" },
        ...rest.map((key) =>
          make(
            "button",
            {
              class: "slot",
              draggable: "true",
              "data-card": key,
              "aria-pressed": String(held === key),
              ondragstart: (event) => {
                held = key;
                event.dataTransfer.setData("text/plain", key);
              },
              onclick: () => {
                held = held === key ? "" : key;
                show();
              },
            },
            face(key, faces[key]),
          ),
        ),
      ),
      make(
        "button",
        { class: "chief", id: "seal", disabled: rest.length > 0, onclick: () => seal(side, chosen.join(",")) },
        word("seal"),
      ),
    );
  };
  const put = (i) => {
    if (held) {
      const was = chosen.indexOf(held);
      if (was >= 0) chosen[was] = chosen[i] || "";
      chosen[i] = held;
      held = "";
    } else if (chosen[i]) {
      held = chosen[i];
      chosen[i] = "";
    }
    for (let at = 0; at < SLOTS.length; at++) chosen[at] = chosen[at] || "";
    show();
  };
  show();
}
async function reserves(side) {
  const { key, count } = table.reserve[side],
    faces = await cards(side, [key]);
  if (!table.open || table.round !== "reserves") return;
  const card = face(key, faces[key]),
    cells = [...card.querySelectorAll("[data-kind][data-cell]")],
    ats = {};
  const choice = () => chosen.map((cell) => cell + (ats[cell] ? `>${ats[cell]}` : "")).join(",");
  // The draw determines the possible places. Given an empty place, it lists them in its error message.
  const asked = (value) => drawn_by([...others(), ...Object.entries(table.sealed), [`reserves-${side}`, value]]);
  const judged = async () => {
    const told = await asked(choice());
    if (!table || !table.open) return;
    if (told.out && Array.isArray(told.out.log)) seal(side, choice());
    else wrong.textContent = faults(told).join(" ");
  };
  let held = ""; // whose hex is chosen next
  const wrong = make("p", { role: "status", class: "fault" }),
    board = make("div", { id: "seat-map" }),
    where = make("div", {}),
    free = make("p", { class: "small", id: "seat-free" });
  const seal_it = make("button", { class: "chief", id: "seal", onclick: judged }, word("seal"));
  const told = make("p", { role: "status" });
  const called = (cell) =>
    `${(cells.find((unit) => unit.dataset.cell.toLowerCase() === cell) || { dataset: {} }).dataset.name || ""} (${cell})`.trim();
  const show = () => {
    for (const unit of cells) unit.classList.toggle("lifted", chosen.includes(unit.dataset.cell.toLowerCase()));
    for (const button of picks.children)
      button.setAttribute("aria-pressed", String(chosen.includes(button.dataset.pick)));
    told.textContent = word("reserves_help", { n: count });
    wrong.textContent = "";
    where.replaceChildren(
      ...chosen.map((cell) =>
        make(
          "label",
          {},
          make("span", {}, `${called(cell)} – ${word("comes_on")}`),
          make("input", {
            "data-at": cell,
            value: ats[cell] || "",
            placeholder: word("drawn"),
            size: "6",
            onfocus: () => {
              held = cell;
              marked();
            },
            spellcheck: "false",
            autocomplete: "off",
            onchange: (event) => {
              ats[cell] = event.target.value.trim();
              wrong.textContent = "";
              marked();
            },
          }),
        ),
      ),
    );
    seal_it.disabled = chosen.length !== count;
    marked();
  };
  const marked = () => {
    if (!zones(board).length) return;
    const group = overlay("hand", board);
    for (const cell of room()) laid(group, cell, "lawful", board);
    for (const [one, at] of Object.entries(ats))
      if (at && chosen.includes(one)) laid(group, at, one === held ? "end-of-line" : "target", board);
  };
  // The hexes in this error message.
  const room = () => {
    const said = new Set(free.textContent.split(/[^A-Za-z0-9]+/));
    return zones(board)
      .map((path) => path.dataset.cell)
      .filter((cell) => said.has(cell));
  };
  const sent = (cell) => {
    const whose = chosen.includes(held) ? held : chosen.find((one) => !ats[one]) || chosen[0];
    if (!whose) {
      wrong.textContent = word("unit_first");
      return;
    }
    ats[whose] = cell;
    held = chosen.find((one) => !ats[one]) || whose;
    show();
    focus(zone(cell, board), board);
  };
  const choose = (cell) => {
    chosen = chosen.includes(cell) ? chosen.filter((one) => one !== cell) : [...chosen, cell];
    held = chosen.includes(cell) ? cell : "";
    show();
  };
  for (const unit of cells) unit.addEventListener("click", () => choose(unit.dataset.cell.toLowerCase()));
  const picks = make(
    "div",
    { class: "row" },
    ...cells.map((unit) =>
      make(
        "button",
        { "data-pick": unit.dataset.cell.toLowerCase(), onclick: () => choose(unit.dataset.cell.toLowerCase()) },
        called(unit.dataset.cell.toLowerCase()),
      ),
    ),
  );
  $("seat").replaceChildren(
    make("h3", {}, label(side)),
    told,
    make(
      "div",
      { class: "beside" },
      make(
        "div",
        {},
        make("div", { class: "slots one" }, make("div", { class: "slot" }, card)),
        picks,
        where,
        free,
        wrong,
        seal_it,
      ),
      board,
    ),
  );
  show();
  const some = cells.slice(0, count).map((unit) => unit.dataset.cell.toLowerCase());
  lay(board, sent).then(marked);
  free.textContent = (
    await asked(
      `${some[0]}>?${some
        .slice(1)
        .map((cell) => `,${cell}`)
        .join("")}`,
    )
  ).problems
    .map((row) => row.hint)
    .join(" ");
  marked();
}
// The battle after the cards are placed, with the sealed reserves. Units still to be chosen are listed next to it.
async function lay(board, sent) {
  const pairs = [...others(), ...Object.entries(table.sealed)],
    { round, sealed } = table;
  const words = ["draw", state.game, "--seed", state.code, ...typed(pairs)];
  const [battle, whole] = await Promise.all([draw(pairs), ask([...words, "-o", FILE], brought())]);
  if (!battle || !whole.files[FILE]) return;
  const unknown = battle.log
    .filter((step) => step.step === "reserve" && !(`reserves-${step.who}` in sealed))
    .map((step) => `${step.result[0]}>-`);
  const { text } = await edited(FILE, unknown, { [FILE]: whole.files[FILE], ...brought() });
  const told = await ask(["print", FILE, "--parts", "map", "--format", "svg", "--lang", state.lang, "-o", "kit"], {
    [FILE]: text || "",
    ...brought(),
  });
  if (!table || !table.open || table.round !== round || !told.files["kit/map.svg"]) return;
  board.innerHTML = drawn(told.files["kit/map.svg"]);
  const title = board.querySelector("svg > title");
  if (title) title.remove();
  grid(board, word("map"), sent);
  board.onclick = (event) => {
    const at = event.target.closest("[data-cell]");
    if (at) sent(at.dataset.cell);
  };
}
function seal(side, value) {
  table.sealed[`${table.round}-${side}`] = value;
  table.open = false;
  chosen = [];
  keep();
  render();
}
async function reveal() {
  const rows = [];
  for (const side of table.sides) {
    const faces = table.round === "place" ? await cards(side, table.hands[side]) : {};
    rows.push(make("h4", {}, label(side)));
    if (table.round === "place")
      rows.push(
        make(
          "div",
          { class: "slots" },
          ...table.sealed[`place-${side}`]
            .split(",")
            .map((key, i) => make("div", { class: "slot" }, make("span", {}, word(SLOTS[i])), face(key, faces[key]))),
        ),
      );
    else rows.push(make("p", {}, table.sealed[`reserves-${side}`] || "–"));
  }
  const next =
    table.round === "place" ? [make("button", { id: "to-reserves", onclick: toReserves }, word("to_reserves"))] : [];
  $("seat").replaceChildren(
    make("h3", {}, word("reveal")),
    ...rows,
    make(
      "div",
      { class: "row" },
      make(
        "button",
        {
          class: "chief",
          id: "to-map",
          onclick: () => {
            turn("battle");
            take(table.sealed);
          },
        },
        word("to_map"),
      ),
      ...next,
      make(
        "button",
        {
          id: "anew",
          onclick: () => {
            table = null;
            write(KEPT, null);
            enter();
          },
        },
        word("anew"),
      ),
    ),
  );
}
// The reserves depend on the places of the cards: the draw with these places determines how many units enter, and who
// moves first.
async function toReserves() {
  const battle = await draw([...others(), ...Object.entries(table.sealed)]);
  if (!battle) return;
  const steps = battle.log.filter((step) => step.step === "reserve");
  table.reserve = Object.fromEntries(
    battle.forces.map((force) => [
      force.camp,
      { key: force.cards.reserve, count: steps.filter((step) => step.who === force.camp).length },
    ]),
  );
  const order = [...new Set(steps.map((step) => step.who))];
  table.sides = [...order, ...table.sides.filter((side) => !order.includes(side))].filter(
    (side) => table.reserve[side].count,
  );
  table.round = "reserves";
  keep();
  render();
}
