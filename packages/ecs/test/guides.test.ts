import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';

const GUIDES = new URL('./guides/', import.meta.url);

/** The TypeScript blocks of a document. */
async function blocksOf(document: URL): Promise<string[]> {
  const text = await readFile(document, 'utf8');
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
}

/** Runs a guide and gives what it printed, and what its comments promise. */
async function run(name: string): Promise<{ printed: string[]; promised: string[] }> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import(`./guides/${name}.ts`);
  const source = await readFile(new URL(`${name}.ts`, GUIDES), 'utf8');
  return {
    printed: log.mock.calls.map((values) => values.join(' ')),
    promised: [...source.matchAll(/^(?:console\.log|scene\.destroyEntity).*; \/\/ (.*)$/gm)].map(
      ([, text = '']) => text,
    ),
  };
}

describe('the guides', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each([
    ['../../../docs/data-in-ecliptic.md', 'data', 10],
    ['../README.md', 'readme', 1],
  ])('%s shows only code that is compiled and run here', async (document, name, count) => {
    const blocks = await blocksOf(new URL(document, import.meta.url));
    expect(blocks).toHaveLength(count);
    const source = await readFile(new URL(`${name}.ts`, GUIDES), 'utf8');
    for (const block of blocks) expect(source).toContain(block);
  });

  test('the guide prints what it says', async () => {
    const { printed, promised } = await run('data');
    expect(promised.length).toBeGreaterThan(15);
    expect(printed).toEqual(promised);
  });

  test('the README runs', async () => {
    const { printed } = await run('readme');
    expect(printed).toHaveLength(1);
    expect(printed[0]).toMatch(/^0\.01666.*,10,0$/);
  });
});
