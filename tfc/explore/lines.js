// The page of the explorer: what its scripts share. The texts stand in <pre> elements, for browsers
// without scripts too; here they become columns of which only the rows in sight are drawn. What
// belongs together is known by numbers: each row has a set of lines of the user's (see page.py, which
// puts these files one after the other into one function).

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
