import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';

test('the example of the README runs and draws', async () => {
  const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');
  const shown = /```ts\n([\s\S]*?)```/.exec(await read('../README.md'))?.[1];
  const run = await read('./fixtures/readme-example.ts');
  expect(run.replace('../../src/index.js', '@ecliptic/render-sync')).toBe(shown);

  const log = vi.spyOn(console, 'log').mockReturnValue();
  await import('./fixtures/readme-example.js');
  expect(log).toHaveBeenCalledWith('drawn', expect.objectContaining({ frames: 1 }));
  log.mockRestore();
});
