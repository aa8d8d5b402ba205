import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { expect, test } from 'vitest';
import { ArtifactStore } from '../src/index.js';

const KEY = 'ab'.repeat(32);
const HASH = 'cd'.repeat(32);
const temporary = (n: number): string => `.ecliptic-6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a1${n}.tmp`;
const left = [
  `/cache/artifacts/c/${temporary(1)}`,
  `/cache/imports/a/${temporary(2)}`,
  `/cache/journal/${temporary(3)}`,
];

test('temporary files of a crashed start are removed once nobody can be writing them', async () => {
  const vfs = new VFSContext();
  const files = {
    ...Object.fromEntries(left.map((path) => [path, 'half of it'])),
    [`/cache/journal/${KEY}`]: JSON.stringify([{ hash: HASH, type: 'mesh' }]),
    '/cache/artifacts/c/other.tmp': 'not ours',
  };
  vfs.mount('/', memoryBackend({ files, now: () => 1_000_000 }));
  const startAt = async (now: number): Promise<readonly string[]> => {
    const store = new ArtifactStore({ vfs, root: '/cache', now: () => now });
    await store.find(KEY);
    const there = await Promise.all(left.map((path) => vfs.exists(path)));
    return left.filter((_, i) => there[i]);
  };
  expect(await startAt(1_059_000)).toEqual(left);
  // The journal still says where to look.
  expect(await vfs.exists(`/cache/journal/${KEY}`)).toBe(true);
  expect(await startAt(1_061_000)).toEqual([]);
  expect(await vfs.list(VFSPath.parse('/cache/journal'))).toEqual([]);
  expect(await vfs.exists('/cache/artifacts/c/other.tmp')).toBe(true);
});

test.each([
  '',
  'null',
  '{"a":1}',
  '[{"hash":"cd',
  '[null,7,{},{"hash":7,"type":"mesh"}]',
  JSON.stringify([{ hash: HASH, type: 'other' }]),
  JSON.stringify([{ hash: HASH, type: 'toString' }]),
  // Not a name in the cache, but a way to a file of the project.
  JSON.stringify([{ hash: '/../../../models/a', type: 'mesh' }]),
])('a journal entry that says %s names nothing, and goes', async (entry) => {
  const vfs = new VFSContext();
  const files = { [`/cache/journal/${KEY}`]: entry, '/models/a.zemesh': 'mine' };
  vfs.mount('/', memoryBackend({ files }));
  const store = new ArtifactStore({ vfs, root: '/cache' });
  expect(await store.find(KEY)).toBeUndefined();
  expect(await vfs.list(VFSPath.parse('/cache/journal'))).toEqual([]);
  expect(await vfs.readText('/models/a.zemesh')).toBe('mine');
});
