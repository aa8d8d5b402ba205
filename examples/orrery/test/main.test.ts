import { spawnSync } from 'node:child_process';
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

test('ends with 1 and one readable error for a bad path', () => {
  const { status, stdout, stderr } = start('no/such/model.glb');
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(
    /^orrery: There is nothing at .*model\.glb\. .* \[orrery\/no-such-path\]\n$/,
  );
});
