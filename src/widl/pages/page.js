// Sorts tables by their columns, and outputs by the difference of two systems. Without it everything is there,
// in the order of the results.
addEventListener("DOMContentLoaded", () => {
  const value = (row, column) => {
    const cell = row.children[column];
    return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;  // what has no figure comes last
    return a.localeCompare(b);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const order = [...body.rows];
    const heads = [...table.tHead.rows[0].cells].filter((head) => head.querySelector("button"));
    heads.forEach((head) => {
      const button = head.querySelector("button");
      const column = Number(button.dataset.cell);
      button.addEventListener("click", () => {
        // Figures from the highest down first, names from a to z, then the other way round, then as they were.
        const figures = order.some((row) => row.children[column].dataset.value !== undefined);
        const directions = figures ? ["descending", "ascending", null] : ["ascending", "descending", null];
        const next = directions[(directions.indexOf(head.getAttribute("aria-sort")) + 1) % 3];
        for (const other of heads) other.removeAttribute("aria-sort");
        if (next === null) return body.append(...order);
        head.setAttribute("aria-sort", next);
        const sign = next === "ascending" ? 1 : -1;
        body.append(...[...order].sort((a, b) => {
          const [x, y] = [value(a, column), value(b, column)];
          return typeof x === typeof y ? sign * compare(x, y) : compare(x, y);
        }));
      });
    });
  }
  for (const section of document.querySelectorAll("section.samples")) {
    const scores = JSON.parse(section.querySelector("script").textContent);
    const list = section.querySelector(".list");
    const articles = [...list.children];
    const [metric, first, second] = ["metric", "first", "second"].map((name) => section.querySelector(`.${name}`));
    const arrange = () => {
      const of = scores[metric.value];
      const difference = (article) =>
        of ? of[second.value][article.dataset.row] - of[first.value][article.dataset.row] : 0;
      list.append(...[...articles].sort((a, b) => difference(b) - difference(a) || a.dataset.row - b.dataset.row));
    };
    for (const select of [metric, first, second]) select.addEventListener("change", arrange);
    section.querySelector(".gone").addEventListener("change", (event) => {
      list.classList.toggle("with-gone", event.target.checked);
    });
  }
  for (const box of document.querySelectorAll(".controls .differing")) {
    const list = box.closest(".controls").parentElement.querySelector(".list");
    box.addEventListener("change", () => {
      for (const article of list.children) article.hidden = box.checked && article.dataset.same === "1";
    });
  }
});
