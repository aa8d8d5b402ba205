import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { AccessorSource } from './accessor-values.js';
import type { PrimitiveDef } from './model.js';

/** Fewest indices, and what their number must be a multiple of, by mode. */
const SHAPE: readonly (readonly [least: number, multiple: number])[] = [
  [1, 1],
  [2, 2],
  [2, 1],
  [2, 1],
  [3, 3],
  [3, 1],
  [3, 1],
];

/**
 * Indices of a primitive, or 0, 1, 2 … for one that has none. Each is below `vertexCount`.
 *
 * Reports `assets/gltf-index` (an error) for indices without a vertex; as warnings
 * `assets/gltf-primitive-restart`, `assets/gltf-index-type`, `assets/gltf-primitive-count`.
 *
 * @returns `undefined` where the accessor can't be used
 */
export function readIndices(
  primitive: PrimitiveDef,
  vertexCount: number,
  accessors: AccessorSource,
  report: DiagnosticReport,
): Uint32Array | undefined {
  let indices: Uint32Array;
  if (primitive.indices === undefined) {
    indices = new Uint32Array(vertexCount);
    for (let i = 0; i < vertexCount; i++) indices[i] = i;
  } else {
    const pointer = `${primitive.pointer}/indices`;
    const accessor = accessors.typed(primitive.indices, pointer, ['SCALAR']);
    if (!accessor) return undefined;
    const { array } = accessor;
    const isUnsigned =
      array instanceof Uint8Array || array instanceof Uint16Array || array instanceof Uint32Array;
    if (!isUnsigned) {
      report.warn('assets/gltf-index-type', 'Indices are not unsigned integers', { pointer });
    }
    const restart = isUnsigned ? 2 ** (8 * array.BYTES_PER_ELEMENT) - 1 : -1;
    let restarts = 0;
    for (let i = 0; i < array.length; i++) {
      const index = array[i] ?? 0;
      if (index === restart) restarts++;
      if (index >= 0 && index < vertexCount && Number.isInteger(index)) continue;
      report.error(
        'assets/gltf-index',
        `Index ${i} is ${index}, but there are ${vertexCount} vertices`,
        { pointer },
      );
      return undefined;
    }
    if (restarts > 0) {
      report.warn(
        'assets/gltf-primitive-restart',
        `${restarts} indices are ${restart}, which restarts primitives on some systems`,
        { pointer },
      );
    }
    indices = array instanceof Uint32Array ? array : new Uint32Array(array);
  }
  const [least = 1, multiple = 1] = SHAPE[primitive.mode] ?? [];
  if (indices.length < least || indices.length % multiple !== 0) {
    report.warn(
      'assets/gltf-primitive-count',
      `${indices.length} vertices don't make whole primitives of mode ${primitive.mode}`,
      { pointer: primitive.pointer },
    );
  }
  return indices;
}
