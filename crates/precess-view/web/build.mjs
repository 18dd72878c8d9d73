// Makes the files of ../assets out of src, or (--check) says whether they are what src makes.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const here = new URL(".", import.meta.url).pathname;
const read = name => readFileSync(here + name, "utf8");

/** Packages that the bundles contain. */
const packages = new Set();

async function bundle(entry) {
  const made = await build({
    entryPoints: [here + entry], bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "none", write: false,
    charset: "utf8", metafile: true,
  });
  for (const file of Object.keys(made.metafile.inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (found) packages.add(found[1]);
  }
  // The page holds this between script tags.
  return made.outputFiles[0].text.replace(/<\/script/gi, "<\\/script");
}

const viewer = await bundle("src/page.js"), playground = await bundle("src/playground.js");
const uplot = read("node_modules/uplot/dist/uPlot.min.css").trim() + "\n";
const licence = name => read(`node_modules/${name}/LICENSE`).trim();
const licences = [...packages].sort().map(n => `${n}\n${"=".repeat(n.length)}\n\n${licence(n)}\n`).join("\n");
const files = {
  "viewer.js": viewer,
  "viewer.css": uplot + read("src/viewer.css"),
  "playground.js": playground,
  "playground.css": read("src/playground.css"),
  "playground.html": read("src/playground.html"),
  "worker.js": await bundle("src/worker.js"),
  "LICENSES.txt": `The bundles contain the following packages: three and uplot in viewer.js, all of them in playground.js.\n\n${licences}`,
};
let stale = 0;
for (const [name, text] of Object.entries(files)) {
  const file = `${here}../assets/${name}`;
  console.log(`${name}: ${text.length} bytes, ${gzipSync(text, { level: 9 }).length} compressed`);
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(`${name} is not what src makes: run npm run build`);
    stale = 1;
  }
}
process.exit(stale);
