import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { headlessPlatform } from '../src/index.js';
import { nodePlatform } from '../src/node.js';
import { failureOf, testEngine } from './support/recorder.js';

const HOOKS = fileURLToPath(new URL('../../../scripts/ts-source-hooks.mjs', import.meta.url));
const FIXTURE = fileURLToPath(new URL('./fixtures/signalled.ts', import.meta.url));

/** Runs the fixture, sends each signal once the line before it was printed, and tells how it ended. */
function signalled(
  mode: 'orderly' | 'stuck' | 'disposing',
  signals: readonly (readonly [afterLine: string, signal: NodeJS.Signals])[],
): Promise<{ lines: string[]; code: number | null; signal: string | null }> {
  const child = spawn(
    process.execPath,
    ['--import', HOOKS, '--conditions=@ecliptic/source', FIXTURE, mode],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const left = [...signals];
  let output = '';
  child.stdout.on('data', (data) => {
    output += String(data);
    const next = left[0];
    if (next === undefined || !output.split('\n').includes(next[0])) return;
    left.shift();
    child.kill(next[1]);
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ lines: output.trim().split('\n'), code, signal });
    });
  });
}

describe('signals', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s closes the engine in good order',
    async (signal) => {
      expect(await signalled('orderly', [['running', signal]])).toEqual({
        lines: ['running', 'stop requested', 'dispose', 'end'],
        code: 0,
        signal: null,
      });
    },
  );

  test('one that comes while plugins are disposed of does not cut that short', async () => {
    expect(await signalled('disposing', [])).toEqual({
      lines: ['running', 'stop requested', 'dispose', 'disposed', 'end'],
      code: 0,
      signal: null,
    });
  });

  test('the second one ends the process at once', async () => {
    expect(
      await signalled('stuck', [
        ['running', 'SIGTERM'],
        ['stop requested', 'SIGINT'],
      ]),
    ).toEqual({ lines: ['running', 'stop requested'], code: 130, signal: null });
  });
});

test.each([
  ['node', () => nodePlatform({ signals: [] })],
  ['headless', headlessPlatform],
])('one %s platform serves one engine', async (name, make) => {
  const platform = make();
  const first = testEngine({ platform }).engine;
  await first.initialize();
  expect(await failureOf(() => testEngine({ platform }).engine.initialize())).toMatchObject({
    step: `${name} platform`,
    cause: { code: 'engine/platform-in-use' },
  });
  await first.shutdown();
  const next = testEngine({ platform }).engine;
  await next.initialize();
  await next.shutdown();
});

describe('the engine’s own assets', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ecliptic-assets-'));
    await cp(fileURLToPath(new URL('../assets', import.meta.url)), folder, { recursive: true });
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  test('are found beside the module, whatever the working directory is', async () => {
    const found = await nodePlatform().packagedAssets?.();
    expect(isAbsolute(found?.root ?? '')).toBe(true);
    const { VFSContext } = await import('@ecliptic/vfs');
    const vfs = new VFSContext();
    const backend = await found?.open();
    if (backend) vfs.mount('/Ecliptic', backend);
    expect(await vfs.readFile('/Ecliptic/textures/fallback.png')).toHaveLength(75);
    await vfs.dispose();
  });

  test('ECLIPTIC_ASSET_ROOT overrides, and the option overrides that', async () => {
    vi.stubEnv('ECLIPTIC_ASSET_ROOT', folder);
    expect((await nodePlatform().packagedAssets?.())?.root).toBe(folder);
    vi.stubEnv('ECLIPTIC_ASSET_ROOT', '/nowhere');
    expect((await nodePlatform({ assetRoot: folder }).packagedAssets?.())?.root).toBe(folder);
  });

  const damages: Record<string, (root: string) => Promise<void>> = {
    "manifest.json can't be read": (root) => rm(join(root, 'manifest.json')),
    'is not JSON': (root) => writeFile(join(root, 'manifest.json'), '{'),
    'is not one of this engine': (root) =>
      writeFile(join(root, 'manifest.json'), '{"package":"other","format":1,"files":{}}'),
    'textures/fallback.png is missing': (root) => rm(join(root, 'textures/fallback.png')),
    'has 3 bytes, not 75': (root) => writeFile(join(root, 'textures/fallback.png'), 'pnk'),
  };
  test.each(Object.entries(damages))(
    'a root that is damaged is refused: %s',
    async (problem, damage) => {
      await damage(folder);
      const error = await failureOf(() => nodePlatform({ assetRoot: folder }).packagedAssets?.());
      expect(error).toMatchObject({ code: 'engine/asset-root', subjects: { root: folder } });
      expect(error.message).toContain(problem);
    },
  );

  test('a relative root is refused', async () => {
    const error = await failureOf(() => nodePlatform({ assetRoot: 'assets' }).packagedAssets?.());
    expect(error).toMatchObject({ code: 'engine/asset-root' });
  });
});
