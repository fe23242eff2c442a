// Stepping through a call, and following one element through it.

const CHAIN_MAX = 40; // rows of what an element was computed from
const USES_MAX = 12;
const FEW = 12; // elements all along an axis that are shown one by one

class Stepper {
  constructor(program, panel) {
    this.program = program;
    this.steps = program.steps;
    this.elements = new Elements(program.elements);
    this.words = document.getElementById(`${program.id}-values`).textContent.split("\u2063\n");
    this.now = 0;
    this.position = 0; // of the chosen value among those that the step gave
    this.index = []; // of the chosen element
    this.build(panel);
  }

  build(panel) {
    const last = this.steps.length - 1;
    this.slider = element("input", { type: "range", min: 0, max: last, value: 0, title: "step" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.place = element("span");
    this.field = element("input", { type: "text", className: "index", title: "the index of an element (i)",
      placeholder: "0, 0" });
    this.field.addEventListener("change", () => this.typed());
    this.field.addEventListener("keydown", (event) => event.key === "Enter" && this.typed());
    const button = (text, title, to) => {
      const made = element("button", { textContent: text, title });
      made.addEventListener("click", () => this.go(to()));
      return made;
    };
    this.current = element("div", { className: "now" });
    this.table = element("div", { className: "elements" });
    this.chain = element("div", { className: "chain" });
    this.earlier = element("div", { className: "earlier" });
    panel.replaceChildren(
      element("div", { className: "stepper" },
        button("|◀", "to the beginning", () => 0), button("◀", "back (←)", () => this.now - 1),
        button("▶", "on (→)", () => this.now + 1), button("▶|", "to the end", () => last),
        this.slider, this.place, element("label", {}, "element ", this.field)),
      element("div", { className: "values" }, this.current),
      element("div", { className: "following" }, this.table, this.chain),
      element("div", { className: "values" }, this.earlier));
  }

  // To a step, and to an element of what it gave: without one, to that which the chosen one goes
  // into or comes from.
  go(wanted, position = 0, index = null) {
    const to = Math.max(0, Math.min(wanted, this.steps.length - 1));
    if (index === null && to !== this.now && this.elements.made[this.now].length) {
      const here = [this.now, this.position, this.index];
      const near = to > this.now ? this.elements.uses(...here) : this.elements.sources(...here);
      const followed = near.find((of) => of.step === to && of.index && !of.index.includes(null));
      if (followed) ({ position, index } = followed);
    }
    this.now = to;
    this.slider.value = this.now;
    this.place.textContent = `step ${this.now} of ${this.steps.length - 1}`;
    const traced = this.program.columns.find((column) => column.name === "traced");
    traced.show(this.steps[this.now]);
    choose(traced, this.steps[this.now]);
    this.choose(position, index);
    this.current.textContent = this.words[this.now];
    this.earlier.replaceChildren(...[...Array(Math.min(this.now, 30)).keys()].map((back) =>
      element("div", { className: "before", textContent: this.words[this.now - 1 - back] })));
  }

  // Choose an element of what this step gave; without an index the one chosen before, if there is
  // one at the same place, or the first.
  choose(position, index = null) {
    const made = this.elements.made[this.now];
    this.position = Math.min(position, made.length - 1);
    if (!made.length) {
      this.index = [];
      this.field.disabled = true;
      this.table.replaceChildren();
      this.chain.replaceChildren();
      return;
    }
    const { shape } = this.elements.value(this.now, this.position);
    const wanted = index || this.index;
    const fits = wanted.length === shape.length && wanted.every((i, axis) => i !== null && i < shape[axis]);
    this.index = fits ? wanted : shape.map((_, axis) => (index && index[axis]) || 0);
    this.field.disabled = !shape.length;
    this.field.value = this.index.join(", ");
    this.show();
  }

  typed() {
    const { shape } = this.elements.value(this.now, this.position);
    const wanted = this.field.value.split(/[^0-9]+/).filter(Boolean).map(Number);
    const fits = wanted.length === shape.length && wanted.every((i, axis) => i < shape[axis]);
    this.field.classList.toggle("wrong", !fits);
    if (!fits) return;
    this.choose(this.position, wanted);
  }

  show() {
    this.field.classList.remove("wrong");
    const made = this.elements.made[this.now];
    this.table.replaceChildren(...made.map((_, position) => this.grid(position)));
    const { name, shape } = this.elements.value(this.now, this.position);
    if (shape.includes(0)) {
      this.chain.replaceChildren();
      return;
    }
    const here = { step: this.now, position: this.position, index: this.index };
    const from = this.elements.chain(this.now, this.position, this.index, CHAIN_MAX + 1);
    const uses = this.elements.uses(this.now, this.position, this.index);
    const rest = uses.length - USES_MAX;
    this.chain.replaceChildren(
      element("div", { className: "chosen" }, this.link(here)),
      element("div", { className: "title", textContent: from.length ? "computed from" : `${name} was computed from nothing else` }),
      ...from.map((of) => this.link(of)),
      ...(uses.length ? [element("div", { className: "title", textContent: "goes into" })] : []),
      ...uses.slice(0, USES_MAX).map((of) => this.link(of)),
      ...(rest > 0 ? [element("div", { className: "title", textContent: `and ${rest} more` })] : []));
  }

  // The elements of a value that the page has, of the last two axes.
  grid(position) {
    const { name, shape, extents } = this.elements.value(this.now, position);
    const index = position === this.position ? this.index : shape.map(() => 0);
    const rank = shape.length;
    if (!rank || shape.includes(0)) return element("div");
    const outside = index.slice(0, -2).some((i, axis) => i >= extents[axis]);
    const leading = outside ? index.slice(0, -2).map(() => 0) : index.slice(0, -2);
    const [height, width] = rank === 1 ? [1, extents[0]] : extents.slice(-2);
    const body = element("table", { className: "grid" });
    const whole = extents.every((extent, axis) => extent === shape[axis]);
    const shown = [...leading, ...(rank > 1 ? [null] : []), null];
    body.createCaption().textContent = `${name}${rank > 2 ? indexText(shown) : ""} of `
      + `[${shape.join(", ")}]${whole ? "" : `, the first [${extents.join(", ")}]`}`;
    const head = body.createTHead().insertRow();
    head.append(element("th"), ...[...Array(width).keys()].map((j) => element("th", { textContent: j })));
    const rows = body.createTBody();
    for (let i = 0; i < height; i++) {
      const row = rows.insertRow();
      row.append(element("th", { textContent: rank > 1 ? i : "" }));
      for (let j = 0; j < width; j++) {
        const own = [...leading, ...(rank > 1 ? [i] : []), j];
        const cell = row.insertCell();
        cell.textContent = this.elements.text(this.now, position, own);
        cell.classList.toggle("chosen", position === this.position && own.every((k, axis) => k === index[axis]));
        cell.addEventListener("click", () => this.choose(position, own));
      }
    }
    return element("div", {}, body);
  }

  // A line about an element of another step, which leads there.
  link({ step, position, index }) {
    const { name, shape, extents } = this.elements.value(step, position);
    const of = this.words[step].split("\n")[position] || "";
    const known = index && !index.includes(null);
    const text = index && this.elements.texts(step, position, index, FEW);
    const about = of.slice(of.indexOf(" = ") + 3);
    const what = text ? `${name}${indexText(index)} = ${text}`
      : known ? `${name}${indexText(index)}: the page has the first [${extents.join(", ")}] of [${shape.join(", ")}]:  ${about}`
        : `${name}${index ? indexText(index) : ""}:  ${about}`;
    const made = element("button", { className: "link", title: `to step ${step}` },
      element("small", { textContent: `step ${step}` }), ` ${what}`,
      element("small", { textContent: `  ${this.origin(step)}` }));
    made.addEventListener("click", () => this.go(step, position, known ? index : index && index.map((i) => i || 0)));
    return made;
  }

  // What a step is: its op and its line.
  origin(step) {
    const traced = this.program.columns.find((column) => column.name === "traced");
    const text = traced.texts[this.steps[step]].trim();
    const op = / = (\w+)/.exec(text);
    const place = PLACE.exec(text);
    return `${op ? op[1] : ""}${place ? place[0] : ""}`.replace(/\s+/g, " ");
  }
}
