// Runs in each page before its own scripts, and notes what a test asks for.
(() => {
  "use strict";
  const notes = { shift: 0, focused: [], violations: [] };
  window.notes = notes;

  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) notes.shift += one.value;
  }).observe({ type: "layout-shift", buffered: true });

  document.addEventListener("securitypolicyviolation", (event) => {
    notes.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
  });

  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const named = (one) => `${one.outerHTML.slice(0, 90)} ${one.textContent.trim().slice(0, 40)}`;

  // What can be worked with the way that the page stands.
  notes.controls = () =>
    [...document.querySelectorAll(CONTROLS)]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
      .map((one) => [[...document.querySelectorAll("*")].indexOf(one), named(one)]);

  const isOutlined = (one) => {
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    return outlined && box.width >= 8 && box.height >= 8 && box.right > 0 && box.left < innerWidth;
  };

  document.addEventListener("focusin", ({ target }) => {
    const seen = [target, ...(target.labels || [])].some(isOutlined);
    notes.focused.push([[...document.querySelectorAll("*")].indexOf(target), seen, named(target)]);
  });
})();
