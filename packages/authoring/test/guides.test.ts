import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { createProgram } from '../src/node/cli-program.js';

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

async function firstLine(stream: Readable): Promise<string> {
  for await (const line of createInterface(stream)) return line;
  throw new Error('nothing was printed');
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

  test('the engine of the part about inspecting prints its endpoint, and is what the lines below say', async () => {
    const page = await readFile(
      new URL('../../../docs/editing-and-inspecting.md', import.meta.url),
      'utf8',
    );
    const part = page.slice(page.indexOf('## Inspecting'));
    const file = new URL('inspecting.ts', GUIDES);
    expect(part).toContain(await readFile(file, 'utf8'));
    const hooks = new URL('../../../scripts/ts-source-hooks.mjs', import.meta.url).pathname;
    const program = ['--import', hooks, '--conditions=@ecliptic/source', file.pathname];
    const engine = spawn(process.execPath, program, { stdio: ['ignore', 'inherit', 'pipe'] });
    try {
      const endpoint = await firstLine(engine.stderr);
      const lines = [...part.matchAll(/^npx ecliptic-inspect (.*)$/gm)].map(
        ([, line = '']) => line,
      );
      expect(lines).toHaveLength(5);
      const printed: string[] = [];
      const print = (text: string): void => void printed.push(text);
      for (const line of lines) {
        const env = { ECLIPTIC_INSPECT: endpoint };
        const { signal } = new AbortController();
        const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
        await createProgram({ out: print, err: print, env, signal }).parseAsync(words, {
          from: 'user',
        });
      }
      const all = printed.join('\n');
      for (const told of [/^\d+ .* Red planet /m, /^Orbit\.speed = 1$/m, /^Set Orbit\.speed$/m]) {
        expect(all).toMatch(told);
      }
      expect(all).toMatch(/ orbit /);
    } finally {
      engine.kill('SIGINT');
    }
    expect(await once(engine, 'close')).toEqual([0, null]);
  }, 60_000);
});
