import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';

/** Bounds of a number. */
export interface NumberRange {
  readonly min?: number;
  readonly max?: number;
}

/**
 * A JSON object that is read property by property, each with its expected type. What doesn't fit is
 * reported with its JSON pointer as an error (`assets/gltf-type`, `assets/gltf-missing`,
 * `assets/gltf-range`, `assets/gltf-reference`) and read as `undefined`; the caller goes on, so that one run
 * finds all faults, and stops with {@link DiagnosticReport.throwIfFailed}.
 *
 * Only own properties are read, so `__proto__` and friends are plain names.
 */
export class JsonView {
  readonly pointer: string;
  readonly report: DiagnosticReport;
  readonly #value: Readonly<Record<string, unknown>>;

  constructor(value: object, pointer: string, report: DiagnosticReport) {
    this.#value = value as Readonly<Record<string, unknown>>;
    this.pointer = pointer;
    this.report = report;
  }

  /** JSON pointer of property `key`. */
  at(key: string | number): string {
    return `${this.pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#value, key);
  }

  /** The raw value, `undefined` when absent. */
  raw(key: string): unknown {
    return this.has(key) ? this.#value[key] : undefined;
  }

  keys(): string[] {
    return Object.keys(this.#value);
  }

  string(key: string): string | undefined {
    const value = this.raw(key);
    if (value === undefined || typeof value === 'string') return value;
    return this.#mismatch(key, 'a string', value);
  }

  boolean(key: string, fallback: boolean): boolean {
    const value = this.raw(key);
    if (value === undefined || typeof value === 'boolean') return value ?? fallback;
    return this.#mismatch(key, 'true or false', value) ?? fallback;
  }

  /** A finite number, within `range`. */
  number(key: string, range: NumberRange = {}): number | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'number') return this.#mismatch(key, 'a number', value);
    return this.#inRange(key, value, range);
  }

  /** A safe integer, at least 0 where `range` says nothing else. */
  integer(key: string, range: NumberRange = {}): number | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      return this.#mismatch(key, 'a whole number', value);
    }
    return this.#inRange(key, value, { min: 0, ...range });
  }

  /** An index into a list of `length` things. */
  index(key: string, length: number, of: string): number | undefined {
    const value = this.integer(key);
    if (value === undefined || value < length) return value;
    this.report.error('assets/gltf-reference', `There is no ${of} ${value}, only ${length}`, {
      pointer: this.at(key),
    });
    return undefined;
  }

  /** A list of indices into a list of `length` things; bad ones are reported and left out. */
  indices(key: string, length: number, of: string): number[] {
    const list = this.#array(key);
    const result: number[] = [];
    list.forEach((value, i) => {
      const pointer = `${this.at(key)}/${i}`;
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
        this.report.error('assets/gltf-type', `An index is expected, not ${show(value)}`, {
          pointer,
        });
      } else if (value >= length) {
        this.report.error('assets/gltf-reference', `There is no ${of} ${value}, only ${length}`, {
          pointer,
        });
      } else result.push(value);
    });
    return result;
  }

  /** Finite numbers; exactly `length` of them where given. */
  numbers(key: string, length?: number): number[] | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
      return this.#mismatch(key, length === undefined ? 'a list' : `${length} numbers`, value);
    }
    for (const item of value as unknown[]) {
      if (typeof item !== 'number' || !Number.isFinite(item)) {
        return this.#mismatch(key, 'finite numbers', item);
      }
    }
    return value as number[];
  }

  /** Strings; others are reported and left out. */
  strings(key: string): string[] {
    return this.#array(key).filter((value, i): value is string => {
      if (typeof value === 'string') return true;
      this.report.error('assets/gltf-type', `A string is expected, not ${show(value)}`, {
        pointer: `${this.at(key)}/${i}`,
      });
      return false;
    });
  }

  /** One of `choices`. */
  choice<T extends string | number>(key: string, choices: readonly T[]): T | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    return found ?? this.#mismatch(key, `one of ${choices.join(', ')}`, value);
  }

  /** A nested object. */
  object(key: string): JsonView | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (!isObject(value)) return this.#mismatch(key, 'an object', value);
    return new JsonView(value, this.at(key), this.report);
  }

  /** A list of objects. An item of another type is reported, and read as an empty object to keep the others' places. */
  objects(key: string): JsonView[] {
    return this.#array(key).map((value, i) => {
      const pointer = `${this.at(key)}/${i}`;
      if (isObject(value)) return new JsonView(value, pointer, this.report);
      this.report.error('assets/gltf-type', `An object is expected, not ${show(value)}`, {
        pointer,
      });
      return new JsonView({}, pointer, this.report);
    });
  }

  /** The object `extensions[name]`. */
  extension(name: string): JsonView | undefined {
    return this.object('extensions')?.object(name);
  }

  /** Reports a property that must be there; returns `undefined`. */
  missing(key: string): undefined {
    this.report.error('assets/gltf-missing', `Property "${key}" is missing`, {
      pointer: this.pointer,
    });
    return undefined;
  }

  #array(key: string): readonly unknown[] {
    const value = this.raw(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.#mismatch(key, 'a list', value) ?? [];
    if (value.length === 0) {
      this.report.warn('assets/gltf-empty', 'The list is empty; leave it out instead', {
        pointer: this.at(key),
      });
    }
    return value as readonly unknown[];
  }

  #inRange(key: string, value: number, { min, max }: NumberRange): number | undefined {
    const low = min ?? Number.NEGATIVE_INFINITY;
    const high = max ?? Number.POSITIVE_INFINITY;
    if (Number.isFinite(value) && value >= low && value <= high) return value;
    const range = min === undefined && max === undefined ? 'finite' : `in [${low}, ${high}]`;
    this.report.error('assets/gltf-range', `${value} is not ${range}`, { pointer: this.at(key) });
    return undefined;
  }

  #mismatch(key: string, expected: string, value: unknown): undefined {
    this.report.error('assets/gltf-type', `Expected ${expected}, not ${show(value)}`, {
      pointer: this.at(key),
    });
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return 'an object';
  return (JSON.stringify(value) ?? String(value)).slice(0, 60);
}
