// Geometries of parts. Round ones lie along z.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, SphereGeometry, TorusGeometry,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";

/** Parts from which on they are rough and throw no shadows. */
export const MANY = 3000;

/** From y up to z up. */
export const upright = geometry => geometry.rotateX(Math.PI / 2);

/** Edges catch light. */
const FINE = {
  box: ([x, y, z]) => new RoundedBoxGeometry(x, y, z, 3, 0.08 * Math.min(x, y, z)),
  cylinder: ([r, l]) => chamfered(r, l),
  cone: ([r, l]) => upright(new ConeGeometry(r, l, 40)),
  sphere: ([r]) => new SphereGeometry(r, 32, 20),
  capsule: ([r, l]) => upright(new CapsuleGeometry(r, l, 6, 16)),
  torus: ([ring, wire]) => new TorusGeometry(ring, wire, 16, 96),
};
const COARSE = {
  box: ([x, y, z]) => new BoxGeometry(x, y, z),
  cylinder: ([r, l]) => upright(new CylinderGeometry(r, r, l, 12)),
  cone: ([r, l]) => upright(new ConeGeometry(r, l, 12)),
  sphere: ([r]) => new SphereGeometry(r, 10, 8),
  capsule: ([r, l]) => upright(new CapsuleGeometry(r, l, 2, 8)),
  torus: ([ring, wire]) => new TorusGeometry(ring, wire, 8, 32),
};

/** For thousands: a dozen triangles each. */
const ROUGH = {
  ...COARSE,
  cylinder: ([r, l]) => upright(new CylinderGeometry(r, r, l, 6, 1, true)),
  capsule: ([r, l]) => upright(new CylinderGeometry(r, r, l + r, 6, 1, true)),
  sphere: ([r]) => new SphereGeometry(r, 6, 4),
  torus: ([ring, wire]) => new TorusGeometry(ring, wire, 4, 12),
};

/** Geometry of a part; `count` is how many there are. */
export function geometry(part, meshes, count) {
  if (part.kind === "mesh") return triangles(meshes[part.size[0]] || new Float32Array());
  return (count > MANY ? ROUGH : count > 100 ? COARSE : FINE)[part.kind](part.size);
}

function triangles(corners) {
  const g = new BufferGeometry();
  g.setAttribute("position", new BufferAttribute(corners, 3));
  g.computeVertexNormals();
  return g;
}

/** A cylinder with a small chamfer. */
function chamfered(r, l) {
  const c = 0.08 * Math.min(r, l), h = l / 2, q = Math.SQRT1_2, segments = 48, point = [], normal = [], index = [];
  const rows = [
    [0, -h, 0, -1], [r - c, -h, 0, -1], [r - c, -h, q, -q], [r, -h + c, q, -q], [r, -h + c, 1, 0],
    [r, h - c, 1, 0], [r, h - c, q, q], [r - c, h, q, q], [r - c, h, 0, 1], [0, h, 0, 1],
  ];
  for (const [a, z, nr, nz] of rows) for (let k = 0; k <= segments; k++) {
    const t = k / segments * 2 * Math.PI;
    point.push(a * Math.cos(t), a * Math.sin(t), z);
    normal.push(nr * Math.cos(t), nr * Math.sin(t), nz);
  }
  for (let a = 0; a < rows.length; a += 2) for (let k = 0; k < segments; k++) {
    const i = a * (segments + 1) + k, j = i + segments + 1;
    index.push(i, i + 1, j + 1, i, j + 1, j);
  }
  const g = new BufferGeometry();
  g.setAttribute("position", new BufferAttribute(new Float32Array(point), 3));
  g.setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3));
  g.setIndex(index);
  return g;
}

/** Two darker quadrants: without them a spinning disc stands still. */
export function quadrants(geometry) {
  const g = geometry.index ? geometry.toNonIndexed() : geometry, p = g.attributes.position;
  const shade = new Float32Array(3 * p.count);
  for (let k = 0; k < p.count; k += 3) {
    const x = p.getX(k) + p.getX(k + 1) + p.getX(k + 2), y = p.getY(k) + p.getY(k + 1) + p.getY(k + 2);
    shade.fill(x * y > 0 ? 0.58 : 1, 3 * k, 3 * k + 9);
  }
  g.setAttribute("color", new BufferAttribute(shade, 3));
  return g;
}

const COIL = { along: 240, around: 7, turns: 9 };
const tangent = new Vector3(), side = new Vector3(), other = new Vector3();

/** A coil along z; `stretch` gives it a length. */
export function coil() {
  const { along, around } = COIL, g = new BufferGeometry(), index = [];
  for (let i = 0; i < along; i++) for (let k = 0; k < around; k++) {
    const a = i * (around + 1) + k, b = a + around + 1;
    index.push(a, a + 1, b + 1, a, b + 1, b);
  }
  for (const name of ["position", "normal"])
    g.setAttribute(name, new BufferAttribute(new Float32Array(3 * (along + 1) * (around + 1)), 3));
  g.setIndex(index);
  return g;
}

/** Gives a coil a length; the wire keeps its thickness. */
export function stretch(g, length, radius, wire) {
  const { along, around, turns } = COIL, p = g.attributes.position.array, q = g.attributes.normal.array, end = 0.1;
  const centre = t => {
    const s = Math.min(1, Math.max(0, (t - end) / (1 - 2 * end))), w = radius * Math.min(1, t / end, (1 - t) / end);
    const z = t < end ? 0.8 * t : t > 1 - end ? 1 - 0.8 * (1 - t) : 0.08 + 0.84 * s, a = 2 * Math.PI * turns * s;
    return [w * Math.cos(a), w * Math.sin(a), length * z];
  };
  for (let i = 0, o = 0; i <= along; i++) {
    const t = i / along, c = centre(t), a = centre(Math.max(0, t - 1e-3)), b = centre(Math.min(1, t + 1e-3));
    tangent.set(b[0] - a[0], b[1] - a[1], b[2] - a[2]).normalize();
    side.set(c[0], c[1], 0);
    if (side.lengthSq() < 1e-20) side.set(1, 0, 0);
    side.addScaledVector(tangent, -tangent.dot(side)).normalize();
    other.crossVectors(tangent, side);
    for (let k = 0; k <= around; k++, o += 3) {
      const x = 2 * Math.PI * k / around, u = Math.cos(x), v = Math.sin(x);
      const d = [u * side.x + v * other.x, u * side.y + v * other.y, u * side.z + v * other.z];
      for (let j = 0; j < 3; j++) {
        q[o + j] = d[j];
        p[o + j] = c[j] + wire * d[j];
      }
    }
  }
  g.attributes.position.needsUpdate = g.attributes.normal.needsUpdate = true;
}
