import { afterEach, describe, expect, it, vi } from 'vitest';
import { Commands, defineComponent, f32, Scene, vec3, type Component } from '../src/index.js';
import { FIELDS, forbidCode, lastRow, MANY, samplesOf, watchCode } from './field-samples.js';
import { RecordingLog } from './support.js';

afterEach(() => vi.unstubAllGlobals());

const isPacker = (text: unknown): boolean => String(text).includes('type, heap, at, value');

/** What rows hold that commands made, and then set, with these values, and what was reported. */
function outcome(component: Component, values: readonly (object | undefined)[]): unknown {
  const log = new RecordingLog('test');
  const scene = new Scene({ development: false, log });
  const commands = new Commands(scene);
  const row = (): unknown[] =>
    component.fields.map(({ name, field }) => lastRow(scene, component, name, field));
  for (let i = 0; i < MANY; i++) commands.addComponent(commands.createEntity(), component);
  commands.flush();
  const rows = values.map((value) => {
    try {
      const made = commands.createEntity();
      commands.addComponent(made, component, value);
      commands.flush();
      const added = row();
      const plain = commands.createEntity();
      commands.addComponent(plain, component);
      commands.setComponent(plain, component, value);
      commands.flush();
      return [added, row()];
    } catch (error) {
      commands.clear();
      return (error as Error).constructor.name;
    }
  });
  return { rows, entities: scene.entityCount, cuts: log.of('text_cut').length };
}

describe('packers of rows', () => {
  for (const [kind, sample] of Object.entries(FIELDS)) {
    it(`pack what the generic one packs: ${kind}`, () => {
      const { schema, values } = samplesOf(sample);
      const texts = watchCode();
      const byCode = outcome(defineComponent('C', schema), values);
      expect(texts.filter(isPacker)).toHaveLength(1);
      forbidCode();
      expect(outcome(defineComponent('C', schema), values)).toEqual(byCode);
    });
  }

  it('are made once, for all scenes, and not for fields that mirror others', () => {
    const texts = watchCode();
    const A = defineComponent('A', { value: f32() });
    const B = defineComponent('B', { from: vec3(), to: vec3({ defaultFrom: 'from' }) });
    for (let scenes = 0; scenes < 2; scenes++) {
      const scene = new Scene();
      const commands = new Commands(scene);
      for (let i = 0; i < MANY; i++) {
        const made = commands.createEntity();
        commands.addComponent(made, A, { value: i });
        commands.addComponent(made, B, { from: [i, 0, 0] });
        commands.flush();
        const real = commands.resolve(made);
        expect(scene.getComponent(real, A)?.value).toBe(i);
        expect(scene.getComponent(real, B)?.to.x).toBe(i);
      }
    }
    expect(texts.filter(isPacker)).toHaveLength(1);
  });
});
