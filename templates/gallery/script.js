"use strict";
{
  const box = document.querySelector("dialog");
  const [text, pane, picture] = ["p", ".pane", ".zoom img"].map((name) => box.querySelector(name));
  const thumbs = [...document.querySelectorAll(".show")];
  let at = 0;

  const show = (number) => {
    at = (number + thumbs.length) % thumbs.length;
    const { src, alt } = thumbs[at].firstElementChild;
    Object.assign(picture, { src, alt });
    text.textContent = alt;
    pane.classList.remove("whole");
    pane.scrollTo(0, 0);
  };
  const on = (name, act) => box.querySelector(name).addEventListener("click", act);

  thumbs.forEach((thumb, number) => thumb.addEventListener("click", () => { show(number); box.showModal(); }));
  on(".previous", () => show(at - 1));
  on(".next", () => show(at + 1));
  on(".close", () => box.close());
  on(".zoom", () => pane.classList.toggle("whole"));
  box.addEventListener("keydown", (event) => {
    if (pane.classList.contains("whole")) return;
    if (event.key === "ArrowLeft") show(at - 1);
    if (event.key === "ArrowRight") show(at + 1);
  });
  box.addEventListener("close", () => thumbs[at].focus());

  if (navigator.clipboard) {
    for (const button of document.querySelectorAll(".copy")) {
      const word = button.textContent;
      button.hidden = false;
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(button.previousElementSibling.textContent);
        button.textContent = button.dataset.done;
        setTimeout(() => { button.textContent = word; }, 2000);
      });
    }
  }
}
