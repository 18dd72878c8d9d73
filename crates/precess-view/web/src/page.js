// The page of one run, or of one run and others beside it. The playground takes its parts from `window.precess`.
import { decode, inflate } from "./data.js";
import { el } from "./dom.js";
import { Player } from "./player.js";

const texts = name => [...document.querySelectorAll(`script.${name}`)].map(e => e.textContent);
const headers = texts("header").map(t => JSON.parse(t));
const query = new URLSearchParams(location.hash.slice(1));
const theme = ["light", "dark"].includes(query.get("theme")) ? query.get("theme") : undefined;

window.precess = { Player, decode, el, inflate, theme };
if (headers.length) Promise.all(texts("data").map(t => inflate(t.trim()))).then(list => {
  const scenes = list.map((bytes, k) => decode(headers[k], bytes)), [scene, ...ghosts] = scenes;
  const player = window.player = new Player(document.getElementById("player"), { theme });
  if (headers[0].choice) player.offer(scenes); else player.show(scene, ghosts);
  player.open(location.hash);
  addEventListener("hashchange", () => player.open(location.hash));
  document.documentElement.dataset.ready = "1";
});
