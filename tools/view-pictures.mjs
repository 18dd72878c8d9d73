// Takes a picture of each page at its middle time: node tools/view-pictures.mjs BROWSER OUT WIDTHxHEIGHT PAGE[#TIME] ..
import { basename, resolve } from "node:path";
import { start } from "./chromium.mjs";

const [program, out, size, ...pages] = process.argv.slice(2);
const [width, height] = size.split("x").map(Number);
const chromium = start(program, { width, height });
for (const page of pages) {
  const [file, time] = page.split("#");
  const view = await chromium.open("file://" + resolve(file) + "#play=0&theme=light", { size: [width, height] });
  await view.until("document.documentElement.dataset.ready", 120);
  await view.value(`player.seek(${time ?? "player.scene.t[player.scene.n >> 1]"})`);
  await view.settle();
  await view.shot(resolve(out, basename(file, ".html") + ".png"));
  if (view.problems.length) console.log(file, view.problems.join("; "));
  await view.close();
}
await chromium.stop();
process.exit(0);
