// The workbench's page: asks for views and shows them. A saved page has its views, and steps, within itself.

const $ = (id) => document.getElementById(id);
const rooms = ["search", "expression", "translation", "headline"];
const saved = $("saved") ? JSON.parse($("saved").textContent).steps : null;
const state = { room: document.body.dataset.room, step: Number($("step")?.value ?? 0), forced: [] };
let playing = null;

// --- what to see ---

function choices() {
  return [...document.querySelectorAll(".choice")].map((set) => {
    const choice = {};
    for (const field of set.querySelectorAll("[name]"))
      choice[field.name] = field.type === "number" ? Number(field.value) : field.value;
    return choice;
  }).filter((choice) => choice.search);
}

function weights() {
  return Object.fromEntries([...document.querySelectorAll("[data-weight]")].map((slider) => [slider.dataset.weight, Number(slider.value)]));
}

function request() {
  const wanted = { room: state.room, expression: $("expression-text").value };
  if (state.room === "search") {
    const space = document.querySelector("[name=space]:checked").value;
    Object.assign(wanted, { space, searches: choices(), step: state.step, string: $("string").value });
    if (space === "line") wanted.line = $("search-line").value;
    else wanted.expression = $("search-expression").value;
  }
  if (state.room === "translation" && $("line")) Object.assign(wanted, { line: $("line").value, weights: weights(), forced: state.forced });
  if (state.room === "headline" && $("document")) Object.assign(wanted, { document: $("document").value, budget: Number($("budget").value), bytes: Number($("bytes").value) });
  return wanted;
}

// --- one request at a time; while it runs, only the newest of those that follow waits ---

let running = false, waiting = false;

async function post(place, wanted) {
  return fetch(place, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wanted) });
}

async function show() {
  if (saved) return showSaved();
  if (running) { waiting = true; return; }
  running = true;
  const busy = setTimeout(() => { $("busy").hidden = false; }, 400);
  const wanted = request();
  try {
    const answer = await post("view", wanted);
    const found = await answer.json();
    if (wanted.room !== state.room) waiting = true;
    else if (answer.ok) showViews(found);
    else showError(found.error);
  } catch {
    showError("The workbench does not answer; is widl explore still running?");
  } finally {
    running = false;
    clearTimeout(busy);
    $("busy").hidden = true;
    if (waiting) { waiting = false; show(); }
  }
}

let timer = null;
function soon(milliseconds = 200) {
  clearTimeout(timer);
  timer = setTimeout(show, milliseconds);
}

function showViews(found) {
  showError("");
  document.title = `${found.title} · widl explore`;
  for (const [place, html] of Object.entries(found.html)) replace(place, html);
  if (found.steps) setSteps(found.steps);
  announce();
}

// What is new, in a sentence or two, for screen readers: what the searches just did, a translation, an expression's size.
function announce() {
  const place = $(`${state.room ?? "search"}-view`);
  if (!place) return;
  const parts = state.room === "expression"
    ? [...place.querySelectorAll(".counts div")].map((one) => `${one.children[0].textContent}: ${one.children[1].textContent}`)
    : [...place.querySelectorAll(".said, .output")].map((one) => `${one.closest(".panel")?.ariaLabel ?? ""} ${one.textContent}`);
  $("told").textContent = parts.join(" ").replace(/\s+/g, " ");
}

// Keeps the focus where it was: in the new button that stands for the same thing.
function replace(place, html) {
  const target = $(place), held = target.contains(document.activeElement) ? document.activeElement : null;
  const scrolled = [...target.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
  target.innerHTML = html;
  [...target.querySelectorAll(".scroll")].forEach((one, i) => { one.scrollLeft = scrolled[i] ?? 0; });
  for (const name of ["goto", "force"])
    if (held?.dataset[name]) target.querySelector(`[data-${name}="${CSS.escape(held.dataset[name])}"]`)?.focus();
}

function showError(text) {
  const fault = $("expression-error"), error = $("error");
  const own = state.room === "expression" && text;
  if (fault) { fault.hidden = !own; fault.textContent = own ? text : ""; }
  $("expression-text")?.setAttribute("aria-invalid", Boolean(own));
  $(`${state.room}-view`)?.classList.toggle("old", Boolean(text));  // what it shows is of before
  if (error) { error.hidden = !text || own; error.textContent = own ? "" : text; }
}

// --- steps ---

function setSteps(count) {
  const slider = $("step"), last = count - 1;
  slider.max = last;
  if (state.step > last) state.step = last;
  slider.value = state.step;
  $("step-shown").textContent = `${state.step} of ${last}`;
  if (state.step >= last) stop();
}

function goTo(step) {
  if (!$("step")) return;  // a saved page without its steps
  state.step = Math.max(0, Math.min(Number($("step").max), step));
  $("step").value = state.step;
  $("step-shown").textContent = `${state.step} of ${$("step").max}`;
  show();
}

function stop() {
  clearInterval(playing);
  playing = null;
  const button = document.querySelector("[data-step=play]");
  if (button) { button.setAttribute("aria-pressed", "false"); button.textContent = "Play"; }
}

function play() {
  if (playing) return stop();
  if (state.step >= Number($("step").max)) goTo(0);
  const button = document.querySelector("[data-step=play]");
  button.setAttribute("aria-pressed", "true");
  button.textContent = "Pause";
  const many = Number($("step").max) / 60;
  playing = setInterval(() => {
    if (state.step >= Number($("step").max)) stop();
    else if (!running) goTo(state.step + Math.max(1, Math.round(many)));
  }, 700);
}

const moves = {
  first: () => goTo(0), back: () => goTo(state.step - 1), next: () => goTo(state.step + 1),
  last: () => goTo(Number($("step").max)), play,
};

function showSaved() {
  for (const [place, html] of Object.entries(saved[state.step] ?? {})) replace(place, html);
  announce();
  if (state.step >= saved.length - 1) stop();
}

// --- rooms ---

function open(room) {
  state.room = room;
  stop();
  for (const name of rooms) {
    $(name).hidden = name !== room;
    $(`tab-${name}`).setAttribute("aria-selected", String(name === room));
    $(`tab-${name}`).tabIndex = name === room ? 0 : -1;
  }
  show();
}

function shownFields() {
  for (const set of document.querySelectorAll(".choice")) {
    const search = set.querySelector("[name=search]").value;
    for (const label of set.querySelectorAll("[data-for]")) label.hidden = !label.dataset.for.split(" ").includes(search);
  }
}

async function save() {
  const answer = await post("save", request());
  if (!answer.ok) return showError((await answer.json()).error);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `widl-${state.room}.html`;
  link.click();
  URL.revokeObjectURL(link.href);
}

// --- what people do ---

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { step, goto, insert, open: next, force, unforce } = button.dataset;
  if (step) { if (step !== "play") stop(); moves[step](); }
  else if (goto !== undefined) { stop(); goTo(Number(goto)); }
  else if (insert) insertText($("expression-text"), insert);
  else if (next) searchFor(next);
  else if (saved) return;
  else if (force) { state.forced = [...state.forced.filter((one) => apart(one, JSON.parse(force))), JSON.parse(force)]; show(); }
  else if (unforce) { state.forced.splice(Number(unforce), 1); show(); }
  else if (button.id === "save") save();
  else if (button.id === "reset") reset();
  else if (button.role === "tab") open(button.id.slice(4));
});

function apart(one, other) { return one.end <= other.begin || other.end <= one.begin; }

function insertText(field, text) {
  const [before, after] = [field.value.slice(0, field.selectionStart), field.value.slice(field.selectionEnd)];
  field.value = before + text + after;
  const at = before.length + text.indexOf("(") + 1;
  field.focus();
  field.setSelectionRange(at, at);
  soon();
}

function searchFor(what) {
  const line = what === "search-line";
  if (line) $("search-line").value = $("line").value;
  else $("search-expression").value = $("expression-text").value;
  document.querySelector(`[name=space][value=${line ? "line" : "expression"}]`).checked = true;
  state.step = 0;
  open("search");
}

function reset() {
  state.forced = [];
  for (const slider of document.querySelectorAll("[data-weight]")) {
    slider.value = slider.dataset.default;
    slider.nextElementSibling.textContent = Number(slider.value).toFixed(2);
  }
  show();
}

function edited(field) {
  if (field.id === "step") { stop(); return goTo(Number(field.value)); }
  if (field.dataset.weight) { field.nextElementSibling.textContent = Number(field.value).toFixed(2); return show(); }
  if (field.id === "example") {
    if (!field.value) return undefined;
    $("expression-text").value = field.value;
    $("example-about").textContent = field.selectedOptions[0].dataset.about;
    return show();
  }
  if (field.id === "line") state.forced = [];
  if (field.closest("#search-form")) { if (field.id !== "string") state.step = 0; shownFields(); }
  if (field.id === "search-expression") document.querySelector("[name=space][value=expression]").checked = true;
  if (field.id === "search-line") document.querySelector("[name=space][value=line]").checked = true;
  return soon(field.id === "document" ? 500 : 250);
}

document.addEventListener("input", (event) => { if (event.target.tagName !== "SELECT") edited(event.target); });
document.addEventListener("change", (event) => { if (event.target.tagName === "SELECT") edited(event.target); });

document.addEventListener("keydown", (event) => {
  const tab = event.target.closest?.("[role=tab]");
  if (tab && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    const move = event.key === "ArrowRight" ? 1 : rooms.length - 1;
    const room = rooms[(rooms.indexOf(state.room) + move) % rooms.length];
    open(room);
    $(`tab-${room}`).focus();
  }
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!("forceForm" in event.target.dataset)) return;
  const given = new FormData(event.target);
  const one = { begin: Number(given.get("begin")), end: Number(given.get("end")) + 1, words: given.get("words") };
  state.forced = [...state.forced.filter((other) => apart(one, other)), one];
  show();
});
if (!saved) { shownFields(); show(); }
