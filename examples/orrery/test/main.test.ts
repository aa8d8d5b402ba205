import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** The built program, as `npm start` runs it. */
function start(...args: string[]) {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', timeout: 100_000 });
}

const SHORT = ['--seconds', '0.1', '--asteroids', '50'];

test('without a terminal ends well with a report, and says how to get the page', () => {
  const { status, stdout, stderr } = start(...SHORT);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('Simulation: 6 steps');
  expect(stdout).toContain('npm start -- --page');
});

test('without a picture where nothing can draw one, --headless says why, and --png fails', () => {
  const env = { ...process.env, VK_ICD_FILENAMES: '/no/driver.json' };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [main, ...SHORT, ...args], { encoding: 'utf8', env });
  const headless = run('--headless');
  expect(headless.status).toBe(0);
  expect(headless.stdout).toMatch(/No picture of the last frame: .*\[render-webgpu\/no-device\]/);
  expect(headless.stdout).toContain('Simulation: 6 steps');
  const png = run('--png', 'out.png');
  expect(png.status).toBe(1);
  expect(png.stderr).toContain('[render-webgpu/no-device]');
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

/** Waits for an address in what a program says. */
function addressFrom(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`it ended: ${said}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [found] = /http:\/\/\S+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
}

test('--page serves a model in the page until it is ended', async () => {
  const model = fileURLToPath(new URL('../project/models/alien.glb', import.meta.url));
  const child = spawn(process.execPath, [main, '--page', '--port', '0', model]);
  try {
    const address = await addressFrom(child);
    expect(address).toContain('?show=%2Finput%2Falien.glb');
    const page = await fetch(address);
    expect(await page.text()).toContain('<title>Ecliptic orrery</title>');
    expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    for (const file of ['project/orrery.json', 'input/alien.glb']) {
      expect((await fetch(new URL(file, address))).ok).toBe(true);
    }
    const cooked = await fetch(new URL('cooked/.ecliptic-files.json', address));
    const { files, watch } = (await cooked.json()) as {
      files: { path: string }[];
      watch: boolean;
    };
    expect(files).toContainEqual(
      expect.objectContaining({ path: expect.stringMatching(/\.zemesh$/) }),
    );
    expect(watch).toBe(false);
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
});

test('says that a port is taken, and serves at another', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const child = spawn(process.execPath, [main, '--page', '--port', String(port)]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  try {
    const address = await addressFrom(child);
    expect(new URL(address).port).not.toBe(String(port));
    expect(said).toContain(`Port ${port} is taken.`);
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  } finally {
    child.kill('SIGKILL');
    taken.close();
  }
});

// `script` runs a program at a terminal of its own.
test.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))(
  'at a terminal shows the report, then serves the page',
  { timeout: 120_000 },
  async () => {
    // `exec`: a shell in between would end by Ctrl+C itself, and some shells stay in between.
    const command = ['exec', process.execPath, main, '--port', '0', ...SHORT].join(' ');
    const { CI: _, ...env } = process.env;
    const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { env });
    try {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const address = await addressFrom(child);
      expect(said).toContain('Simulation: 6 steps');
      expect((await fetch(address)).ok).toBe(true);
      const ended = once(child, 'exit');
      child.stdin.write('\u0003');
      expect((await ended)[0]).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  },
);

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
