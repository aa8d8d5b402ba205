import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VFSPath } from '@ecliptic/vfs';
import { build, createServer, type InlineConfig } from 'vite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ecliptic } from '../src/index.js';
import { openProject } from '../src/client.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ecliptic-vite-'));
  await mkdir(join(folder, 'project', 'models'), { recursive: true });
  await writeFile(join(folder, 'project', 'models', 'a b.txt'), 'hello');
  await writeFile(join(folder, 'project', '.secret'), 'hidden');
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(folder, 'outside.txt'), 'outside');
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));

const config = (isolated = true): InlineConfig => ({
  root: folder,
  configFile: false,
  logLevel: 'error',
  // Nothing is imported; looking for it would write into the folder that is removed afterwards.
  optimizeDeps: { noDiscovery: true },
  server: { port: 0, host: '127.0.0.1', watch: null, ws: false },
  plugins: [ecliptic({ project: join(folder, 'project'), isolated })],
});

async function serving(isolated: boolean, use: (address: URL) => Promise<void>): Promise<void> {
  const server = await createServer(config(isolated));
  await server.listen();
  try {
    await use(new URL('project/', server.resolvedUrls?.local[0]));
  } finally {
    await server.close();
  }
}

describe('a served project', () => {
  test('is listed and read, and nothing else is', () =>
    serving(true, async (address) => {
      const project = await openProject(address);
      expect(await project.list(VFSPath.parse('/models'))).toEqual([
        { name: 'a b.txt', kind: 'file' },
      ]);
      expect(new TextDecoder().decode(await project.read(VFSPath.parse('/models/a b.txt')))).toBe(
        'hello',
      );
      await expect(project.read(VFSPath.parse('/nothing'))).rejects.toMatchObject({
        code: 'vfs/not-found',
      });
      for (const path of ['.secret', '..%2foutside.txt', '%', 'models']) {
        expect((await fetch(`${address.href}${path}`)).status).toBeGreaterThanOrEqual(400);
      }
      expect((await fetch(`${address.href}x`, { method: 'POST' })).status).toBe(405);
    }));

  test('is isolated, with the page, unless that is not wanted', async () => {
    const policy = async (address: URL): Promise<(string | null)[]> => {
      const pages = [new URL('/', address), new URL('models/a%20b.txt', address)];
      const answers = await Promise.all(pages.map((page) => fetch(page)));
      return answers.map(({ headers }) => headers.get('cross-origin-embedder-policy'));
    };
    await serving(true, async (address) => {
      expect(await policy(address)).toEqual(['require-corp', 'require-corp']);
    });
    await serving(false, async (address) => {
      expect(await policy(address)).toEqual([null, null]);
    });
  });

  test('tells what changes', () =>
    serving(true, async (address) => {
      const abort = new AbortController();
      const answer = await fetch(new URL('.ecliptic-changes', address), { signal: abort.signal });
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      const heard = async (what: string): Promise<void> => {
        while (!text.includes(what)) {
          const { value, done } = (await reader?.read()) ?? { done: true };
          if (done) break;
          text += value ?? '';
        }
      };
      await heard('event: watching');
      await writeFile(join(folder, 'project', 'models', 'new.txt'), 'new');
      await heard('/models/new.txt');
      abort.abort();
      expect(text).toContain('"kind":"created","path":"/models/new.txt"');
    }));

  test('comes in one answer where both sides want it', async () => {
    await writeFile(join(folder, 'project', 'large.bin'), new Uint8Array(2 ** 20 + 1));
    const plugins = [ecliptic({ project: join(folder, 'project'), packed: true })];
    const server = await createServer({ ...config(), plugins });
    await server.listen();
    try {
      const project = await openProject(new URL('project/', server.resolvedUrls?.local[0]), {
        packed: true,
      });
      await rm(join(folder, 'project', 'models'), { recursive: true });
      const text = VFSPath.parse('/models/a b.txt');
      expect(await project.stat(text)).toMatchObject({ kind: 'file', size: 5 });
      const first = await project.read(text);
      expect(new TextDecoder().decode(first)).toBe('hello');
      // What is read is the reader's own.
      first.fill(0);
      expect(new TextDecoder().decode(await project.read(text))).toBe('hello');
      const large = VFSPath.parse('/large.bin');
      expect(await project.stat(large)).toMatchObject({ size: 2 ** 20 + 1 });
      expect(await project.read(large)).toHaveLength(2 ** 20 + 1);
    } finally {
      await server.close();
    }
  });

  test('that is not packed is an error that names the option', () =>
    serving(true, async (address) => {
      await expect(openProject(address, { packed: true })).rejects.toMatchObject({
        code: 'vite/no-project',
        fix: expect.stringContaining('packed: true'),
      });
    }));

  test('that does not change says so, and is not watched', async () => {
    const plugins = [ecliptic({ project: join(folder, 'project'), at: '/fixed/', watch: false })];
    const server = await createServer({ ...config(), plugins });
    await server.listen();
    try {
      const project = await openProject(new URL('fixed/', server.resolvedUrls?.local[0]));
      expect(project.capabilities.watch).toBe(false);
    } finally {
      await server.close();
    }
  });

  test('that is not there is an error that names the plugin', () =>
    serving(true, async (address) => {
      await expect(openProject(new URL('/elsewhere/', address))).rejects.toMatchObject({
        code: 'vite/no-project',
      });
    }));
});

test('a build has the files beside the page, without changes', async () => {
  const made = await build({ ...config(), build: { write: false } });
  const { output } = made as Extract<typeof made, { output: unknown }>;
  const files = new Map(output.map((file) => [file.fileName, file]));
  expect([...files.keys()]).toContain('project/models/a b.txt');
  const listing = files.get('project/.ecliptic-files.json');
  expect(listing && 'source' in listing && JSON.parse(String(listing.source))).toEqual({
    files: [{ path: '/models/a b.txt', size: 5 }],
    watch: false,
  });
});
