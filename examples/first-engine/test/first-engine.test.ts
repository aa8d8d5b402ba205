import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

test("the README's example is this very program", () => {
  const program = readFileSync(path('../src/main.ts'), 'utf8');
  expect(readFileSync(path('../../../README.md'), 'utf8')).toContain(program);
});

test('it runs and ends by itself', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path('../dist/main.js')], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^3\d steps of 1\/60 s\n$/);
});
