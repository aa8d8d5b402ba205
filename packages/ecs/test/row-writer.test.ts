import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  fixedArray,
  bool,
  color,
  defineComponent,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  mat3,
  mat4,
  object,
  oneOf,
  quat,
  read,
  Scene,
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
} from '../src/index.js';
import { RecordingLog } from './support.js';

afterEach(() => vi.unstubAllGlobals());

/** As under a Content-Security-Policy without `unsafe-eval`. */
function forbidCode(): void {
  vi.stubGlobal('Function', function refuse() {
    throw new EvalError('Code generation from strings disallowed for this context');
  });
}

/** Enough rows of one component for code of its own. */
const MANY = 40;

const FIELDS: Record<string, [field: () => Field, values: readonly unknown[]]> = {
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

/** What a column holds of the newest entity: bytes, or the object. */
function lastRow(scene: Scene, component: Component, name: string, { stride }: Field): unknown {
  const [table] = [...scene.query(read(component)).tables()].filter(({ count }) => count > 0);
  if (!table) throw new Error('no rows');
  const columns = table.column(component) as unknown as Record<string, unknown>;
  const column = columns[name] as Uint8Array | unknown[];
  if (Array.isArray(column)) return column[table.count - 1];
  return [...new Uint8Array(column.slice((table.count - 1) * stride, table.count * stride).buffer)];
}

/** Texts that code is made of from now on. */
function watchCode(): unknown[] {
  const texts: unknown[] = [];
  const real = Function;
  vi.stubGlobal('Function', function make(...given: string[]) {
    texts.push(given.at(-1));
    return real(...given);
  });
  return texts;
}

/** Whether a text is one of a writer. */
const isWriter = (text: unknown): boolean => String(text).includes('heap, set, row');

/** What rows hold that are made of these values, and what was reported. */
function outcome(component: Component, values: readonly (object | undefined)[]): unknown {
  const log = new RecordingLog('test');
  const scene = new Scene({ development: false, log });
  for (let i = 0; i < MANY; i++) scene.createEntity(component);
  const rows = values.map((value) => {
    try {
      if (value) scene.createEntity([component, value]);
      else scene.createEntity(component);
      return component.fields.map(({ name, field }) => lastRow(scene, component, name, field));
    } catch (error) {
      return (error as Error).constructor.name;
    }
  });
  return { rows, entities: scene.entityCount, cuts: log.of('text_cut').length };
}

describe('writers of rows', () => {
  for (const [kind, [field, given]] of Object.entries(FIELDS)) {
    it(`write what the generic one writes: ${kind}`, () => {
      const schema = { before: u8({ default: 1 }), value: field(), after: f32({ default: 2 }) };
      const values = [
        undefined,
        {},
        ...given.flatMap((value) => [{ value }, { after: 3, value, before: 4 }]),
        {
          get value(): unknown {
            throw new RangeError('unreadable');
          },
        },
      ];
      const texts = watchCode();
      const byCode = outcome(defineComponent('C', schema), values);
      expect(texts.filter(isWriter)).toHaveLength(1);
      forbidCode();
      expect(outcome(defineComponent('C', schema), values)).toEqual(byCode);
    });
  }

  it('write what the generic one writes, whatever the fields and values', () => {
    const kinds = Object.entries(FIELDS);
    const anyField = fc.integer({ min: 0, max: kinds.length - 1 }).chain((kind) => {
      const [, [field, given]] = kinds[kind] as (typeof kinds)[number];
      return fc.constant({ field, given });
    });
    const rows = fc.array(fc.array(fc.nat({ max: 9 }), { minLength: 20, maxLength: 20 }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(anyField, { maxLength: 20 }), rows, (fields, picks) => {
        const schema: Record<string, Field> = {};
        let bytes = 0;
        for (const [i, { field }] of fields.entries()) {
          const made = field();
          bytes += made.bytes + 8;
          if (bytes <= 256) schema[`f${i}`] = made;
        }
        const names = Object.keys(schema);
        const values = picks.map((pick) =>
          Object.fromEntries(
            names.flatMap((name, i) => {
              const given = fields[i]?.given ?? [];
              const chosen = pick[i] ?? 0;
              return chosen < given.length ? [[name, given[chosen]]] : [];
            }),
          ),
        );
        const byCode = outcome(defineComponent('C', schema), values);
        forbidCode();
        const byHand = outcome(defineComponent('C', schema), values);
        vi.unstubAllGlobals();
        expect(byCode).toEqual(byHand);
      }),
    );
  });

  it('are made once, for all scenes, and not for components of which there are few', () => {
    const texts = watchCode();
    const A = defineComponent('A', { value: f32() });
    const few = new Scene();
    for (let i = 0; i < 20; i++) few.createEntity([A, { value: i }]);
    expect(texts.filter(isWriter)).toHaveLength(0);
    for (let i = 0; i < 20; i++) few.createEntity([A, { value: i }]);
    expect(texts.filter(isWriter)).toHaveLength(1);
    const other = new Scene();
    for (let i = 0; i < MANY; i++) {
      expect(other.getComponent(other.createEntity([A, { value: i }]), A)?.value).toBe(i);
    }
    expect(texts.filter(isWriter)).toHaveLength(1);
  });

  it('are not made for fields that mirror others, whose values depend on each other', () => {
    const texts = watchCode();
    const A = defineComponent('A', { from: vec3(), to: vec3({ defaultFrom: 'from' }) });
    const scene = new Scene();
    for (let i = 0; i < MANY; i++) {
      const id = scene.createEntity([A, { from: [i, 0, 0] }]);
      expect(scene.getComponent(id, A)?.to.x).toBe(i);
    }
    expect(texts.filter(isWriter)).toHaveLength(0);
  });

  it('ask for code only once where it can’t be made', () => {
    let asked = 0;
    vi.stubGlobal('Function', function refuse() {
      asked++;
      throw new EvalError('forbidden');
    });
    const A = defineComponent('A', { value: f32() });
    for (let scenes = 0; scenes < 3; scenes++) {
      const scene = new Scene();
      const before = asked;
      for (let i = 0; i < MANY; i++) scene.createEntity([A, { value: i }]);
      expect(asked - before).toBe(scenes === 0 ? 1 : 0);
    }
  });

  it('write values of a component named like code', () => {
    const texts = watchCode();
    const A = defineComponent('A\n} */ throw 1 //\u2028', { value: f32() });
    const scene = new Scene();
    for (let i = 0; i < MANY; i++) {
      expect(scene.getComponent(scene.createEntity([A, { value: i }]), A)?.value).toBe(i);
    }
    expect(texts.filter(isWriter)).toHaveLength(1);
  });
});
