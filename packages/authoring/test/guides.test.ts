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
    promised: [...source.matchAll(/^ *(?:console\.log\(|\)).*; \/\/ (.*)$/gm)].map(
      ([, text = '']) => text,
    ),
  };
}

describe('the guides', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each([
    ['../../../docs/scene-files.md', 'scene-files', 6],
    ['../README.md', 'editing', 1],
  ])('%s shows only code that is compiled and run here', async (document, name, count) => {
    const blocks = await blocksOf(new URL(document, import.meta.url));
    expect(blocks).toHaveLength(count);
    const source = await readFile(new URL(`${name}.ts`, GUIDES), 'utf8');
    for (const block of blocks) expect(source).toContain(block);
  });

  test('the part about editing is the code of the README, which runs', async () => {
    const page = await readFile(
      new URL('../../../docs/editing-and-inspecting.md', import.meta.url),
      'utf8',
    );
    const part = page.slice(page.indexOf('## Editing'), page.indexOf('## Inspecting'));
    const blocks = [...part.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
    const source = await readFile(new URL('editing.ts', GUIDES), 'utf8');
    expect(blocks.join('\n')).toBe(source);
  });

  test.each([
    ['scene-files', 8],
    ['editing', 4],
  ])('the guide "%s" prints what it says', async (name, count) => {
    const { printed, promised } = await run(name);
    expect(promised).toHaveLength(count);
    expect(printed).toEqual(promised);
  });
});
