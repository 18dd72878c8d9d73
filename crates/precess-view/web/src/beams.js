// Beams bent as they are: one smooth tube or box along the nodes of each.
import { BufferAttribute, BufferGeometry, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";

/** Sections between two nodes. */
const BETWEEN = 6;
const A = new Vector3(), B = new Vector3(), TA = new Vector3(), TB = new Vector3(), Y = new Vector3(), Z = new Vector3();
const QA = new Quaternion(), QB = new Quaternion(), S = new Vector3();

/** Corners of a section with their normals: [y, z, ny, nz]. */
function outline({ kind, size }) {
  if (kind === "box") {
    const [y, z] = [size[0] / 2, size[1] / 2];
    return [[y, -z, 1, 0], [y, z, 1, 0], [y, z, 0, 1], [-y, z, 0, 1], [-y, z, -1, 0], [-y, -z, -1, 0], [-y, -z, 0, -1], [y, -z, 0, -1]];
  }
  const n = 20;
  return Array.from({ length: n + 1 }, (_, k) => {
    const c = Math.cos(2 * Math.PI * k / n), s = Math.sin(2 * Math.PI * k / n);
    return [size[0] * c, size[0] * s, c, s];
  });
}

export class Beam {
  constructor(beam, colour, ghost) {
    this.beam = beam;
    this.line = outline(beam);
    const rings = (beam.nodes.length - 1) * BETWEEN + 1, w = this.line.length, g = new BufferGeometry(), index = [];
    // Two more rings close the ends.
    for (const name of ["position", "normal"]) g.setAttribute(name, new BufferAttribute(new Float32Array(3 * w * (rings + 2)), 3));
    for (let r = 0; r + 1 < rings; r++) for (let k = 0; k + 1 < w; k++) {
      const i = (r + 1) * w + k, j = i + w;
      index.push(i, i + 1, j + 1, i, j + 1, j);
    }
    if (beam.kind === "box") for (let r = 0; r + 1 < rings; r++) {
      const i = (r + 1) * w + w - 1, j = i + w, a = (r + 1) * w, b = a + w;
      index.push(i, a, b, i, b, j);
    }
    for (let k = 1; k + 1 < w; k++) index.push(0, k + 1, k, w * (rings + 1), w * (rings + 1) + k, w * (rings + 1) + k + 1);
    g.setIndex(index);
    this.mesh = new Mesh(g, new MeshStandardMaterial({
      color: colour, roughness: 0.45, metalness: 0.05, side: 2, transparent: ghost, opacity: ghost ? 0.28 : 1, depthWrite: !ghost,
    }));
    this.mesh.castShadow = this.mesh.receiveShadow = !ghost;
    this.mesh.frustumCulled = false;
    this.mesh.userData = { beam };
  }

  /** Follows the poses of its nodes. */
  bend(bodies) {
    const { nodes, lengths } = this.beam, g = this.mesh.geometry;
    const p = g.attributes.position.array, q = g.attributes.normal.array, w = this.line.length;
    let ring = 1;
    const put = (at, turn, tangent, place, cap = 0) => {
      Y.set(0, 1, 0).applyQuaternion(turn);
      Z.set(0, 0, 1).applyQuaternion(turn);
      this.line.forEach(([y, z, ny, nz], k) => {
        const o = 3 * (place * w + k);
        for (const [i, c] of ["x", "y", "z"].entries()) {
          p[o + i] = at[c] + y * Y[c] + z * Z[c];
          q[o + i] = cap ? cap * tangent[c] : ny * Y[c] + nz * Z[c];
        }
      });
    };
    for (let e = 0; e + 1 < nodes.length; e++) {
      const l = lengths[e];
      bodies[nodes[e]].decompose(A, QA, S);
      bodies[nodes[e + 1]].decompose(B, QB, S);
      // Hermite's cubic through both places with the directions of both sections.
      TA.set(1, 0, 0).applyQuaternion(QA);
      TB.set(1, 0, 0).applyQuaternion(QB);
      if (e === 0) put(A, QA, TA, 0, -1);
      const last = e + 2 === nodes.length;
      for (let k = 0; k < BETWEEN + (last ? 1 : 0); k++) {
        const s = k / BETWEEN, s2 = s * s, s3 = s2 * s;
        const at = new Vector3().addScaledVector(A, 2 * s3 - 3 * s2 + 1).addScaledVector(TA, l * (s3 - 2 * s2 + s))
          .addScaledVector(B, 3 * s2 - 2 * s3).addScaledVector(TB, l * (s3 - s2));
        put(at, QA.clone().slerp(QB, s), TA, ring++);
      }
      if (last) put(B, QB, TB, ring, 1);
    }
    g.attributes.position.needsUpdate = g.attributes.normal.needsUpdate = true;
    // Picking looks at these.
    g.boundingSphere = g.boundingBox = null;
  }
}
