// @ts-check
// The board of a game in play: the units of each position, marks and arrows over them, and the picture of a moment.
import { grid, laid, middle, overlay, save, shape, units, word, zone, zones } from "./base.js";

/** @typedef {import("./game_request.js").Game} Game */
/** @typedef {import("./game_request.js").Unit} Unit */
/** @typedef {import("./game_request.js").GameEvent} GameEvent */
/** @typedef {{ number: number, svg: string, units: string }} Picture */

/** The properties by which the style sheet changes marks, which a saved picture needs without it. */
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight"];
const FONT = "system-ui, sans-serif";
/** The number of pixels of a saved picture for each millimetre of the board. */
const PIXELS_PER_MM = 8;

export class Board {
  /**
   * @param {HTMLElement} root The element that contains the picture.
   * @param {string} mark A prefix for the ids of symbols, because other pictures on the page have the same.
   * @param {(cell: string) => void} chosen
   */
  constructor(root, mark, chosen) {
    this.root = root;
    this.mark = mark;
    this.chosen = chosen;
    /** @type {Record<string, string>} */
    this.definitions = {};
    this.svg = "";
    root.addEventListener("click", (event) => {
      const at = /** @type {Element} */ (event.target).closest("[data-cell]");
      if (at instanceof SVGElement) chosen(at.dataset.cell || "");
    });
  }

  /** @param {string} text */
  marked(text) {
    return text
      .replace(/\bid="/g, `id="${this.mark}`)
      .replace(/href="#/g, `href="#${this.mark}`)
      .replace(/url\(#/g, `url(#${this.mark}`);
  }

  /**
   * Return the pictures of an answer, and keep the symbols that they need.
   * @param {Game} game
   * @returns {Picture[]}
   */
  read(game) {
    for (const [id, text] of Object.entries(game.definitions)) this.definitions[this.mark + id] = this.marked(text);
    const boards = game.boards.map((svg) => this.marked(svg));
    const elements = game.elements.map((text) => this.marked(text));
    return game.positions.map((position) => ({
      number: position.number,
      svg: position.board === null ? "" : boards[position.board],
      units: position.units.map((number) => elements[number]).join(""),
    }));
  }

  /**
   * Show a position. The focus stays on its cell.
   * @param {Picture} picture
   */
  show(picture) {
    if (picture.svg && picture.svg !== this.svg) this.replace(picture.svg);
    const defs = this.root.querySelector("defs");
    const layer = this.root.querySelector('[data-layer="units"]');
    if (!defs || !layer) return;
    for (const [, id] of picture.units.matchAll(/href="#([^"]+)"/g)) {
      if (!defs.querySelector(`[id="${id}"]`) && id in this.definitions) {
        const holder = shape("g");
        holder.innerHTML = this.definitions[id];
        defs.append(...holder.childNodes);
      }
    }
    if (layer.innerHTML !== picture.units) layer.innerHTML = picture.units;
    this.label([]);
  }

  /** @param {string} svg */
  replace(svg) {
    const active = document.activeElement;
    const cell = active instanceof SVGElement && this.root.contains(active) ? active.dataset.cell : "";
    this.svg = svg;
    this.root.innerHTML = svg;
    const title = this.root.querySelector("svg > title");
    if (title) title.remove();
    grid(this.root, word("map"), this.chosen);
    const path = cell ? zone(cell, this.root) : null;
    if (path) path.focus({ preventScroll: true });
  }

  /** Describe each cell with the units on it for readers who cannot see the board. @param {Unit[]} rows */
  label(rows) {
    for (const path of zones(this.root)) {
      const title = path.querySelector("title");
      const parts = [title ? title.textContent : path.dataset.cell];
      for (const unit of units(this.root)) {
        if (unit.dataset.cell !== path.dataset.cell) continue;
        const row = rows.find((one) => this.elementOf(one.id, rows) === unit);
        parts.push([row ? row.id : unit.dataset.unit, unit.dataset.name].filter(Boolean).join(" "));
        if (row && row.total > 1) parts.push(word("game_left", { n: row.left, of: row.total }));
      }
      path.setAttribute("aria-label", parts.filter(Boolean).join(word("dozen_list")));
    }
  }

  /**
   * Return the picture of a unit, or undefined. In a game without cells, units are found by their names.
   * @param {string} id
   * @param {Unit[]} rows
   * @returns {SVGElement | undefined}
   */
  elementOf(id, rows) {
    const every = units(this.root);
    const row = rows.find((one) => one.id === id);
    if (row && zone(row.place, this.root)) {
      const there = every.filter((unit) => unit.dataset.cell === row.place);
      return there.find((unit) => id.endsWith(unit.dataset.unit || "")) || there[0];
    }
    return every.find((unit) => [unit.dataset.unit, unit.dataset.name].includes(id));
  }

  /**
   * Return the cells on which a unit stands: one, or several for units that are alike.
   * @param {string} id
   * @param {Unit[]} rows
   * @param {string} place The part of the board, in a game without cells.
   * @returns {string[]}
   */
  cellsOf(id, rows, place = "") {
    const row = rows.find((one) => one.id === id);
    if (row) return row.place ? [row.place] : [];
    const name = place === "reserve" ? `reserve:${id}` : id;
    const found = units(this.root).filter((unit) => {
      const other = unit.dataset.name || "";
      return other === name || other.startsWith(`${name}-`);
    });
    return found.map((unit) => unit.dataset.cell || "");
  }

  /** Return whether the board has a cell of this name. @param {string} name */
  has(name) {
    return Boolean(name && zone(name, this.root));
  }

  /** Write the figures or hit points that units have lost next to them. @param {Unit[]} rows */
  counts(rows) {
    const group = this.above("counts");
    for (const row of rows) {
      const unit = row.total > 1 && row.left && row.left < row.total ? this.elementOf(row.id, rows) : null;
      const path = unit ? zone(unit.dataset.cell || "", this.root) : null;
      if (!path) continue;
      const box = path.getBBox();
      const x = box.x + box.width * 0.8;
      const y = box.y + box.height * 0.7;
      group.append(shape("circle", { cx: x, cy: y, r: box.width * 0.14, class: "count" }));
      group.append(this.text(x, y, box.width * 0.2, String(row.left), "count-label"));
    }
  }

  /**
   * Return a text that stands upright, although the board counts heights from below.
   * @param {number} x
   * @param {number} y
   * @param {number} size
   * @param {string} text
   * @param {string} kind
   */
  text(x, y, size, text, kind) {
    const node = shape("text", { x: 0, y: size * 0.35, class: kind, "font-size": size, "text-anchor": "middle" });
    node.setAttribute("transform", `translate(${x} ${y}) scale(1 -1)`);
    node.textContent = text;
    return node;
  }

  /**
   * Write the chance of an attack over its target.
   * @param {Element} group
   * @param {string} cell
   * @param {string} text
   */
  chance(group, cell, text) {
    const path = zone(cell, this.root);
    if (!path) return;
    const box = path.getBBox();
    const [x, y, size] = [box.x + box.width / 2, box.y + box.height * 0.74, box.width * 0.19];
    const width = size * 0.68 * text.length;
    const plate = { x: x - width / 2, y: y - size * 0.7, width, height: size * 1.4, rx: size * 0.4 };
    group.append(shape("rect", { ...plate, class: "chance-plate" }), this.text(x, y, size, text, "chance"));
  }

  /** Return an empty group of marks above the units. @param {string} name */
  above(name) {
    for (const old of this.root.querySelectorAll(`.over.${name}`)) old.remove();
    const group = shape("g", { class: `over ${name}` });
    const layer = this.root.querySelector('[data-layer="units"]');
    if (layer) layer.after(group);
    return group;
  }

  /** Return an empty group of marks below the units. @param {string} name */
  below(name) {
    return overlay(name, this.root);
  }

  /**
   * Mark a cell in a group.
   * @param {Element} group
   * @param {string} cell
   * @param {string} kind
   */
  markCell(group, cell, kind) {
    laid(group, cell, kind, this.root);
  }

  /**
   * Draw an arrow from a cell to another.
   * @param {Element} group
   * @param {string} from
   * @param {string} to
   * @param {string} kind
   */
  arrow(group, from, to, kind) {
    const [start, end] = [zone(from, this.root), zone(to, this.root)];
    if (!start || !end || start === end) return;
    const [x1, y1] = middle(start);
    const [x2, y2] = middle(end);
    const size = start.getBBox().width;
    const far = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / far, (y2 - y1) / far];
    const head = size * 0.24;
    // The arrow begins outside the middle of the unit and ends before the middle of its target.
    const [ax, ay] = [x1 + dx * size * 0.2, y1 + dy * size * 0.2];
    const [bx, by] = [x2 - dx * size * 0.12, y2 - dy * size * 0.12];
    const [cx, cy] = [bx - dx * head, by - dy * head];
    const wings = `L${cx - dy * head * 0.7} ${cy + dx * head * 0.7}L${cx + dy * head * 0.7} ${cy - dx * head * 0.7}Z`;
    group.append(
      shape("line", { x1: ax, y1: ay, x2: cx, y2: cy, class: `arrow ${kind}`, "stroke-width": size * 0.09 }),
    );
    group.append(shape("path", { d: `M${bx} ${by}${wings}`, class: `arrow-head ${kind}` }));
  }

  /**
   * Draw what a step does: an arrow for a move or an attack, and rings around the units.
   * @param {GameEvent} event
   * @param {Unit[]} rows The units after the step.
   */
  event(event, rows) {
    const group = this.above("event");
    const stands = zone(event.from, this.root) ? [event.from] : this.cellsOf(event.unit, rows, event.from);
    const targets = event.targets.flatMap((id) => this.cellsOf(id, rows).slice(0, 1));
    const from = stands[0] || "";
    const to = zone(event.to, this.root) ? event.to : targets[0] || "";
    const isAttack = event.targets.length > 0;
    if (from && to) this.arrow(group, from, to, isAttack ? "strike" : "march");
    if (isAttack && to) this.markCell(group, to, "struck");
    else if (from && !to) this.markCell(group, from, "acting");
  }

  /** Remove all marks. */
  wipe() {
    for (const old of this.root.querySelectorAll(".over:not(.counts)")) old.remove();
  }

  /** Return the board with its marks as the text of an SVG file. */
  picture() {
    const svg = this.root.querySelector("svg");
    if (!svg) return "";
    const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
    const marks = [...svg.querySelectorAll(".over *")];
    [...copy.querySelectorAll(".over *")].forEach((node, at) => {
      const style = getComputedStyle(marks[at]);
      for (const name of STYLES) node.setAttribute(name, style.getPropertyValue(name));
      if (node.tagName === "text") node.setAttribute("font-family", FONT);
      node.removeAttribute("class");
    });
    const layer = copy.querySelector('[data-layer="cells"]');
    if (layer) layer.remove();
    const whole = copy.dataset.whole || copy.getAttribute("viewBox") || "";
    copy.setAttribute("viewBox", whole);
    copy.removeAttribute("style");
    copy.removeAttribute("data-whole");
    return new XMLSerializer().serializeToString(copy);
  }

  /**
   * Save the picture of the moment as a file.
   * @param {string} name
   * @param {"svg" | "png"} kind
   */
  async savePicture(name, kind) {
    const text = this.picture();
    if (kind === "svg") {
      save(`${name}.svg`, text, "image/svg+xml");
      return;
    }
    const [, , width, height] = (/viewBox="([^"]+)"/.exec(text) || ["", "0 0 1 1"])[1].split(" ").map(Number);
    const image = new Image();
    const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * PIXELS_PER_MM);
    canvas.height = Math.round(height * PIXELS_PER_MM);
    const context = canvas.getContext("2d");
    if (!context) return;
    context.fillStyle = "#fdfcf8";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    canvas.toBlob((blob) => {
      if (blob) save(`${name}.png`, blob, "image/png");
    });
  }
}

/**
 * Return the units after a number of steps of a course that begins with frame 0.
 * @param {Game} game
 * @param {number} number
 * @returns {Unit[]}
 */
export function unitsAfter(game, number) {
  /** @type {Record<string, string>} */
  const places = {};
  /** @type {Record<string, number>} */
  const left = {};
  for (const frame of game.frames) {
    if (frame.number > number) break;
    Object.assign(places, frame.moved);
    Object.assign(left, frame.left);
  }
  return game.units.map((unit) => ({ ...unit, place: places[unit.id] || "", left: left[unit.id] ?? unit.left }));
}
