import { EventLog } from '@ecliptic/core';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { importModel, validModels } from './fixtures/corpus-models.js';
import { tryGpu } from './fixtures/gpu.js';
import { showcase, type Shown } from './fixtures/showcase.js';

vi.setConfig({ testTimeout: 300_000 });

/** A few of each kind. The whole corpus: `pnpm test:corpus`. */
const FEW = [
  'boxtextured-gltf',
  'boxdraco-gltf',
  'boxtextured-meshopt-glb',
  'gltf-primitives-glb',
  'cornellbox-glb',
  '16-volume-gltf',
  'twosidedplane-glb',
  'simpleskin-gltf',
  'v-glb-extra-data-glb',
  'maya-cube-7500-binary-fbx',
];
/** Models of which nothing is to be seen, and why. */
const INVISIBLE: Readonly<Record<string, string>> = {
  'syn-accessor-no-bufferview': 'all its vertices are at the same place',
  'syn-degenerate': 'its triangles have no area',
  'syn-node-zero-scale': 'its node is scaled to nothing',
};
const isWhole = process.env['MODE'] === 'corpus';
const models = validModels().filter(({ id }) => isWhole || FEW.includes(id));
const { gpu, why } = await tryGpu();
afterAll(() => gpu?.close());

describe.skipIf(gpu === undefined || models.length === 0)(
  `models of the corpus${why ? ` (no WebGPU here: ${why})` : ''}`,
  async () => {
    const log = new EventLog('test');
    const warnings = vi.spyOn(log, 'warnOnce');
    const stage = gpu && (await showcase(gpu, log));
    const shown = new Map<string, Shown>();
    afterAll(async () => {
      await stage?.close();
      const total = (of: keyof Shown): number =>
        [...shown.values()].reduce((sum, one) => sum + one[of], 0);
      console.log(
        `${shown.size} models, ${total('instances')} instances, ${total('triangles')} triangles`,
      );
    });

    test.each(models.map((model) => [model.id, model] as const))('%s', async (id, model) => {
      const imported = await importModel(model);
      if (!stage) throw new Error('there is no device');
      const one = await stage.show(imported);
      shown.set(id, one);
      const told = warnings.mock.calls.filter(([event]) => event === 'device_error');
      expect(told, 'errors of the device').toEqual([]);
      expect(one.errors).toBe(0);
      expect(one.visible).toBe(one.instances);
      // A picture that is as empty as without the model would hide everything else.
      expect(one.pixels > 0).toBe(one.visible > 0 && INVISIBLE[id] === undefined);
    });
  },
);
