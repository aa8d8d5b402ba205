import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AFFINE_FLOATS,
  createMailbox,
  frameStateFormat,
  openMailbox,
  RenderScene,
  type RenderFrameState,
} from '../src/index.js';
import { uuid } from './fixtures/triangle.js';

const INSTANCES = 6;

const operation = fc.record({
  kind: fc.constantFrom(
    'create',
    'destroy',
    'move',
    'move current',
    'swap',
    'publish',
    'publish',
    'publish',
    'begin',
    'cancel',
    'take',
    'take',
  ),
  which: fc.nat(INSTANCES - 1),
});

/** Both ends of all instances of a state. */
function rowsOf({ instanceCount, instancePrevious, instanceCurrent }: RenderFrameState): number[] {
  const end = instanceCount * AFFINE_FLOATS;
  return [...instancePrevious.subarray(0, end), ...instanceCurrent.subarray(0, end)];
}

test.each([true, false])(
  'what was taken is what was published, and stays so while more is published; shared memory: %s',
  async (shared) => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 80, size: 'max' }), async (operations) => {
        const budget = { instances: INSTANCES };
        const format = frameStateFormat(budget);
        const { writer, handle } = createMailbox(format, { shared });
        const reader = openMailbox(handle, format);
        const scene = new RenderScene({ budget });
        const published: number[][] = [[]];
        const wrong: unknown[] = [];
        let next = 1;
        const write = (): void => {
          const state = writer.begin();
          state.reset();
          scene.writeTo(state);
        };
        const check = (at: number): void => {
          const { latest } = reader;
          if (latest === undefined) return;
          const wanted = published[latest.sequence];
          const seen = rowsOf(latest);
          if (String(seen) !== String(wanted)) wrong.push({ at, seen, wanted });
        };
        for (const [at, { kind, which }] of operations.entries()) {
          const dense = which % Math.max(1, scene.instanceCount);
          const id = scene.instanceIds[dense] as number;
          if (kind === 'create' && scene.instanceCount < INSTANCES) {
            scene.createInstance({ meshUuid: uuid(1) });
          } else if (kind === 'begin') write();
          else if (kind === 'cancel') writer.cancel();
          else if (kind === 'publish') {
            write();
            published.push([
              ...scene.instancePrevious.subarray(0, scene.instanceCount * AFFINE_FLOATS),
              ...scene.instanceCurrent.subarray(0, scene.instanceCount * AFFINE_FLOATS),
            ]);
            writer.publish();
          } else if (kind === 'take') {
            if (!shared) await new Promise((resolve) => setImmediate(resolve));
            reader.take();
          } else if (kind === 'swap') scene.swapTransforms();
          else if (scene.instanceCount > 0) {
            const rows = new Float32Array(AFFINE_FLOATS).fill(next++);
            if (kind === 'destroy') scene.destroyInstance(id);
            else if (kind === 'move') scene.setTransform(id, rows, 0, rows, 0);
            else scene.changeCurrent().rows.set(rows, dense * AFFINE_FLOATS);
          }
          check(at);
        }
        expect(wrong).toEqual([]);
        writer.dispose();
        reader.dispose();
      }),
      { numRuns: shared ? 300 : 30 },
    );
  },
);

test('what is in the mailbox already is not copied again: a state refers to it', () => {
  const format = frameStateFormat({ instances: INSTANCES });
  const { writer, handle } = createMailbox(format, { shared: true });
  const reader = openMailbox(handle, format);
  const scene = new RenderScene({ budget: { instances: INSTANCES } });
  const id = scene.createInstance({ meshUuid: uuid(1) });
  const publish = (): RenderFrameState => {
    const state = writer.begin();
    state.reset();
    scene.writeTo(state);
    writer.publish();
    return reader.take() as RenderFrameState;
  };
  const rows = new Float32Array(AFFINE_FLOATS).fill(1);
  scene.setTransform(id, rows, 0, rows, 0);
  const { instanceCurrent } = publish();
  // Nothing changed.
  const still = publish();
  expect(still.instanceCurrent).toBe(instanceCurrent);
  // One step further.
  scene.swapTransforms();
  scene.changeCurrent().rows.fill(2, 0, AFFINE_FLOATS);
  const further = publish();
  expect(further.instancePrevious).toBe(instanceCurrent);
  expect([...further.instanceCurrent.subarray(0, 2)]).toEqual([2, 2]);
});
