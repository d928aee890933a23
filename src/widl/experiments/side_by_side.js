// Sorts the rows of the page and hides those in which the outputs are equal.
addEventListener("DOMContentLoaded", () => {
  const main = document.querySelector("main");
  const rows = [...document.querySelectorAll("article")];
  const buttons = document.querySelectorAll("button[data-key]");
  let chosen = "", direction = 1;
  for (const button of buttons) button.addEventListener("click", () => {
    const key = button.dataset.key;
    direction = key === chosen ? -direction : (key === "number" || key === "length" ? 1 : -1);
    chosen = key;
    for (const other of buttons) other.classList.toggle("chosen", other === button);
    rows.sort((a, b) => direction * (a.dataset[key] - b.dataset[key]) || a.dataset.number - b.dataset.number);
    main.append(...rows);
  });
  document.querySelector("#differing").addEventListener("change", (event) => {
    for (const row of rows) row.hidden = event.target.checked && row.dataset.same === "1";
  });
});
