// @ts-check
// The height of the page's header, which has one row or two. What sticks below the header needs it.

/** Keep the height of the header in the CSS variable `--header`. */
export function measureHeader() {
  const header = document.querySelector("header");
  if (!header) return;
  const measure = () => document.documentElement.style.setProperty("--header", `${header.offsetHeight}px`);
  new ResizeObserver(measure).observe(header);
  measure();
}
