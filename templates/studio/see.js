// @ts-check
// The pages of the kit, to turn like a booklet, and all maps of the game, to play on.
import { $, ask, control, drawn, faults, labelled, make, page, printing, state, wished, word } from "./base.js";
import { askWithProgress } from "./press.js";

/** @type {(name: string, value: string) => void} */
let wishFor = () => {};
/** @type {(view: string) => void} */
let turn = () => {};
/** @type {(name: string, wishes: string[]) => void} */
let begin = () => {};
export function listen(hooks) {
  ({ wishFor, turn, begin } = hooks);
}

// Printing with the command that the page shows, and then the pages as pictures.
const DPI = "72";
let leaves = [],
  at = 0;
export function clear() {
  leaves = [];
  for (const id of ["pages", "thumbs", "printed"]) $(id).replaceChildren();
}
export async function press() {
  turn("print");
  clear();
  control("make").disabled = true;
  const { battle } = page,
    now = page.asked;
  const words = battle.hand ? ["print", "battle.toml"] : ["kit", state.game, "--seed", state.code, ...wished()];
  const told = await askWithProgress(
    [...words, ...printing(), ...(state.booklet ? [] : ["--format", "pages", "--dpi", DPI]), "-o", "kit"],
    battle.files,
    $("printed"),
  );
  control("make").disabled = false;
  if (now !== page.asked) {
    $("printed").replaceChildren();
    return;
  }
  const pdf = told.files["kit/kit.pdf"] || told.files["kit/evening.pdf"];
  if (!pdf) {
    $("printed").replaceChildren(make("span", { class: "fault" }, faults(told).join(" ")));
    return;
  }
  $("printed").replaceChildren(
    make(
      "a",
      {
        href: pdf.url,
        target: "_blank",
        rel: "noopener",
        download: `${state.game}-${battle.hand ? "battle" : state.code}.pdf`,
      },
      word("download"),
    ),
  );
  leaves = Object.keys(told.files)
    .filter((name) => /page-\d+\.png$/.test(name))
    .sort()
    .map((name) => told.files[name].url);
  $("thumbs").replaceChildren(
    ...leaves.map((url, number) =>
      make(
        "button",
        { onclick: () => open(number), "aria-label": word("leaf", { n: number + 1 }) },
        make("img", { src: url, alt: "", loading: "lazy" }),
        make("span", {}, String(number + 1)),
      ),
    ),
  );
  open(0);
}
/** Explain the purpose of the view of pages, as long as nothing has been printed. */
export function enter() {
  if (!leaves.length && !$("printed").children.length) $("printed").textContent = word("nothing_printed");
}
// The cover of a booklet is displayed alone. All other pages are in pairs if there is room.
function spread() {
  return matchMedia("(max-width: 47.5rem)").matches ? 1 : 2;
}
export function open(number) {
  if (!leaves.length) return;
  at = Math.max(0, Math.min(leaves.length - 1, number));
  const first = spread() === 1 || at === 0 ? at : at - ((at + 1) % 2),
    last = spread() === 1 || first === 0 ? first : Math.min(first + 1, leaves.length - 1);
  at = first;
  const shown = leaves.slice(first, last + 1);
  $("pages").replaceChildren(
    make(
      "button",
      { id: "before", "aria-label": word("before"), disabled: first === 0, onclick: () => open(first - 1) },
      "‹",
    ),
    make(
      "div",
      { class: "spread", "data-pages": String(shown.length) },
      ...shown.map((url, i) => make("img", { src: url, alt: word("leaf", { n: first + i + 1 }) })),
    ),
    make(
      "button",
      {
        id: "after",
        "aria-label": word("after"),
        disabled: last >= leaves.length - 1,
        onclick: () => open(last + 1),
      },
      "›",
    ),
    make(
      "p",
      { role: "status", class: "small" },
      word("leaves", { at: first === last ? first + 1 : `${first + 1}–${last + 1}`, n: leaves.length }),
    ),
  );
  for (const [i, button] of [...$("thumbs").children].entries())
    button.setAttribute("aria-current", String(i >= first && i <= last));
}
export function leaf(way) {
  if (leaves.length) open(way > 0 ? at + (spread() === 1 || at === 0 ? 1 : 2) : at - 1);
}

// All maps of the game: the names and the user's own files that the option for the map accepts.
export function grounds() {
  const wishes = (page.forms[state.game] || []).filter(
    (wish) => wish.file && wish.group === "ground" && wish.choices.length,
  );
  const shared = new Map();
  for (const wish of wishes)
    for (const name of wish.choices) if (name !== "random") shared.set(name, [...(shared.get(name) || []), wish]);
  return [...shared];
}
export async function picture(name) {
  const files = name in page.own ? { [name]: page.own[name] } : {};
  const told = await ask(
    ["boards", state.game, "--board", name, "--format", "svg", "--lang", state.lang, "-o", "map"],
    files,
  );
  const found = Object.entries(told.files).find(([file]) => file.endsWith(".svg"));
  return { svg: found ? found[1] : "", told };
}
let hanging = "";
export async function gallery() {
  const mine = `${state.game} ${state.lang} ${Object.keys(page.own).join(" ")}`;
  if (hanging === mine) return;
  hanging = mine;
  const house = grounds(),
    first = house.length ? house[0][1] : [];
  const own = Object.entries(page.own)
    .filter(([, text]) => /^(rows|buildings)\s*=/m.test(text))
    .map(([name]) => [name, first]);
  const plates = [...own, ...house].map(([name, wishes]) => {
    const figure = make("div", { class: "plate" }),
      title = make("figcaption", {}, name);
    const buttons = wishes.map((wish) =>
      make(
        "button",
        {
          "data-play": name,
          onclick: () => {
            turn("battle");
            wishFor(wish.name, name);
          },
        },
        wishes.length > 1 ? labelled(word("play_on"), wish.label) : word("play_on"),
      ),
    );
    const hang = make(
      "figure",
      {},
      figure,
      title,
      make(
        "div",
        { class: "row" },
        ...buttons,
        make("button", { "data-paint": name, onclick: () => begin(name, wishes) }, word("paint_copy")),
      ),
    );
    return { name, figure, title, hang };
  });
  $("hung").replaceChildren(...plates.map((plate) => plate.hang));
  for (const { name, figure, title, hang } of plates) {
    const { svg } = await picture(name);
    if (hanging !== mine) return;
    if (!svg) {
      if (name in page.own) hang.remove();
      continue;
    }
    figure.innerHTML = drawn(svg);
    const said = figure.querySelector("svg > title");
    if (said) {
      title.textContent = said.textContent;
      said.remove();
    }
  }
}
