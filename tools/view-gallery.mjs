// Puts several pages of `precess view` into one picture, without plots and buttons, each at its middle time:
// node tools/view-gallery.mjs BROWSER OUT.png COLUMNS WIDTHxHEIGHT PAGE[#TIME] ..
import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { start } from "./chromium.mjs";

const [program, out, columns, size, ...pages] = process.argv.slice(2);
const [width, height] = size.split("x").map(Number), rows = Math.ceil(pages.length / columns);
const chromium = start(program, { width, height }), pictures = [];
for (const page of pages) {
  const [file, time] = page.split("#");
  const view = await chromium.open("file://" + resolve(file) + "#play=0&theme=light", { size: [width, height] });
  await view.until("document.documentElement.dataset.ready", 240);
  await view.value(`(() => {
    const style = document.createElement("style");
    style.textContent = ".plots, .bar, .title, .legend, .tip { display: none !important } .player { display: block !important } "
      + ".stage { position: fixed !important; inset: 0 !important }";
    document.head.append(style);
  })()`);
  await view.settle();
  await view.value(`(player.viewer.resize(), player.look(), player.seek(${time ?? "player.scene.t[player.scene.n >> 1]"}), player.viewer.render(true))`);
  await view.settle();
  const { data } = await view.call("Page.captureScreenshot", { format: "png" });
  pictures.push([basename(file, ".html"), data]);
  if (view.problems.length) console.log(file, view.problems.join("; "));
  await view.close();
}
const cells = pictures.map(([name, data]) =>
  `<div style="position:relative"><img src="data:image/png;base64,${data}"><b style="position:absolute;left:16px;top:14px">${name}</b></div>`);
const wall = await chromium.open("about:blank", { size: [width * columns, height * rows] });
await wall.value(`document.body.innerHTML = ${JSON.stringify(cells.join(""))}; document.body.style.cssText =
  "margin:0;display:grid;grid-template-columns:repeat(${columns},${width}px);grid-auto-rows:${height}px;font:16px 'DejaVu Sans',sans-serif"; 0`);
await wall.settle();
const { data } = await wall.call("Page.captureScreenshot", { format: "png" });
writeFileSync(out, Buffer.from(data, "base64"));
await chromium.stop();
process.exit(0);
