// Measures large scenes: milliseconds of JavaScript for one new time, milliseconds of a whole picture, and
// draw calls.
// usage: node tools/view-large.mjs BROWSER PAGE.html ..      writes a screenshot beside each page
import { resolve } from "node:path";
import { start } from "./chromium.mjs";

const [program, ...pages] = process.argv.slice(2), chromium = start(program);
try {
  for (const file of pages) {
    const begin = Date.now(), page = await chromium.open("file://" + resolve(file) + "#t=0&theme=light");
    await page.until("document.documentElement.dataset.ready", 240);
    const ready = Date.now() - begin;
    const found = await page.value(`(() => {
      const { viewer: v, scene: s } = player, gl = v.renderer.getContext(), times = [], pictures = [];
      for (let k = 0; k < 12; k++) {
        const a = performance.now();
        player.seek(s.t[0] + (s.t[s.n - 1] - s.t[0]) * (k + 0.5) / 12);
        const b = performance.now();
        v.render(true); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
        times.push(b - a); pictures.push(performance.now() - b);
      }
      const middle = l => l.sort((x, y) => x - y)[6], { calls, triangles } = v.renderer.info.render;
      return { bodies: s.nb, frames: s.n, seek: middle(times), picture: middle(pictures), calls, triangles };
    })()`);
    await page.shot(file.replace(/\.html$/, ".png"));
    console.log(`${found.bodies} bodies, ${found.frames} frames: page ready after ${(ready / 1000).toFixed(1)} s, new time ${found.seek.toFixed(1)} ms, `
      + `picture ${found.picture.toFixed(0)} ms (drawn by this processor), ${found.calls} draw calls, ${found.triangles} triangles; `
      + (page.problems.length ? page.problems.join("; ") : "no messages"));
    await page.close();
  }
} finally {
  await chromium.stop();
}
