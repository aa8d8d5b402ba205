import { readdir, readFile } from 'node:fs/promises';
import { Actor } from '@ecliptic/actors';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ACTORS, ecs } from '../src/plugins.js';
import { failureOf, testEngine } from './support/recorder.js';

const DOCS = new URL('../../../docs/', import.meta.url);
const GUIDES = new URL('./guides/', import.meta.url);

/** Sources of all guides, and the README's. */
async function sources(): Promise<string> {
  const names = await readdir(GUIDES);
  return (await Promise.all(names.map((name) => readFile(new URL(name, GUIDES), 'utf8')))).join(
    '\n',
  );
}

/** The TypeScript blocks of a document. */
async function blocksOf(document: URL): Promise<string[]> {
  const text = await readFile(document, 'utf8');
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
}

/** Runs a guide and gives what it printed. */
async function run(name: string): Promise<string[]> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import(`./guides/${name}.ts`);
  return printed.mock.calls.map((values) => values.join(' '));
}

describe('the guides', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each([
    [new URL('compose-an-engine.md', DOCS), 5],
    [new URL('write-a-plugin.md', DOCS), 5],
    [new URL('../README.md', import.meta.url), 1],
  ])('%s shows only code that is compiled and run here', async (document, count) => {
    const blocks = await blocksOf(document);
    expect(blocks).toHaveLength(count);
    const all = await sources();
    for (const block of blocks) expect(all).toContain(block);
  });

  test('the first engine runs until its game asks to close', async () => {
    expect(await run('first-engine')).toEqual([expect.stringMatching(/^[3-9] steps$/)]);
  });

  test('an engine driven by hand simulates as long as it is told to', async () => {
    expect(await run('by-hand')).toEqual(['2']);
  });

  test('the packages work without the engine', async () => {
    expect(await run('without-engine')).toEqual(['5799']);
  });

  test('a server in Node finds the engine’s own assets', async () => {
    expect(await run('node-server')).toEqual(['manifest.json, textures']);
  });

  test('a subsystem takes the place of another', async () => {
    const { strictActors } = await import('./guides/strict-actors.js');
    const plugins = [ecs(), strictActors(), { id: 'acme.game', requires: ['ecliptic.actors'] }];
    const { engine, clock } = testEngine({ plugins });
    await engine.initialize();
    const manager = engine.get(ACTORS);
    expect(manager.capacity).toBe(64);
    let ended = 0;
    class Doomed extends Actor {
      override onTick(): void {
        throw new Error('boom');
      }
      override onDestroy(): void {
        ended++;
      }
    }
    manager.create(Doomed);
    await engine.runFrame();
    clock.advance(20_000_000);
    expect(await failureOf(() => engine.runFrame())).toMatchObject({ plugin: 'ecliptic.actors' });
    await engine.shutdown();
    expect(ended).toBe(1);
  });

  test('the weather plugin comes up, forecasts and goes down', async () => {
    expect(await run('use-weather')).toEqual([
      'database open',
      '0 s: wind 5',
      'the wind of 5 drops: shutdown',
      'database closed',
      'calm',
    ]);
  });
});
