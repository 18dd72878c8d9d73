// Draws the panels in `figure` with uPlot. Every plot is in `plots` for those who want more of it.
"use strict";
const plots = [];
const raised = n => String(n).replace(/[-0-9]/g, c => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[+c]);
const value = v => v == null ? "–" : v === 0 ? "0"
  : Math.abs(v) >= 1e-3 && Math.abs(v) < 1e6 ? String(+v.toPrecision(7)) : v.toExponential(5);

/** Text of ticks: powers of ten on logarithmic axes, as many digits as the distance of ticks needs elsewhere. */
function ticks(log) {
  return (u, list, axis, space, step) => list.map(v => {
    if (v == null) return "";
    if (log) {
      const e = Math.floor(Math.log10(v) + 1e-9), m = Math.round(v / 10 ** e);
      return (m === 1 ? "" : m + "·") + "10" + raised(e);
    }
    if (v === 0) return "0";
    const most = Math.max(...list.map(Math.abs));
    if (most < 1e-3 || most >= 1e6) return v.toExponential(Math.max(0, Math.ceil(Math.log10(most / step) - 1e-9))).replace("e", "·10^").replace(/·10\^\+?(-?\d+)/, (_, e) => "·10" + raised(e));
    return v.toFixed(Math.max(0, Math.min(12, Math.ceil(-Math.log10(step) - 1e-9) + (String(step).includes("25") ? 1 : 0))));
  });
}

/** Ticks of a logarithmic axis: as many powers of ten as have room, or 1, 2, 5 between them if there are few. (The search of uPlot is slow below 1e-16.) */
function powers(side) {
  return (u, axis, low, high) => {
    const a = Math.log10(low), b = Math.log10(high), room = (side ? u.bbox.height : u.bbox.width) / devicePixelRatio / (side ? 34 : 62);
    const within = list => list.filter(v => v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9));
    const decades = n => { const list = []; for (let e = Math.floor(a / n) * n; e <= b + 1e-9; e += n) list.push(e); return list; };
    const fine = within(decades(1).flatMap(e => [1, 2, 5].map(m => +(m + "e" + e))));
    if (fine.length <= room) return fine;
    return within(decades(Math.max(1, Math.ceil((b - a) / room))).map(e => +("1e" + e)));
  };
}

/** Curves that may turn back, point by point. */
function path(u, k) {
  uPlot.orient(u, k, (series, xs, ys, sx, sy, px, py, left, top, width, height) => {
    const [x, y] = u.data[k], c = u.ctx, look = u.looks[k - 1];
    c.save();
    c.beginPath(); c.rect(left, top, width, height); c.clip();
    c.beginPath();
    let down = false;
    for (let i = 0; i < x.length; i++) {
      if (x[i] == null || y[i] == null) { down = false; continue; }
      const a = px(x[i], sx, width, left), b = py(y[i], sy, height, top);
      if (down) c.lineTo(a, b); else c.moveTo(a, b);
      down = true;
    }
    c.strokeStyle = look.colour; c.lineWidth = 1.6 * devicePixelRatio;
    c.setLineDash(look.dash.map(d => d * devicePixelRatio));
    if (look.line) c.stroke();
    if (look.radius) {
      c.fillStyle = look.colour;
      for (let i = 0; i < x.length; i++) {
        if (x[i] == null || y[i] == null) continue;
        c.beginPath();
        c.arc(px(x[i], sx, width, left), py(y[i], sy, height, top), look.radius * devicePixelRatio, 0, 7);
        c.fill();
      }
    }
    c.restore();
  });
  return null;
}

/** Slope triangles and reference lines. */
function extras(panel) {
  return u => {
    const c = u.ctx, at = ([x, y]) => [u.valToPos(x, "x", true), u.valToPos(y, "y", true)], d = devicePixelRatio;
    c.save();
    c.beginPath(); c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height); c.clip();
    c.font = 11 * d + "px Helvetica, Arial, sans-serif"; c.lineWidth = d; c.fillStyle = "#222";
    for (const t of panel.triangles) {
      const [o, a, b] = t.corners.map(at);
      c.beginPath(); c.moveTo(...o); c.lineTo(...a); c.lineTo(...b); c.closePath();
      c.fillStyle = "#f2f2f2"; c.fill(); c.strokeStyle = "#444"; c.stroke();
      c.fillStyle = "#222"; c.textBaseline = "middle";
      c.textAlign = t.order > 0 ? "left" : "right"; c.fillText(t.order, o[0] + (t.order > 0 ? 4 : -4) * d, (o[1] + b[1]) / 2);
      c.textAlign = "center"; c.textBaseline = "top"; c.fillText("1", (o[0] + a[0]) / 2, o[1] + 3 * d);
    }
    for (const r of panel.references) {
      const p = u.valToPos(r.at, r.axis, true), b = u.bbox;
      c.strokeStyle = "#8a8a8a"; c.setLineDash([6 * d, 3 * d]); c.beginPath();
      if (r.axis === "x") { c.moveTo(p, b.top); c.lineTo(p, b.top + b.height); } else { c.moveTo(b.left, p); c.lineTo(b.left + b.width, p); }
      c.stroke();
      c.textBaseline = "bottom";
      c.textAlign = r.axis === "x" ? "left" : "right";
      if (r.axis === "x") c.fillText(r.text, p + 4 * d, b.top + 14 * d); else c.fillText(r.text, b.left + b.width - 4 * d, p - 3 * d);
    }
    c.restore();
  };
}

/** Values under the pointer in a box beside it. */
function tooltip(panel) {
  const box = document.createElement("div");
  box.className = "tip";
  const place = (u, lines) => {
    box.replaceChildren(...lines.map(([name, text, colour]) => {
      const line = document.createElement("div"), dot = document.createElement("i"), label = document.createElement("span"), number = document.createElement("b");
      dot.style.background = colour || "transparent"; label.textContent = name; number.textContent = text;
      line.append(dot, label, number);
      return line;
    }));
    box.style.display = lines.length ? "block" : "none";
    const { left, top } = u.cursor, wide = u.over.clientWidth;
    box.style.transform = `translate(${left > wide / 2 ? left - box.offsetWidth - 14 : left + 14}px, ${Math.max(0, Math.min(top, u.over.clientHeight - box.offsetHeight))}px)`;
  };
  return {
    init: u => u.over.append(box),
    setCursor: u => {
      const { left, top, idx } = u.cursor;
      if (left == null || left < 0) { box.style.display = "none"; return; }
      if (panel.function) {
        if (idx == null) return;
        const lines = [[panel.x.caption, value(u.data[0][idx])]];
        panel.series.forEach((s, k) => {
          const i = u.cursor.idxs[k + 1];
          if (u.series[k + 1].show && i != null) lines.push([s.name || panel.y.caption, value(u.data[k + 1][i]), s.colour]);
        });
        place(u, lines);
      } else {
        let best = 900, found = [];
        panel.series.forEach((s, k) => {
          if (!u.series[k + 1].show) return;
          const [x, y] = u.data[k + 1];
          for (let i = 0; i < x.length; i++) {
            if (x[i] == null || y[i] == null) continue;
            const d = (u.valToPos(x[i], "x") - left) ** 2 + (u.valToPos(y[i], "y") - top) ** 2;
            if (d < best) {
              best = d;
              found = [[panel.x.caption, value(x[i])], [s.name ? s.name + ": " + panel.y.caption : panel.y.caption, value(y[i]), s.colour]];
            }
          }
        });
        place(u, found);
      }
    },
  };
}

/** The nearest point that a series has itself; series with other abscissae leave holes. */
function own(u, k, hovered) {
  const y = u.data[k];
  for (let d = 0; d < y.length; d++) {
    if (y[hovered - d] !== undefined) return hovered - d;
    if (y[hovered + d] !== undefined) return hovered + d;
  }
  return hovered;
}

/** Room for the longest label of a vertical axis. */
function wide(u, labels) {
  return Math.max(40, 16 + 6.6 * Math.max(0, ...(labels || []).map(l => l.length)));
}

function draw(panel, place) {
  const size = () => ({ width: place.clientWidth, height: Math.round(place.clientWidth * panel.ratio) });
  // uPlot asks for the range of x of functions also when it zooms: everything is ours, a part is as it says.
  const whole = (u, low, high) => low == null || (low === u.data[0][0] && high === u.data[0].at(-1));
  const range = (a, k) => k === "x" && panel.function ? (u, low, high) => whole(u, low, high) ? a.range : [low, high] : () => a.range;
  const scale = (a, k) => ({ time: false, distr: a.log ? 3 : 1, range: range(a, k) });
  const axis = (a, side) => ({
    label: a.caption, labelSize: 22, labelFont: "12px Helvetica, Arial, sans-serif", font: "11px Helvetica, Arial, sans-serif",
    stroke: "#333", grid: { stroke: "#e4e4e4", width: 1 }, ticks: { stroke: "#222", width: 1, size: 5 },
    size: side ? wide : 34, space: side ? 34 : 62, values: ticks(a.log),
    ...(a.log ? { splits: powers(side), filter: (u, list) => list } : {}),
  });
  const tip = tooltip(panel);
  const series = panel.series.map(s => ({
    label: s.name || panel.y.caption, stroke: s.colour, width: s.line ? 1.6 : 0, dash: s.dash.length ? s.dash : undefined,
    points: { show: s.radius > 0, size: 2 * s.radius, width: s.radius < 2 ? 0 : 1, fill: s.colour, space: 0 }, value: (u, v) => value(v),
    ...(panel.function ? {} : { paths: path, facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }] }),
  }));
  const data = panel.function
    ? uPlot.join(panel.tables.map(t => [t.x, ...t.y]))
    : [null, ...panel.series.map(s => [s.x, s.y])];
  const u = new uPlot({
    ...size(), mode: panel.function ? 1 : 2,
    scales: { x: scale(panel.x, "x"), y: scale(panel.y, "y") },
    axes: [axis(panel.x, false), axis(panel.y, true)],
    series: [panel.function ? { label: panel.x.caption, value: (u, v) => value(v) } : {}, ...series],
    legend: { show: panel.series.some(s => s.name), live: false, markers: { width: 2, stroke: (u, k) => panel.series[k - 1]?.colour } },
    cursor: { drag: { x: true, y: true, uni: 20 }, ...(panel.function ? { dataIdx: own } : { points: { show: false } }) },
    hooks: {
      init: [u => { u.looks = panel.series; tip.init(u); }],
      setCursor: [tip.setCursor],
      drawAxes: [extras(panel)],
    },
  }, data, place);
  new ResizeObserver(() => { if (Math.abs(u.width - place.clientWidth) > 1 && place.clientWidth > 50) u.setSize(size()); }).observe(place);
  // uPlot resets the scales it knows from the data; ours are fixed.
  u.over.addEventListener("dblclick", () => u.batch(() => { for (const k of ["x", "y"]) u.setScale(k, { min: panel[k].range[0], max: panel[k].range[1] }); }));
  plots.push(u);
}

figure.forEach((panel, n) => { if (panel) draw(panel, document.getElementById("panel" + n)); });
