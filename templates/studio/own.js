// @ts-check
// The form for a user's own file, made from the schema of its kind. It contains no rules of a game and no TOML:
// Muster writes the file, reads text that the user typed, and reports faults.
import { $, ask, control, faults, labelled, make, page, save, state, word } from "./base.js";
import { read as recall, write as hold } from "./base.js";
const DRAFT = "muster.own";
const SOON = 250;
const TOLD = 12;

const { own } = page;
/** @type {() => void} */
let keep = () => {};
/** @type {() => void} */
let changed = () => {};
/** @type {(game: string, option: string, file: string) => void} */
let play = () => {};
/** @type {(text: string) => void} */
let openBattle = () => {};
export function listen(hooks) {
  ({ keep, changed, play, openBattle } = hooks);
}
const isScenario = (form) => form.endsWith("-scenario");
let schema = null,
  kind = "",
  values = {},
  lines = {},
  uses = null,
  latest = 0,
  nodes = new Map();
const opened = new Set();

// The schema of a value.
function meant(raw) {
  let found = raw || {};
  while (found.$ref || found.anyOf) {
    if (found.$ref) found = schema.definitions[found.$ref.split("/").pop()];
    else found = found.anyOf.find((one) => one.$ref) || found.anyOf[0];
  }
  return found;
}
const spokenIn = (of) => of.properties && Object.keys(of.properties).join() === "en,ja";
const plain = (of) => Boolean(of.enum || ["string", "integer", "number", "boolean"].includes(of.type));
// In the order of their numbers if all are numbers, otherwise in the order of input.
const keysOf = (table) => {
  const keys = Object.keys(table || {});
  return keys.every((key) => /^-?\d+$/.test(key)) ? keys.sort((one, other) => Number(one) - Number(other)) : keys;
};
const takesText = (raw) => (raw.anyOf || []).some((one) => one.type === "string");

// The values, keyed by their paths.
const at = (way) =>
  way.reduce((found, key) => (found === undefined || found === null ? undefined : found[key]), values);
function put(way, value) {
  let found = values;
  for (const [step, key] of way.slice(0, -1).entries())
    found = found[key] ??= typeof way[step + 1] === "number" ? [] : {};
  const last = way[way.length - 1];
  if (value === undefined && !Array.isArray(found)) delete found[last];
  else found[last] = value === undefined ? null : value;
  if (way.length > 1) entitle(way);
  write();
}
function take(way) {
  const last = way[way.length - 1],
    found = at(way.slice(0, -1));
  if (Array.isArray(found)) found.splice(last, 1);
  else delete found[last];
  render();
  write();
}
function begun(raw) {
  const of = meant(raw);
  if (of.type === "array") return [];
  if (of.type !== "object" || spokenIn(of)) return undefined;
  const made = {};
  for (const key of of.required || []) {
    const value = begun(of.properties[key]);
    if (value !== undefined) made[key] = value;
  }
  return made;
}

// Controls.
const spelt = (way) => way.join("/");
function node(way, of, ...inside) {
  const made = make(of, { class: "own-field", "data-way": spelt(way) }, ...inside);
  nodes.set(spelt(way), made);
  return made;
}
function input(raw, way, label, drawn = false) {
  const of = meant(raw),
    value = at(way),
    told = { id: `own-${spelt(way)}`, "aria-label": label || false };
  if (of.enum) {
    const options = of.enum.map((choice) =>
      make("option", { value: choice, selected: choice === value }, spelled(String(choice))),
    );
    const blank = make("option", { value: "" }, raw.default === undefined ? "" : `(${spelled(raw.default)})`);
    return make(
      "select",
      {
        ...told,
        onchange: (event) =>
          put(
            way,
            of.enum.find((choice) => String(choice) === event.target.value),
          ),
      },
      blank,
      ...options,
    );
  }
  if (of.type === "boolean")
    return make("input", {
      ...told,
      type: "checkbox",
      checked: value ?? raw.default ?? false,
      onchange: (event) => put(way, event.target.checked),
    });
  if (of.type === "integer" || of.type === "number") {
    const bounds = { min: of.minimum ?? false, max: of.maximum ?? false, step: of.type === "integer" ? 1 : "any" };
    return make("input", {
      ...told,
      ...bounds,
      type: "number",
      value: value ?? "",
      placeholder: raw.default ?? "",
      oninput: (event) => put(way, event.target.value === "" ? undefined : Number(event.target.value)),
    });
  }
  const typed = {
    ...told,
    spellcheck: "false",
    placeholder: typeof raw.default === "string" ? raw.default : "",
    maxlength: of.maxLength ?? false,
    oninput: (event) => {
      size(event.target);
      put(way, event.target.value || undefined);
    },
  };
  if (!drawn || of.pattern || of.maxLength) return make("input", { ...typed, value: value ?? "" });
  const area = make("textarea", { ...typed, rows: 1, wrap: "off" }, String(value ?? "").replace(/\n$/, ""));
  size(area);
  return area;
}
// A field for a drawing of several lines has the height of the drawing.
function size(area) {
  if (area.tagName === "TEXTAREA") area.rows = Math.max(1, area.value.split("\n").length);
}
function help(text) {
  return make("small", {}, (text || "").replaceAll("`", ""));
}
function small(key, name, act, text) {
  return make(
    "button",
    { type: "button", class: "small", "aria-label": `${word(key)}: ${name}`, title: word(key), onclick: act },
    text || word(key),
  );
}

// The name of a key, with the key itself in small type.
function headed(name, way, more = "") {
  const key = way[way.length - 1];
  return [name, more, ...(typeof key === "string" && key !== name ? [" ", make("code", { class: "key" }, key)] : [])];
}
// The name of a word in the file: a word that is allowed in all files of the kind, or an id that this file defines.
function spelled(word) {
  const find = (value) => {
    if (!value || typeof value !== "object") return null;
    const { name } = value;
    if (value.id === word && name) return typeof name === "object" ? name[state.lang] || name.en : name;
    for (const inner of Object.values(value)) {
      const found = find(inner);
      if (found) return found;
    }
    return null;
  };
  return find(values) || ((schema && schema["x-words"]) || {})[word] || word;
}
const keyed = (key) => headed(spelled(key), [key]);

function field(raw, way, name, needed) {
  const of = meant(raw),
    told = raw.description || of.description;
  if (spokenIn(of)) return words(raw, way, name, told);
  if (plain(of)) {
    const control = input(raw, way, "", true);
    return node(
      way,
      "div",
      make(
        "label",
        { for: control.id },
        ...headed(name, way),
        needed ? "" : make("i", {}, ` ${word("own_optional")}`),
      ),
      control,
      help(told),
    );
  }
  if (of.type === "array") return plain(meant(of.items)) ? row(of, way, name, told) : list(of, way, name, told);
  if (!of.additionalProperties)
    return node(way, "fieldset", make("legend", {}, ...headed(name, way)), help(told), ...fields(of, way));
  const inner = meant(of.additionalProperties);
  if (plain(inner)) return pairs(of, way, name, told);
  return inner.type === "object" && inner.additionalProperties && plain(meant(inner.additionalProperties))
    ? grid(inner, way, name, told)
    : entries(of, way, name, told);
}
function fields(of, way) {
  const shown = Object.entries(of.properties || {}).filter(([key]) => way.length || key !== "source");
  return shown.map(([key, raw]) => field(raw, [...way, key], raw.title || key, (of.required || []).includes(key)));
}
// A text in both languages, or one text for both if the schema allows that.
function words(raw, way, name, told) {
  const value = at(way),
    both = typeof value === "object" && value ? value : { en: value ?? "", ja: "" };
  const now = { ...both };
  const one = (lang, called) =>
    make("input", {
      value: both[lang] ?? "",
      "aria-label": `${name}: ${called}`,
      placeholder: called,
      lang,
      spellcheck: "false",
      oninput: (event) => {
        now[lang] = event.target.value;
        const text = now.en || now.ja;
        put(
          way,
          now.en && now.ja
            ? { en: now.en, ja: now.ja }
            : !text
              ? undefined
              : takesText(raw)
                ? text
                : { ...(now.en && { en: now.en }), ...(now.ja && { ja: now.ja }) },
        );
      },
    });
  return node(
    way,
    "div",
    make("span", { class: "label" }, ...headed(name, way)),
    make("div", { class: "both" }, one("en", word("own_english")), one("ja", word("own_japanese"))),
    help(told),
  );
}
// Short values in a row: the faces of a die, the numbers of a chart.
function row(of, way, name, told) {
  const every = at(way) || [];
  const cells = every.map((_, i) => {
    const control = input(of.items, [...way, i], `${name} ${i + 1}`);
    nodes.set(spelt([...way, i]), control);
    return control;
  });
  const more = small(
    "own_add",
    name,
    () => {
      put(
        [...way, every.length],
        meant(of.items).enum ? meant(of.items).enum[0] : meant(of.items).type === "integer" ? 0 : "",
      );
      render();
      focus([...way, every.length]);
    },
    "+",
  );
  const less = every.length ? small("own_remove", name, () => take([...way, every.length - 1]), "−") : "";
  return node(
    way,
    "div",
    make("span", { class: "label" }, ...headed(name, way)),
    make("div", { class: "cells" }, ...cells, more, less),
    help(told),
  );
}
function called(value, name) {
  const texts = Object.values(value || {}).map((of) =>
    of && typeof of === "object" && !Array.isArray(of) ? of[state.lang] || of.en : of,
  );
  return (
    texts
      .filter((text) => typeof text === "string" && text && text.length < 40 && !text.includes("\n"))
      .slice(0, 3)
      .join(" · ") || name
  );
}
function folded(way, title, ...inside) {
  const key = spelt(way);
  const made = make(
    "details",
    {
      class: "own-item",
      open: opened.has(key),
      ontoggle: (event) => {
        if (event.target === made) {
          if (made.open) opened.add(key);
          else opened.delete(key);
        }
      },
    },
    make("summary", {}, ...[title].flat()),
    ...inside,
  );
  nodes.set(key, made);
  return made;
}
function entitle(way) {
  for (let end = way.length - 1; end > 0; end -= 1) {
    const found = nodes.get(spelt(way.slice(0, end)));
    if (found && found.matches("details.own-item") && typeof way[end - 1] === "number") {
      found.querySelector("summary").textContent = called(at(way.slice(0, end)), String(way[end - 1] + 1));
      return;
    }
  }
}
// Lists of objects: cards, machines, classes of units.
function list(of, way, name, told) {
  const every = at(way) || [],
    item = meant(of.items);
  const add = (value) => {
    put([...way, every.length], value);
    opened.add(spelt([...way, every.length]));
    render();
    focus([...way, every.length]);
  };
  const body = (here) => (item.properties ? fields(item, here) : [field(of.items, here, name, true)]);
  const rows = every.map((value, i) => {
    const here = [...way, i],
      title = called(value, String(i + 1));
    return folded(
      here,
      title,
      ...body(here),
      make(
        "div",
        { class: "row" },
        small("own_again", title, () => add(structuredClone(at(here)))),
        small("own_remove", title, () => take(here)),
      ),
    );
  });
  return node(
    way,
    "fieldset",
    make("legend", {}, ...headed(name, way, ` (${every.length})`)),
    help(told),
    ...rows,
    make(
      "div",
      { class: "row" },
      small("own_add", name, () => add(begun(of.items) ?? {})),
    ),
  );
}
// Tables with keys that the user chooses.
function naming(name, add) {
  const key = make("input", {
    "aria-label": `${word("own_key")}: ${name}`,
    placeholder: word("own_key"),
    class: "key",
    spellcheck: "false",
    onkeydown: (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        done();
      }
    },
  });
  const done = () => {
    if (key.value.trim()) add(key.value.trim());
  };
  return make("span", { class: "naming" }, key, small("own_add", name, done, "+"));
}
function pairs(of, way, name, told) {
  const made = keysOf(at(way)).map((key) => {
    const control = input(of.additionalProperties, [...way, key], spelled(key));
    nodes.set(spelt([...way, key]), control);
    return make(
      "div",
      { class: "pair" },
      make("span", { class: "label" }, ...keyed(key)),
      control,
      small("own_remove", key, () => take([...way, key]), "×"),
    );
  });
  return node(
    way,
    "fieldset",
    make("legend", {}, ...headed(name, way)),
    help(told),
    make("div", { class: "pairs" }, ...made),
    naming(name, (key) => {
      put([...way, key], meant(of.additionalProperties).type === "string" ? "" : 0);
      render();
      focus([...way, key]);
    }),
  );
}
function entries(of, way, name, told) {
  const rows = keysOf(at(way)).map((key) => {
    const here = [...way, key],
      inner = meant(of.additionalProperties);
    return folded(
      here,
      keyed(key),
      ...(inner.properties && !spokenIn(inner)
        ? fields(inner, here)
        : [field(of.additionalProperties, here, key, true)]),
      make(
        "div",
        { class: "row" },
        small("own_remove", key, () => take(here)),
      ),
    );
  });
  return node(
    way,
    "fieldset",
    make("legend", {}, ...headed(name, way)),
    help(told),
    ...rows,
    naming(name, (key) => {
      put([...way, key], begun(of.additionalProperties) ?? {});
      opened.add(spelt([...way, key]));
      render();
      focus([...way, key]);
    }),
  );
}
function grid(inner, way, name, told) {
  const table = at(way) || {},
    columns = [...new Set(Object.values(table).flatMap((line) => Object.keys(line)))];
  const head = make(
    "tr",
    {},
    make("td", {}),
    ...columns.map((column) => make("th", { scope: "col" }, ...keyed(column))),
  );
  const body = keysOf(table).map((line) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, ...keyed(line)),
      ...columns.map((column) => {
        const control = input(
          inner.additionalProperties,
          [...way, line, column],
          `${spelled(line)}, ${spelled(column)}`,
        );
        nodes.set(spelt([...way, line, column]), control);
        return make("td", {}, control);
      }),
      make(
        "td",
        {},
        small("own_remove", line, () => take([...way, line]), "×"),
      ),
    ),
  );
  const adding = make(
    "div",
    { class: "row" },
    make("span", { class: "label" }, word("own_line")),
    naming(word("own_line"), (key) => {
      put([...way, key], {});
      render();
    }),
    make("span", { class: "label" }, word("own_column")),
    naming(word("own_column"), (key) => {
      for (const line of Object.keys(table))
        put([...way, line, key], meant(inner.additionalProperties).type === "string" ? "" : 0);
      render();
    }),
  );
  return node(
    way,
    "fieldset",
    make("legend", {}, ...headed(name, way)),
    help(told),
    make(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": name },
      make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)),
    ),
    adding,
  );
}
function focus(way) {
  const found = nodes.get(spelt(way));
  if (!found) return;
  for (let up = found; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  const control = found.matches("input, select, textarea")
    ? found
    : found.querySelector(
        ":scope > :is(input, select, textarea), :scope > :not(summary) :is(input, select, textarea)",
      ) || found;
  control.focus();
  control.scrollIntoView({ block: "nearest" });
}
function render() {
  nodes = new Map();
  const focused = document.activeElement && document.activeElement.id;
  $("own-form").replaceChildren(...(schema ? [make("h3", {}, schema.title), ...fields(schema, [])] : []));
  if (focused && focused.startsWith("own-") && $(focused)) $(focused).focus();
}

// Writing, reading and faults.
const name = () => {
  const typed = control("own-name").value.trim() || "own.toml";
  return typed.endsWith(".toml") ? typed : `${typed}.toml`;
};
const lang = () => ["--lang", state.lang];
async function settled(now) {
  await new Promise((done) => setTimeout(done, SOON));
  return now === latest;
}
async function write() {
  const now = ++latest;
  if (!kind || !(await settled(now))) return;
  const file = name(),
    made = await ask(["data", "write", "values.json", "-o", file, "--json", ...lang()], {
      "values.json": JSON.stringify({ schema: kind, values }),
    });
  if (now !== latest) return;
  if (typeof made.files[file] !== "string") {
    tell(made.problems.length ? made.problems : [{ message: faults(made).join(" ") }]);
    return;
  }
  control("own-text").value = made.files[file];
  remember();
  ({ lines } = made.out);
  uses = made.out.command;
  await check(now);
}
async function read() {
  const now = ++latest;
  remember();
  if (!(await settled(now))) return;
  await taken(now);
}
// The form is filled from the text.
async function taken(now) {
  const file = name(),
    found = await ask(["data", "values", file, ...lang()], { [file]: control("own-text").value });
  if (now !== latest) return;
  if (!found.out || !found.out.values) {
    lines = {};
    await check(now);
    return;
  }
  if (found.out.schema !== kind) await learn(found.out.schema);
  ({ values, lines, command: uses } = found.out);
  render();
  await check(now);
}
async function check(now) {
  const file = name(),
    verb = isScenario(kind) ? ["check"] : ["data", "check"];
  const found = await ask([...verb, file, "--json", ...lang()], { ...own, [file]: control("own-text").value });
  if (now !== latest) return;
  const [report] = Array.isArray(found.out) && isScenario(kind) ? found.out : [];
  const broken = report && report.findings.filter((finding) => finding.tier === "illegal");
  if (report) tell([...report.problems, ...broken]);
  else tell(Array.isArray(found.out) ? found.out : found.problems);
}
function placed(row) {
  const said = /^([^\s:：]+)[:：]/.exec(row.message);
  const way = said
    ? said[1]
        .replace(/\[(\d+)\]/g, (_, number) => `.${number - 1}`)
        .split(".")
        .filter(Boolean)
    : [];
  for (let end = way.length; end > 0; end -= 1)
    if (nodes.has(way.slice(0, end).join("/"))) return nodes.get(way.slice(0, end).join("/"));
  let best = null,
    least = 0;
  for (const [there, line] of Object.entries(lines))
    if (row.line && line <= row.line && line >= least && nodes.has(there)) {
      best = nodes.get(there);
      least = line;
    }
  return best;
}
function tell(rows) {
  const wrong = rows.filter((row) => !row.remark);
  for (const old of $("own-form").querySelectorAll(".fault")) old.remove();
  for (const old of $("own-form").querySelectorAll(".bad, [aria-invalid]")) {
    old.classList.remove("bad");
    old.removeAttribute("aria-invalid");
  }
  const list = wrong.slice(0, TOLD).map((row) => {
    const there = placed(row),
      text = `${row.line ? `${row.line}: ` : ""}${row.message}${row.hint ? ` (${row.hint})` : ""}`;
    if (!there) return make("li", {}, text);
    const control = there.matches("input, select, textarea")
      ? there
      : there.querySelector(":scope > :is(input, select, textarea), :scope > .both > input");
    if (control) control.setAttribute("aria-invalid", "true");
    const beside = make("p", { class: "fault" }, `${row.message}${row.hint ? ` (${row.hint})` : ""}`);
    if (there.matches("input, select, textarea")) there.parentElement.append(beside);
    else there.append(beside);
    for (let up = there; up && up.id !== "own-form"; up = up.parentElement)
      if (up.tagName === "DETAILS") up.querySelector("summary").classList.add("bad");
    return make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          class: "plain",
          onclick: () =>
            focus(
              there.dataset.way
                ? there.dataset.way.split("/")
                : [...nodes].find(([, one]) => one === there)[0].split("/"),
            ),
        },
        text,
      ),
    );
  });
  if (wrong.length > TOLD) list.push(make("li", {}, word("own_more", { n: wrong.length - TOLD })));
  $("own-told").replaceChildren(
    wrong.length
      ? make("p", { class: "fault" }, word("own_wrong", { n: wrong.length }))
      : make("p", { class: "good" }, `✓ ${word("own_good")}`),
    make("ul", {}, ...list),
  );
  control("own-play").disabled = Boolean(wrong.length || !uses);
}
function remember() {
  hold(DRAFT, { name: control("own-name").value, text: control("own-text").value });
}

// Starting with a new or copied file.
async function learn(form) {
  const told = await ask(["data", "schema", form, ...lang()]);
  if (told.out && told.out.properties) {
    schema = told.out;
    kind = form;
    uses = null;
  }
}
async function choices() {
  const [ships, forms] = await Promise.all([
    ask(["data", "list", "--json", ...lang()]),
    ask(["data", "schema", "--json", ...lang()]),
  ]);
  const rows = (Array.isArray(ships.out) ? ships.out : []).filter((row) => row.kind !== "table");
  const every = Array.isArray(forms.out) ? forms.out : [];
  const typed = every.filter(
    (form) => isScenario(form.schema) || rows.some((row) => `${row.game}-${row.kind}` === form.schema),
  );
  const title = (row) =>
    (typed.find((form) => form.schema === `${row.game}-${row.kind}`) || { title: row.kind }).title;
  const group = (key, options) => (options.length ? [make("optgroup", { label: word(key) }, ...options)] : []);
  $("own-kind").replaceChildren(
    make("option", { value: "" }, "…"),
    ...group(
      "own_yours",
      Object.keys(own).map((file) => make("option", { value: `own ${file}` }, file)),
    ),
    ...group("own_battle", page.battle ? [make("option", { value: "battle" }, $("title").textContent)] : []),
    ...group(
      "own_copy",
      rows.map((row) => make("option", { value: `copy ${row.name}` }, `${title(row)} · ${row.title || row.name}`)),
    ),
    ...group(
      "own_empty",
      typed.map((form) => make("option", { value: `new ${form.schema}` }, form.title)),
    ),
  );
}
async function begin(chosen) {
  $("own-begin").replaceChildren();
  const [how, what] = [chosen.split(" ")[0], chosen.slice(chosen.indexOf(" ") + 1)];
  const now = ++latest;
  if (how === "own") return opening(what, own[what]);
  if (how === "battle") return copyBattle();
  opened.clear();
  if (how === "new") {
    await learn(what);
    values = begun(schema) || {};
    control("own-name").value = `my_${what.split("-").pop()}.toml`;
  } else {
    const told = await ask(["data", "values", what, ...lang()]);
    if (now !== latest || !told.out || !told.out.values) return null;
    await learn(told.out.schema);
    ({ values } = told.out);
    control("own-name").value = `my_${what.replaceAll("-", "_")}.toml`;
  }
  render();
  return write();
}
// A copy of the battle on the map. The code no longer draws it, so the copy has no code and no log.
async function copyBattle() {
  const now = ++latest,
    told = await ask(["data", "values", "battle.toml", ...lang()], page.battle.files);
  if (now !== latest || !told.out || !told.out.values) return null;
  await learn(told.out.schema);
  ({ values } = told.out);
  delete values.log;
  for (const key of ["code", "version", "seal", "wishes"]) delete values.muster[key];
  control("own-name").value = "my_battle.toml";
  render();
  return write();
}
function opening(file, text) {
  $("own-begin").replaceChildren();
  control("own-name").value = file;
  control("own-text").value = text;
  remember();
  opened.clear();
  kind = "";
  return taken(++latest);
}
function kept() {
  own[name()] = control("own-text").value;
  keep();
  changed();
  choices();
}

$("own-kind").addEventListener("change", () => {
  const kindOfFile = control("own-kind").value;
  if (kindOfFile) begin(kindOfFile);
});
$("own-text").addEventListener("input", read);
$("own-name").addEventListener("change", () => {
  if (kind) write();
});
$("own-keep").addEventListener("click", () => {
  kept();
  $("own-kept").textContent = word("own_kept", { file: name() });
});
$("own-save").addEventListener("click", () => save(name(), control("own-text").value));
$("own-open").addEventListener("click", () => $("own-file").click());
$("own-file").addEventListener("change", async () => {
  const [file] = control("own-file").files;
  if (file) await opening(file.name, await file.text());
  control("own-file").value = "";
});
$("own-play").addEventListener("click", () => {
  kept();
  if (isScenario(kind)) {
    openBattle(control("own-text").value);
    return;
  }
  const [, , game, option, file] = uses.split(" ");
  play(game, option.slice(2), file);
});
$("own-form").addEventListener("submit", (event) => event.preventDefault());

/** Put a file that was dropped on the page into the form. */
export async function open(file, text) {
  await enter();
  keepDraft();
  await opening(file, text);
}
/** Keep the text of the form, under a new name if a kept file has the same name, so that no user input is replaced. */
function keepDraft() {
  const text = control("own-text").value;
  if (!text.trim() || Object.values(own).includes(text)) return;
  const stem = name().replace(/\.toml$/, "");
  let free = `${stem}.toml`;
  for (let n = 2; free in own; n += 1) free = `${stem}-${n}.toml`;
  control("own-name").value = free;
  kept();
}
// Fill the form from a file that is kept in the browser.
export async function edit(file) {
  await enter();
  await opening(file, own[file]);
}
/** Show the possible beginnings of a file, as long as the form is empty. */
function showBeginnings() {
  const options = /** @type {HTMLOptionElement[]} */ (
    kind ? [] : [...$("own-kind").querySelectorAll("option")].filter((one) => one.value)
  );
  const first = options.filter((one) => /^(own|battle|new)\b/.test(one.value));
  const button = (one) =>
    make("button", { type: "button", "data-begin": one.value, onclick: () => begin(one.value) }, labelOf(one));
  $("own-begin").replaceChildren(
    ...(options.length ? [make("p", {}, word("own_begin")), make("div", { class: "row" }, ...first.map(button))] : []),
  );
}
function labelOf(option) {
  const group = option.parentElement;
  return group instanceof HTMLOptGroupElement ? labelled(group.label, option.textContent) : option.textContent;
}
let entered = false;
export async function enter() {
  if (entered) return;
  entered = true;
  await choices();
  const draft = recall(DRAFT);
  if (draft && draft.text && !kind) await opening(draft.name, draft.text);
  showBeginnings();
}
export async function speak() {
  if (!entered) return;
  await choices();
  if (!kind) {
    showBeginnings();
    return;
  }
  await learn(kind);
  render();
  await write();
}
