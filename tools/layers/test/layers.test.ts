import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const script = fileURLToPath(new URL('../layers.mjs', import.meta.url));
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'layers-'));
  cpSync(join(repository, 'packages'), join(copy, 'packages'), {
    recursive: true,
    filter: (source) => !/node_modules|dist|\.turbo|\.reports/.test(source),
  });
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

function check(): { status: number | null; output: string } {
  const run = spawnSync(process.execPath, [script, copy], { encoding: 'utf8' });
  return { status: run.status, output: run.stdout + run.stderr };
}

test('the repository as it stands has no violation', () => {
  expect(check()).toEqual({ status: 0, output: expect.stringContaining('0 violations') });
});

test('an upward import planted in a source file is found', () => {
  writeFileSync(
    join(copy, 'packages/vfs/src/planted.ts'),
    "import { createEngine } from '@ecliptic/engine';\nexport { createEngine };\n",
  );
  const { status, output } = check();
  expect(status).toBe(1);
  expect(output).toContain(
    'packages/vfs/src/planted.ts (floor 2) imports @ecliptic/engine (floor 5)',
  );
});

test('an import planted as a relative path into another package is found', () => {
  writeFileSync(
    join(copy, 'packages/vfs/src/planted.mts'),
    "export const late = import('../../engine/src/index.js');\n",
  );
  const { status, output } = check();
  expect(status).toBe(1);
  expect(output).toContain(
    'packages/vfs/src/planted.mts reaches out of its package: ../../engine/src/index.js',
  );
});

test('a sideways dependency planted in a manifest is found', () => {
  const path = join(copy, 'packages/actors/package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  manifest.dependencies['@ecliptic/scheduler'] = 'workspace:^';
  writeFileSync(path, JSON.stringify(manifest));
  const { status, output } = check();
  expect(status).toBe(1);
  expect(output).toContain('packages/actors (floor 3) depends on @ecliptic/scheduler (floor 3)');
  expect(output).toContain('packages/actors/tsconfig.json references');
});

test('a package without a floor is found', () => {
  mkdirSync(join(copy, 'packages/physics'));
  writeFileSync(join(copy, 'packages/physics/package.json'), '{"name":"@ecliptic/physics"}');
  const { status, output } = check();
  expect(status).toBe(1);
  expect(output).toContain('packages/physics has no floor');
});
