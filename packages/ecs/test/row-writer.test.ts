import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, Scene, f32, vec3, type Component, type Field } from '../src/index.js';
import { FIELDS, forbidCode, lastRow, MANY, samplesOf, watchCode } from './field-samples.js';
import { RecordingLog } from './support.js';

afterEach(() => vi.unstubAllGlobals());

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
  for (const [kind, sample] of Object.entries(FIELDS)) {
    it(`write what the generic one writes: ${kind}`, () => {
      const { schema, values } = samplesOf(sample);
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
