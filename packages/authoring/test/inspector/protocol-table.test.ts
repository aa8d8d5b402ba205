import { readFile } from 'node:fs/promises';
import { AssetRegistry } from '@ecliptic/assets';
import { Scene } from '@ecliptic/ecs';
import { WorldTick } from '@ecliptic/scheduler';
import { expect, test } from 'vitest';
import { InspectorLog } from '../../src/inspector.js';
import { inspected, TestLine } from './inspected.js';

test('the guide lists every method', async () => {
  const guide = new URL('../../../../docs/editing-and-inspecting.md', import.meta.url);
  const listed = (await readFile(guide, 'utf8')).matchAll(/^\| `([a-z]+\.[a-z]+)` /gm);
  const nothing = async (): Promise<string> => '';
  const { inspector } = inspected({
    sources: {
      worldTick: new WorldTick(new Scene()),
      assets: new AssetRegistry(),
      mailboxes: {},
      log: new InspectorLog(),
      files: { save: nothing, load: nothing },
    },
  });
  const line = new TestLine();
  inspector.attach(line);
  line.call('inspector.describe');
  inspector.tick();
  const methods = line.take()[0]?.result?.methods ?? [];
  const names = Array.from(listed, ([, name]) => name);
  expect(names).toHaveLength(methods.length);
  expect(new Set(names)).toEqual(new Set(methods));
});
