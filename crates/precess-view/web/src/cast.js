// The bodies of one run: parts in groups of equal geometry (one draw call each), springs, and where they are at a time.
import {
  Color, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Vector3,
} from "three";
import { Beam } from "./beams.js";
import { moment } from "./data.js";
import { MANY, coil, geometry, quadrants, stretch, upright } from "./forms.js";
import { FORCE, PALETTE, THEMES } from "./theme.js";

const METAL = new Set(["pin", "ball", "rail"]);
const ROUND = new Set(["cylinder", "sphere"]);
const V1 = new Vector3(), V2 = new Vector3(), Q1 = new Quaternion(), Q2 = new Quaternion(), M1 = new Matrix4();
const ONE = new Vector3(1, 1, 1), UP = new Vector3(0, 0, 1);

export class Cast {
  /** `ghost`: a second run, drawn through. */
  constructor(scene, ghost = false) {
    this.scene = scene;
    this.ghost = ghost;
    this.group = new Group();
    this.bodies = scene.header.bodies.map(() => new Matrix4());
    this.frame = 0;
    this.makeParts();
    this.makeLines();
    this.beams = scene.header.beams.map(b => new Beam(b, this.bodyColour(b.nodes[0]), ghost));
    for (const b of this.beams) this.group.add(b.mesh);
  }

  makeParts() {
    const { header, nb, meshes } = this.scene, groups = new Map(), coarse = header.parts.filter(p => p.role !== "tooth").length > 400;
    for (const p of header.parts) {
      p.local = new Matrix4().compose(new Vector3(...p.at), new Quaternion(...p.turn).normalize(), ONE);
      const joint = p.owner >= nb, solid = p.role === "solid" || p.role === "derived";
      const key = [p.kind, p.size, METAL.has(p.role), joint, p.role === "plane", solid].join();
      // Pieces of beams give the bounds; the beam itself is drawn smoothly.
      if (p.role === "beam") continue;
      if (!groups.has(key)) groups.set(key, { parts: [], joint, plane: p.role === "plane", solid });
      groups.get(key).parts.push(p);
    }
    this.groups = [...groups.values()];
    for (const g of this.groups) {
      const p = g.parts[0], metal = METAL.has(p.role), marked = g.solid && ROUND.has(p.kind) && !coarse;
      let form = geometry(p, meshes, coarse ? g.parts.length : 1);
      if (marked) form = quadrants(form);
      const clear = g.plane || this.ghost;
      const material = new MeshStandardMaterial({
        vertexColors: marked, metalness: metal ? 0.55 : 0, roughness: metal ? 0.3 : 0.48,
        transparent: clear, opacity: this.ghost ? 0.28 : g.plane ? 0.35 : 1, depthWrite: !clear,
      });
      g.mesh = new InstancedMesh(form, material, g.parts.length);
      g.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      // Bounds of the first frame would hide what moves out of them.
      g.mesh.frustumCulled = false;
      g.mesh.castShadow = !clear && g.parts.length <= MANY;
      g.mesh.receiveShadow = !coarse && !this.ghost;
      g.mesh.userData = g;
      this.group.add(g.mesh);
    }
  }

  /** Springs and rods change their length. */
  makeLines() {
    const { header } = this.scene, wide = 1.1 * header.glyph;
    this.lines = header.lines.map(line => {
      const spring = line.type === "spring";
      const form = spring ? coil() : upright(new CylinderGeometry(1, 1, 1, 16)).translate(0, 0, 0.5);
      const mesh = new Mesh(form, new MeshStandardMaterial({
        color: spring ? "#c9a227" : "#9aa3ae", metalness: 0.6, roughness: 0.35, transparent: this.ghost,
        opacity: this.ghost ? 0.3 : 1,
      }));
      mesh.castShadow = !this.ghost;
      mesh.frustumCulled = false;
      mesh.userData = { line, radius: spring ? wide : 0.32 * header.glyph };
      this.group.add(mesh);
      return mesh;
    });
  }

  bodyColour(b) {
    const n = this.scene.nb;
    if (n <= 24) return new Color(PALETTE[b % 8]);
    // Many bodies: hues along the list, blue to orange.
    return new Color().setHSL((0.6 - 0.54 * b / (n - 1) + 1) % 1, 0.62, 0.52);
  }

  colour(p, theme) {
    const t = THEMES[theme];
    if (this.ghost) return new Color(t.rail);
    if (p.colour) return new Color(p.colour);
    if (p.role === "pin" || p.role === "ball") return new Color(t.steel);
    if (p.role === "drive") return new Color(FORCE);
    if (p.role === "elastic") return new Color(t.rubber);
    if (p.role === "rail" || p.role === "plane") return new Color(t.rail);
    if (p.body < 0) return new Color(t.base);
    const c = this.bodyColour(p.body);
    return p.role === "barrel" || p.role === "sleeve" ? c.multiplyScalar(0.72) : c;
  }

  paint(theme) {
    for (const g of this.groups) {
      g.parts.forEach((p, k) => g.mesh.setColorAt(k, this.colour(p, theme)));
      g.mesh.instanceColor.needsUpdate = true;
    }
  }

  /** The pose of a body in a frame. */
  matrix(f, b, m) {
    const p = this.scene.poses, i = (f * this.scene.nb + b) * 7;
    V1.set(p[i], p[i + 1], p[i + 2]);
    return m.compose(V1, Q1.set(p[i + 3], p[i + 4], p[i + 5], p[i + 6]).normalize(), ONE);
  }

  /** Bodies between frames f and f + 1. */
  pose(f, w) {
    const { nb, n, poses: p } = this.scene, g = Math.min(f + 1, n - 1);
    for (let b = 0; b < nb; b++) {
      const i = (f * nb + b) * 7, j = (g * nb + b) * 7, x = k => p[i + k] + w * (p[j + k] - p[i + k]);
      Q1.set(p[i + 3], p[i + 4], p[i + 5], p[i + 6]);
      if (w > 0) Q1.slerp(Q2.set(p[j + 3], p[j + 4], p[j + 5], p[j + 6]), w);
      this.bodies[b].compose(V1.set(x(0), x(1), x(2)), Q1.normalize(), ONE);
    }
  }

  /** Everything to a time. */
  seek(time, joints) {
    const [f, w] = moment(this.scene, time);
    this.frame = f;
    this.pose(f, w);
    for (const g of this.groups) {
      g.parts.forEach((p, k) => {
        g.mesh.setMatrixAt(k, p.body < 0 ? p.local : M1.multiplyMatrices(this.bodies[p.body], p.local));
      });
      g.mesh.instanceMatrix.needsUpdate = true;
      g.mesh.visible = !g.joint || joints;
      g.mesh.boundingSphere = null;
    }
    for (const b of this.beams) b.bend(this.bodies);
    for (const mesh of this.lines) {
      const { line, radius } = mesh.userData;
      const p = this.point(line.bodies[0], line.points[0], V1), d = this.point(line.bodies[1], line.points[1], V2).sub(p);
      const length = d.length();
      mesh.position.copy(p);
      mesh.quaternion.setFromUnitVectors(UP, d.divideScalar(length || 1));
      if (line.type === "spring") stretch(mesh.geometry, length, Math.min(radius, 0.22 * length), 0.17 * radius);
      else mesh.scale.set(radius, radius, length);
    }
  }

  /** A point of a body (-1: the ground) at the present time. */
  point(b, p, v) {
    v.set(p[0], p[1], p[2]);
    return b < 0 ? v : v.applyMatrix4(this.bodies[b]);
  }

  /** The owner of what a ray hits first. */
  hit(ray) {
    const seen = [...this.groups.filter(g => g.mesh.visible && !g.plane).map(g => g.mesh), ...this.lines, ...this.beams.map(b => b.mesh)];
    const hit = ray.intersectObjects(seen, false)[0];
    if (!hit) return null;
    if (hit.object.userData.beam) return { beam: hit.object.userData.beam, at: hit.point };
    if (hit.instanceId === undefined) return { line: hit.object.userData.line };
    return { part: hit.object.userData.parts[hit.instanceId] };
  }
}
