import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { DecodedAccessor } from './decode-accessors.js';
import type { AccessorDef } from './model.js';

/**
 * Checks the values of a decoded accessor against the file's own statements and makes them finite:
 * NaN and infinities become 0, in place, with one `assets/gltf-not-finite` for the accessor. Declared
 * bounds that don't hold are `assets/gltf-bounds`.
 */
export function checkValues(
  accessor: AccessorDef,
  decoded: DecodedAccessor,
  report: DiagnosticReport,
): void {
  const { array, components } = decoded;
  if (array instanceof Float32Array) {
    let bad = 0;
    let first = -1;
    for (let i = 0; i < array.length; i++) {
      if (Number.isFinite(array[i])) continue;
      if (first === -1) first = i;
      array[i] = 0;
      bad++;
    }
    if (bad > 0) {
      report.warn(
        'assets/gltf-not-finite',
        `${bad} values are not finite, the first in element ${Math.floor(first / components)}; they become 0`,
        { pointer: accessor.pointer },
      );
      return;
    }
  }
  if (!decoded.lossy) checkBounds(accessor, decoded, report);
}

function checkBounds(
  accessor: AccessorDef,
  decoded: DecodedAccessor,
  report: DiagnosticReport,
): void {
  const { array, components } = decoded;
  for (const [key, declared] of [
    ['min', accessor.min],
    ['max', accessor.max],
  ] as const) {
    if (!declared || array.length === 0) continue;
    for (let c = 0; c < components; c++) {
      let actual = array[c] ?? 0;
      for (let i = c; i < array.length; i += components) {
        const value = array[i] ?? 0;
        if (key === 'min' ? value < actual : value > actual) actual = value;
      }
      const expected = declared[c] ?? 0;
      const tolerance = 1e-5 * Math.max(1, Math.abs(expected));
      if (Math.abs(actual - expected) <= tolerance) continue;
      report.warn('assets/gltf-bounds', `"${key}" says ${expected} where the data has ${actual}`, {
        pointer: `${accessor.pointer}/${key}/${c}`,
      });
    }
  }
}

/**
 * Values as floats: normalised integers are scaled to [0, 1] or [−1, 1] as glTF defines.
 *
 * @returns the accessor's own array where it is already of floats
 */
export function toFloats(decoded: DecodedAccessor): Float32Array {
  const { array, normalized } = decoded;
  if (array instanceof Float32Array) return array;
  const result = new Float32Array(array.length);
  if (!normalized) {
    result.set(array);
    return result;
  }
  const scale = NORMALIZE[array.constructor.name] ?? 1;
  const signed = array instanceof Int8Array || array instanceof Int16Array;
  for (let i = 0; i < array.length; i++) {
    const value = (array[i] ?? 0) / scale;
    result[i] = signed && value < -1 ? -1 : value;
  }
  return result;
}

const NORMALIZE: Readonly<Record<string, number>> = {
  Int8Array: 127,
  Uint8Array: 255,
  Int16Array: 32_767,
  Uint16Array: 65_535,
  Uint32Array: 4_294_967_295,
};

/**
 * Gives out decoded accessors by use: what can't be used is reported as an error where it matters
 * (`required`), or as a warning and left out.
 */
export class AccessorSource {
  readonly #definitions: readonly AccessorDef[];
  readonly #decoded: readonly (DecodedAccessor | undefined)[];
  readonly #problem: (accessor: AccessorDef) => { code: string; problem: string } | undefined;
  readonly #report: DiagnosticReport;

  constructor(
    definitions: readonly AccessorDef[],
    decoded: readonly (DecodedAccessor | undefined)[],
    problem: (accessor: AccessorDef) => { code: string; problem: string } | undefined,
    report: DiagnosticReport,
  ) {
    this.#definitions = definitions;
    this.#decoded = decoded;
    this.#problem = problem;
    this.#report = report;
  }

  /**
   * Accessor `index`, or `undefined` with an error reported at the place that uses it (a warning where
   * only the bytes are not provided).
   */
  get(index: number | undefined, pointer: string): DecodedAccessor | undefined {
    if (index === undefined) return undefined;
    const decoded = this.#decoded[index];
    if (decoded) return decoded;
    const definition = this.#definitions[index];
    if (!definition) {
      this.#report.error('assets/gltf-reference', `There is no accessor ${index}`, { pointer });
      return undefined;
    }
    const found = this.#problem(definition);
    // A buffer without URI is legal: something outside the file may provide it.
    const severity = found?.code === 'assets/gltf-no-bytes' ? 'warn' : 'error';
    this.#report[severity](
      found?.code ?? 'assets/gltf-compressed',
      found ? `Accessor ${index}: ${found.problem}` : `Accessor ${index} has no data`,
      { pointer },
    );
    return undefined;
  }

  /** As {@link AccessorSource.get}, of one of `types`; another type is a warning and `undefined`. */
  typed(
    index: number | undefined,
    pointer: string,
    types: readonly string[],
  ): DecodedAccessor | undefined {
    if (index === undefined) return undefined;
    const type = this.#definitions[index]?.type;
    if (type !== undefined && !types.includes(type)) {
      this.#report.warn(
        'assets/gltf-accessor-type',
        `Accessor ${index} is ${type}, not ${types.join(' or ')}, and is left out`,
        { pointer },
      );
      return undefined;
    }
    return this.get(index, pointer);
  }
}
