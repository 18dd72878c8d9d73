// Opens the playground and checks its functions; see playground-test.
import assert from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { start } from "./chromium.mjs";

const [program, address, folder, ...native] = process.argv.slice(2);
const late = setTimeout(() => {
  console.error("the browser does not answer");
  process.exit(1);
}, 400000);
const ok = (what, yes) => assert(yes, what);
const allow = new RegExp(`^(data:|blob:|file:|${address})`);
const chromium = start(program, { width: 1400, height: 800 });
const text = id => `document.getElementById("${id}").textContent`;

/** Opens a page of the playground and waits for its first run. */
async function open(url) {
  const page = await chromium.open(url, { allow, size: [1400, 800] });
  await page.until("window.playground?.state.runs >= 1 && !playground.simulator.busy", 90);
  /** Performs an action and waits for its answer. */
  page.after = async (what, seconds = 60) => {
    const n = await page.value("playground.state.runs");
    await page.value(what);
    await page.until(`playground.state.runs > ${n} && !playground.simulator.busy`, seconds);
  };
  page.model = name => page.after(`playground.open("${name}", playground.models["${name}"])`);
  return page;
}

/** Types letters at the end of a word of the text. */
async function edit(page) {
  await page.value(`(() => { const { ed } = playground, at = ed.text().indexOf("mass =") + 4;
    ed.view.dispatch({ selection: { anchor: at } }); ed.view.focus(); })()`);
  const n = await page.value("playground.state.runs"), picture = await page.value("playground.player.scene.poses.join().length");
  await page.call("Input.insertText", { text: "x" });
  await page.until(`playground.state.runs > ${n}`);
  await page.settle();
  const marks = await page.value("[...document.querySelectorAll('.cm-lintRange-error')].map(e => e.textContent)");
  ok(`a mistake is underlined: ${marks}`, marks.length === 1 && marks[0] === "massx");
  const line = await page.value("1 + playground.ed.text().slice(0, playground.ed.text().indexOf('massx')).split('\\n').length - 1");
  const list = await page.value(text("problems"));
  ok(`line and remedy are said: ${list}`, list.includes(`line ${line}`) && /mass\b/.test(list));
  // The underlined line is the line of that number.
  const gutter = await page.value(`(() => { const mark = document.querySelector(".cm-lintRange-error").getBoundingClientRect();
    return [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].find(e => {
      const r = e.getBoundingClientRect(); return r.height > 0 && r.top <= mark.top + 2 && r.bottom >= mark.bottom - 2; })?.textContent; })()`);
  ok(`underlined at line ${gutter} of ${line}`, gutter === String(line));
  ok("the last picture stays", picture === await page.value("playground.player.scene.poses.join().length"));
  await page.shot(resolve(folder, "playground_error.png"));
  await page.value("document.querySelector('#problems li').click()");
  ok("a click goes there", await page.value("playground.ed.view.state.doc.lineAt(playground.ed.view.state.selection.main.head).number") === line);
  await page.value("playground.ed.view.dispatch({ selection: { anchor: playground.ed.text().indexOf('massx') + 5 } })");
  const m = await page.value("playground.state.runs");
  await page.key("Backspace");
  await page.until(`playground.state.runs > ${m} && !playground.simulator.busy`);
  ok("it is gone when the text is right", await page.value("document.querySelectorAll('.cm-lintRange-error').length === 0 && document.getElementById('problems').hidden"));
  ok("a run says its steps", /\d+ steps/.test(await page.value(text("status"))));
}

/** A slider that is drawn along runs the model again, and the picture follows. */
async function slide(page) {
  await page.model("double_pendulum");
  await page.settle();
  const box = await page.value(`(() => { const r = document.querySelector("#sliders input").getBoundingClientRect();
    return [r.left, r.top + r.height / 2, r.width]; })()`);
  const last = () => page.value("playground.player.scene.poses.slice(-7).join()"), before = await last();
  const eye = () => page.value("playground.player.viewer.camera.position.toArray()");
  // A camera that somebody has set.
  await page.value("playground.player.viewer.fitted = null");
  const camera = await eye(), runs = await page.value("playground.state.runs");
  const left = { button: "left", buttons: 1, clickCount: 1 };
  await page.mouse("mousePressed", box[0] + 0.5 * box[2], box[1], left);
  for (let k = 1; k <= 8; k++) {
    await page.mouse("mouseMoved", box[0] + (0.5 + 0.03 * k) * box[2], box[1], left);
    await page.settle();
  }
  await page.until(`playground.state.runs > ${runs}`);
  const held = await last();
  ok("the motion changes while the slider is held", held !== before);
  await page.mouse("mouseReleased", box[0] + 0.74 * box[2], box[1], left);
  await page.until("!playground.simulator.busy");
  const moved = Math.hypot(...(await eye()).map((x, k) => x - camera[k]));
  ok(`the camera stays: ${moved}`, moved < 1e-9 * Math.hypot(...camera));
  const [name, value] = await page.value("Object.entries(playground.sliders.values)[0]");
  const given = await page.value(`playground.player.scene.header.parameters.find(p => p[0] === "${name}")?.[1]`);
  ok(`the run has the value of the slider: ${given}, ${value}`, given === value);
  await page.value("playground.player.look(), playground.player.seek(0.6)");
  await page.settle();
  await page.shot(resolve(folder, "playground.png"));
  const written = await page.value("playground.share().then(() => location.hash)");
  await page.after("document.querySelector('#sliders input').dispatchEvent(new Event('dblclick'))");
  ok("a double click resets it", before === await last());
  return { written, name, value };
}

/** Long runs say how far they are, and can be stopped. */
async function stop(page) {
  await page.value("playground.open('chain', playground.models.chain.replace('N = 10', 'N = 300')), 0");
  await page.until("!document.getElementById('cancel').hidden && Number.parseFloat(document.getElementById('done').style.width) > 0", 60);
  await page.value("document.getElementById('cancel').click()");
  ok("stopped", await page.value(`${text("status")} === "stopped" && !playground.simulator.busy && document.getElementById("cancel").hidden`));
  await page.model("pendulum");
  ok("the page goes on", await page.value("playground.player.scene.header.name") === "pendulum");
}

/** What is saved can be read; the page that is saved moves. */
async function save(page) {
  await page.model("heavy_top");
  const saved = async kind => {
    await page.after(`(() => { const s = document.getElementById("save"); s.value = "${kind}"; s.onchange(); })()`);
    return page.value("playground.state.saved instanceof Uint8Array ? new TextDecoder('latin1').decode(playground.state.saved) : playground.state.saved");
  };
  const results = JSON.parse(await saved("json"));
  ok("results", results.rows.length > 200 && results.columns.includes("t") && results.metadata.model_text.includes("[[body]]"));
  ok("csv", (await saved("csv")).split("\n").length > 200);
  ok("glTF", (await saved("glb")).startsWith("glTF"));
  writeFileSync(resolve(folder, "saved.html"), await saved("html"));
  const view = await chromium.open("file://" + resolve(folder, "saved.html") + "#t=0.5");
  await view.until("document.documentElement.dataset.ready");
  ok("the saved page shows the run", await view.value("player.scene.header.name === 'heavy_top' && player.time === 0.5"));
  ok("without messages: " + view.problems, view.problems.length === 0);
  await view.close();
}

/** Names of a model are texts. */
async function names(page) {
  const bad = `[[body]]\nname = "</script><img src=x onerror='window.bad = 1'>"\nmass = 1\ninertia = [1, 1, 1]\n[run]\nuntil = 0.1\n`;
  await page.after(`playground.open("<img src=x onerror='window.bad = 1'>", ${JSON.stringify(bad)})`);
  await page.after(`playground.open("a", ${JSON.stringify(bad + "[[<b onclick=x>]]")})`);
  ok("names are no markup", await page.value("window.bad === undefined && !document.querySelector('aside img, main img, #problems b b')"));
}

/**
 * The last states, digit by digit, beside those of the native program. Where a tolerance chooses the steps, rounding decides a little about
 * them: such runs agree to a thousandth of the tolerance only.
 */
async function compare(page) {
  let worst = 0;
  for (const file of native) {
    const name = basename(file, ".json"), { columns, rows, metadata } = JSON.parse(readFileSync(file)), last = rows.at(-1);
    const tolerance = metadata.settings.tol;
    await page.model(name);
    await page.after("playground.run('end')", 120);
    const end = await page.value("playground.state.end");
    let off = Math.abs(end.t[0] - last[columns.indexOf("t")]);
    for (const what of ["q", "v"]) {
      ok(`${name} has ${what}`, end[what].length > 0);
      end[what].forEach((x, k) => {
        const y = last[columns.indexOf(`${what}.${k}`)], d = Math.abs(x - y) / Math.max(1, Math.abs(y));
        off = Number.isNaN(d) ? Infinity : Math.max(off, d);
      });
    }
    console.log(`  ${name}: ${off.toExponential(1)} from the native program, ${end.steps} steps`);
    ok(`${name} is the same as natively: ${off}`, off < (tolerance ? 1e-3 * tolerance : 1e-12));
    if (!tolerance) worst = Math.max(worst, off);
  }
  return worst;
}

try {
  const page = await open(address + "#play=0&theme=light&model=heavy_top");
  ok("a model runs by itself", await page.value("playground.player.scene.header.name === 'heavy_top'"));
  await edit(page);
  const { written, name, value } = await slide(page);
  await stop(page);
  await save(page);
  await names(page);
  const worst = await compare(page);
  const count = await page.value("Object.keys(playground.models).length");
  let longest = [0, ""];
  for (const model of await page.value("Object.keys(playground.models)")) {
    await page.model(model);
    ok(`${model} runs: ${await page.value(text("status"))}`, await page.value(`playground.player.scene.header.name === "${model}" && !document.querySelector("#status em")`));
    const ms = await page.value("playground.state.ms");
    if (ms > longest[0]) longest = [ms, model];
  }
  ok("no messages, no requests: " + page.problems, page.problems.length === 0);
  await page.close();

  // From a disk, with the model in the address.
  const disk = await open("file://" + resolve(folder, "site/index.html") + written);
  ok("a link has the model with its sliders", await disk.value(`playground.ed.text().includes("${name} = ${value}")`));
  ok("and runs it", await disk.value(`playground.player.scene.header.parameters.find(p => p[0] === "${name}")?.[1]`) === value);
  ok("no messages from a disk: " + disk.problems, disk.problems.length === 0);
  await disk.close();
  const damaged = await open(address + "#text=nonsense");
  ok("a damaged link is said", await damaged.value("playground.state.name === 'slider_crank'"));
  await damaged.close();
  console.log(`playground: good; ${native.length - 1} models with given steps equal the native program to ${worst.toExponential(1)}; ${count} models run, the slowest is `
    + `${longest[1]} with ${longest[0].toFixed(0)} ms`);
} finally {
  clearTimeout(late);
  await chromium.stop();
}
