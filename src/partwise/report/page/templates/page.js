"use strict";
(() => {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

  // Words are compared without case and in one normal form of Unicode.
  const plain = (text) => text.normalize("NFC").toLowerCase();

  function keysOf(rows, column, numeric) {
    return new Map(
      rows.map((row) => {
        const cell = row.cells[column];
        const value = cell.dataset.value;
        return [row, numeric ? (value ? Number(value) : NaN) : cell.textContent.trim()];
      }),
    );
  }

  // Cells without a number stay last, equal ones in the order shown first.
  function compare(a, b, numeric, sign) {
    if (!numeric) return sign * collator.compare(a, b);
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return sign * (a - b);
  }

  function start(listing) {
    const table = listing.querySelector("table");
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const controls = listing.querySelector(".controls");
    const search = controls.querySelector("input");
    const kind = controls.querySelector("select");
    const open = controls.querySelector(".open");
    const state = controls.querySelector(".state");
    const noun = listing.dataset.noun;
    const texts = new Map();
    const textOf = (row) => {
      if (!texts.has(row)) texts.set(row, plain(row.textContent));
      return texts.get(row);
    };
    let order = "";

    function tell() {
      const shown = rows.filter((row) => !row.hidden).length;
      state.textContent = `${shown} of ${rows.length} ${noun} shown${order}`;
    }

    function filter() {
      const words = plain(search.value).split(/\s+/).filter(Boolean);
      const wanted = kind ? kind.value : "";
      for (const row of rows) {
        const matches = !wanted || row.dataset.kind === wanted;
        row.hidden = !(matches && words.every((word) => textOf(row).includes(word)));
      }
      tell();
    }

    function sort(head, column, numeric, button) {
      const before = head.getAttribute("aria-sort");
      const down = before ? before === "ascending" : numeric;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keys = keysOf(rows, column, numeric);
      const sign = down ? -1 : 1;
      const sorted = [...rows].sort((a, b) => compare(keys.get(a), keys.get(b), numeric, sign));
      body.append(...sorted);
      order = `, sorted by ${button.textContent}, ${down ? "largest" : "smallest"} first`;
      if (!numeric) order = `, sorted by ${button.textContent}, ${down ? "Z to A" : "A to Z"}`;
      tell();
    }

    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.classList.contains("unsorted")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      const arrow = document.createElement("span");
      arrow.setAttribute("aria-hidden", "true");
      button.append(arrow);
      const numeric = head.classList.contains("number");
      button.addEventListener("click", () => sort(head, column, numeric, button));
      // Browsers do not repeat buttons at the top of each printed page.
      const printed = document.createElement("span");
      printed.className = "printed";
      printed.textContent = head.textContent;
      head.replaceChildren(button, printed);
    });

    let waiting = 0;
    search.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(filter, 120);
    });
    if (kind) kind.addEventListener("change", filter);
    if (!body.querySelector("details")) open.remove();
    open.addEventListener("click", () => {
      const opened = open.getAttribute("aria-pressed") !== "true";
      open.setAttribute("aria-pressed", String(opened));
      for (const one of body.querySelectorAll("details")) one.open = opened;
    });
    controls.hidden = false;
    tell();
  }

  for (const listing of document.querySelectorAll(".listing")) start(listing);
})();
