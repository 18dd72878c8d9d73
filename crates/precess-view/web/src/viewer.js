// A scene in three dimensions: light, floor, camera, traces, arrows around a cast.
import {
  Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, Fog, Group, HemisphereLight, Line, LineBasicMaterial, Matrix4,
  NeutralToneMapping, PCFShadowMap, PerspectiveCamera, PMREMGenerator, Quaternion, Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import { Arrows } from "./arrows.js";
import { Cast } from "./cast.js";
import { moment } from "./data.js";
import { Floor } from "./floor.js";
import { FORCE, LOAD, THEMES, TORQUE, VELOCITY } from "./theme.js";

const V1 = new Vector3(), V2 = new Vector3(), M1 = new Matrix4();
const UP = new Vector3(0, 0, 1);
/** The camera follows the middle of all bodies. */
export const ALL = -2;
/** A motion this many times as large as the machine is watched from beside the machine. */
const FAR = 6;

export class Viewer {
  /** Throws where there is no WebGL. */
  constructor(element, theme) {
    this.element = element;
    this.theme = theme;
    const r = this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    r.setPixelRatio(Math.min(devicePixelRatio, 2));
    r.shadowMap.enabled = true;
    r.shadowMap.type = PCFShadowMap;
    r.toneMapping = NeutralToneMapping;
    element.append(r.domElement);
    this.camera = new PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.copy(UP);
    this.controls = new OrbitControls(this.camera, r.domElement);
    Object.assign(this.controls, { enableDamping: true, dampingFactor: 0.12, zoomToCursor: true });
    this.controls.addEventListener("change", () => this.dirty = true);
    this.scene = new Scene();
    this.scene.environment = new PMREMGenerator(r).fromScene(new RoomEnvironment(), 0.04).texture;
    this.scene.environmentIntensity = 0.55;
    this.sky = new HemisphereLight("#ffffff", "#b9b3a9", 0.7);
    this.sky.position.copy(UP);
    this.sun = new DirectionalLight("#fff6ea", 2.4);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 4;
    this.world = new Group();
    this.scene.add(this.sky, this.sun, this.sun.target, this.world);
    this.shown = { joints: true, traces: true, forces: false, torques: false, velocities: false };
    this.time = 0;
    this.follow = -1;
    this.dirty = true;
    this.ray = new Raycaster();
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.element;
    if (!w || !h) return;
    this.renderer.setSize(w, h);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    if (this.box && this.fitted) this.fit(this.fitted);
    this.dirty = true;
  }

  /** Shows a run, and others as ghosts. */
  show(scene, ghosts = [], keepCamera = false) {
    this.world.traverse(o => {
      o.geometry?.dispose();
      o.material?.dispose?.();
    });
    this.world.clear();
    this.floor?.dispose();
    this.run = scene;
    const g = new Vector3(...scene.header.gravity);
    // What falls, falls down.
    this.world.quaternion.copy(g.lengthSq() > 0 ? new Quaternion().setFromUnitVectors(g.normalize().negate(), UP) : new Quaternion());
    this.world.updateMatrixWorld(true);
    this.cast = new Cast(scene);
    this.casts = [this.cast, ...ghosts.map(s => new Cast(s, true))];
    for (const c of this.casts) this.world.add(c.group);
    const before = this.size;
    this.measure();
    this.floor = new Floor(this.box, this.centre, this.size);
    this.scene.add(this.floor.grid, this.floor.shade);
    this.light();
    this.makeTraces();
    this.makeArrows();
    this.setTheme(this.theme);
    // A view that nobody has chosen follows a mechanism that has become larger or much smaller.
    const other = before && (this.size > 1.15 * before || this.size < 0.5 * before);
    if (!keepCamera) this.follow = this.isFar ? ALL : -1;
    if (!keepCamera || other && this.fitted !== null) this.fit(keepCamera ? this.fitted : undefined);
    this.seek(Math.max(scene.t[0], Math.min(this.time, scene.t[scene.n - 1])));
  }

  setTheme(name) {
    this.theme = name;
    const t = THEMES[name];
    this.scene.background = new Color(t.sky);
    this.scene.fog = this.size ? new Fog(t.sky, 7 * this.size, 22 * this.size) : null;
    this.sky.intensity = t.hemisphere;
    this.renderer.toneMappingExposure = t.exposure;
    this.floor?.paint(name);
    for (const c of this.casts || []) c.paint(name);
    this.dirty = true;
  }

  /** Bounds of everything that happens, in the world as it is shown. */
  measure() {
    const box = new Box3(), paths = new Box3(), v = new Vector3(), m = new Matrix4();
    // The machine at a time, the largest of all times.
    this.machine = 0;
    for (const cast of this.casts) {
      const { header, n, nb } = cast.scene, every = Math.max(1, Math.floor(n / 60));
      for (let f = 0; f < n; f += every) {
        cast.pose(f, 0);
        const now = new Box3();
        for (const b of cast.bodies) paths.expandByPoint(v.setFromMatrixPosition(b).applyMatrix4(this.world.matrixWorld));
        for (const p of header.parts) {
          if (p.role === "plane" || nb > 200 && p.owner >= nb || p.body < 0 && f > 0) continue;
          m.copy(p.local);
          if (p.body >= 0) m.premultiply(cast.bodies[p.body]);
          grow(now, m.premultiply(this.world.matrixWorld), p.half ??= halves(p, cast.scene.meshes));
        }
        box.union(now);
        if (!now.isEmpty()) this.machine = Math.max(this.machine, now.getSize(v).length() / 2);
      }
      for (const l of header.lines) for (const k of [0, 1])
        if (l.bodies[k] < 0) box.expandByPoint(v.set(...l.points[k]).applyMatrix4(this.world.matrixWorld));
    }
    if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    this.box = box;
    this.paths = paths.isEmpty() ? box : paths;
    this.centre = box.getCenter(new Vector3());
    this.size = Math.max(box.getSize(v).length() / 2, 1e-9);
    this.isFar = this.machine > 0 && this.size > FAR * this.machine && !this.casts[1];
  }

  /** The middle of all bodies, where they are now. */
  middle(out) {
    out.set(0, 0, 0);
    for (const b of this.cast.bodies) out.add(V2.setFromMatrixPosition(b));
    return out.divideScalar(this.cast.bodies.length || 1).applyMatrix4(this.world.matrixWorld);
  }

  light() {
    const s = this.size, c = this.sun.shadow.camera, w = 1.9 * s;
    Object.assign(c, { left: -w, right: w, top: w, bottom: -w, near: 0.1 * s, far: 12 * s });
    c.updateProjectionMatrix();
    this.sun.target.position.copy(this.centre);
    this.sun.position.copy(this.centre).add(new Vector3(1.6, -2.2, 4.2).multiplyScalar(s));
    this.sun.shadow.normalBias = 0.004 * s;
    this.sun.shadow.bias = -0.0004;
    this.camera.near = Math.min(s / 200, (this.machine || s) / 20);
    this.camera.far = s * 60;
    this.camera.updateProjectionMatrix();
  }

  /** Paths of markers, else of the centres of a few bodies. */
  makeTraces() {
    const { header, n, nb } = this.run;
    let list = header.bodies.flatMap((body, b) => body.markers.map(k => ({ b, p: k.point })));
    if (!list.length) list = header.bodies.map((_, b) => ({ b, p: [0, 0, 0] })).filter(x => nb <= 6 || x.b === nb - 1);
    this.traces = [];
    for (const { b, p } of list.slice(0, 12)) {
      const at = new Float32Array(3 * n);
      let path = 0;
      for (let f = 0; f < n; f++) {
        V2.set(...p).applyMatrix4(this.cast.matrix(f, b, M1)).toArray(at, 3 * f);
        if (f) path += Math.hypot(at[3 * f] - at[3 * f - 3], at[3 * f + 1] - at[3 * f - 2], at[3 * f + 2] - at[3 * f - 1]);
      }
      if (!(path > 0.02 * this.size)) continue;
      const make = opacity => {
        const g = new BufferGeometry();
        g.setAttribute("position", new BufferAttribute(at, 3));
        const colour = this.cast.bodyColour(b);
        const line = new Line(g, new LineBasicMaterial({ color: colour, transparent: opacity < 1, opacity }));
        line.frustumCulled = false;
        this.world.add(line);
        return line;
      };
      // The past, and the whole run faintly.
      this.traces.push({ past: make(1), whole: make(0.25) });
    }
  }

  makeArrows() {
    const { header, forces, nj, nb, n, poses, t } = this.run, most = [0, 0];
    for (let i = 0; i < forces.length; i += 6) for (const k of [0, 1]) {
      const x = Math.hypot(forces[i + 3 * k], forces[i + 3 * k + 1], forces[i + 3 * k + 2]);
      if (x > most[k]) most[k] = x;
    }
    // Arrows of loads are as long as those of joint forces of that size.
    const { loads } = this.run, nl = header.loads.length;
    this.mostLoad = [0, 0];
    for (let i = 0; i < loads.length; i += 3) {
      const k = header.loads[i / 3 % nl].torque ? 1 : 0, x = Math.hypot(loads[i], loads[i + 1], loads[i + 2]);
      if (x > this.mostLoad[k]) this.mostLoad[k] = x;
    }
    [this.mostForce, this.mostTorque] = most;
    this.moving = Math.min(nb, 200);
    this.mostSpeed = 0;
    for (let f = 1; f < n; f++) for (let b = 0; b < this.moving; b++) {
      const i = (f * nb + b) * 7, j = i - 7 * nb, dt = t[f] - t[f - 1];
      const v = Math.hypot(poses[i] - poses[j], poses[i + 1] - poses[j + 1], poses[i + 2] - poses[j + 2]) / dt;
      if (v > this.mostSpeed) this.mostSpeed = v;
    }
    this.arrows = {
      forces: new Arrows(nj, this.size, FORCE), torques: new Arrows(nj, this.size, TORQUE, 2),
      velocities: new Arrows(this.moving, this.size, VELOCITY),
      loads: new Arrows(nl, this.size, LOAD), moments: new Arrows(nl, this.size, LOAD, 2),
    };
    for (const a of Object.values(this.arrows)) this.world.add(a.group);
    this.jointPoints = header.joints.map(j => [j.bodies[1], j.points[1]]);
  }

  seek(time) {
    this.time = time;
    for (const c of this.casts) c.seek(time, this.shown.joints);
    const f = this.frame = this.cast.frame;
    for (const { past, whole } of this.traces) {
      past.visible = whole.visible = this.shown.traces;
      past.geometry.setDrawRange(0, f + 1);
    }
    this.aim(f);
    if (this.follow === ALL || this.follow >= 0) {
      if (this.follow === ALL) this.middle(V1);
      else V1.setFromMatrixPosition(this.cast.bodies[this.follow]).applyMatrix4(this.world.matrixWorld);
      V1.sub(this.controls.target);
      this.controls.target.add(V1);
      this.camera.position.add(V1);
    }
    this.dirty = true;
  }

  /** Arrows of a frame. Lengths of forces are as their roots: small ones are seen beside large ones. */
  aim(f) {
    this.aimLoads(f);
    const { forces, nj, nb, n, poses, t } = this.run, reach = 0.5 * this.size;
    for (const [k, name] of ["forces", "torques"].entries()) {
      const a = this.arrows[name], most = Math.max(k ? this.mostTorque : this.mostForce, this.mostLoad[k]);
      a.group.visible = this.shown[name] && nj > 0 && most > 0;
      if (!a.group.visible) continue;
      for (let j = 0; j < nj; j++) {
        const i = (f * nj + j) * 6 + 3 * k;
        V2.set(forces[i], forces[i + 1], forces[i + 2]);
        a.set(j, this.cast.point(...this.jointPoints[j], V1), V2, reach * Math.sqrt(V2.length() / most));
      }
    }
    const a = this.arrows.velocities;
    a.group.visible = this.shown.velocities && this.mostSpeed > 0 && n > 1;
    if (!a.group.visible) return;
    const g = Math.min(f + 1, n - 1), e = Math.max(f - 1, 0);
    for (let b = 0; b < this.moving; b++) {
      const i = (g * nb + b) * 7, j = (e * nb + b) * 7;
      V2.set(poses[i] - poses[j], poses[i + 1] - poses[j + 1], poses[i + 2] - poses[j + 2]).divideScalar(t[g] - t[e]);
      a.set(b, V1.setFromMatrixPosition(this.cast.bodies[b]), V2, reach * V2.length() / this.mostSpeed);
    }
  }

  /** Given forces push at their points: the tip of the arrow is there. Torques begin there. */
  aimLoads(f) {
    const { header, loads } = this.run, reach = 0.5 * this.size, nl = header.loads.length;
    for (const [k, name] of ["loads", "moments"].entries()) {
      const a = this.arrows[name], most = Math.max(k ? this.mostTorque : this.mostForce, this.mostLoad[k]);
      a.group.visible = this.shown[k ? "torques" : "forces"] && this.mostLoad[k] > 0;
      if (!a.group.visible) continue;
      header.loads.forEach((l, j) => {
        const i = (f * nl + j) * 3, length = l.torque === (k === 1) ? reach * Math.sqrt(Math.hypot(...loads.slice(i, i + 3)) / most) : 0;
        V2.set(loads[i], loads[i + 1], loads[i + 2]);
        this.cast.point(l.body, l.point, V1);
        if (!k) V1.addScaledVector(V2, -(length + 0.075 * this.size) / (V2.length() || 1));
        a.set(j, V1, V2, length);
      });
    }
  }

  /** Where a mechanism is understood best: flat ones are seen from the front, others from a corner. */
  outlook() {
    const s = this.paths.getSize(new Vector3()), most = Math.max(s.x, s.y, s.z), thin = 0.03 * most;
    if (s.y < thin && s.z > thin) return new Vector3(0.42, -1.35, 0.5);
    if (s.x < thin && s.z > thin) return new Vector3(1.35, -0.5, 0.5);
    if (s.z < thin && most > 0) return new Vector3(0.35, -1, 1.15);
    return new Vector3(0.9, -1.35, 0.72);
  }

  /** The whole motion just inside of the picture, seen from a direction. */
  fit(direction) {
    this.fitted = direction;
    const z = (direction || this.outlook()).clone().normalize(), a = this.camera.aspect;
    const s = this.box.getSize(new Vector3()), f = Math.tan(this.camera.fov * Math.PI / 360);
    // The heading covers some lines at the top.
    const head = Math.min(0.25, 64 / (this.element.clientHeight || 640));
    const x = UP.clone().cross(z);
    if (x.lengthSq() < 1e-6) x.set(1, 0, 0);
    const y = z.clone().cross(x.normalize());
    let distance = 0;
    for (const i of [-1, 1]) for (const j of [-1, 1]) for (const k of [-1, 1]) {
      const c = new Vector3(i * s.x / 2, j * s.y / 2, k * s.z / 2);
      const across = Math.max(Math.abs(c.dot(x)) / (f * a), Math.abs(c.dot(y)) / (f * (1 - head)));
      distance = Math.max(distance, c.dot(z) + across);
    }
    distance *= 1.1;
    // Beside the machine, if it is small in the picture of its whole motion.
    if (this.follow === ALL) distance = Math.min(distance, 3.2 * this.machine / f / Math.min(1, a));
    this.controls.target.copy(this.centre).addScaledVector(y, head * f * distance);
    this.camera.position.copy(this.controls.target).addScaledVector(z, distance);
    this.controls.update();
    this.dirty = true;
  }

  /** What is under a pointer: { body, name, text }. */
  pick(x, y) {
    const r = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector2((x - r.left) / r.width * 2 - 1, 1 - (y - r.top) / r.height * 2);
    this.ray.setFromCamera(at, this.camera);
    const hit = this.cast.hit(this.ray);
    return hit && this.describe(hit);
  }

  describe({ part, line, beam, at }) {
    const { header, nb, nj, forces } = this.run;
    const name = b => b < 0 ? "ground" : header.bodies[b].name;
    if (beam) {
      const far = b => V1.setFromMatrixPosition(this.cast.bodies[b]).applyMatrix4(this.world.matrixWorld).distanceTo(at);
      const node = beam.nodes.reduce((best, b) => far(b) < far(best) ? b : best), m = this.cast.bodies[node].elements;
      const text = `beam, ${beam.nodes.length - 1} elements · near ${name(node)}: x ${digits(m[12])}  y ${digits(m[13])}  z ${digits(m[14])} m`;
      return { body: node, name: beam.name, text };
    }
    if (line) {
      const [p, q] = [0, 1].map(k => this.cast.point(line.bodies[k], line.points[k], new Vector3()));
      const text = `${line.type}: ${name(line.bodies[0])} – ${name(line.bodies[1])} · ${digits(p.distanceTo(q))} m long`;
      return { body: line.bodies[1], name: line.name, text };
    }
    if (part.owner < nb) {
      const m = this.cast.bodies[part.owner].elements, mass = header.bodies[part.owner].mass;
      const text = `${mass == null ? "" : digits(mass) + " kg · "}x ${digits(m[12])}  y ${digits(m[13])}  z ${digits(m[14])} m`;
      return { body: part.owner, name: name(part.owner), text };
    }
    const k = part.owner - nb, j = header.joints[k];
    const b = k - header.joints.length;
    // Owners: bodies, joints, elastic bearings, springs.
    if (b >= header.bushings.length) return this.describe({ line: header.lines[b - header.bushings.length] });
    if (!j) return { body: part.body, name: header.bushings[b], text: "elastic bearing" };
    const [f, w] = moment(this.run, this.time), i = (f * nj + k) * 6, next = f + 1 < this.run.n ? 6 * nj : 0;
    const mixed = o => forces[i + o] + w * (forces[i + next + o] - forces[i + o]);
    const size = o => digits(Math.hypot(mixed(o), mixed(o + 1), mixed(o + 2)));
    const loads = nj ? ` · force ${size(0)} N, torque ${size(3)} N m` : "";
    const text = `${j.type}${j.driven ? ", driven" : ""}: ${name(j.bodies[0])} – ${name(j.bodies[1])}${loads}`;
    return { body: j.bodies[1], name: j.name, text };
  }

  render(force) {
    this.controls.update();
    if (!this.dirty && !force) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}

/** Four digits; what is nothing beside a unit is 0. */
export function digits(x) {
  return Math.abs(x) < 1e-9 ? "0" : String(+x.toPrecision(4));
}

/** Half the extents of a part along its own axes. */
function halves(p, meshes) {
  const [a, b, c] = p.size;
  if (p.kind === "box") return [a / 2, b / 2, c / 2];
  if (p.kind === "sphere") return [a, a, a];
  if (p.kind === "torus") return [a + b, a + b, b];
  if (p.kind === "mesh") {
    const most = [0, 0, 0];
    (meshes[a] || []).forEach((x, k) => most[k % 3] = Math.max(most[k % 3], Math.abs(x)));
    return most;
  }
  return [a, a, b / 2 + (p.kind === "capsule" ? a : 0)];
}

function grow(box, m, half) {
  const e = m.elements;
  const r = [0, 1, 2].map(k => Math.abs(e[k]) * half[0] + Math.abs(e[4 + k]) * half[1] + Math.abs(e[8 + k]) * half[2]);
  box.expandByPoint(V1.set(e[12] + r[0], e[13] + r[1], e[14] + r[2]));
  box.expandByPoint(V1.set(e[12] - r[0], e[13] - r[1], e[14] - r[2]));
}
