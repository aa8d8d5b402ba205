import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = `
  const { enableCompileCache } = await import(${JSON.stringify(file('../src/node/compile-cache.ts'))});
  enableCompileCache();
  const { getCompileCacheDir } = process.getBuiltinModule('node:module');
  const { Worker } = await import('node:worker_threads');
  const code = 'require("node:worker_threads").parentPort.postMessage(require("node:module").getCompileCacheDir())';
  new Worker(code, { eval: true, execArgv: [] }).on('message', (there) => {
    console.log(JSON.stringify([getCompileCacheDir(), there].map((path) => path ?? '')));
  });
`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ecliptic-compile-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Where compiled code is kept, on the main thread and on a worker of it. */
async function keptAt(env: Readonly<Record<string, string>>): Promise<string[]> {
  const hooks = file('../../../scripts/ts-source-hooks.mjs');
  const args = ['--import', hooks, '--input-type=module', '-e', PROGRAM];
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...rest } = process.env;
  const places = { TMPDIR: folder, TEMP: folder, TMP: folder };
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...rest, ...places, ...env },
  });
  return JSON.parse(stdout) as string[];
}

describe.skipIf(!('enableCompileCache' in module))('enableCompileCache', () => {
  test('keeps what is compiled among temporary files, also on workers', async () => {
    const [main = '', worker] = await keptAt({});
    expect(main.startsWith(join(folder, 'node-compile-cache'))).toBe(true);
    expect(worker).toBe(main);
    expect(await readdir(folder)).toContain('node-compile-cache');
  });

  test('keeps it where the environment says', async () => {
    const [main = '', worker] = await keptAt({ NODE_COMPILE_CACHE: join(folder, 'mine') });
    expect(main.startsWith(join(folder, 'mine'))).toBe(true);
    expect(worker).toBe(main);
  });

  test('keeps nothing where the environment says so', async () => {
    expect(await keptAt({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(['', '']);
  });
});
