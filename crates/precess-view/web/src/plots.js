// Curves beside the picture; their cursor is the time.
import uPlot from "uplot";
import { el } from "./dom.js";
import { PALETTE } from "./theme.js";

const MOST_POINTS = 1500;
const MOST_LINES = 6;

/** What is drawn of a scene: a panel per sensor, one for the forces of the joints. */
function panels(scene) {
  const list = scene.curves.map(c => ({
    name: c.name, unit: c.unit, lines: c.values.map((values, i) => ({ name: c.parts.length > 1 ? c.parts[i] : "", values })),
  }));
  if (scene.nj) list.push(forcePanel(scene));
  return list;
}

/** Sizes of the forces of the joints with the largest ones. */
function forcePanel({ header, forces, nj, n }) {
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
  const name = lines.length > kept.size ? `joint forces (${kept.size} of ${lines.length})` : "joint forces";
  return { name, unit: "N", lines: lines.filter(l => kept.has(l)) };
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

export class Plots {
  /** `pick(t)` is called when somebody points at a time. */
  constructor(host, pick) {
    this.host = host;
    this.pick = pick;
    this.list = [];
  }

  draw(scene, ghosts, theme, time) {
    this.host.textContent = "";
    this.list = [];
    if (!scene || !this.host.clientWidth) return;
    const others = ghosts.map(g => [g, panels(g)]);
    for (const panel of panels(scene)) {
      const runs = [[scene, panel], ...others.map(([g, list]) => [g, list.find(p => p.name === panel.name)])];
      this.list.push(this.panel(runs.filter(r => r[1]), theme));
    }
    // uPlot knows its size a moment later.
    queueMicrotask(() => this.mark(time));
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
    const box = el("div", "plot"), head = el("h2"), values = el("span", "values");
    head.append(el("span", "name", name + (apart ? ` ${first < 0 ? "+" : "−"} ${Math.abs(+first.toPrecision(7))}` : "")), el("i", "", unit), values);
    box.append(head);
    this.host.append(box);
    const plot = new uPlot(this.options(runs, theme, size), data, box);
    const now = el("div", "now");
    plot.over.append(now);
    this.listen(plot);
    const shown = lines.map((l, i) => {
      const b = el("b");
      b.style.color = PALETTE[i % 8];
      values.append(b);
      return [l, b];
    });
    const run = runs[0][0];
    plot.mark = time => {
      now.style.transform = `translateX(${plot.valToPos(time, "x")}px)`;
      let f = run.t.findLastIndex(t => t <= time + 1e-12);
      f = Math.max(0, f);
      for (const [l, b] of shown) {
        const x = l.values[f] - shift;
        b.textContent = `${l.name ? l.name + " " : ""}${Math.abs(x) < 1e-9 * size ? 0 : +x.toPrecision(4)}`;
      }
    };
    return plot;
  }

  options(runs, theme, size) {
    const dark = theme === "dark", ink = dark ? "#9aa4b1" : "#56606c", rule = dark ? "#ffffff14" : "#00000012";
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, size: 4 }, font: "11px system-ui, sans-serif", gap: 3 };
    const series = runs.flatMap(([, panel], r) => panel.lines.map((_, i) => ({
      stroke: PALETTE[i % 8] + (r ? "b0" : ""), width: r ? 1.2 : 1.6, dash: r ? [5, 4] : undefined, points: { show: false }, spanGaps: true,
    })));
    const range = (u, a, b) => {
      const m = Math.max((b - a) * 0.08, Math.abs(b + a) * 1e-7, 1e-12);
      return [a - m, b + m];
    };
    const again = u => u.mark?.(this.time ?? 0);
    return {
      width: Math.max(200, this.host.clientWidth - 26), height: 128, legend: { show: false }, padding: [6, 16, 0, 0],
      scales: { x: { time: false }, y: { range } },
      axes: [{ ...axis, size: 26 }, { ...axis, size: 54, values: (u, v) => ticks(v, size) }],
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
