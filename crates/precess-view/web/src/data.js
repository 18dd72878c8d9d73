// Numbers over time as the page holds them: see pack.rs for how they are packed.

/** Bytes of base64 of a zlib or gzip stream. */
export async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0)), kind = bytes[0] === 0x1f ? "gzip" : "deflate";
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(kind));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** One packed column: whole numbers of second order differences, bytes of equal weight beside each other. */
function column(bytes, at, n, [low, step, width]) {
  const out = new Float64Array(n), size = 2 ** (8 * width);
  let before = 0, slope = 0;
  for (let i = 0; i < n; i++) {
    let folded = 0;
    for (let k = width - 1; k >= 0; k--) folded = folded * 256 + bytes[at + k * n + i];
    const half = Math.floor(folded / 2), bend = folded % 2 ? -half - 1 : half;
    slope = (slope + bend + size) % size;
    before = (before + slope) % size;
    out[i] = before === 0 ? NaN : low + (before - 1) * step;
  }
  return out;
}

/** Times, poses (x y z qx qy qz qw per frame and body), forces (6 per frame and joint), loads (3 per frame and load), curves and meshes of a scene. */
export function decode(header, bytes) {
  // Simulators of before had none.
  header.loads ??= [];
  header.beams ??= [];
  const n = header.frames, nb = header.bodies.length, nj = header.forces ? header.joints.length : 0;
  let at = 0, next = 0;
  const take = () => {
    const c = header.columns[next++], values = column(bytes, at, n, c);
    at += n * c[2];
    return values;
  };
  const block = (count, width) => {
    const out = new Float64Array(n * count * width);
    for (let b = 0; b < count; b++) for (let k = 0; k < width; k++) {
      const values = take();
      for (let f = 0; f < n; f++) out[(f * count + b) * width + k] = values[f];
    }
    return out;
  };
  const t = take(), poses = block(nb, 7), forces = block(nj, 6), loads = block(header.loads.length, 3);
  const curves = header.curves.map(([name, unit, parts]) => ({ name, unit, parts, values: parts.map(take) }));
  const meshes = header.meshes.map(count => {
    const corners = new Float32Array(bytes.slice(at, at + 4 * count).buffer);
    at += 4 * count;
    return corners;
  });
  return { header, t, poses, forces, loads, curves, meshes, n, nb, nj };
}

/** The frame at or before a time, and how far the time is towards the next one. */
export function moment(scene, time) {
  const { t, n } = scene;
  let a = 0, b = n - 1;
  if (n < 2 || time <= t[0]) return [0, 0];
  if (time >= t[b]) return [b, 0];
  while (b - a > 1) {
    const m = (a + b) >> 1;
    if (t[m] <= time) a = m; else b = m;
  }
  return [a, (time - t[a]) / (t[b] - t[a])];
}
