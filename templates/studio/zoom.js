// @ts-check
// Zooming a map with two fingers, a wheel with Ctrl, or buttons. One finger moves a map that is larger than its
// frame.
import { $, all } from "./base.js";

const MOST = 6,
  STEP = 1.5,
  TAP = 8;
const views = new Map(); // by the element that frames a map: what of it is shown, as parts of the whole
const whole = { k: 1, x: 0, y: 0 };
const picture = (root) => root.querySelector("svg[viewBox]");
function full(svg) {
  return (svg.dataset.whole ||= svg.getAttribute("viewBox")).split(" ").map(Number);
}
// Apply the visible part to the picture. A new picture shows the same part as the one before.
export function apply(root) {
  const svg = picture(root),
    view = views.get(root) || whole;
  if (!svg) return;
  const [x, y, width, height] = full(svg);
  svg.setAttribute("viewBox", [x + view.x * width, y + view.y * height, width / view.k, height / view.k].join(" "));
  root.dataset.zoomed = String(view.k > 1);
}
export function reset(root) {
  views.delete(root);
  apply(root);
}
function set(root, k, x, y) {
  const room = 1 - 1 / k,
    held = (value) => Math.min(Math.max(value, 0), room);
  views.set(root, k === 1 ? whole : { k, x: held(x), y: held(y) });
  apply(root);
}
// The place in the picture at a point of the window, as shares of its width and height.
function at(svg, clientX, clientY) {
  const [x, y, width, height] = full(svg),
    point = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [(point.x - x) / width, (point.y - y) / height];
}
// Zoom so that the place at this point stays there.
function zoom(root, factor, clientX, clientY) {
  const svg = picture(root),
    view = views.get(root) || whole;
  if (!svg) return;
  const k = Math.min(MOST, Math.max(1, view.k * factor)),
    [px, py] = at(svg, clientX, clientY);
  set(root, k, px - ((px - view.x) * view.k) / k, py - ((py - view.y) * view.k) / k);
}
function pan(root, fromX, fromY, toX, toY) {
  const svg = picture(root),
    view = views.get(root) || whole,
    [ax, ay] = at(svg, fromX, fromY),
    [bx, by] = at(svg, toX, toY);
  set(root, view.k, view.x + ax - bx, view.y + ay - by);
}
export function step(root, ways) {
  const box = root.getBoundingClientRect();
  if (ways) zoom(root, ways > 0 ? STEP : 1 / STEP, box.x + box.width / 2, box.y + box.height / 2);
  else reset(root);
}
const between = ([one, other]) => ({
  x: (one.clientX + other.clientX) / 2,
  y: (one.clientY + other.clientY) / 2,
  far: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
});
// `busy` returns whether a single finger has another use at that place.
export function zoomable(root, busy) {
  let last = null,
    single = null;
  root.addEventListener(
    "touchstart",
    (event) => {
      single = null;
      last = null;
      if (event.touches.length === 2) {
        event.preventDefault();
        last = between(event.touches);
      } else if (event.touches.length === 1 && (views.get(root) || whole).k > 1 && !busy(event)) {
        const [touch] = event.touches;
        single = { x: touch.clientX, y: touch.clientY, moved: false };
      }
    },
    { passive: false },
  );
  root.addEventListener(
    "touchmove",
    (event) => {
      if (event.touches.length === 2 && last) {
        event.preventDefault();
        const now = between(event.touches);
        pan(root, last.x, last.y, now.x, now.y);
        zoom(root, now.far / (last.far || 1), now.x, now.y);
        last = now;
      } else if (single && event.touches.length === 1) {
        const [touch] = event.touches;
        event.preventDefault();
        if (!single.moved && Math.hypot(touch.clientX - single.x, touch.clientY - single.y) < TAP) return;
        pan(root, single.x, single.y, touch.clientX, touch.clientY);
        single = { x: touch.clientX, y: touch.clientY, moved: true };
      }
    },
    { passive: false },
  );
  for (const end of ["touchend", "touchcancel"])
    root.addEventListener(end, () => {
      last = null;
      single = null;
    });
  root.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(root, Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
    },
    { passive: false },
  );
  // The cell with the focus is kept visible.
  root.addEventListener("focusin", (event) => {
    const svg = picture(root),
      view = views.get(root) || whole;
    if (view.k === 1 || !event.target.dataset.cell) return;
    const box = event.target.getBoundingClientRect(),
      [x, y] = at(svg, box.x, box.y),
      [far, low] = at(svg, box.right, box.bottom);
    const near = (start, end, of) => (start < of ? start : end > of + 1 / view.k ? end - 1 / view.k : of);
    set(root, view.k, near(x, far, view.x), near(y, low, view.y));
  });
}
export function buttons() {
  for (const button of all("[data-zoom]"))
    button.addEventListener("click", () => step($(button.dataset.of), Number(button.dataset.zoom)));
}
