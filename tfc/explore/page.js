// The page of the explorer. The texts stand in <pre> elements, for browsers without scripts too;
// here they become columns of which only the rows in sight are drawn. What belongs together is
// known by numbers: each row has a set of lines of the user's (see tfc/explore/page.py).
"use strict";

(() => {
  const HEIGHT = 17; // of a row, in pixels
  const MARGIN = 12; // rows drawn beyond those in sight
  const data = JSON.parse(document.getElementById("data").textContent);
  const lines = data.lines; // [file, line, whether it is a derivative, hue]
  const PLACE = /\s+# \S+:\d+$/;
  const HEADING = /^(#|define |func |[\w.]+:$)/;

  const state = {
    program: null, // the function that is shown
    hovered: null, // the lines under the pointer
    pinned: null, // the lines that were clicked
    at: null, // [column, row] that was clicked
    words: "", // what is searched
  };

  const element = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  // A column.

  class Column {
    constructor(program, described) {
      Object.assign(this, described);
      this.program = program;
      this.texts = document.getElementById(`${program.id}-${this.name}`).textContent.split("\n");
      this.sets = new Int32Array(this.texts.length).fill(-1);
      let row = 0;
      for (let i = 0; i < this.keys.length; i += 2) {
        this.sets.fill(this.keys[i], row, row + this.keys[i + 1]);
        row += this.keys[i + 1];
      }
      this.heads = new Map(this.folds.map(([first, last, closed]) => [first, [last, closed]]));
      this.open = new Map(this.folds.map(([first, , closed]) => [first, !closed]));
      this.hits = [];
      this.current = -1; // the hit that was gone to
      this.build();
      this.arrange();
    }

    build() {
      this.window = element("div", { className: "window" });
      this.rows = element("div", { className: "rows" }, this.window);
      this.scroll = element("div", { className: "scroll", tabIndex: 0 }, this.rows);
      this.marks = element("canvas", { className: "marks" });
      this.count = element("small");
      this.header = element("header", {}, this.title, this.count);
      this.grip = element("div", { className: "grip", title: "drag to resize" });
      this.element = element("section", { className: "column" },
        this.header, this.scroll, this.marks, this.grip);
      this.element.dataset.column = this.name;
      const widest = this.texts.reduce((most, text) => Math.max(most, text.length), 0);
      this.rows.style.minWidth = `calc(${Math.min(widest, 400)}ch + 80px)`;
      this.scroll.addEventListener("scroll", () => this.draw());
      this.rows.addEventListener("mouseover", (event) => this.hover(event));
      this.rows.addEventListener("mouseleave", () => light(null));
      this.rows.addEventListener("click", (event) => this.click(event));
      this.marks.addEventListener("click", (event) => {
        const share = event.offsetY / this.marks.clientHeight;
        this.scroll.scrollTop = share * this.rows.clientHeight - this.scroll.clientHeight / 2;
      });
      this.grip.addEventListener("pointerdown", (event) => this.resize(event));
    }

    resize(event) {
      event.preventDefault();
      const start = this.element.getBoundingClientRect();
      const move = (e) => {
        this.element.style.flex = `0 0 ${Math.max(80, start.width + e.clientX - event.clientX)}px`;
        drawAll();
      };
      const stop = () => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", stop);
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", stop);
    }

    // Which rows are there: all but those in what is folded.
    arrange() {
      this.visible = [];
      for (let row = 0; row < this.texts.length; row++) {
        this.visible.push(row);
        const fold = this.heads.get(row);
        if (fold && !this.open.get(row)) row = fold[0];
      }
      this.rows.style.height = `${this.visible.length * HEIGHT}px`;
      this.drawn = "";
      this.draw();
      this.mark();
    }

    toggle(row, open = !this.open.get(row)) {
      if (!this.heads.has(row) || this.open.get(row) === open) return;
      this.open.set(row, open);
      this.arrange();
    }

    // The place of a row among those that are visible; folds around it are opened.
    placeOf(row) {
      for (const [first, [last]] of this.heads) {
        if (first < row && row <= last && !this.open.get(first)) this.toggle(first, true);
      }
      let low = 0, high = this.visible.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.visible[middle] < row) low = middle + 1; else high = middle;
      }
      return low;
    }

    draw() {
      const top = this.scroll.scrollTop;
      const height = this.scroll.clientHeight || 400;
      const first = Math.max(0, Math.floor(top / HEIGHT) - MARGIN);
      const last = Math.min(this.visible.length, Math.ceil((top + height) / HEIGHT) + MARGIN);
      const wanted = `${first} ${last} ${state.words}`;
      if (wanted === this.drawn) return;
      this.drawn = wanted;
      this.window.style.transform = `translateY(${first * HEIGHT}px)`;
      const parts = [];
      for (let i = first; i < last; i++) parts.push(this.row(this.visible[i]));
      this.window.replaceChildren(...parts);
      this.classes();
    }

    row(number) {
      const set = this.sets[number];
      const made = element("div", { className: "row" });
      made.dataset.row = number;
      const of = set < 0 ? [] : data.sets[set];
      if (of.length) {
        made.classList.add("of");
        made.style.setProperty("--h", lines[of[0]][3]);
        if (of.every((line) => lines[line][2])) made.classList.add("derived");
      }
      const text = this.texts[number];
      const shown = this.name === "python" ? text : text.replace(PLACE, "");
      if (HEADING.test(shown)) made.classList.add("heading");
      made.append(element("i", { textContent: this.name === "python" ? "" : short(of),
        title: described(of) }));
      const fold = this.heads.get(number);
      const open = this.open.get(number);
      made.append(element("b", { textContent: fold ? (open ? "▾" : "▸") : "" }));
      made.append(...marked(shown));
      if (fold && !open) {
        made.append(element("em", { textContent: ` … ${fold[0] - number} rows` }));
      }
      return made;
    }

    // What is lit now.
    classes() {
      const lit = state.hovered || state.pinned;
      for (const row of this.window.children) {
        const number = Number(row.dataset.row);
        const kind = lit ? lit.kind(this.sets[number]) : 0;
        row.classList.toggle("lit", kind === 2);
        row.classList.toggle("kin", kind === 1);
        const here = state.at && state.at[0] === this && state.at[1] === number;
        row.classList.toggle("here", Boolean(here));
      }
    }

    // The strip on the right: where what is lit, and what was found, is in the whole text.
    mark() {
      const height = this.scroll.clientHeight;
      if (!height) return;
      const canvas = this.marks;
      canvas.width = 9;
      canvas.height = height;
      canvas.style.height = `${height}px`;
      const context = canvas.getContext("2d");
      context.clearRect(0, 0, 9, height);
      const lit = state.hovered || state.pinned;
      const scale = Math.min(HEIGHT, height / Math.max(1, this.visible.length));
      const tall = Math.max(1.5, scale);
      const dark = document.documentElement.dataset.theme === "dark";
      this.visible.forEach((row, i) => {
        const kind = lit ? lit.kind(this.sets[row]) : 0;
        if (!kind) return;
        const hue = lines[data.sets[this.sets[row]][0]][3];
        context.fillStyle = `hsl(${hue} 70% ${dark ? 60 : 45}% / ${kind === 2 ? 1 : 0.35})`;
        context.fillRect(1, i * scale, 7, tall);
      });
      context.fillStyle = dark ? "#ffd84d" : "#c79a00";
      if (this.hits.length) {
        const found = new Set(this.hits);
        this.visible.forEach((row, i) => found.has(row) && context.fillRect(0, i * scale, 9, tall));
      }
    }

    hover(event) {
      const row = event.target.closest(".row");
      if (row) light(this.sets[Number(row.dataset.row)]);
    }

    click(event) {
      const row = event.target.closest(".row");
      if (!row) return;
      const number = Number(row.dataset.row);
      if (event.target.tagName === "B" && this.heads.has(number)) {
        this.toggle(number);
        return;
      }
      choose(this, number, row.getBoundingClientRect().top);
    }

    // Scroll so that a row stands at this height of the window, or a third down.
    show(row, at = null) {
      const place = this.placeOf(row);
      const box = this.scroll.getBoundingClientRect();
      const down = at === null ? box.height / 3 : at - box.top;
      this.scroll.scrollTop = place * HEIGHT - Math.max(0, Math.min(down, box.height - 2 * HEIGHT));
      this.draw();
    }

    // The next row after `after` that is of these lines; from the top where there is none.
    next(lit, after) {
      for (const wanted of [2, 1]) {
        let first = -1;
        for (let row = 0; row < this.sets.length; row++) {
          if (lit.kind(this.sets[row]) !== wanted) continue;
          if (row > after) return row;
          if (first < 0) first = row;
        }
        if (first >= 0) return first;
      }
      return -1;
    }

    search() {
      const words = state.words.toLowerCase();
      this.hits = [];
      this.current = -1;
      if (words) {
        this.texts.forEach((text, row) => text.toLowerCase().includes(words) && this.hits.push(row));
      }
      this.count.textContent = words ? `${this.hits.length} found` : "";
      this.draw();
      this.mark();
    }

    nextHit(step) {
      if (!this.hits.length) return;
      this.current = (this.current + step + this.hits.length) % this.hits.length;
      this.show(this.hits[this.current]);
      this.count.textContent = `${this.current + 1} of ${this.hits.length}`;
    }
  }

  // What is lit: the lines of a set. 2: a row of these, 1: of their derivatives, or of what
  // they are the derivatives of.
  class Lit {
    constructor(of) {
      this.of = new Set(of);
      this.near = new Set(of.map((line) => partners[line]).filter((line) => line >= 0));
      this.kinds = data.sets.map((set) => {
        if (set.some((line) => this.of.has(line))) return 2;
        return set.some((line) => this.near.has(line)) ? 1 : 0;
      });
    }
    kind(set) {
      return set < 0 ? 0 : this.kinds[set];
    }
  }
  const numbers = new Map(lines.map(([file, line, derived], i) => [`${file}:${line}:${derived}`, i]));
  const partners = lines.map(([file, line, derived]) =>
    numbers.get(`${file}:${line}:${derived ? 0 : 1}`) ?? -1);

  // Words.

  const base = (file) => file.split("/").pop();
  const short = (of) => {
    if (!of.length) return "";
    const first = lines[of[0]];
    const found = new Set(of.map((line) => lines[line][1]));
    return `${first[1]}${of.every((l) => lines[l][2]) ? "′" : ""}${found.size > 1 ? "+" : ""}`;
  };
  const described = (of) => of.map((line) => {
    const [file, number, derived] = lines[line];
    return `${derived ? "gradient of " : ""}${base(file)}:${number}`;
  }).join("\n");
  const marked = (text) => {
    const words = state.words.toLowerCase();
    if (!words || !text.toLowerCase().includes(words)) return [text];
    const parts = [];
    const lower = text.toLowerCase();
    let at = 0;
    for (let found = lower.indexOf(words); found >= 0; found = lower.indexOf(words, at)) {
      parts.push(text.slice(at, found),
        element("mark", { textContent: text.slice(found, found + words.length) }));
      at = found + words.length;
    }
    parts.push(text.slice(at));
    return parts;
  };

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
      for (const mark of document.querySelectorAll("#app [data-lines]")) {
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
      column.button = element("button", { textContent: column.title, title: `show or hide (${i + 1})` });
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
          mark.addEventListener("click", () => { state.at = null; pin(own, null, null); });
        }
        if (panel.dataset.kind === "steps") stepper(program, panel);
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
        if (program.stepping) program.step(program.now ?? 0);
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

  // Stepping through a call.
  const stepper = (program, panel) => {
    const steps = program.steps;
    const values = document.getElementById(`${program.id}-values`).textContent.split("\u001e\n");
    const slider = element("input", { type: "range", min: 0, max: steps.length - 1, value: 0 });
    const place = element("span");
    const shown = element("div", { className: "values" });
    const button = (text, title, by) => {
      const made = element("button", { textContent: text, title });
      made.addEventListener("click", () => program.step(by(program.now ?? 0)));
      return made;
    };
    panel.replaceChildren(element("div", { className: "stepper" },
      button("|◀", "to the beginning", () => 0), button("◀", "back (←)", (now) => now - 1),
      button("▶", "on (→)", (now) => now + 1), button("▶|", "to the end", () => steps.length - 1),
      slider, place), shown);
    slider.addEventListener("input", () => program.step(Number(slider.value)));
    program.step = (wanted) => {
      const now = Math.max(0, Math.min(wanted, steps.length - 1));
      program.now = now;
      slider.value = now;
      place.textContent = `step ${now} of ${steps.length - 1}`;
      const traced = program.columns.find((column) => column.name === "traced");
      traced.show(steps[now]);
      choose(traced, steps[now]);
      shown.replaceChildren(element("div", { className: "now", textContent: values[now] }),
        ...[...Array(Math.min(now, 30)).keys()].map((back) =>
          element("div", { className: "before", textContent: values[now - 1 - back] })));
    };
  };

  const help = element("dialog", { innerHTML: `<table>${[
    ["hover", "light what belongs together; striped: gradients"],
    ["click", "keep it lit, and scroll the other columns there"],
    ["j k", "to the next or last line of Python with code"],
    ["n", "to the next place of what is lit, in each column"],
    ["/ Enter", "search; to the next that was found"],
    ["1 ... 9", "show or hide a column"],
    ["[ ]", "fold or unfold all"],
    ["← →", "step back or on (when Steps is open)"],
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
    const number = Number(event.key);
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
      "ArrowLeft": () => program.stepping && program.step(program.now - 1),
      "ArrowRight": () => program.stepping && program.step(program.now + 1),
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
})();
