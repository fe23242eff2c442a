// The elements of the values of a call (see elements.py): which of them the page has, what each was
// computed from, and what was computed from it.

const ARRAYS = { f: Float32Array, d: Float64Array, i: Int32Array, b: Uint8Array };

class Elements {
  constructor({ names, made, reads, paths }) {
    Object.assign(this, { names, made, reads, paths });
    this.makers = names.map(() => []); // of each value, the steps that gave it: [step, position]
    made.forEach((values, step) => values.forEach(([number], position) =>
      this.makers[number].push([step, position])));
    this.boxes = new Map();
  }

  // What a step gave: its name, its shape, and the elements that the page has of it.
  value(step, position) {
    const [number, shape, extents, kind, coded] = this.made[step][position];
    const key = `${step} ${position}`;
    if (!this.boxes.has(key)) this.boxes.set(key, kind ? decoded(kind, coded) : coded);
    return { name: this.names[number], shape, extents, kind, box: this.boxes.get(key) };
  }

  // An element as text; null where the page does not have it.
  text(step, position, index) {
    const { extents, kind, box } = this.value(step, position);
    if (index.some((i, axis) => i === null || i >= extents[axis])) return null;
    const x = box[linear(index, extents)];
    if (!kind) return x;
    if (kind === "b") return x ? "True" : "False";
    return Number.isFinite(x) ? String(Number(x.toPrecision(kind === "f" ? 7 : 15)))
      : String(x).replace("Infinity", "inf").replace("NaN", "nan");
  }

  // A few elements as text, where `index` has null for all along an axis; null where the page does
  // not have them all, or there are more than a few.
  texts(step, position, index, most) {
    const { shape } = this.value(step, position);
    const wanted = shape.map((extent, axis) => (index[axis] === null ? extent : 1));
    const count = wanted.reduce((a, b) => a * b, 1);
    if (!count || count > most) return null;
    const found = [...Array(count).keys()].map((at) => this.text(step, position,
      unlinear(at, wanted).map((i, axis) => (index[axis] === null ? i : index[axis]))));
    return found.includes(null) ? null : found.join(", ");
  }

  // The last step before another one that gave a value.
  before(number, step) {
    return this.makers[number].findLast(([at]) => at < step) || null;
  }

  // What an element was computed from: { step, position, index }, where null in the index stands
  // for all along that axis; index null: where it was read depends on more than the index.
  sources(step, position, index) {
    const { shape } = this.value(step, position);
    return this.paths[this.reads[step]].flatMap(([result, number, maps]) => {
      const from = result < 0 || result === position ? this.before(number, step) : null;
      if (!from) return [];
      const inner = this.value(...from).shape;
      const read = sourceIndex(maps, index, shape, inner);
      return read === undefined ? [] : [{ step: from[0], position: from[1], index: read }];
    });
  }

  // What was computed from an element: the first element of each result, where several were.
  uses(step, position, index) {
    const number = this.made[step][position][0];
    const next = this.makers[number].find(([at]) => at > step);
    const found = [];
    const end = next ? next[0] : this.made.length - 1;
    for (let at = step + 1; at <= end; at++) {
      const read = this.paths[this.reads[at]].find(([, of]) => of === number);
      if (!read) continue;
      const to = Math.max(0, read[0]);
      const { shape } = this.value(at, to);
      const inner = this.value(step, position).shape;
      const reached = resultIndex(read[2], index, shape, inner);
      if (reached !== undefined) found.push({ step: at, position: to, index: reached });
    }
    return found;
  }

  // All that an element was computed from, one after the other, last first.
  chain(step, position, index, most) {
    const seen = new Map();
    const waiting = [{ step, position, index }];
    while (waiting.length && seen.size < most) {
      waiting.sort((a, b) => b.step - a.step);
      const from = waiting.shift();
      const key = `${from.step} ${from.position} ${from.index}`;
      if (seen.has(key)) continue;
      seen.set(key, from);
      if (from.index && !from.index.includes(null)) waiting.push(...this.sources(from.step, from.position, from.index));
    }
    return [...seen.values()].slice(1);
  }
}

const decoded = (kind, coded) => {
  const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
  return new ARRAYS[kind](bytes.buffer);
};

const linear = (index, shape) => index.reduce((at, i, axis) => at * shape[axis] + i, 0);

const unlinear = (at, shape) => {
  const index = [];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index.unshift(at % shape[axis]);
    at = Math.floor(at / shape[axis]);
  }
  return index;
};

// Where an operand of shape `inner` is read for the element at `index` of a result: an index with
// null for all along an axis; null: that is not known; undefined: nowhere.
const sourceIndex = (maps, index, shape, inner) => {
  if (maps === null) return null;
  if (maps === "reshape") return unlinear(linear(index, shape), inner);
  if (maps === "same") return inner.map((_, axis) => (axis < index.length ? index[axis] : null));
  const found = [];
  for (const [axis, stride, offset, step, inside] of maps) {
    if (axis !== null && axis >= index.length) {
      found.push(null);
      continue;
    }
    const place = (axis === null ? 0 : stride * index[axis]) + offset;
    if (inside !== null && (place < 0 || place % step || place / step >= inside)) return undefined;
    found.push(Math.floor(place / step));
  }
  return found;
};

// The first element of a result that reads the element of an operand at `index`; null: that is not
// known; undefined: there is none.
const resultIndex = (maps, index, shape, inner) => {
  if (maps === null) return null;
  if (maps === "reshape") return unlinear(linear(index, inner), shape);
  if (maps === "same") return shape.map((_, axis) => index[axis] ?? 0);
  const found = shape.map(() => 0);
  for (const [i, [axis, stride, offset, step]] of maps.entries()) {
    if (axis === null || axis >= shape.length) continue;
    const place = (index[i] * step - offset) / stride;
    if (!Number.isInteger(place) || place < 0 || place >= shape[axis]) return undefined;
    found[axis] = place;
  }
  return found;
};

const indexText = (index) => index.length ? `[${index.map((i) => (i === null ? ":" : i)).join(", ")}]` : "";
