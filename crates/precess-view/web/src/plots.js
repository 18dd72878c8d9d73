// Curves beside the picture; their cursor is the time.
import uPlot from "uplot";
import { moment } from "./data.js";
import { el } from "./dom.js";
import { PALETTE } from "./theme.js";

const FONT = "11px system-ui, sans-serif";
const MOST_POINTS = 1500;
const MOST_LINES = 6;
/** Bodies and joints whose motion can be chosen. */
const MOST_CHOICES = 200;

/** Panels that are shown at first. */
const SHOWN_FIRST = 10;

/**
 * What can be drawn of a scene: a panel per sensor, one for the forces of the joints, and on demand the motion of every
 * body and the components of every joint. Their lines are made when they are drawn.
 */
function panels(scene) {
  const list = scene.curves.map(c => ({
    name: c.name, unit: c.unit, lines: () => c.values.map((values, i) => ({ name: c.parts.length > 1 ? c.parts[i] : "", values })),
  }));
  if (scene.nj) list.push({ name: "joint forces", unit: "N", lines: () => largestForces(scene) });
  list.forEach((p, k) => p.first = k < SHOWN_FIRST || p.name === "joint forces");
  const has = new Set(list.map(p => p.name));
  const vector = (name, unit, values, count, width, k, offset) => {
    if (has.has(name)) return;
    const component = (letter, i) => ({ name: letter, values: Float64Array.from({ length: scene.n }, (_, f) => values[(f * count + k) * width + offset + i]) });
    list.push({ name, unit, lines: () => ["x", "y", "z"].map(component) });
  };
  const { header, poses, forces, nb, nj } = scene;
  header.bodies.slice(0, MOST_CHOICES).forEach((b, k) => vector(`${b.name}.position`, "m", poses, nb, 7, k, 0));
  if (nj) header.joints.slice(0, MOST_CHOICES).forEach((j, k) => {
    vector(`${j.name}.force`, "N", forces, nj, 6, k, 0);
    vector(`${j.name}.torque`, "N m", forces, nj, 6, k, 3);
  });
  return list;
}

/** Sizes of the forces of the joints with the largest ones. */
function largestForces({ header, forces, nj, n }) {
  const lines = header.joints.map((j, k) => {
    const values = new Float64Array(n);
    let most = 0;
    for (let f = 0; f < n; f++) {
      const i = (f * nj + k) * 6;
      values[f] = Math.hypot(forces[i], forces[i + 1], forces[i + 2]);
      if (values[f] > most) most = values[f];
    }
    return { name: j.name, values, most };
  });
  const kept = new Set([...lines].sort((a, b) => b.most - a.most).slice(0, MOST_LINES));
  return Object.assign(lines.filter(l => kept.has(l)), { of: lines.length });
}

const extremes = lists => {
  let low = Infinity, high = -Infinity;
  for (const list of lists) for (const x of list) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  return [low, high];
};

/** Numbers on an axis: as many digits as tell neighbours apart. */
function ticks(values, size) {
  const step = Math.abs(values[1] - values[0]) || 1, most = Math.max(...values.map(Math.abs));
  const fixed = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step) - 1e-9)));
  const power = Math.max(0, Math.min(6, Math.floor(Math.log10(most)) - Math.floor(Math.log10(step) + 1e-9)));
  const write = x => size >= 1e5 || size < 1e-3 ? x.toExponential(power) : x.toFixed(fixed);
  return values.map(x => x === 0 ? "0" : write(x));
}

/** The value between two rows, at the time of the clock. */
export function between(values, f, w) {
  const a = values[f], b = values[f + 1];
  return w > 0 && Number.isFinite(b) ? a + w * (b - a) : a;
}

/** Pixels of the widest of some labels. */
function wide(labels) {
  const pen = wide.pen ??= document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  return Math.max(0, ...(labels ?? []).map(l => pen.measureText(l).width));
}

export class Plots {
  /** `pick(t)` is called when somebody points at a time. */
  constructor(host, pick) {
    this.host = host;
    this.pick = pick;
    this.list = [];
    /** What the user wants or does not want to see, by name. */
    this.chosen = new Map();
    this.choosing = false;
    this.word = "";
  }

  draw(scene, ghosts, theme, time) {
    this.host.textContent = "";
    this.list = [];
    if (!scene || !this.host.clientWidth) return;
    const all = panels(scene), others = ghosts.map(g => [g, panels(g)]);
    this.choices(all, () => this.draw(scene, ghosts, theme, this.time ?? time));
    for (const panel of all.filter(p => this.isShown(p))) {
      const runs = [[scene, panel], ...others.map(([g, list]) => [g, list.find(p => p.name === panel.name)])];
      this.list.push(this.panel(runs.filter(r => r[1]).map(([run, p]) => [run, { ...p, lines: p.lines() }]), theme));
    }
    // uPlot knows its size a moment later.
    queueMicrotask(() => this.mark(time));
  }

  isShown(panel) {
    return this.chosen.get(panel.name) ?? panel.first;
  }

  /** A list of everything that can be drawn, to choose from; a word narrows a long one. */
  choices(all, again) {
    const box = el("details", "choices"), count = all.filter(p => this.isShown(p)).length;
    box.open = this.choosing;
    box.ontoggle = () => this.choosing = box.open;
    box.append(el("summary", "", `${count} of ${all.length} quantities`));
    const rows = all.map(p => {
      const tick = Object.assign(el("input"), { type: "checkbox", checked: this.isShown(p) });
      tick.onchange = () => {
        this.chosen.set(p.name, tick.checked);
        again();
      };
      return el("label", "", "", tick, p.name);
    });
    if (all.length > 12) {
      const word = Object.assign(el("input", "word"), { type: "search", placeholder: "find a quantity", value: this.word, ariaLabel: "find a quantity" });
      const narrow = () => rows.forEach((r, k) => r.hidden = !all[k].name.toLowerCase().includes(this.word.toLowerCase()));
      word.oninput = () => {
        this.word = word.value;
        narrow();
      };
      box.append(word);
      narrow();
    }
    box.append(...rows);
    this.host.append(box);
  }

  mark(time) {
    for (const p of this.list) p.mark(time);
  }

  panel(runs, theme) {
    const [, { name, unit, lines }] = runs[0], first = lines[0].values[0];
    const [low, high] = extremes(lines.map(l => l.values));
    // What hardly changes is shown as a change.
    const apart = lines.length === 1 && Number.isFinite(first) && high - low < 1e-3 * Math.abs(first) && high > low;
    const shift = apart ? first : 0, size = Math.max(Math.abs(low - shift), Math.abs(high - shift));
    const thin = ([run, panel]) => {
      const every = Math.max(1, Math.ceil(run.n / MOST_POINTS)), keep = (_, f) => f % every === 0 || f === run.n - 1;
      const y = panel.lines.map(l => Array.from(l.values.filter(keep), x => Number.isFinite(x) ? x - shift : null));
      return [Array.from(run.t.filter(keep)), ...y];
    };
    const tables = runs.map(thin), data = tables.length > 1 ? uPlot.join(tables) : tables[0];
    const more = lines.of > lines.length ? ` (${lines.length} of ${lines.of})` : "";
    const box = el("div", "plot"), head = el("h2"), values = el("span", "values");
    head.append(el("span", "name", name + more + (apart ? ` ${first < 0 ? "+" : "−"} ${Math.abs(+first.toPrecision(7))}` : "")), el("i", "", unit), values);
    box.append(head);
    this.host.append(box);
    const plot = new uPlot(this.options(runs, theme, size), data, box);
    const now = el("div", "now");
    plot.over.append(now);
    this.listen(plot);
    const shown = lines.map((l, i) => {
      // Words in the colour of the line would be hard to read.
      const mark = el("i", "mark"), b = el("b");
      mark.style.background = PALETTE[i % 8];
      values.append(el("span", "", "", ...lines.length > 1 ? [mark] : [], b));
      return [l, b];
    });
    const run = runs[0][0];
    plot.mark = time => {
      now.style.transform = `translateX(${plot.valToPos(time, "x")}px)`;
      const [f, w] = moment(run, time);
      for (const [l, b] of shown) {
        const x = between(l.values, f, w) - shift;
        b.textContent = `${l.name ? l.name + " " : ""}${Math.abs(x) < 1e-9 * size ? 0 : +x.toPrecision(4)}`;
      }
    };
    return plot;
  }

  options(runs, theme, size) {
    const dark = theme === "dark", ink = dark ? "#9aa4b1" : "#56606c", rule = dark ? "#ffffff14" : "#00000012";
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, size: 4 }, font: FONT, gap: 3 };
    const series = runs.flatMap(([, panel], r) => panel.lines.map((_, i) => ({
      stroke: PALETTE[i % 8] + (r ? "b0" : ""), width: r ? 1.2 : 1.6, dash: r ? [5, 4] : undefined, points: { show: false }, spanGaps: true,
    })));
    const range = (u, a, b) => {
      const m = Math.max((b - a) * 0.08, Math.abs(b + a) * 1e-7, 1e-12);
      return [a - m, b + m];
    };
    const again = u => u.mark?.(this.time ?? 0);
    return {
      width: Math.max(200, this.host.clientWidth - 26), height: 128, legend: { show: false }, padding: [6, 22, 0, 0],
      scales: { x: { time: false }, y: { range } },
      axes: [
        { ...axis, size: 26 },
        { ...axis, size: (u, labels) => Math.max(40, 14 + wide(labels)), values: (u, v) => ticks(v, size) },
      ],
      series: [{}, ...series], cursor: { show: false }, hooks: { ready: [again], setSize: [again] },
    };
  }

  listen(plot) {
    const over = plot.over, at = e => this.pick(plot.posToVal(e.clientX - over.getBoundingClientRect().left, "x"));
    over.addEventListener("pointerdown", e => {
      over.setPointerCapture(e.pointerId);
      at(e);
      over.onpointermove = at;
    });
    over.addEventListener("pointerup", () => over.onpointermove = null);
    over.addEventListener("pointercancel", () => over.onpointermove = null);
  }
}
