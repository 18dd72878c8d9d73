// Opens plots and reports and checks their functions; see browser-test.
import { resolve } from "node:path";
import { start } from "./chromium.mjs";

const [program, ...pages] = process.argv.slice(2);
const chromium = start(program, { width: 1300, height: 1000, webgl: false });
const late = () => setTimeout(() => {
  console.error("the browser does not answer");
  chromium.stop().then(() => process.exit(1));
}, 120000);
let timer;

/** The place on the page of the middle point of the first curve of plot n, and its values. */
const locate = n => `(() => {
  const u = plots[n], two = u.mode === 2, x = two ? u.data[1][0] : u.data[0], y = two ? u.data[1][1] : u.data[1];
  u.over.scrollIntoView({ block: "center" });
  let i = x.length >> 1;
  while (i > 0 && (x[i] == null || y[i] == null)) i--;
  const r = u.over.getBoundingClientRect();
  const { min, max } = u.scales.x, w = u.over.clientWidth;
  return { left: r.left + u.valToPos(x[i], "x"), top: r.top + u.valToPos(y[i], "y"), y: y[i], near: [...y.slice(Math.max(0, i - 2), i + 3)], min, max, width: r.width,
           edge: [r.left, r.top], height: r.height };
})()`.replaceAll("plots[n]", `plots[${n}]`);

/** The number of coloured points on a canvas. Grey and white points are axes and grid. */
const coloured = n => `(() => {
  const c = plots[${n}].ctx, d = c.getImageData(0, 0, c.canvas.width, c.canvas.height).data;
  let count = 0;
  for (let i = 0; i < d.length; i += 4) {
    const m = Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i + 1], d[i + 2]);
    if (d[i + 3] > 128 && m > 60) count++;
  }
  return count;
})()`;

async function test(file) {
  const page = await chromium.open("file://" + resolve(file), { allow: /^(file|data):/ }), { value, mouse, settle, problems } = page;
  await page.until("document.readyState === 'complete' && typeof plots !== 'undefined'");
  await settle();
  const panels = await value("figure.filter(p => p).length"), count = await value("plots.length");
  if (count !== panels) problems.push(`${count} of ${panels} plots were drawn`);
  const maps = await value("figure.filter(p => !p).length");
  if (maps && await value("document.querySelectorAll('.grid svg rect title').length") < 10) problems.push("the cells of a map are missing");
  for (let n = 0; n < count; n++) {
    const points = await value(coloured(n));
    if (points < 100) problems.push(`plot ${n}: ${points} coloured points, no curve`);
    const at = await value(locate(n));
    await mouse("mouseMoved", at.left - 3, at.top - 3);
    await mouse("mouseMoved", at.left, at.top);
    await settle();
    const tip = await value(`(() => { const t = plots[${n}].over.querySelector(".tip"); return t.style.display === "block" ? [...t.querySelectorAll("b")].map(b => b.textContent) : []; })()`);
    const shown = tip.slice(1).map(Number), range = await value(`plots[${n}].scales.y.max - plots[${n}].scales.y.min`);
    // The pointer stands on whole pixels: a neighbour of the point may be shown.
    if (!shown.some(v => at.near.some(y => Math.abs(v - y) <= 0.05 * range))) problems.push(`plot ${n}: ${at.y} expected under the pointer, shown ${JSON.stringify(tip)}`);
    if (n === 0) await page.shot(file.replace(/\.html$/, ".hover.png"));
    // Panels of a long report zoom alike.
    if (n >= 12) continue;
    // Drag over the middle third, then a double click.
    const [a, b] = [1 / 3, 2 / 3].map(s => [at.edge[0] + s * at.width, at.edge[1] + s * at.height]);
    const left = { button: "left", buttons: 1, clickCount: 1 };
    await mouse("mouseMoved", ...a);
    await mouse("mousePressed", ...a, left);
    await mouse("mouseMoved", ...b, { button: "left", buttons: 1 });
    await mouse("mouseReleased", ...b, left);
    await settle();
    const near = await value(locate(n));
    if (!(near.max - near.min < 0.9 * (at.max - at.min)) && !(at.min > 0 && near.max / near.min < at.max / at.min)) problems.push(`plot ${n}: dragging does not zoom`);
    for (const clickCount of [1, 2]) {
      await mouse("mousePressed", ...a, { ...left, clickCount });
      await mouse("mouseReleased", ...a, { ...left, clickCount });
    }
    await settle();
    const again = await value(locate(n));
    if (Math.abs(again.max - at.max) > 1e-9 * Math.abs(at.max) || Math.abs(again.min - at.min) > 1e-9 * Math.abs(at.max)) problems.push(`plot ${n}: a double click does not show everything: ${again.min}..${again.max}, was ${at.min}..${at.max}`);
  }
  await value("scrollTo(0, 0)");
  await page.shot(file.replace(/\.html$/, ".shot.png"));
  await page.close();
  console.log(`${file.split("/").pop()}: ${count} plots${maps ? `, ${maps} maps` : ""}, ${problems.length ? "FAILED" : "good"}`);
  problems.forEach(p => console.log("  " + p));
  return problems.length;
}

let failed = 0;
try {
  for (const file of pages) {
    timer = late();
    failed += await test(file);
    clearTimeout(timer);
  }
} finally {
  clearTimeout(timer);
  await chromium.stop();
}
process.exit(failed ? 1 : 0);
