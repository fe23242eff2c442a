// A column of which only the rows in sight are drawn.

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
    this.element.setAttribute("aria-label", this.title);
    this.scroll.setAttribute("aria-label", this.title);
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
    this.place = new Int32Array(this.texts.length).fill(-1); // of each row among the visible
    this.visible.forEach((row, i) => { this.place[row] = i; });
    this.strip = null;
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
    made.append(element("i", { textContent: this.name === "python" ? "" : short(of) }));
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
    if (canvas.height !== height) {
      canvas.width = 9;
      canvas.height = height;
      canvas.style.height = `${height}px`;
      this.strip = null;
    }
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, 9, height);
    const scale = Math.min(HEIGHT, height / Math.max(1, this.visible.length));
    const tall = Math.max(1.5, scale);
    const dark = document.documentElement.dataset.theme === "dark";
    const lit = state.hovered || state.pinned;
    if (lit) {
      for (const [at, sets] of this.pixels(scale)) {
        const kind = Math.max(...sets.map((set) => lit.kind(set)));
        if (!kind) continue;
        const hue = lines[data.sets[sets.find((set) => lit.kind(set) === kind)][0]][3];
        context.fillStyle = `hsl(${hue} 70% ${dark ? 60 : 45}% / ${kind === 2 ? 1 : 0.35})`;
        context.fillRect(1, at, 7, tall);
      }
    }
    context.fillStyle = dark ? "#ffd84d" : "#c79a00";
    let last = -1;
    for (const row of this.hits) {
      const at = this.place[row] * scale;
      if (at >= 0 && Math.round(at) !== last) context.fillRect(0, at, 9, tall);
      last = Math.round(at);
    }
  }

  // The strip by heights, each with the sets of the rows that are there: there are as many heights
  // as pixels at most, however many rows.
  pixels(scale) {
    if (!this.strip) {
      const found = new Map();
      this.visible.forEach((row, i) => {
        const set = this.sets[row];
        if (set < 0) return;
        const at = scale < 1 ? Math.floor(i * scale) : i * scale;
        const sets = found.get(at);
        if (!sets) found.set(at, [set]);
        else if (sets[sets.length - 1] !== set && !sets.includes(set)) sets.push(set);
      });
      this.strip = [...found];
    }
    return this.strip;
  }

  hover(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    const set = this.sets[Number(row.dataset.row)];
    row.firstChild.title = set < 0 ? "" : described(data.sets[set]);
    light(set);
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
      this.lower ??= this.texts.map((text) => text.toLowerCase());
      this.lower.forEach((text, row) => text.includes(words) && this.hits.push(row));
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
