// @ts-check
// The danger of every hex for a side, as heat over the whole map.
import { html, nothing, render } from "./lit-html.js";
import { $, FILE, letterSize, middle, overlay, page, shape, state, word, zone } from "./base.js";
import { once } from "./answers.js";

/** The opacity of the least and of the most dangerous hex. */
const FAINT = 0.12;
const STRONG = 0.7;

/** The side whose danger is shown, or an empty string. */
let side = "";
/** The sides of the battle, if its game computes the danger of hexes. */
let sides = /** @type {{ id: string, name: string }[]} */ ([]);

/** Show the control for a new battle, and the heat if a side was chosen before. */
export async function showHeatControl() {
  const number = page.asked;
  const game = page.games.find((one) => one.name === state.game);
  sides = (game && game.danger) || [];
  if (!sides.some((one) => one.id === side)) side = "";
  renderControl();
  if (side) await draw(number);
}

/** Choose the side whose danger is shown. */
async function choose(id) {
  side = id;
  renderControl();
  await draw(page.asked);
}

function renderControl(worst = 0) {
  const choice = (id, label) =>
    html`<button
      role="radio"
      type="button"
      data-heat=${id || "none"}
      aria-checked=${side === id}
      tabindex=${side === id ? 0 : -1}
      @click=${() => choose(id)}
    >
      ${label}
    </button>`;
  render(
    sides.length
      ? html`<span class="small" id="heat-label">${word("heat")}</span>
          <span class="segments" role="radiogroup" aria-labelledby="heat-label"
            >${choice("", word("heat_none"))}${sides.map((one) => choice(one.id, one.name))}</span
          >
          ${side && worst
            ? html`<span class="heat-scale small" role="status"
                ><span class="heat-ramp" aria-hidden="true"></span>${word("heat_scale", {
                  name: sides.find((one) => one.id === side).name,
                  worst: worst.toFixed(1),
                })}</span
              >`
            : nothing}`
      : nothing,
    $("heat"),
  );
}

/** Draw the heat of the chosen side, with the average number of hits in each hex. */
async function draw(number) {
  const group = overlay("danger-map");
  if (!side) return;
  const mine = side;
  const answer = await once(["odds", FILE, "--json"]);
  if (number !== page.asked || mine !== side || !group.isConnected) return;
  const found = (answer.out && answer.out.danger && answer.out.danger[side]) || [];
  const rows = found.map((row) => ({ hex: row.hex, hits: row.hits ?? row.foot }));
  const worst = Math.max(0, ...rows.map((row) => row.hits));
  renderControl(worst);
  for (const row of rows) {
    const cell = zone(row.hex);
    if (!cell || !row.hits) continue;
    const path = shape("path", { d: cell.getAttribute("d"), class: "heat" });
    path.style.opacity = String(FAINT + ((STRONG - FAINT) * row.hits) / worst);
    const [x, y] = middle(cell);
    const { height } = cell.getBBox();
    const flip = cell.getCTM().d < 0 ? "scale(1 -1)" : "";
    const label = shape("text", { x: 0, y: 0, class: "heat-label", "font-size": letterSize(cell) });
    label.setAttribute("transform", `translate(${x} ${y - height * 0.3}) ${flip}`);
    label.textContent = row.hits.toFixed(1);
    group.append(path, label);
  }
}
