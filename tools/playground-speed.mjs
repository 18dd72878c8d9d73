// Processor time of steps in the playground and natively, in turns; see playground-speed.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { start } from "./chromium.mjs";

const [program, file, precess, rounds, ...models] = process.argv.slice(2);
const chromium = start(program, { width: 1000, height: 600 });
const RUNS = 8, SHORT = 0.02;

/** Seconds of the processor for RUNS native runs, and the steps of one. */
function native(name, until) {
  const run = `"$0" run "$1" --until "$2" --json`;
  const [user, system] = execFileSync("bash", ["-c", `for i in $(seq ${RUNS}); do ${run} >/dev/null 2>&1; done; times | tail -1`,
    precess, `models/${name}.toml`, String(until)], { encoding: "utf8" }).trim().split(/\s+/)
    .map(t => { const [, m, s] = t.match(/(\d+)m([\d.]+)s/); return 60 * m + Number(s); });
  const { steps } = JSON.parse(execFileSync("bash", ["-c", `${run} 2>/dev/null`, precess, `models/${name}.toml`, String(until)]));
  return { seconds: user + system, steps };
}

/** The same in the page. */
async function inPage(page, name, text, until) {
  const after = async what => {
    const n = await page.value("playground.state.runs");
    await page.value(what);
    await page.until(`playground.state.runs > ${n} && !playground.simulator.busy`, 120);
  };
  await after(`playground.open("${name}", ${JSON.stringify(text.replace(/^until\s*=.*$/m, `until = ${until}`))})`);
  const before = await chromium.seconds();
  for (let k = 0; k < RUNS; k++) await after("playground.run('end')");
  return { seconds: await chromium.seconds() - before, steps: await page.value("playground.state.end.steps") };
}

try {
  const page = await chromium.open("file://" + resolve(file) + "#play=0&model=pendulum");
  await page.until("window.playground && playground.state.runs >= 1 && !playground.simulator.busy", 120);
  // What a run costs beyond its steps is the same for a short one.
  const perStep = (long, short) => 1e6 * (long.seconds - short.seconds) / (RUNS * (long.steps - short.steps));
  const median = list => list.sort((a, b) => a - b)[list.length >> 1];
  for (const name of models) {
    const text = readFileSync(`models/${name}.toml`, "utf8"), until = Number(text.match(/^until\s*=\s*([\d.e+-]+)/m)[1]);
    const list = { page: [], native: [] };
    for (let round = 0; round < Number(rounds); round++) {
      list.page.push(perStep(await inPage(page, name, text, until), await inPage(page, name, text, SHORT * until)));
      list.native.push(perStep(native(name, until), native(name, SHORT * until)));
    }
    const [a, b] = [median(list.page), median(list.native)];
    console.log(`${name}: ${a.toPrecision(3)} us of the processor per step in the page, ${b.toPrecision(3)} natively, ${(a / b).toFixed(2)} times`);
  }
} finally {
  await chromium.stop();
}
process.exit(0);
