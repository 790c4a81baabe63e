// @ts-check
// The question whether a new draw may replace a battle that was set up by hand.
import { html, render } from "./lit-html.js";
import { dialog, page, word } from "./base.js";

/** Return whether the battle on the map was changed by hand. */
function isSetByHand() {
  return Boolean(page.battle && page.battle.hand);
}

/**
 * Ask the user whether the battle on the map may be replaced, if it was set up by hand.
 * @returns {Promise<boolean>}
 */
export function mayReplace() {
  if (!isSetByHand()) return Promise.resolve(true);
  const box = dialog("replace");
  const close = (answer) => () => box.close(answer);
  render(
    html`<h2 id="replace-head">${word("replace_head")}</h2>
      <p>${word("replace_text")}</p>
      <div class="row">
        <button type="button" class="chief" id="replace-keep" @click=${close("keep")}>${word("replace_keep")}</button>
        <button type="button" id="replace-go" @click=${close("replace")}>${word("replace_go")}</button>
      </div>`,
    box,
  );
  box.returnValue = "";
  box.showModal();
  return new Promise((resolve) => {
    box.addEventListener("close", () => resolve(box.returnValue === "replace"), { once: true });
  });
}
