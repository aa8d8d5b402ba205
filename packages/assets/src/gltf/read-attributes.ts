import type { StreamArray } from '../data/mesh-data.js';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { normalizeVectors } from '../geometry/normals.js';
import { toFloats, type AccessorSource } from './accessor-values.js';
import type { DecodedAccessor } from './decode-accessors.js';

/** Values of one attribute of one primitive. */
export interface Attribute {
  readonly components: number;
  readonly data: StreamArray;
}

const NORMAL_TOLERANCE = 5e-3;

/** Element types that an attribute may have. */
function allowedTypes(semantic: string, isTarget: boolean): readonly string[] | undefined {
  if (semantic === 'POSITION' || semantic === 'NORMAL') return ['VEC3'];
  if (semantic === 'TANGENT') return isTarget ? ['VEC3'] : ['VEC4'];
  if (/^TEXCOORD_\d+$/.test(semantic)) return ['VEC2'];
  if (/^COLOR_\d+$/.test(semantic)) return ['VEC3', 'VEC4'];
  if (/^(JOINTS|WEIGHTS)_\d+$/.test(semantic)) return ['VEC4'];
  return undefined;
}

/**
 * Reads the attributes of a primitive or a morph target into plain arrays, repairing what can be: vectors are
 * normalised, weights brought to a sum of 1, three-component colours get an alpha of 1.
 *
 * @param count - vertices; an attribute with another count is left out, with `assets/gltf-attribute-count`
 */
export function readAttributes(
  attributes: ReadonlyMap<string, number>,
  pointer: string,
  count: number,
  isTarget: boolean,
  accessors: AccessorSource,
  report: DiagnosticReport,
): Map<string, Attribute> {
  const result = new Map<string, Attribute>();
  for (const [semantic, index] of attributes) {
    const place = `${pointer}/${semantic.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const types = allowedTypes(semantic, isTarget);
    const accessor = types ? accessors.typed(index, place, types) : accessors.get(index, place);
    if (!accessor) continue;
    if (accessor.count !== count) {
      report.warn(
        'assets/gltf-attribute-count',
        `${semantic} has ${accessor.count} elements where POSITION has ${count}, and is left out`,
        { pointer: place },
      );
      continue;
    }
    result.set(semantic, readAttribute(semantic, accessor, place, isTarget, report));
  }
  return result;
}

function readAttribute(
  semantic: string,
  accessor: DecodedAccessor,
  pointer: string,
  isTarget: boolean,
  report: DiagnosticReport,
): Attribute {
  const { components } = accessor;
  if (semantic.startsWith('JOINTS_')) {
    const data =
      accessor.array instanceof Uint16Array ? accessor.array : new Uint16Array(accessor.array);
    return { components, data };
  }
  const data = toFloats(accessor);
  if (isTarget) return { components, data };
  const exact = accessor.array instanceof Float32Array && !accessor.lossy;
  if (semantic === 'NORMAL') {
    const off = normalizeVectors(data, 3, NORMAL_TOLERANCE);
    if (off > 0 && exact) {
      report.warn('assets/gltf-non-unit', `${off} normals are not of length 1; repaired`, {
        pointer,
      });
    }
  } else if (semantic === 'TANGENT') {
    repairTangents(data, exact, pointer, report);
  } else if (semantic.startsWith('COLOR_') && components === 3) {
    return { components: 4, data: withAlpha(data) };
  } else if (semantic.startsWith('WEIGHTS_')) {
    const negative = clampNegative(data);
    if (negative > 0) {
      report.warn('assets/gltf-weights', `${negative} weights are negative; they become 0`, {
        pointer,
      });
    }
  }
  return { components, data };
}

function repairTangents(
  data: Float32Array,
  exact: boolean,
  pointer: string,
  report: DiagnosticReport,
): void {
  let off = normalizeVectors(data, 4, NORMAL_TOLERANCE);
  for (let i = 3; i < data.length; i += 4) {
    const sign = data[i] ?? 0;
    if (sign === 1 || sign === -1) continue;
    if (Math.abs(Math.abs(sign) - 1) > 0.02) off++;
    data[i] = sign < 0 ? -1 : 1;
  }
  if (off > 0 && exact) {
    report.warn(
      'assets/gltf-non-unit',
      `${off} tangents are not of length 1 or have no sign; repaired`,
      { pointer },
    );
  }
}

function withAlpha(rgb: Float32Array): Float32Array {
  const count = rgb.length / 3;
  const rgba = new Float32Array(count * 4);
  for (let i = 0; i < count; i++) {
    rgba[i * 4] = rgb[i * 3] ?? 0;
    rgba[i * 4 + 1] = rgb[i * 3 + 1] ?? 0;
    rgba[i * 4 + 2] = rgb[i * 3 + 2] ?? 0;
    rgba[i * 4 + 3] = 1;
  }
  return rgba;
}

function clampNegative(data: Float32Array): number {
  let negative = 0;
  for (let i = 0; i < data.length; i++) {
    if ((data[i] ?? 0) >= 0) continue;
    data[i] = 0;
    negative++;
  }
  return negative;
}

/**
 * Scales the weights of each vertex, over all its sets, to a sum of 1; a vertex without any is bound to
 * its first joint.
 *
 * @param sets - `WEIGHTS_0`, `WEIGHTS_1` …, 4 floats a vertex each
 * @returns how many vertices were off by more than 1 %
 */
export function normalizeWeights(sets: readonly Float32Array[]): number {
  const [first] = sets;
  if (!first) return 0;
  let off = 0;
  for (let i = 0; i < first.length; i += 4) {
    let sum = 0;
    for (const set of sets) for (let k = 0; k < 4; k++) sum += set[i + k] ?? 0;
    if (Math.abs(sum - 1) > 0.01) off++;
    if (sum > 0) {
      for (const set of sets) for (let k = 0; k < 4; k++) set[i + k] = (set[i + k] ?? 0) / sum;
    } else first[i] = 1;
  }
  return off;
}
