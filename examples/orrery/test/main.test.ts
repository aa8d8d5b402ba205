import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** The built program, as `npm start` runs it. */
function start(...args: string[]) {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', timeout: 60_000 });
}

test('ends well with a report', () => {
  const { status, stdout, stderr } = start('--seconds', '0.1', '--asteroids', '50');
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('Simulation: 6 steps');
});

test('tells how it is called', () => {
  expect(start('--help').stdout).toContain('Usage: npm start');
});

test('a model that is broken ends with 1 and readable lines, without a stack', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orrery-'));
  const model = join(folder, 'broken.glb');
  await writeFile(model, '');
  const { status, stdout, stderr } = start(model);
  await rm(folder, { recursive: true });
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('The file is empty');
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('an empty path, as of a variable that is not set, is nothing', () => {
  expect(start('').stderr).toMatch(/^orrery: There is nothing at ""/);
});

test('ends with 1 and one readable error for a bad path', () => {
  const { status, stdout, stderr } = start('no/such/model.glb');
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(
    /^orrery: There is nothing at .*model\.glb\. .* \[orrery\/no-such-path\]\n$/,
  );
});

test('serves a page only of a project', () => {
  const { status, stderr } = start('--page', fileURLToPath(new URL('.', import.meta.url)));
  expect(status).toBe(1);
  expect(stderr).toContain('[orrery/page-project]');
});

test('serves the page until it is ended', { timeout: 120_000 }, async () => {
  const child = spawn(process.execPath, [main, '--page', '--port', '0']);
  try {
    let said = '';
    const address = await new Promise<string>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`it ended: ${said}`)));
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const [found] = /http:\/\/\S+/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    const page = await fetch(address);
    expect(await page.text()).toContain('<title>Ecliptic orrery</title>');
    expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect((await fetch(new URL('project/orrery.json', address))).ok).toBe(true);
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
});

test('Ctrl+C ends a long simulation at once', async () => {
  const child = spawn(process.execPath, [main, '--verbose', '--seconds', '3600']);
  try {
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`it ended: ${said}`)));
      const hear = (chunk: Buffer): void => {
        said += chunk.toString();
        if (said.includes('ecs/archetype_created')) resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
    });
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
  } finally {
    child.kill('SIGKILL');
  }
});
