/** Entries a side of the table. */
export const BRDF_TABLE_SIZE = 32;
/** Directions an entry is the mean of. */
const SAMPLES = 256;
/** Turns by this part of a circle never meet again. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * How much of an environment a GGX surface reflects, without its colour: reflected = F0 · scale + offset, the second factor of the
 * split-sum approximation. Rows by roughness, columns by the cosine between normal and view, at the middles of
 * {@link BRDF_TABLE_SIZE} equal steps from 0 to 1; scale and offset each. O(size² · samples), tens of milliseconds.
 */
export function brdfTable(): Float32Array<ArrayBuffer> {
  const table = new Float32Array(BRDF_TABLE_SIZE * BRDF_TABLE_SIZE * 2);
  for (let row = 0; row < BRDF_TABLE_SIZE; row++) {
    for (let column = 0; column < BRDF_TABLE_SIZE; column++) {
      const at = (row * BRDF_TABLE_SIZE + column) * 2;
      const roughness = (row + 0.5) / BRDF_TABLE_SIZE;
      table.set(reflected((column + 0.5) / BRDF_TABLE_SIZE, roughness), at);
    }
  }
  return table;
}

/** Scale and offset, by importance sampling of half vectors. */
function reflected(cosView: number, roughness: number): [number, number] {
  const alpha2 = roughness ** 4;
  const sinView = Math.sqrt(1 - cosView * cosView);
  let scale = 0;
  let offset = 0;
  for (let i = 0; i < SAMPLES; i++) {
    const share = (i + 0.5) / SAMPLES;
    const turn = 2 * Math.PI * fraction(i * GOLDEN);
    const cosHalf = Math.sqrt((1 - share) / (1 + (alpha2 - 1) * share));
    const sinHalf = Math.sqrt(1 - cosHalf * cosHalf);
    const viewHalf = sinView * sinHalf * Math.cos(turn) + cosView * cosHalf;
    const cosLight = 2 * viewHalf * cosHalf - cosView;
    if (cosLight <= 0 || viewHalf <= 0) continue;
    const fromView = cosLight * Math.sqrt(cosView * cosView * (1 - alpha2) + alpha2);
    const fromLight = cosView * Math.sqrt(cosLight * cosLight * (1 - alpha2) + alpha2);
    const visible = (2 * cosLight * viewHalf) / ((fromView + fromLight) * cosHalf);
    const off = 1 - viewHalf;
    const glance = off * off * off * off * off;
    scale += (1 - glance) * visible;
    offset += glance * visible;
  }
  return [scale / SAMPLES, offset / SAMPLES];
}

function fraction(value: number): number {
  return value - Math.floor(value);
}
