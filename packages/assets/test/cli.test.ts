import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProgram, errorLine } from '../src/node/cli-program.js';
import { everything } from './gltf-builder.js';
import { png } from './samples.js';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ecliptic-cli-'));
  await mkdir(join(root, 'models'));
  await writeFile(join(root, 'models/a.glb'), everything().glb());
  await writeFile(join(root, 'b.png'), png(2, 2));
  await writeFile(join(root, 'notes.txt'), 'nothing');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function run(
  args: readonly string[],
  signal = new AbortController().signal,
  cache: readonly string[] = ['--cache', join(root, '.cache')],
) {
  const out: string[] = [];
  const err: string[] = [];
  const status: string[] = [];
  let code: number | undefined;
  const output = {
    out: (line: string) => out.push(line),
    err: (line: string) => err.push(line),
    status: (text: string) => status.push(text),
  };
  const program = createProgram(output, signal, (ended) => (code = ended));
  const places = ['--root', root, ...cache, '--workers', '0'];
  const all = args[0] === 'dump' ? args : [...args, ...places];
  await program.parseAsync(all, { from: 'user' });
  return { code, out: out.join('\n'), err: err.join('\n'), status };
}

async function artifacts(): Promise<string[]> {
  const files = await readdir(join(root, '.cache/artifacts'), { recursive: true });
  return files.filter((file) => file.includes('.ze'));
}

describe('ecliptic-assets import', () => {
  test('imports what has changed, with progress, a summary and exit code 0', async () => {
    const first = await run(['import']);
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/imported +2\n/);
    expect(first.status.some((line) => line.includes('] 2/2, '))).toBe(true);
    expect(await artifacts()).toHaveLength(7);
    expect(await readFile(join(root, 'b.png.meta'), 'utf8')).toContain('"importer": "image"');
    const second = await run(['import']);
    expect(second.out).toMatch(/imported +0\nunchanged +2\n/);
    const forced = await run(['import', 'models', '--force', '--json']);
    expect(
      forced.out.split('\n').map((line) => (JSON.parse(line) as { path: string }).path),
    ).toEqual(['/models/a.glb']);
  });

  test('prints what is wrong, and exits with 1', async () => {
    await writeFile(join(root, 'models/bad.glb'), 'glTF');
    const { code, err, out } = await run(['import']);
    expect(code).toBe(1);
    expect(err).toContain('error assets/glb-truncated /models/bad.glb@4: ');
    expect(out).toMatch(/failed +1\n/);
    expect((await run(['import', 'none.glb'])).err).toContain('vfs/not-found');
  });

  test('says why there was nothing to import, where no file is an asset', async () => {
    await rm(join(root, 'models'), { recursive: true });
    await rm(join(root, 'b.png'));
    const { code, out, err } = await run(['import']);
    expect(out).toMatch(/imported +0\n/);
    expect(code).toBe(0);
    expect(err).toContain(`${root} holds no file that can be imported`);
    expect(err).toContain('.glb');
    expect((await run(['check'])).err).toContain(root);
  });

  test('warns of a model that shows nothing', async () => {
    await writeFile(join(root, 'models/a.gltf'), '{"asset":{"version":"2.0"}}');
    const { code, err } = await run(['import', 'models']);
    expect(code).toBe(0);
    expect(err).toMatch(/^warning assets\/gltf-empty \/models\/a\.gltf: The file has no nodes/);
  });

  test('says of files that are not named nothing', async () => {
    await writeFile(join(root, 'b.png.meta'), '{');
    expect((await run(['import'])).err).toContain('/b.png.meta is not JSON (');
    expect(await run(['import', 'models'])).toMatchObject({ code: 0, err: '' });
  });
});

describe('ecliptic-assets check', () => {
  test('writes nothing', async () => {
    const before = await readdir(root, { recursive: true });
    const { code, out } = await run(['check']);
    expect(code).toBe(0);
    expect(out).toMatch(/imported +2\n/);
    expect(await readdir(root, { recursive: true })).toEqual(before);
  });

  test('fails on errors, and on warnings where it is strict', async () => {
    await writeFile(join(root, 'gone.png.meta'), '{"uuid":"6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a11"}');
    expect((await run(['check'])).code).toBe(0);
    const strict = await run(['check', '--strict']);
    expect(strict.code).toBe(1);
    expect(strict.err).toContain('warning assets/meta-orphan /gone.png.meta: ');
    await writeFile(join(root, 'b.png.meta'), '{');
    expect((await run(['check'])).code).toBe(1);
  });
});

test('ecliptic-assets watch imports what changes until it is stopped', async () => {
  const controller = new AbortController();
  const out: string[] = [];
  const output = { out: (line: string) => out.push(line), err: () => undefined };
  const program = createProgram(output, controller.signal, () => undefined);
  const ended = program.parseAsync(
    ['watch', '--root', root, '--cache', join(root, '.cache'), '--workers', '0'],
    { from: 'user' },
  );
  const wait = { timeout: 60_000, interval: 50 };
  await vi.waitFor(() => expect(out).toContain(`watching ${root}`), wait);
  await writeFile(join(root, 'b.png'), png(3, 3));
  await vi.waitFor(() => {
    expect(out.filter((line) => line === 'imported /b.png')).toHaveLength(2);
  }, wait);
  await rm(join(root, 'b.png'));
  await rename(join(root, 'models/a.glb'), join(root, 'models/c.glb'));
  await vi.waitFor(() => {
    expect(out.filter((line) => line.startsWith('removed')).toSorted()).toEqual([
      'removed /b.png',
      'removed /models/a.glb',
    ]);
    expect(out).toContain('imported /models/c.glb');
  }, wait);
  controller.abort();
  await ended;
});

describe('ecliptic-assets dump', () => {
  test('says which file is not there', async () => {
    await expect(run(['dump', join(root, 'none.zemesh')])).rejects.toMatchObject({
      code: 'assets/unreadable',
      message: expect.stringContaining('none.zemesh') as string,
    });
  });

  test('says of another file what it is not, and what to do', async () => {
    const file = join(root, 'b.png');
    const failing = run(['dump', file]);
    await expect(failing).rejects.toMatchObject({ subjects: { file } });
    const line = errorLine(await failing.catch((error: unknown) => error));
    expect(line).toBe(
      `assets/artifact-format: ${file} is no cooked artifact. Name one in the folder of --cache.`,
    );
  });

  test('describes an artifact, and fails on a damaged one', async () => {
    await run(['import']);
    const mesh = (await artifacts()).find((file) => file.endsWith('.zemesh')) ?? '';
    const path = join(root, '.cache/artifacts', mesh);
    const { code, out } = await run(['dump', path]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ type: 'mesh', intact: true, tree: { name: 'quad' } });
    const bytes = await readFile(path);
    bytes[bytes.length - 1] = 200;
    await writeFile(path, bytes);
    expect((await run(['dump', path])).code).toBe(1);
  });
});

test('a cache that is a file, or below one, is a coded error that names it', async () => {
  const file = join(root, 'b.png');
  for (const cache of [file, join(file, 'cache')]) {
    const failing = run(['import', '--cache', cache], undefined, []);
    await expect(failing).rejects.toMatchObject({ code: 'assets/no-cache', subjects: { cache } });
    const line = errorLine(await failing.catch((error: unknown) => error));
    expect(line.startsWith(`assets/no-cache: ${cache} `)).toBe(true);
  }
});

test('wrong usage is an error of the command line library; a wrong folder is a coded one', async () => {
  await expect(run(['import', '--workers', 'many'])).rejects.toBeInstanceOf(CommanderError);
  const other = createProgram(
    { out: () => undefined, err: () => undefined },
    AbortSignal.abort(),
    () => undefined,
  );
  const failing = other.parseAsync(['check', '--root', join(root, 'none')], { from: 'user' });
  await expect(failing).rejects.toMatchObject({ code: 'assets/no-project' });
  expect(errorLine(await failing.catch((error: unknown) => error))).toMatch(
    /^assets\/no-project: /,
  );
});
