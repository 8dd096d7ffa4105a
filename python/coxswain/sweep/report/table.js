// SPDX-License-Identifier: MIT
// Sorts and filters the table of points. Without this script the table is complete, in the order of the sweep.
"use strict";
(() => {
  const table = document.getElementById("points");
  if (!table) return;
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => row.cells[column].dataset.value;
  const compare = (a, b) => {
    if ((a === "") !== (b === "")) return a === "" ? 1 : -1;  // unknown values come last
    const difference = Number(a) - Number(b);
    return Number.isNaN(difference) ? a.localeCompare(b) : difference;
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const known = rows.filter(row => value(row, column) !== ""), unknown = rows.filter(row => value(row, column) === "");
      known.sort((a, b) => (descending ? -1 : 1) * compare(value(a, column), value(b, column)));
      body.append(...known, ...unknown);
    });
  });
  const filter = document.createElement("input");
  filter.id = "filter";
  filter.type = "search";
  filter.placeholder = "Rows with these words";
  filter.setAttribute("aria-label", filter.placeholder);
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const cells = [...row.cells].map(cell => cell.textContent.toLowerCase());
      row.hidden = !words.every(word => cells.some(cell => cell.includes(word)));
    }
  });
  table.parentElement.before(filter);
})();
