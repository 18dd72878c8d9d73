// Arrows of forces, torques and velocities: shaft and heads, once as solids and once faintly through everything.
import {
  ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, MeshStandardMaterial, Quaternion, Vector3,
} from "three";
import { upright } from "./forms.js";

const M = new Matrix4(), Q = new Quaternion(), S = new Vector3(), D = new Vector3(), P = new Vector3();
const ONE = new Vector3(1, 1, 1), NONE = new Vector3(1e-9, 1e-9, 1e-9), UP = new Vector3(0, 0, 1);

export class Arrows {
  /** `n` arrows of one colour in a scene of this size; torques have two heads. */
  constructor(n, size, colour, heads = 1) {
    this.n = n;
    this.heads = heads;
    this.size = size;
    this.group = new Group();
    const shaft = upright(new CylinderGeometry(0.009 * size, 0.009 * size, 1, 12)).translate(0, 0, 0.5);
    const head = upright(new ConeGeometry(0.026 * size, 0.075 * size, 20)).translate(0, 0, 0.0375 * size);
    const solid = new MeshStandardMaterial({ color: colour, roughness: 0.45, emissive: colour, emissiveIntensity: 0.25 });
    const through = new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.3, depthTest: false });
    this.meshes = [shaft, ...Array(heads).fill(head)].map(form => {
      const mesh = new InstancedMesh(form, solid, n), veil = new InstancedMesh(form, through, n);
      veil.instanceMatrix = mesh.instanceMatrix;
      veil.renderOrder = 5;
      mesh.castShadow = true;
      mesh.frustumCulled = veil.frustumCulled = false;
      this.group.add(mesh, veil);
      return mesh;
    });
  }

  /** Arrow k from a point along a vector, `length` long; nothing if that is very short. */
  set(k, from, vector, length) {
    const n = vector.length(), shown = n > 0 && Number.isFinite(n) && length > 0.02 * this.size;
    Q.setFromUnitVectors(UP, D.copy(vector).divideScalar(n || 1));
    const [shaft, ...heads] = this.meshes;
    shaft.setMatrixAt(k, M.compose(from, Q, shown ? S.set(1, 1, length) : NONE));
    heads.forEach((head, i) => {
      P.copy(from).addScaledVector(D, length - 0.055 * i * this.size);
      head.setMatrixAt(k, M.compose(P, Q, shown ? ONE : NONE));
    });
    for (const m of this.meshes) m.instanceMatrix.needsUpdate = true;
  }
}
