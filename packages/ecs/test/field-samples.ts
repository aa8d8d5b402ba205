import { vi } from 'vitest';
import {
  bool,
  color,
  entity,
  f32,
  f64,
  fixedArray,
  i16,
  i32,
  i8,
  mat3,
  mat4,
  object,
  oneOf,
  quat,
  read,
  text,
  u16,
  u32,
  u8,
  uuid,
  vec2,
  vec3,
  vec4,
  type Component,
  type Field,
  type Scene,
} from '../src/index.js';

/** A field, and values that it is given. */
type Sample = [field: () => Field, values: readonly unknown[]];

/** One of each kind. */
export const FIELDS: Record<string, Sample> = {
  f32: [() => f32({ default: 0.1 }), [1.5, -0, NaN, '3', true, null]],
  f64: [() => f64({ default: -0 }), [1e300, -1e-300]],
  i8: [() => i8({ default: -7 }), [-128, 300]],
  u8: [() => u8({ default: 7 }), [255, -1]],
  i16: [() => i16({ default: -7 }), [-32_768, 1.9]],
  u16: [() => u16({ default: 7 }), [65_535]],
  i32: [() => i32({ default: -7 }), [-(2 ** 31)]],
  u32: [() => u32({ default: 7 }), [2 ** 32 - 1]],
  bool: [() => bool({ default: true }), [false, true, 0, 'x']],
  entity: [() => entity(), [1_048_577]],
  vec2: [() => vec2({ default: [7, 8] }), [[1, 2], [1], { x: 1, y: 2 }, [1, 2, 3]]],
  vec3: [
    () => vec3({ default: [7, 8, 9] }),
    [[1, 2, 3], [1], [], { x: 1, y: 2, z: 3 }, new Float64Array([1, 2, 3, 4]), 5, 'abc', [1, 2]],
  ],
  vec4: [
    () => vec4({ default: [6, 7, 8, 9] }),
    [[1, 2, 3, 4], [1, 2, 3], { x: 1, y: 2, z: 3, w: 4 }],
  ],
  quat: [() => quat(), [[1, 0, 0, 0], [1, 0], { x: 1, y: 0, z: 0, w: 0 }]],
  mat3: [() => mat3(), [Array.from({ length: 9 }, (_, i) => i), [1, 2]]],
  mat4: [() => mat4(), [Array.from({ length: 16 }, (_, i) => i), [1, 2]]],
  color: [() => color(), [[1, 0, 1, 0.5], [1, 0, 1], [1], { r: 1, g: 0, b: 1 }]],
  fixedArray: [() => fixedArray(u16(), 3, { default: [3, 4, 5] }), [[1, 2, 3], [1]]],
  oneOf: [() => oneOf('a', 'b', 'c'), ['c', 'unknown']],
  text: [() => text(4, { default: 'me' }), ['you', 'much too long']],
  uuid: [() => uuid(), ['123e4567-e89b-12d3-a456-426614174000']],
  object: [() => object<unknown>({ default: 'none' }), [{ a: 1 }, null]],
};

/** A component that has such a field between others, and values that it is given: whole, in part, and one that can't be read. */
export function samplesOf([field, given]: Sample): {
  schema: Record<string, Field>;
  values: readonly (object | undefined)[];
} {
  return {
    schema: { before: u8({ default: 1 }), value: field(), after: f32({ default: 2 }) },
    values: [
      undefined,
      {},
      ...given.flatMap((value) => [{ value }, { after: 3, value, before: 4 }]),
      {
        get value(): unknown {
          throw new RangeError('unreadable');
        },
      },
    ],
  };
}

/** As under a Content-Security-Policy without `unsafe-eval`. */
export function forbidCode(): void {
  vi.stubGlobal('Function', function refuse() {
    throw new EvalError('Code generation from strings disallowed for this context');
  });
}

/** Enough rows of one component for code of its own. */
export const MANY = 40;

/** What a column holds of the newest entity: bytes, or the object. */
export function lastRow(
  scene: Scene,
  component: Component,
  name: string,
  { stride }: Field,
): unknown {
  const [table] = [...scene.query(read(component)).tables()].filter(({ count }) => count > 0);
  if (!table) throw new Error('no rows');
  const columns = table.column(component) as unknown as Record<string, unknown>;
  const column = columns[name] as Uint8Array | unknown[];
  if (Array.isArray(column)) return column[table.count - 1];
  return [...new Uint8Array(column.slice((table.count - 1) * stride, table.count * stride).buffer)];
}

/** Texts that code is made of from now on. */
export function watchCode(): unknown[] {
  const texts: unknown[] = [];
  const real = Function;
  vi.stubGlobal('Function', function make(...given: string[]) {
    texts.push(given.at(-1));
    return real(...given);
  });
  return texts;
}
