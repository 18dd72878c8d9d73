// A slider for every number of [parameters].
const { el } = window.precess;
const MOST = 16;

/** Smallest and largest value, and whether only whole numbers make sense (counts). */
export function range(v) {
  if (Number.isInteger(v) && v >= 2 && v <= 60) return { low: 1, high: 2 * v, step: 1 };
  const [low, high] = v > 0 ? [0, 2 * v] : v < 0 ? [2 * v, 0] : [-1, 1];
  return { low, high, step: (high - low) / 400 };
}

export class Sliders {
  /** `moved()` is called when a value changes. */
  constructor(host, moved) {
    Object.assign(this, { host, moved });
    this.reset();
  }

  /** No values of a model that is gone. */
  reset() {
    Object.assign(this, { values: {}, given: {}, shown: "[]" });
    this.host.replaceChildren();
  }

  /** As words of the simulator. */
  overrides() {
    return Object.entries(this.values).map(([name, x]) => `parameters.${name}=${x}`);
  }

  /**
   * Shows names, values and units of the text. While they are the same the sliders stay as they are, and may be held. Where the text
   * has changed, the text counts: true if a value of a slider was dropped.
   */
  show(list) {
    const shown = JSON.stringify(list);
    if (shown === this.shown) return false;
    this.shown = shown;
    const given = Object.fromEntries(list.map(([name, x, unit]) => [name, x + unit]));
    const stale = Object.keys(this.values).filter(n => given[n] !== this.given[n]);
    for (const n of stale) delete this.values[n];
    this.given = given;
    this.host.replaceChildren(...list.slice(0, MOST).map(p => this.slider(...p)));
    return stale.length > 0;
  }

  slider(name, v, unit) {
    const { low, high, step } = range(v), input = el("input"), output = el("output");
    const write = x => output.textContent = String(+(+x).toPrecision(4)) + (unit === "deg" ? "°" : "");
    Object.assign(input, { type: "range", min: low, max: high, step, title: "double click: as in the text", ariaLabel: name });
    const set = x => {
      input.value = x;
      write(x);
    };
    set(this.values[name] === undefined ? v : Number.parseFloat(String(this.values[name]).replace('"', "")));
    input.oninput = () => {
      this.values[name] = unit ? `"${input.value} ${unit}"` : +input.value;
      write(input.value);
      this.moved();
    };
    input.ondblclick = () => {
      delete this.values[name];
      set(v);
      this.moved();
    };
    return el("label", "", "", el("span", "", name), input, output);
  }
}

/** The text with the values of sliders in its lines `name = number` of [parameters]. */
export function written(text, values) {
  let inside = false;
  return text.split("\n").map(line => {
    const table = /^\s*\[+\s*([^\]]+?)\s*\]/.exec(line);
    if (table) inside = table[1] === "parameters";
    const found = inside && /^(\s*["']?([\w-]+)["']?\s*=\s*)([^#]*?)(\s*(?:#.*)?)$/.exec(line);
    return found && found[2] in values ? found[1] + values[found[2]] + found[4] : line;
  }).join("\n");
}
