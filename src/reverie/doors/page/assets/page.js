// What the pages do beside htmx: choosers that submit, keys, and a graph to move about. Nothing here is needed to read or to act.
(function () {
  "use strict";

  function rows() {
    return Array.prototype.slice.call(document.querySelectorAll("[data-row]"));
  }

  function move(by) {
    var all = rows();
    if (!all.length) return;
    var at = all.indexOf(document.activeElement && document.activeElement.closest("[data-row]"));
    var next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by))];
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }

  function press(key) {
    var row = document.activeElement && document.activeElement.closest("[data-row]");
    var button = row && row.querySelector('[data-key="' + key + '"]');
    if (button) button.click();
    return Boolean(button);
  }

  document.addEventListener("change", function (event) {
    var chooser = event.target.closest("[data-submit]");
    if (chooser) chooser.form.requestSubmit();
  });

  document.addEventListener("click", function (event) {
    var leave = event.target.closest("[data-close]");
    var copy = event.target.closest("[data-copy]");
    if (leave) {
      event.preventDefault();
      leave.closest("details").open = false;
      leave.closest("details").querySelector("summary").focus();
    }
    if (copy) {
      var text = document.getElementById(copy.dataset.copy);
      getSelection().selectAllChildren(text);  // for who may not write to the clipboard
      if (navigator.clipboard) navigator.clipboard.writeText(text.textContent).then(function () { copy.textContent = "Copied"; });
    }
  });

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    var done = true;
    if (event.key === "/") {
      var search = document.querySelector("[type=search]");
      if (search) search.focus();
      else done = false;
    } else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (/^[a-z]$/.test(event.key)) done = press(event.key);
    else done = false;
    if (done) event.preventDefault();
  });

  // After a row was dealt with, the next one takes its place, and the keys go on there.
  var place = -1;
  document.addEventListener("htmx:beforeSwap", function () {
    place = rows().indexOf(document.activeElement && document.activeElement.closest("[data-row]"));
  });
  document.addEventListener("htmx:afterSettle", function () {
    var all = rows();
    if (place >= 0 && all.length && document.activeElement === document.body) {
      all[Math.min(place, all.length - 1)].focus();
    }
    place = -1;
  });

  // The nodes of a graph are moved by the pointer, with their lines.
  document.addEventListener("pointerdown", function (event) {
    var node = event.target.closest("[data-node]");
    if (!node) return;
    var graph = node.closest("[data-graph]");
    var line = graph.querySelector('[data-to="' + node.dataset.node + '"]');
    var toGraph = graph.getScreenCTM().inverse();
    function follow(moved) {
      var at = new DOMPoint(moved.clientX, moved.clientY).matrixTransform(toGraph);
      node.setAttribute("transform", "translate(" + (at.x - node.dataset.x) + " " + (at.y - node.dataset.y) + ")");
      line.setAttribute("x2", at.x);
      line.setAttribute("y2", at.y);
    }
    function drop() {
      document.removeEventListener("pointermove", follow);
      document.removeEventListener("pointerup", drop);
    }
    document.addEventListener("pointermove", follow);
    document.addEventListener("pointerup", drop);
    event.preventDefault();
  });

  // An answer that is a problem is told, and not put where a list stands.
  document.addEventListener("htmx:responseError", function (event) {
    var box = document.querySelector("[data-problem]");
    if (box) box.textContent = "The server answered " + event.detail.xhr.status + ". Load the page again.";
  });
  document.addEventListener("htmx:sendError", function () {
    var box = document.querySelector("[data-problem]");
    if (box) box.textContent = "The server doesn't answer. Is reverie serve running?";
  });
})();
