// Opens pages of `precess view` and checks their functions; see view-test.
import assert from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { start } from "./chromium.mjs";

const [program, folder, ...shots] = process.argv.slice(2);
const url = name => "file://" + resolve(folder, name);
const late = setTimeout(() => {
  console.error("the browser does not answer");
  process.exit(1);
}, 240000);
const begin = Date.now();
const ok = (what, yes) => assert(yes, what);
const PIXELS = `(() => {
  const v = player.viewer; v.render(true);
  const g = v.renderer.getContext(), w = g.drawingBufferWidth, h = g.drawingBufferHeight, a = new Uint8Array(4 * w * h);
  g.readPixels(0, 0, w, h, g.RGBA, g.UNSIGNED_BYTE, a);
  const seen = new Set(); let sum = 0;
  for (let i = 0; i < a.length; i += 4) {
    seen.add((a[i] >> 4) << 8 | (a[i + 1] >> 4) << 4 | a[i + 2] >> 4);
    sum = (sum * 31 + a[i] + 7 * a[i + 1] + 3 * a[i + 2]) % 1000003;
  }
  return { colours: seen.size, sum, error: g.getError() };
})()`;

/** Compares the poses on the page with the rows of the results. They must be equal at every time. */
async function poses(page, results) {
  const place = new Map(results.columns.map((name, k) => [name, k])), t = results.rows.map(r => r[0]);
  const entries = (row, name, parts) => parts.map(p => results.rows[row][place.get(`${name}.${p}`)]);
  const n = await page.value("player.scene.n");
  const bodies = await page.value("player.scene.header.bodies.map(b => b.name)");
  let worst = 0;
  for (const f of [0, 1, n >> 2, n >> 1, n - 2, n - 1]) {
    const { time, places } = await page.value(`(player.seek(player.scene.t[${f}]), { time: player.scene.t[${f}],
      places: player.viewer.cast.bodies.map(m => Array.from(m.elements)) })`);
    const row = t.reduce((best, x, k) => Math.abs(x - time) < Math.abs(t[best] - time) ? k : best, 0);
    ok(`time of frame ${f}`, Math.abs(t[row] - time) < 1e-7);
    bodies.forEach((name, b) => {
      const x = entries(row, name, ["x", "y", "z"]), [w, i, j, k] = entries(row, name, ["qw", "qx", "qy", "qz"]), e = places[b];
      // Columns of the rotation matrix.
      const r = [1 - 2 * (j * j + k * k), 2 * (i * j + k * w), 2 * (i * k - j * w), 2 * (i * j - k * w), 1 - 2 * (i * i + k * k),
        2 * (j * k + i * w), 2 * (i * k + j * w), 2 * (j * k - i * w), 1 - 2 * (i * i + j * j)];
      const found = [e[0], e[1], e[2], e[4], e[5], e[6], e[8], e[9], e[10], e[12], e[13], e[14]];
      [...r, ...x].forEach((y, q) => worst = Math.max(worst, Math.abs(y - found[q]) || (y === found[q] ? 0 : Infinity)));
    });
  }
  ok(`poses of the page are those of the results: ${worst}`, worst < 1e-6);
  return worst;
}

async function pageOfResults(chromium) {
  const page = await chromium.open(url("arm.html") + "#play=0&theme=light");
  await page.until("document.documentElement.dataset.ready");
  const a = await page.value(PIXELS);
  ok(`picture is not blank: ${a.colours} colours`, a.colours > 40 && a.error === 0);
  await page.value("player.seek(1)");
  ok("another time is another picture", (await page.value(PIXELS)).sum !== a.sum);
  await page.value("player.seek(0)");
  ok("the same time is the same picture", (await page.value(PIXELS)).sum === a.sum);
  const worst = await poses(page, JSON.parse(readFileSync(resolve(folder, "arm.json"))));
  await page.value("player.seek(0), player.play(true)");
  await page.until("player.time > 0.01");
  await page.key(" ", " ");
  ok("space pauses", !await page.value("player.playing"));
  await page.key("Home");
  ok("home is the start", await page.value("player.time === player.scene.t[0]"));
  await page.key("ArrowRight");
  ok("right is a frame", await page.value("player.time === player.scene.t[1]"));
  await page.key("f", "f");
  ok("f shows forces with a legend", await page.value("player.viewer.arrows.forces.group.visible && /N/.test(player.parts.legend.textContent)"));
  await page.key("v", "v");
  await velocities(page, JSON.parse(readFileSync(resolve(folder, "arm.json"))));
  await page.key("d", "d");
  ok("d is dark", await page.value("document.documentElement.dataset.theme === 'dark'"));
  await hover(page);
  await cursor(page);
  await link(page, chromium);
  ok("no messages, no requests: " + page.problems, page.problems.length === 0);
  await page.close();
  return worst;
}

/** Arrows of velocities point where the results say that bodies go. */
async function velocities(page, results) {
  const place = new Map(results.columns.map((name, k) => [name, k]));
  const { time, list } = await page.value(`(player.seek(player.scene.t[player.scene.n >> 1]), { time: player.time,
    list: player.scene.header.bodies.map((b, k) => [b.name, Array.from(player.viewer.arrows.velocities.meshes[1].instanceMatrix.array.slice(16 * k + 8, 16 * k + 11))]) })`);
  const row = results.rows.reduce((best, r) => Math.abs(r[0] - time) < Math.abs(best[0] - time) ? r : best);
  let seen = 0;
  for (const [name, z] of list) {
    const v = ["vx", "vy", "vz"].map(c => row[place.get(`${name}.${c}`)]), size = Math.hypot(...v), n = Math.hypot(...z);
    if (!(size > 0.05) || !(n > 0)) continue;
    const cosine = z.reduce((sum, x, k) => sum + x * v[k], 0) / (n * size);
    ok(`the velocity of ${name}: ${cosine}`, cosine > 0.999);
    seen++;
  }
  ok(`velocities of ${seen} bodies, with a legend`, seen >= 2 && /m\/s/.test(await page.value("player.parts.legend.textContent")));
  await page.key("v", "v");
}

/** Modes swing one after the other, and a link leads to one of them. */
async function modes(chromium) {
  const page = await chromium.open(url("modes.html") + "#play=0&theme=light");
  await page.until("document.documentElement.dataset.ready");
  const label = () => page.value("player.scene.header.label"), first = await label();
  ok(`the page of a mode says what it is: ${first}`, /^mode 1: 0\.45/.test(first) && await page.value(`player.parts.title.textContent.includes(${JSON.stringify(first)})`));
  const apart = await page.value("(() => { const { poses, n, nb } = player.scene, at = f => Array.from(poses.slice(7 * nb * f, 7 * nb * f + 3)); return Math.hypot(...at(0).map((x, k) => x - at(n - 1)[k])); })()");
  ok(`a mode repeats: ${apart}`, apart < 1e-5);
  await page.key("n", "n");
  ok("n is the next mode", /^mode 2: 1\.1797/.test(await label()));
  const hash = await page.value("(player.seek(0.1), player.viewer.render(true), player.address())");
  await page.settle();
  await page.shot(resolve(folder, "modes.png"));
  const again = await chromium.open(url("modes.html") + hash);
  await again.until("document.documentElement.dataset.ready");
  ok("a link leads to a mode", await again.value("player.chosen === 1 && Math.abs(player.time - 0.1) < 1e-9"));
  ok("no messages: " + page.problems + again.problems, page.problems.length + again.problems.length === 0);
  await page.close();
  await again.close();
}

/** Names under the pointer, at the projected centres of bodies. */
async function hover(page) {
  const list = await page.value(`player.viewer.cast.bodies.map((m, b) => {
    const v = player.viewer, r = v.renderer.domElement.getBoundingClientRect(), q = v.centre.clone().setFromMatrixPosition(m).project(v.camera);
    return [player.scene.header.bodies[b].name, r.left + (q.x + 1) / 2 * r.width, r.top + (1 - q.y) / 2 * r.height];
  })`);
  let right = 0;
  for (const [name, x, y] of list) {
    await page.mouse("mouseMoved", x, y);
    await page.settle();
    if ((await page.value("player.parts.tip.hidden ? '' : player.parts.tip.textContent")).startsWith(name)) right++;
  }
  ok(`names under the pointer: ${right} of ${list.length}`, right >= 2);
}

/** A click in the middle of a plot sets the middle of the time, and the cursor is there. */
async function cursor(page) {
  const r = await page.value("(() => { const r = player.plots.list[0].over.getBoundingClientRect(); return [r.left, r.top, r.width]; })()");
  const [x, y] = [r[0] + r[2] / 2, r[1] + 20], left = { button: "left", buttons: 1, clickCount: 1 };
  await page.mouse("mousePressed", x, y, left);
  await page.mouse("mouseReleased", x, y, left);
  const { time, end, marks } = await page.value(`({ time: player.time, end: player.scene.t.at(-1),
    marks: player.plots.list.map(p => [new DOMMatrix(getComputedStyle(p.over.querySelector(".now")).transform).e, p.valToPos(player.time, "x")]) })`);
  ok("a click in a plot sets the time", Math.abs(time / end - 0.5) < 0.03);
  ok("the cursors of all plots are there", marks.length > 2 && marks.every(([a, b]) => Math.abs(a - b) < 1));
  // Between two rows, the number is between theirs.
  const [shown, rows] = await page.value(`(() => {
    const { t, curves } = player.scene, values = curves[0].values[0], f = t.length >> 1;
    player.seek(0.7 * t[f] + 0.3 * t[f + 1]);
    return [Number.parseFloat(document.querySelector(".plot .values b").textContent.replace(/^[^-0-9]*/, "")), [values[f], values[f + 1]]];
  })()`);
  const expected = 0.7 * rows[0] + 0.3 * rows[1];
  ok("numbers are those of the time of the clock", Math.abs(shown - expected) <= 1e-3 * Math.abs(expected) + 1e-9);
  const count = await page.value(`(() => {
    const before = player.plots.list.length, tick = [...document.querySelectorAll(".choices input[type=checkbox]")].find(i => !i.checked);
    tick.click();
    return player.plots.list.length - before;
  })()`);
  ok("a quantity can be chosen", count === 1);
}

/** The address of a moment leads back to it. */
async function link(page, chromium) {
  const { hash, time, camera } = await page.value(`(player.look(0, -1, 0.3), { hash: player.address(), time: player.time, camera: player.viewer.camera.position.toArray() })`);
  const again = await chromium.open(url("arm.html") + hash);
  await again.until("document.documentElement.dataset.ready");
  const found = await again.value("({ time: player.time, camera: player.viewer.camera.position.toArray(), playing: player.playing })");
  ok("a link keeps the time", Math.abs(found.time - time) < 1e-6 && !found.playing);
  ok("a link keeps the camera", found.camera.every((x, k) => Math.abs(x - camera[k]) < 1e-3));
  await again.close();
}

/** Names are texts. */
async function names(chromium) {
  const page = await chromium.open(url("names.html") + "#play=0");
  await page.until("document.documentElement.dataset.ready");
  ok("a name with tags is a text", await page.value("player.scene.header.bodies[0].name === '</script><b>' && !document.querySelector('#player b b')"));
  ok("nothing ran out of a name: " + page.problems, page.problems.length === 0 && !await page.value("window.bad"));
  await page.close();
}

/** The arrow of a given force has its tip where the force acts, and its direction, that of the nearest frame: up to 1/120 s away,
 *  in which this force turns by 0.04 rad. */
async function loads(chromium) {
  const page = await chromium.open(url("push.html") + "#t=0.25&show=forces");
  await page.until("document.documentElement.dataset.ready");
  const [tip, point, along] = await page.value(`(() => {
    const v = player.viewer, m = v.arrows.loads.meshes[1].instanceMatrix.array, z = [m[8], m[9], m[10]], n = Math.hypot(...z);
    const at = v.cast.point(0, [0.2, 0, 0], v.camera.position.clone()).toArray();
    return [[12, 13, 14].map((k, i) => m[k] + 0.075 * v.size * z[i] / n), at, z.map(x => x / n)];
  })()`);
  const off = Math.hypot(...tip.map((x, k) => x - point[k])), turned = Math.hypot(along[0], along[1], along[2] - 1);
  ok(`the arrow of a force is at its point: ${off}, ${turned}`, off < 1e-5 && turned < 4e-2);
  ok("no messages: " + page.problems, page.problems.length === 0);
  await page.close();
}

async function phone(chromium) {
  const page = await chromium.open(url("arm.html") + "#play=0", { size: [390, 780], mobile: true });
  await page.until("document.documentElement.dataset.ready");
  const wide = await page.value("document.documentElement.scrollWidth");
  ok(`fits a phone: ${wide}`, wide <= 390);
  // A finger turns the camera, and names what it touches.
  const eye = () => page.value("player.viewer.camera.position.toArray()"), before = await eye();
  const touch = (type, x, y) => page.call("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  await touch("touchStart", 120, 200);
  for (let k = 1; k <= 6; k++) await touch("touchMove", 120 + 12 * k, 200 + 3 * k);
  await touch("touchEnd");
  await page.settle();
  ok("a finger turns the camera", Math.hypot(...(await eye()).map((x, k) => x - before[k])) > 1e-3);
  const [name, x, y] = await page.value(`(() => { const v = player.viewer, r = v.renderer.domElement.getBoundingClientRect(), m = v.cast.bodies[1];
    v.camera.updateMatrixWorld();
    const q = v.centre.clone().setFromMatrixPosition(m).applyMatrix4(v.world.matrixWorld).project(v.camera);
    return [player.scene.header.bodies[1].name, r.left + (q.x + 1) / 2 * r.width, r.top + (1 - q.y) / 2 * r.height]; })()`);
  await touch("touchStart", x, y);
  await page.settle();
  const tip = await page.value("player.parts.tip.hidden ? '' : player.parts.tip.textContent");
  ok(`a finger names what it touches (${name}): ${tip}`, tip.length > 3);
  await touch("touchEnd");
  await page.shot(resolve(folder, "phone.png"));
  await page.close();
}

/** Without WebGL: plots, and a message. */
async function withoutWebgl() {
  const chromium = start(program, { webgl: false });
  try {
    const page = await chromium.open(url("arm.html") + "#play=0");
    await page.until("document.documentElement.dataset.ready");
    ok("a message without WebGL", await page.value("!player.viewer && /WebGL/.test(document.querySelector('.message').textContent)"));
    ok("plots without WebGL", await page.value("player.plots.list.length > 2"));
    await page.value("player.seek(1)");
    ok("the time goes on", await page.value("player.time === 1"));
    await page.shot(resolve(folder, "nogl.png"));
  } finally {
    await chromium.stop();
  }
}

const chromium = start(program);
try {
  const worst = await pageOfResults(chromium);
  await names(chromium);
  await loads(chromium);
  await modes(chromium);
  await phone(chromium);
  for (const name of shots) {
    const page = await chromium.open(url(name) + "#play=0&theme=light");
    await page.until("document.documentElement.dataset.ready");
    await page.value("(player.seek(0.37 * player.scene.t.at(-1)), player.viewer.render(true))");
    await page.settle();
    const p = await page.value(PIXELS);
    ok(`${name}: ${p.colours} colours`, p.colours > 25 && p.error === 0 && page.problems.length === 0);
    await page.shot(resolve(folder, name.replace(/\.html$/, ".png")));
    await page.close();
  }
  await withoutWebgl();
  const seconds = ((Date.now() - begin) / 1000).toFixed(0);
  console.log(`pages with mechanisms: good; poses within ${worst.toExponential(1)} of the results; ${shots.length} models; ${seconds} s`);
} finally {
  clearTimeout(late);
  await chromium.stop();
}
