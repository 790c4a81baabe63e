// @ts-check
// The bubble with an answer. It is on the map, next to the cell that it is about, and covers as little as possible.
import { $, shape, zone } from "./base.js";

/** The distance between the bubble and its cell, and between the bubble and the edge of the map, in pixels. */
const GAP = 14;
const MARGIN = 6;
/** The width of the window up to which the bubble is a sheet at the foot of the page. */
const NARROW = "(max-width: 47.5rem)";

let anchor = "";
let important = [];

export function hideBubble() {
  anchor = "";
  $("bubble").hidden = true;
  $("leader").replaceChildren();
}

/** Show the bubble next to a cell. It should not cover the important cells. */
export function placeBubble(cell, cells) {
  anchor = cell;
  important = cells;
  $("bubble").hidden = false;
  place();
}

function rectOf(cell) {
  const path = zone(cell);
  return path ? path.getBoundingClientRect() : null;
}
function overlap(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, width) * Math.max(0, height);
}

/** Yield the places of a box of this size beside and in the corners of the frame, as their upper left corners. */
function* places(frame, at, width, height) {
  const middle = [at.left + at.width / 2, at.top + at.height / 2];
  const lefts = [at.left - width - GAP, at.right + GAP, middle[0] - width / 2];
  const tops = [at.top - height - GAP, at.bottom + GAP, middle[1] - height / 2];
  lefts.push(frame.left + MARGIN, frame.right - width - MARGIN);
  tops.push(frame.top + MARGIN, frame.bottom - height - MARGIN);
  for (const left of lefts) for (const top of tops) yield [left, top];
}

/** Move the bubble to the place where it covers the least of what the answer is about. */
function place() {
  const bubble = $("bubble");
  const at = rectOf(anchor);
  $("leader").replaceChildren();
  bubble.style.transform = "";
  if (!at) return;
  if (matchMedia(NARROW).matches) {
    // The sheet grows with its answer. The cell stays in sight above it.
    const below = at.bottom + GAP - bubble.getBoundingClientRect().top;
    if (below > 0) scrollBy({ top: below, behavior: "instant" });
    return;
  }
  const frame = $("frame").getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  const others = important.map(rectOf).filter(Boolean);
  let best = null;
  let least = Infinity;
  for (const [left, top] of places(frame, at, width, height)) {
    const x = Math.min(Math.max(left, frame.left + MARGIN), Math.max(frame.left, frame.right - width - MARGIN));
    const y = Math.min(Math.max(top, frame.top + MARGIN), Math.max(frame.top, frame.bottom - height - MARGIN));
    const box = { left: x, top: y, right: x + width, bottom: y + height };
    const far = Math.hypot(x + width / 2 - at.left, y + height / 2 - at.top);
    const hidden = others.reduce((sum, other) => sum + overlap(box, other), 0);
    // Ten pixels farther away are as bad as a hundred covered ones.
    const cost = 40 * overlap(box, at) + hidden / 10 + far;
    if (cost < least) [best, least] = [box, cost];
  }
  bubble.style.transform = `translate(${best.left - frame.left}px, ${best.top - frame.top}px)`;
  drawLeader(frame, at, best);
}

/** Draw the line between the bubble and its cell. */
function drawLeader(frame, at, box) {
  const x = at.left + at.width / 2;
  const y = at.top + at.height / 2;
  const toX = Math.min(Math.max(x, box.left), box.right);
  const toY = Math.min(Math.max(y, box.top), box.bottom);
  const ends = { x1: x - frame.left, y1: y - frame.top, x2: toX - frame.left, y2: toY - frame.top };
  $("leader").replaceChildren(shape("line", ends));
}

/** Keep the bubble in its place when the window, the map or the text changes. */
export function watchBubble() {
  const again = () => {
    if (anchor) place();
  };
  addEventListener("resize", again);
  new ResizeObserver(again).observe($("bubble"));
}
