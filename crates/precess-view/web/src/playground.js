// A model file, its run and its picture, side by side.
import { editor } from "./editor.js";
import { pack, unpack } from "./link.js";
import { Simulator } from "./simulator.js";
import { Sliders, written } from "./sliders.js";

const { Player, decode, el, inflate, theme } = window.precess;
const $ = id => document.getElementById(id), query = new URLSearchParams(location.hash.slice(1));
const models = JSON.parse($("gallery").textContent);
const player = new Player($("player"), { theme });
/** `runs` counts answers; `fresh`: another model, so the camera is set anew. */
const state = { runs: 0, ms: 0, fresh: true, name: "model", end: null };

const ed = editor($("editor"), () => {
  clearTimeout(state.timer);
  state.timer = setTimeout(run, 250);
});
const sliders = new Sliders($("sliders"), () => run());
const simulator = new Simulator(inflate($("simulator").textContent.trim()), $("worker").textContent, { progress, done });

function say(text, bad = "") {
  $("status").replaceChildren(...bad ? [el("em", "", bad), " "] : [], text);
}

function progress(part) {
  $("done").style.width = `${100 * part}%`;
}

function problems(list) {
  ed.problems(list);
  $("problems").hidden = !list.length;
  $("problems").replaceChildren(...list.map(p => {
    const item = el("li", "", "", el("b", "", p.line ? `line ${p.line}` : "model"), p.message);
    if (p.help) item.append(el("p", "", p.help));
    if (p.line) item.onclick = () => ed.go(p.line);
    return item;
  }));
}

/** Asks the simulator for the present text. */
function run(wish = "scene") {
  simulator.ask({ wish, name: state.name, text: ed.text(), overrides: sliders.overrides() });
  const asked = simulator.id;
  if (simulator.busy.id === asked) say("running");
  setTimeout(() => simulator.busy && ($("cancel").hidden = false), 300);
}

function done(question, m) {
  progress(0);
  $("cancel").hidden = !simulator.next;
  const h = m.header;
  state.ms = m.ms;
  if (m.crashed) say(m.crashed, "The simulator stopped.");
  else if (h.problems) {
    problems(h.problems);
    const n = h.problems.length;
    say("", n ? `${n} problem${n > 1 ? "s" : ""}; the picture is that of the last run` : "");
  } else {
    problems([]);
    if (h.failure) say(h.failure, "This cannot run:");
    else if (h.file) download(question, h.file, m.data);
    else if (h.end) state.end = h.end;
    else show(h.scene, m);
  }
  state.runs++;
  document.documentElement.dataset.ready = String(state.runs);
}

function show(header, m) {
  const scene = decode(header, m.data), keep = !state.fresh && scene.nb === player.scene?.nb;
  player.show(scene, [], keep);
  state.fresh = false;
  if (sliders.show(m.header.sliders)) run();
  const { steps, error } = header.summary, text = `${steps} steps in ${m.ms.toFixed(0)} ms, with the picture`;
  say(text, error ? `The run ended early: ${error.split("\n")[0]};` : "");
}

function save(content, file) {
  const a = Object.assign(el("a"), { href: URL.createObjectURL(new Blob([content])), download: file });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  const size = typeof content === "string" ? content.length : content.byteLength;
  say(`${file} saved, ${Math.ceil(size / 1000)} kB`);
  state.saved = content;
}

function download({ name }, kind, bytes) {
  if (kind !== "html") return save(bytes, `${name}.${kind}`);
  // The page as `precess view` writes it: its style and script are those of this page.
  const page = new TextDecoder().decode(bytes), put = (s, mark, id) => s.split(mark).join($(id).textContent);
  save(put(put(page, "/*style of the page*/", "viewer-style"), "/*script of the page*/", "viewer-script"), `${name}.html`);
}

function cancel() {
  simulator.cancel();
  progress(0);
  $("cancel").hidden = true;
  say("stopped");
}

function open(name, text) {
  clearTimeout(state.timer);
  Object.assign(state, { fresh: true, name: name || "model" });
  sliders.reset();
  ed.set(text);
  $("models").value = name in models ? name : "";
  run();
}

/** The address of this page with the model in it, sliders included. */
async function share() {
  const hash = "#" + new URLSearchParams({ name: state.name, text: await pack(written(ed.text(), sliders.values)) });
  history.replaceState(null, "", hash);
  let where = "The address of this page now holds the model.";
  try {
    await navigator.clipboard.writeText(location.href);
    where = "A link with the model is copied.";
  } catch { /* The address is enough. */ }
  say(where);
}

$("models").append(Object.assign(el("option", "", "gallery"), { value: "", hidden: true }), ...Object.keys(models).map(n => el("option", "", n)));
$("models").onchange = () => open($("models").value, models[$("models").value]);
$("save").onchange = () => {
  const kind = $("save").value;
  $("save").value = "";
  if (kind === "toml") save(written(ed.text(), sliders.values), `${state.name}.toml`);
  else if (kind === "link") share();
  else run(kind);
};
$("cancel").onclick = cancel;
player.share = share;
window.playground = { player, ed, state, run, open, cancel, share, simulator, sliders, models };

/** The model of an address, else that of the gallery it names, else the first. */
async function begin(query) {
  const names = Object.keys(models), wanted = query.get("model"), name = wanted in models ? wanted : names.includes("slider_crank") ? "slider_crank" : names[0];
  const text = query.has("text") ? await unpack(query.get("text")).catch(() => undefined) : undefined;
  if (text === undefined) open(name, models[name]); else open(query.get("name") || "model", text);
  if (query.has("text") && text === undefined) player.toast("This link is damaged: here is a model of the gallery");
}
addEventListener("hashchange", () => begin(new URLSearchParams(location.hash.slice(1))));
begin(query).then(() => player.play(query.get("play") !== "0"));
