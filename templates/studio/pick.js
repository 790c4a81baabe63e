// @ts-check
// Picking the values of an option from a list: cards as they are printed, or names.
import { ask, brought, dialog, drawn, make, page, state, word } from "./base.js";

/** Return the chosen value of an option of the game, or its default. */
function valueOf(name) {
  const option = (page.forms[state.game] || []).find((one) => one.name === name);
  return state.wishes[name] || (option && option.default) || "";
}
/** Return the set of a piece, which for the other side's pieces has the same ending as the piece. */
function setOf(sets, piece) {
  const [name, side] = piece.split("/");
  return side ? `${sets.of[name]}/${side}` : sets.of[name];
}
/** Return whether a piece may be taken with the pieces that are picked already. */
function isTakeable(sets, piece, picked) {
  if (!sets || !sets.option) return true;
  const choice = valueOf(sets.option);
  if (piece.includes("/") && !sets.both_sides.includes(choice)) return false;
  const named = valueOf(sets.chosen_with).split(/[,、]/).map((one) => one.trim()).filter(Boolean);
  const set = setOf(sets, piece);
  if (named.length) return named.includes(set);
  const taken = new Set(picked.map((one) => setOf(sets, one)));
  return taken.has(set) || taken.size < sets.max_sets[choice];
}

// The pieces that can be picked, each with its word, its name and its picture, if any.
async function offered(wish) {
  const rows = wish.known.map((name) => ({ word: name, called: wish.called[name] || name, svg: "" }));
  if (!wish.pieces) return rows;
  const own = wish.name.split("-").pop(),
    deck = state.wishes.deck ? ["--deck", state.wishes.deck] : [];
  const told = await ask(
    [
      wish.pieces,
      state.game,
      "--only",
      wish.known.join(","),
      ...deck,
      "--format",
      "svg",
      "--single",
      "--lang",
      state.lang,
      "-o",
      "pieces",
    ],
    brought(),
  );
  const found = Object.entries(told.files)
    .map(([file, svg]) => {
      const [, camp, name] = /-([a-z]+)-([a-z0-9]+)\.svg$/.exec(file) || [null, "", ""];
      const known = wish.known.find((one) => one.toLowerCase() === name);
      return known && { word: camp === own ? known : `${known}/${camp}`, called: known, svg, own: camp === own };
    })
    .filter(Boolean);
  return found.sort((one, other) => Number(other.own) - Number(one.own) || one.called.localeCompare(other.called));
}
function face(row) {
  const card = make("span", { class: "card" });
  if (row.svg) card.innerHTML = drawn(row.svg);
  else card.textContent = row.called;
  const title = card.querySelector("svg > title");
  if (title) {
    card.setAttribute("role", "img");
    card.setAttribute("aria-label", title.textContent);
    title.remove();
  }
  return card;
}
export async function pick(wish, done) {
  const box = dialog("picker");
  const picked = String(wish.value ?? (state.wishes[wish.name] || ""))
    .split(/[,、]/)
    .map((one) => one.trim())
    .filter(Boolean);
  box.replaceChildren(make("h2", { id: "picker-head" }, wish.label), make("p", { role: "status" }, word("busy")));
  box.showModal();
  const rows = await offered(wish);
  if (!box.open) return;
  const told = make("p", { role: "status", class: "small" }),
    take = make(
      "button",
      {
        type: "button",
        class: "chief",
        id: "picked",
        onclick: () => {
          box.close();
          done(picked.join(","));
        },
      },
      word("take"),
    );
  const show = () => {
    for (const button of grid.children) {
      const at = picked.indexOf(button.dataset.piece);
      button.setAttribute("aria-pressed", String(at >= 0));
      button.hidden = at < 0 && !isTakeable(wish.sets, button.dataset.piece, picked);
      button.querySelector(".turn").textContent = at >= 0 ? String(at + 1) : "";
    }
    told.textContent = word("picked", { n: picked.length, of: wish.several });
  };
  const choose = (name) => {
    const at = picked.indexOf(name);
    if (at >= 0) picked.splice(at, 1);
    else if (picked.length < wish.several) picked.push(name);
    show();
  };
  const grid = make(
    "div",
    { class: wish.pieces ? "slots faces" : "words" },
    ...rows.map((row) =>
      make(
        "button",
        { type: "button", class: wish.pieces ? "slot" : "", "data-piece": row.word, onclick: () => choose(row.word) },
        make("span", {}, make("b", { class: "turn" }), " ", row.word === row.called || wish.pieces ? row.word : ""),
        face(row),
      ),
    ),
  );
  box.replaceChildren(
    make("h2", { id: "picker-head" }, wish.label),
    make("p", { class: "small" }, wish.help),
    told,
    grid,
    make(
      "div",
      { class: "row" },
      take,
      make(
        "button",
        {
          type: "button",
          onclick: () => {
            picked.length = 0;
            show();
          },
        },
        word("none"),
      ),
      make("button", { type: "button", onclick: () => box.close() }, word("close")),
    ),
  );
  show();
}
