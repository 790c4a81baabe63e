// @ts-check
// The height of the page's header, which has one row or two. Elements that stick below the header need it.

/** Keep the height of the header in the CSS variable `--header`. */
export function measureHeader() {
  const header = document.querySelector("header");
  if (!header) return;
  const measure = () => document.documentElement.style.setProperty("--header", `${header.offsetHeight}px`);
  // In the next frame: the new height moves other elements that are observed.
  new ResizeObserver(() => requestAnimationFrame(measure)).observe(header);
  measure();
}
