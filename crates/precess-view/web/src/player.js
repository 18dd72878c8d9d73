// Picture, plots and the bar below them, with one time for all.
import { Vector3 } from "three";
import { moment } from "./data.js";
import { button, el, icon } from "./dom.js";
import { Plots } from "./plots.js";
import { FORCE, LOAD, TORQUE, VELOCITY } from "./theme.js";
import { ALL, Viewer, digits } from "./viewer.js";

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const KEYS = [
  ["space", "play or pause"], ["← →", "one frame (shift: ten)"], ["home end", "first, last frame"], ["− +", "slower, faster"],
  ["l", "loop"], ["n", "next mode"], ["j t", "joints, traces"], ["f m v", "forces, torques, velocities"], ["c", "camera follows the next body"],
  ["1 2 3 0", "front, side, top, best view"], ["k", "link to this moment"], ["d", "dark or light"], ["p", "plots"],
  ["drag · right drag · wheel", "turn · move · zoom"], ["double click", "follow this body"],
];
const LAYERS = { joints: "j", traces: "t", forces: "f", torques: "m", velocities: "v" };
const plural = (n, one, many) => `${n} ${n === 1 ? one : many}`;

export class Player {
  constructor(root, options = {}) {
    this.root = root;
    root.classList.add("player");
    this.parts = {};
    this.layout();
    this.theme = options.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = this.theme;
    try {
      this.viewer = new Viewer(this.parts.canvas, this.theme);
    } catch (error) {
      this.viewer = null;
      root.classList.add("flat");
      this.parts.canvas.append(el("p", "message",
        "This browser shows no WebGL, so the mechanism cannot be drawn here. The plots work. Try another browser, or turn on "
        + "hardware acceleration."));
    }
    this.plots = new Plots(this.parts.plots, t => {
      this.play(false);
      this.seek(t);
    });
    Object.assign(this, { loop: true, playing: false, speed: 1, time: 0, ghosts: [] });
    this.wire();
    let last = performance.now(), pictures = 0;
    if (this.viewer) Object.assign(this.parts.toast, { hidden: false, textContent: "drawing the mechanism ..." });
    const tick = now => {
      this.advance(Math.min(now - last, 100) / 1000);
      last = now;
      // The first picture takes seconds where there is no graphics card: words are on the screen before it.
      if (this.scene && this.viewer && ++pictures > 2) {
        this.viewer.render();
        if (pictures === 3) this.parts.toast.hidden = true;
      }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  layout() {
    const p = this.parts, stage = el("div", "stage");
    for (const n of ["canvas", "title", "legend", "tip", "keys", "toast"]) stage.append(p[n] = el("div", n));
    p.tip.hidden = p.keys.hidden = p.toast.hidden = true;
    p.plots = el("div", "plots");
    p.bar = el("div", "bar");
    p.scrub = Object.assign(el("input", "scrub"), { type: "range", step: "any", ariaLabel: "time" });
    p.clock = el("output", "time");
    p.speed = Object.assign(el("select", "speed"), { title: "speed (− +)" });
    p.speed.append(...SPEEDS.map(s => Object.assign(el("option", "", `${s}×`), { value: s })));
    p.follow = Object.assign(el("select", "follow"), { title: "camera (c)" });
    p.choice = Object.assign(el("select", "choice"), { title: "what is shown (n)", hidden: true });
    const add = (name, title, content) => p[name] = button(name, title, content);
    p.bar.append(
      add("play", "play or pause (space)", "play"), add("back", "one frame back (←)", "back"),
      add("ahead", "one frame ahead (→)", "ahead"), p.scrub, p.clock, p.speed, add("loop", "loop (l)", "loop"), p.choice, el("span", "gap"),
      ...Object.keys(LAYERS).map(n => add(n, `${n} (${LAYERS[n]})`, n)), p.follow, add("fit", "best view (0)", "fit"),
      add("share", "link to this moment (k)", "link"), add("showplots", "plots (p)", "plots"),
      add("dark", "dark or light (d)", "theme"), add("help", "keys (?)", "help"),
    );
    for (const n of Object.keys(LAYERS)) p[n].classList.add("word");
    for (const n of ["loop", "joints", "traces", "showplots"]) p[n].classList.add("on");
    p.keys.append(...KEYS.flatMap(([k, t]) => [el("kbd", "", k), el("span", "", t)]));
    this.root.replaceChildren(stage, p.plots, p.bar);
    this.stage = stage;
  }

  setTheme(name) {
    this.theme = document.documentElement.dataset.theme = name;
    this.viewer?.setTheme(name);
    this.drawPlots();
  }

  /** Several motions of one mechanism, one of them shown at a time. */
  offer(scenes) {
    this.scenes = scenes;
    const p = this.parts;
    p.choice.replaceChildren(...scenes.map((s, k) => Object.assign(el("option", "", s.header.label), { value: k })));
    p.choice.hidden = scenes.length < 2;
    this.choose(0);
  }

  /** Shows one of the motions that are offered; the camera stays. */
  choose(k) {
    const first = !this.scene, playing = this.playing;
    if (!this.scenes?.[k]) return;
    this.parts.choice.value = this.chosen = k;
    this.show(this.scenes[k], [], !first);
    if (!first) {
      this.pace();
      this.seek(this.scene.t[0]);
      this.play(playing);
    }
  }

  /** The fastest body turns by less than a radian per picture, and a run takes at least four seconds. */
  pace() {
    const { header, t, n } = this.scene, want = Math.min(1, (t[n - 1] - t[0]) / 4, 45 / Math.max(header.spin, 1e-9));
    this.setSpeed(SPEEDS.filter(x => x <= 1.3 * want).pop() || SPEEDS[0]);
  }

  /** Shows a run; `keep` keeps camera, time and speed. */
  show(scene, ghosts = [], keep = false) {
    this.scene = scene;
    this.ghosts = ghosts;
    const { header, t, n } = scene, p = this.parts, end = t[n - 1];
    this.viewer?.show(scene, ghosts, keep);
    Object.assign(p.scrub, { min: t[0], max: end });
    const chosen = p.follow.value, option = (text, value) => Object.assign(el("option", "", text), { value });
    p.follow.replaceChildren(option("free camera", -1), option("follow all", ALL), ...header.bodies.slice(0, 300).map((b, i) => option(`follow ${b.name}`, i)));
    p.follow.value = keep && chosen !== "" ? chosen : this.viewer?.follow ?? -1;
    this.title(header);
    if (!keep) this.pace();
    this.drawPlots();
    this.seek(keep ? Math.min(this.time, end) : t[0]);
    this.legend();
  }

  title(header) {
    const s = header.summary, list = [plural(header.bodies.length, "body", "bodies"), plural(header.joints.length, "joint", "joints")];
    if (s.method) list.push(`${s.method} on ${s.formulation}`);
    if (s.steps) list.push(plural(s.steps, "step", "steps"));
    const t = this.parts.title;
    t.replaceChildren(el("b", "", header.name), el("span", "", list.join(" · ")));
    if (header.label) t.append(el("strong", "", header.label));
    if (s.error) t.append(el("em", "", `The run ended early: ${s.error.split("\n")[0]}`));
    t.append(...header.notes.map(n => el("small", "", n)));
    for (const g of this.ghosts) t.append(el("small", "", `Grey and dashed: ${g.header.name}${g.header.label ? ", " + g.header.label : ""}`));
  }

  setSpeed(s) {
    this.speed = s;
    this.parts.speed.value = s;
  }

  play(on = !this.playing) {
    this.playing = on;
    this.parts.play.replaceChildren(icon(on ? "pause" : "play"));
  }

  advance(dt) {
    if (!this.playing || !this.scene) return;
    const { t, n } = this.scene;
    let time = this.time + dt * this.speed;
    if (time > t[n - 1]) {
      if (this.loop) time = t[0];
      else {
        time = t[n - 1];
        this.play(false);
      }
    }
    this.seek(time);
  }

  seek(time) {
    const { t, n } = this.scene, begin = t[0], end = t[n - 1], p = this.parts;
    this.time = time = Math.max(begin, Math.min(time, end));
    this.viewer?.seek(time);
    p.scrub.value = time;
    p.scrub.style.setProperty("--done", `${100 * (time - begin) / (end - begin || 1)}%`);
    const places = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(end || 1))));
    p.clock.textContent = this.clock(time) ?? `${time.toFixed(places)} s`;
    this.plots.time = time;
    this.plots.mark(time);
  }

  /** What goes on instead of time, where that is something else. */
  clock(time) {
    const { clock } = this.scene.header;
    if (!clock) return null;
    const [name, values] = clock, [f, w] = moment(this.scene, time), a = values[f], b = values[f + 1] ?? a;
    return `${name} ${+(a + w * (b - a)).toPrecision(4)}`;
  }

  step(k) {
    const { t, n } = this.scene, [f, w] = moment(this.scene, this.time);
    this.play(false);
    this.seek(t[Math.max(0, Math.min(n - 1, f + k + (k < 0 && w > 0 ? 1 : 0)))]);
  }

  toggle(name) {
    if (!this.viewer) return;
    const on = this.viewer.shown[name] = !this.viewer.shown[name];
    this.parts[name].classList.toggle("on", on);
    this.viewer.seek(this.time);
    this.legend();
  }

  /** What the arrows mean. */
  legend() {
    const v = this.viewer, box = this.parts.legend;
    box.replaceChildren();
    if (!v || !this.scene) return;
    const row = (colour, text) => {
      const mark = el("i", "", "➜");
      mark.style.color = colour;
      box.append(el("span", "", "", mark, text));
    };
    const none = this.scene.nj ? "none in this run" : "not in these results";
    const root = (most, unit) => most > 0 ? `longest ${digits(most)} ${unit}; length as its root` : none;
    if (v.shown.forces) row(FORCE, `force on the second body of a joint: ${root(v.mostForce, "N")}`);
    if (v.shown.torques) row(TORQUE, `torque of a joint: ${root(v.mostTorque, "N m")}`);
    if (v.shown.forces && v.mostLoad[0] > 0) row(LOAD, `given force: ${root(v.mostLoad[0], "N")}`);
    if (v.shown.torques && v.mostLoad[1] > 0) row(LOAD, `given torque: ${root(v.mostLoad[1], "N m")}`);
    if (v.shown.velocities) row(VELOCITY, `velocity: longest ${digits(v.mostSpeed)} m/s`);
    box.append(el("small", "", `grid ${v.floor.interval >= 1 ? v.floor.interval + " m" : +(1000 * v.floor.interval).toPrecision(3) + " mm"}`));
  }

  drawPlots() {
    if (this.scene) this.plots.draw(this.scene, this.ghosts, this.theme, this.time);
  }

  /** The address of this moment: time, camera, what is shown. */
  address() {
    const q = new URLSearchParams({ t: +this.time.toPrecision(9), theme: this.theme });
    if (this.chosen) q.set("choice", this.chosen);
    const v = this.viewer;
    if (v) {
      q.set("camera", [...v.camera.position, ...v.controls.target].map(x => +x.toPrecision(5)).join(","));
      q.set("show", Object.keys(LAYERS).filter(n => v.shown[n]).join(","));
      if (v.follow !== -1) q.set("follow", v.follow);
    }
    return "#" + q;
  }

  /** Goes to what an address says. */
  open(hash) {
    const q = new URLSearchParams(hash.replace(/^#/, "")), v = this.viewer;
    if (v && q.has("show")) {
      const wanted = q.get("show").split(",");
      for (const n of Object.keys(LAYERS)) if (v.shown[n] !== wanted.includes(n)) this.toggle(n);
    }
    const choice = Number.parseInt(q.get("choice"));
    if (choice >= 0) this.choose(choice);
    const t = Number.parseFloat(q.get("t"));
    if (Number.isFinite(t)) this.seek(t);
    const follow = Number.parseInt(q.get("follow"));
    if (v && (follow === ALL || follow >= 0 && follow < this.scene.nb)) this.follow(follow);
    const camera = (q.get("camera") || "").split(",").map(Number);
    if (v && camera.length === 6 && camera.every(Number.isFinite)) {
      v.fitted = null;
      v.camera.position.set(...camera.slice(0, 3));
      v.controls.target.set(...camera.slice(3));
      v.controls.update();
    }
    // Nothing moves by itself for people who have asked for that.
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.play(q.has("play") ? q.get("play") !== "0" : !q.has("t") && !still);
  }

  async share() {
    const hash = this.address();
    try {
      history.replaceState(null, "", hash);
    } catch {
      location.hash = hash;
    }
    let where = "The address of this page now leads to this moment";
    try {
      await navigator.clipboard.writeText(location.href);
      where = "Link to this moment copied";
    } catch { /* No clipboard here: the address is enough. */ }
    this.toast(where);
  }

  /** A line that goes away by itself. */
  toast(text) {
    const toast = this.parts.toast;
    toast.textContent = text;
    toast.hidden = false;
    setTimeout(() => toast.hidden = true, 2500);
  }

  follow(body) {
    if (!this.viewer) return;
    this.viewer.follow = body;
    this.parts.follow.value = body;
    this.viewer.seek(this.time);
  }

  look(x, y, z) {
    this.follow(-1);
    this.viewer?.fit(x === undefined ? undefined : new Vector3(x, y, z));
  }

  wire() {
    const p = this.parts;
    p.play.onclick = () => this.play();
    p.back.onclick = () => this.step(-1);
    p.ahead.onclick = () => this.step(1);
    p.scrub.oninput = () => {
      this.play(false);
      this.seek(+p.scrub.value);
    };
    p.speed.onchange = () => this.speed = +p.speed.value;
    p.loop.onclick = () => p.loop.classList.toggle("on", this.loop = !this.loop);
    for (const n of Object.keys(LAYERS)) p[n].onclick = () => this.toggle(n);
    p.choice.onchange = () => this.choose(+p.choice.value);
    p.follow.onchange = () => this.follow(+p.follow.value);
    p.fit.onclick = () => this.look();
    p.share.onclick = () => this.share();
    p.dark.onclick = () => this.setTheme(this.theme === "dark" ? "light" : "dark");
    p.help.onclick = () => p.keys.hidden = !p.keys.hidden;
    p.showplots.onclick = () => {
      p.showplots.classList.toggle("on", !this.root.classList.toggle("wide"));
      this.drawPlots();
    };
    if (this.viewer) this.wirePointer();
    addEventListener("keydown", e => this.key(e));
    new ResizeObserver(() => {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.drawPlots(), 80);
    }).observe(p.plots);
  }

  wirePointer() {
    const canvas = this.viewer.renderer.domElement, tip = this.parts.tip;
    let pending = 0;
    canvas.addEventListener("pointermove", e => {
      if (e.buttons || pending) return;
      pending = requestAnimationFrame(() => {
        pending = 0;
        this.hover(e.clientX, e.clientY);
      });
    });
    canvas.addEventListener("pointerdown", e => {
      this.viewer.fitted = null;
      if (e.pointerType === "touch") this.hover(e.clientX, e.clientY);
    });
    canvas.addEventListener("wheel", () => this.viewer.fitted = null, { passive: true });
    canvas.addEventListener("pointerleave", () => tip.hidden = true);
    canvas.addEventListener("dblclick", e => {
      const hit = this.scene && this.viewer.pick(e.clientX, e.clientY);
      if (hit && hit.body >= 0) this.follow(hit.body);
    });
  }

  key(e) {
    const field = /input|textarea|select/i.test(e.target.tagName) && e.target.type !== "range";
    if (field || e.target.isContentEditable || e.ctrlKey || e.metaKey || e.altKey || !this.scene) return;
    const p = this.parts, far = e.shiftKey ? 10 : 1;
    const speed = k => this.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + k))]);
    const keys = {
      " ": () => this.play(), ArrowLeft: () => this.step(-far), ArrowRight: () => this.step(far), Home: () => this.step(-1e9),
      End: () => this.step(1e9), "-": () => speed(-1), "+": () => speed(1), "=": () => speed(1), l: () => p.loop.click(),
      n: () => this.scenes && this.choose((this.chosen + 1) % this.scenes.length),
      d: () => p.dark.click(), p: () => p.showplots.click(), k: () => this.share(), "?": () => p.help.click(),
      Escape: () => p.keys.hidden = true, 0: () => this.look(), 1: () => this.look(0, -1, 0.001), 2: () => this.look(1, 0, 0.001),
      3: () => this.look(0, -0.001, 1),
      c: () => this.follow(this.viewer && this.viewer.follow + 1 < this.scene.nb ? Math.max(0, this.viewer.follow + 1) : -1),
    };
    for (const [n, k] of Object.entries(LAYERS)) keys[k] = () => this.toggle(n);
    if (!keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  }

  hover(x, y) {
    const tip = this.parts.tip, hit = this.scene && this.viewer.pick(x, y), r = this.stage.getBoundingClientRect();
    tip.hidden = !hit;
    if (!hit) return;
    tip.replaceChildren(el("b", "", hit.name), ` ${hit.text}`);
    tip.style.left = `${Math.max(8, Math.min(x - r.left + 14, r.width - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.max(8, y - r.top - 34)}px`;
  }
}
