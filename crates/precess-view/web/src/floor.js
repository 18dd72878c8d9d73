// Ground under the mechanism: a grid that fades, and shadows.
import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial } from "three";
import { THEMES } from "./theme.js";

const VERTEX = `varying vec3 p;
void main() { vec4 w = modelMatrix * vec4(position, 1.0); p = w.xyz; gl_Position = projectionMatrix * viewMatrix * w; }`;
// Lines of one pixel at whole multiples, thinner ones at a fifth; fwidth keeps them one pixel wide at any distance.
const FRAGMENT = `uniform float interval; uniform vec3 line; uniform vec3 centre; uniform float reach; varying vec3 p;
float lines(float s) {
  vec2 c = p.xy / s, w = fwidth(c), d = abs(fract(c - 0.5) - 0.5) / max(w, 1e-6);
  vec2 a = (1.0 - min(d, 1.0)) * clamp(0.7 - 1.2 * w, 0.0, 1.0) / 0.7;
  return max(a.x, a.y);
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(p.xy - centre.xy) / reach);
  float a = fade * max(0.16 * lines(interval * 0.2), 0.42 * lines(interval));
  if (a < 0.004) discard;
  gl_FragColor = vec4(line, a);
  #include <colorspace_fragment>
}`;

export class Floor {
  constructor(box, centre, size) {
    const extent = 24 * size, low = box.min.z;
    this.height = Math.abs(low) < 0.12 * size ? Math.min(0, low) : low - 0.03 * size;
    /** Distance of the strong lines in metres. */
    this.interval = 10 ** Math.floor(Math.log10(0.9 * size));
    const uniforms = {
      interval: { value: this.interval }, line: { value: new Color() }, centre: { value: centre.clone() },
      reach: { value: 6.5 * size },
    };
    const plane = () => new PlaneGeometry(2 * extent, 2 * extent);
    this.grid = new Mesh(plane(), new ShaderMaterial({
      transparent: true, depthWrite: false, side: DoubleSide, uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT,
    }));
    this.shade = new Mesh(plane(), new ShadowMaterial());
    this.shade.receiveShadow = true;
    for (const m of [this.grid, this.shade]) m.position.set(centre.x, centre.y, this.height);
    this.grid.position.z += 1e-3 * size;
    this.grid.renderOrder = 1;
  }

  paint(theme) {
    this.grid.material.uniforms.line.value.set(THEMES[theme].grid);
    this.shade.material.opacity = THEMES[theme].shadow;
  }

  dispose() {
    for (const m of [this.grid, this.shade]) {
      m.removeFromParent();
      m.geometry.dispose();
      m.material.dispose();
    }
  }
}
