// Measures the time of steps in the playground and natively, in turns; see playground-speed.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { start } from "./chromium.mjs";

const [program, file, precess, rounds, ...models] = process.argv.slice(2);
const chromium = start(program, { width: 1000, height: 600 });
const quiet = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
try {
  const page = await chromium.open("file://" + resolve(file) + "#play=0&model=pendulum");
  await page.until("window.playground && playground.state.runs >= 1 && !playground.simulator.busy", 120);
  const after = async what => {
    const n = await page.value("playground.state.runs");
    await page.value(what);
    await page.until(`playground.state.runs > ${n} && !playground.simulator.busy`, 120);
  };
  for (const name of models) {
    let inPage = Infinity, natively = Infinity;
    for (let round = 0; round < Number(rounds); round++) {
      await after(`playground.open("${name}", playground.models["${name}"])`);
      for (const end = Date.now() + 1000; Date.now() < end;) {
        // The time to read the file does not count, as in the native figure.
        await after("playground.run('check')");
        const reading = await page.value("playground.state.ms");
        await after("playground.run('end')");
        const { ms, steps } = await page.value("({ ms: playground.state.ms, steps: playground.state.end.steps })");
        inPage = Math.min(inPage, 1000 * (ms - reading) / steps);
      }
      for (const end = Date.now() + 1000; Date.now() < end;) {
        const { time } = JSON.parse(execFileSync(precess, ["run", `models/${name}.toml`, "--json"], quiet));
        natively = Math.min(natively, time.us_per_step);
      }
    }
    console.log(`${name}: ${inPage.toPrecision(3)} us per step in the page, ${natively.toPrecision(3)} natively, `
      + `${(inPage / natively).toFixed(2)} times`);
  }
} finally {
  await chromium.stop();
}
process.exit(0);
