import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';

test('the example of the README is this file, and runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = await readFile(new URL('./examples/readme.ts', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('./examples/readme.js');
  expect(printed.mock.calls.map((line) => line.at(-1))).toEqual([0, 'Ariel 1 has arrived', false]);
  printed.mockRestore();
});
