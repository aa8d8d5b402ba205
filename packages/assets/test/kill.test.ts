import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VFSContext, VFSPath } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { afterEach, expect, test } from 'vitest';
import { decodeArtifact } from '../src/artifacts.js';
import { decodeRecord } from '../src/artifacts/import-record.js';
import { parseMeta } from '../src/index.js';
import { createTestEngine, linesImporter } from './engine.js';

let folder = '';
afterEach(() => rm(folder, { recursive: true, force: true }));

async function filesBelow(vfs: VFSContext, at: VFSPath): Promise<VFSPath[]> {
  const found: VFSPath[] = [];
  for (const { name, kind } of await vfs.list(at)) {
    if (kind === 'folder') found.push(...(await filesBelow(vfs, at.join(name))));
    else found.push(at.join(name));
  }
  return found;
}

test('kill -9 during cooking leaves no torn artifact, record or sidecar', async () => {
  folder = await mkdtemp(join(tmpdir(), 'ecliptic-kill-'));
  const script = fileURLToPath(new URL('./fixtures/cook-forever.ts', import.meta.url));
  const vfs = new VFSContext();
  vfs.mount('/', diskBackend(folder));
  for (let kill = 0; kill < 3; kill++) {
    const child = fork(script, [folder], { execArgv: process.execArgv });
    // The kill falls into the round after this message, at a point that differs each time.
    await new Promise((resolve, reject) => {
      child.on('message', (round) => {
        if (round === 1 + kill) resolve(undefined);
      });
      child.on('exit', () => reject(new Error('the child ended')));
    });
    const gone = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    const files = await filesBelow(vfs, VFSPath.root);
    const artifacts = files.filter(({ extension }) => extension === '.zematerial');
    expect(artifacts.length).toBeGreaterThan(2);
    for (const path of artifacts) decodeArtifact(await vfs.readFile(path));
    for (const path of files.filter(({ extension }) => extension === '.json')) {
      const record = decodeRecord(await vfs.readFile(path));
      expect(record).toBeDefined();
      for (const { hash } of record?.assets ?? []) {
        expect(artifacts.some(({ stem }) => stem === hash)).toBe(true);
      }
    }
    for (const path of files.filter(({ extension }) => extension === '.meta')) {
      parseMeta(await vfs.readFile(path), path.text);
    }
  }
  const { coordinator, reports } = createTestEngine({ vfs, importers: [linesImporter()] });
  for (const name of ['a', 'b', 'c']) void coordinator.enqueue(`/${name}.lines`);
  await coordinator.drain();
  expect(reports.every(({ status }) => status !== 'failed')).toBe(true);
  await vfs.dispose();
});
