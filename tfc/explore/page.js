// What all columns do together.

const columns = () => state.program.columns;
const drawAll = () => columns().forEach((column) => { column.draw(); column.mark(); });

let waiting = false;
const relight = () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    columns().forEach((column) => { column.classes(); column.mark(); });
    const lit = state.hovered || state.pinned;
    for (const mark of document.querySelectorAll("#app .panel:not([hidden]) [data-lines]")) {
      const own = mark.dataset.lines ? mark.dataset.lines.split(" ").map(Number) : [];
      mark.classList.toggle("lit", Boolean(lit) && own.some((line) => lit.of.has(line)));
    }
  });
};
const light = (set) => {
  const of = set === null || set < 0 ? null : data.sets[set];
  state.hovered = of && of.length ? new Lit(of) : null;
  relight();
};
const lightLines = (of) => {
  state.hovered = of.length ? new Lit(of) : null;
  relight();
};

const pin = (of, from, at) => {
  state.pinned = of.length ? new Lit(of) : null;
  if (state.pinned) {
    for (const column of columns()) {
      if (column === from || column.element.hidden) continue;
      column.found = column.next(state.pinned, -1);
      if (column.found >= 0) column.show(column.found, at);
    }
  }
  relight();
};

const choose = (column, row, at = null) => {
  const set = column.sets[row];
  state.at = [column, row];
  column.found = row;
  pin(set < 0 ? [] : data.sets[set], column, at);
  if (set >= 0) {
    const [file, line] = lines[data.sets[set][0]];
    const head = data.programs.length > 1 ? `${state.program.key}/` : "";
    const where = file === state.program.file ? "" : `${base(file)}:`;
    try { history.replaceState(null, "", `#${head}${where}${line}`); } catch { /* about:blank */ }
  }
};

// The next row of what is pinned, in each column.
const occurrence = () => {
  if (!state.pinned) return;
  for (const column of columns()) {
    if (column.element.hidden) continue;
    const row = column.next(state.pinned, column.found ?? -1);
    if (row >= 0) { column.found = row; column.show(row); }
  }
};

// To the next line of Python that something comes from.
const walk = (step) => {
  const python = columns().find((column) => column.name === "python");
  let row = state.at && state.at[0] === python ? state.at[1] : step > 0 ? -1 : python.sets.length;
  for (row += step; row >= 0 && row < python.sets.length; row += step) {
    if (python.sets[row] >= 0) {
      python.show(row);
      choose(python, row);
      return;
    }
  }
};

const search = (words) => {
  state.words = words;
  columns().forEach((column) => column.search());
};

// The frame around.

const remembered = (key, value) => {
  try {
    if (value === undefined) return localStorage.getItem(`tfc-explore-${key}`);
    localStorage.setItem(`tfc-explore-${key}`, value);
  } catch { /* a page from a file may remember nothing */ }
  return null;
};

const app = element("div", { id: "app" });
app.style.display = "contents";
const bar = element("div", { className: "bar" });
const toggles = element("span");
const field = element("input", { type: "search", placeholder: "search   /", title: "search (/)" });
const area = element("main", { className: "columns" });
const drawer = element("div", { className: "drawer" });
const tabs = element("nav");
drawer.append(tabs);

const setTheme = (theme) => {
  document.documentElement.dataset.theme = theme;
  remembered("theme", theme);
  if (state.program) drawAll();
};

const setShown = (column, shown) => {
  column.element.hidden = !shown;
  column.element.style.display = shown ? "" : "none";
  column.button.setAttribute("aria-pressed", shown);
  remembered(`column-${column.name}`, shown ? "1" : "0");
  if (shown) { column.drawn = ""; }
  drawAll();
};

const show = (program) => {
  state.program = program;
  Object.assign(state, { hovered: null, pinned: null, at: null });
  if (!program.columns) {
    program.columns = [];
    for (const described of program.described) program.columns.push(new Column(program, described));
  }
  area.replaceChildren(...program.columns.map((column) => column.element));
  toggles.replaceChildren(...program.columns.map((column, i) => {
    const kept = remembered(`column-${column.name}`);
    const shown = kept === null ? column.shown : kept === "1";
    column.button = element("button", { textContent: column.title, title: `show or hide (${(i + 1) % 10})` });
    column.button.addEventListener("click", () => setShown(column, column.element.hidden));
    column.element.hidden = !shown;
    column.element.style.display = shown ? "" : "none";
    column.button.setAttribute("aria-pressed", shown);
    return column.button;
  }));
  panels(program);
  select.value = program.id;
  document.title = `${program.name} - tfc explorer`;
  search(field.value);
  drawAll();
};

// Scroll the columns to the kernel that a mark stands for.
const showKernel = (program, mark) => {
  const kernel = program.kernels[mark.dataset.kernel];
  if (!kernel) return;
  const starts = { llvm: new RegExp(`^define .*@${kernel.native}\\(`), asm: new RegExp(`^${kernel.native}:`) };
  for (const column of columns()) {
    const start = kernel.native && starts[column.name];
    const row = start ? column.texts.findIndex((text) => start.test(text)) : kernel[column.name] ?? -1;
    if (row >= 0 && !column.element.hidden) { column.found = row; column.show(row); }
  }
};

const panels = (program) => {
  if (!program.panels) {
    program.panels = [...document.querySelectorAll(`#${program.id} .panel`)];
    program.panels.forEach((panel) => {
      for (const mark of panel.querySelectorAll("[data-lines]")) {
        const own = mark.dataset.lines ? mark.dataset.lines.split(" ").map(Number) : [];
        if (!own.length) continue;
        mark.style.setProperty("--h", lines[own[0]][3]);
        mark.addEventListener("mouseenter", () => lightLines(own));
        mark.addEventListener("mouseleave", () => lightLines([]));
        if (own.every((line) => lines[line][2])) mark.classList.add("derived");
        const choose = () => { state.at = null; pin(own, null, null); showKernel(program, mark); };
        mark.addEventListener("click", choose);
        mark.addEventListener("focus", () => lightLines(own));
        mark.addEventListener("blur", () => lightLines([]));
        mark.addEventListener("keydown", (event) => event.key === "Enter" && choose());
        mark.tabIndex = 0;
      }
      if (panel.dataset.kind === "steps") program.stepper = new Stepper(program, panel);
    });
  }
  const buttons = program.panels.map((panel) => {
    panel.hidden = true;
    panel.style.height = remembered("drawer") || "260px";
    const button = element("button", { textContent: panel.dataset.title });
    button.addEventListener("click", () => {
      const open = panel.hidden;
      program.panels.forEach((other, i) => {
        other.hidden = !(open && other === panel);
        buttons[i].setAttribute("aria-pressed", !other.hidden);
      });
      program.stepping = open && panel.dataset.kind === "steps";
      if (program.stepping) program.stepper.go(program.stepper.now);
      relight();
      drawAll();
    });
    return button;
  });
  tabs.replaceChildren(...buttons, element("span", { className: "space" }),
    element("small", { textContent: program.about }));
  drawer.replaceChildren(tabs, ...program.panels);
};

tabs.addEventListener("pointerdown", (event) => {
  if (event.target.tagName === "BUTTON") return;
  const panel = state.program.panels.find((p) => !p.hidden);
  if (!panel) return;
  const start = panel.clientHeight;
  const move = (e) => {
    panel.style.height = `${Math.max(60, start + event.clientY - e.clientY)}px`;
    drawAll();
  };
  const stop = () => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", stop);
    remembered("drawer", panel.style.height);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", stop);
});

const help = element("dialog", { innerHTML: `<table>${[
  ["hover", "light what belongs together; striped: gradients"],
  ["click", "keep it lit, and scroll the other columns there"],
  ["j k", "to the next or last line of Python with code"],
  ["n", "to the next place of what is lit, in each column"],
  ["/ Enter", "search; to the next that was found"],
  ["1 ... 9, 0", "show or hide a column"],
  ["[ ]", "fold or unfold all"],
  ["← →", "step back or on (when Steps is open)"],
  ["i", "type the index of an element (when Steps is open)"],
  ["d", "dark or light"],
  ["Esc", "nothing is kept lit"],
].map(([key, what]) => `<tr><td><kbd>${key}</kbd></td><td>${what}</td></tr>`).join("")}</table>` });

const key = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === field) {
    if (event.key === "Enter") columns().forEach((c) => c.nextHit(event.shiftKey ? -1 : 1));
    else if (event.key === "Escape") { field.value = ""; search(""); field.blur(); }
    return;
  }
  if (event.target instanceof HTMLElement && event.target.matches("select, input[type=text]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const number = event.key === "0" ? 10 : Number(event.key);
  const program = state.program;
  const actions = {
    "/": () => field.focus(),
    "j": () => walk(1),
    "k": () => walk(-1),
    "n": occurrence,
    "d": () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
    "?": () => help.showModal(),
    "Escape": () => { state.at = null; pin([], null, null); },
    "[": () => foldAll(false),
    "]": () => foldAll(true),
    "ArrowLeft": () => program.stepping && program.stepper.go(program.stepper.now - 1),
    "ArrowRight": () => program.stepping && program.stepper.go(program.stepper.now + 1),
    "i": () => program.stepping && program.stepper.field.focus(),
  };
  if (number >= 1 && number <= columns().length) {
    const column = columns()[number - 1];
    setShown(column, column.element.hidden);
  } else if (actions[event.key]) {
    actions[event.key]();
  } else {
    return;
  }
  event.preventDefault();
};

const foldAll = (open) => {
  for (const column of columns()) {
    for (const first of column.heads.keys()) column.open.set(first, open);
    column.arrange();
  }
};

// #12, #model.py:12, #step/12
const follow = () => {
  const found = /^#(?:(.+)\/)?(?:([^/]+):)?(\d+)$/.exec(decodeURIComponent(location.hash));
  if (!found) return;
  const [, name, file, line] = found;
  const program = data.programs.find((p) => p.key === name) || state.program;
  if (program !== state.program) show(program);
  const wanted = (known) => (file ? base(known) === file : known === program.file);
  const of = lines.flatMap(([known, number], i) =>
    (number === Number(line) && wanted(known) ? [i] : []));
  const python = columns().find((column) => column.name === "python");
  const row = python.sets.findIndex((set) =>
    set >= 0 && data.sets[set].some((own) => of.includes(own)));
  if (row >= 0) {
    python.show(row);
    state.at = [python, row];
    pin(data.sets[python.sets[row]], python, null);
  }
};

const select = element("select", { title: "the function" },
  ...data.programs.map((program) => element("option", { value: program.id, textContent: program.label })));
select.addEventListener("change", () => show(data.programs.find((p) => p.id === select.value)));
field.addEventListener("input", () => search(field.value));
addEventListener("keydown", key);
addEventListener("resize", () => state.program && drawAll());
addEventListener("hashchange", follow);

const theme = element("button", { textContent: "◐", title: "dark or light (d)" });
theme.addEventListener("click", () => key({ key: "d", preventDefault() {} }));
const about = element("button", { textContent: "?", title: "keys (?)" });
about.addEventListener("click", () => help.showModal());
help.addEventListener("click", () => help.close());
bar.append(element("h1", { textContent: "tfc" }), select, toggles,
  element("span", { className: "space" }), field, theme, about);
app.append(bar, area, drawer, help);
document.body.classList.add("app");
document.body.prepend(app);
document.documentElement.dataset.theme = remembered("theme") ||
  (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
show(data.programs[0]);
follow();
document.body.dataset.ready = "1";
