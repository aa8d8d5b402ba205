import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AssetRegistry, type AssetRegistration } from '@ecliptic/assets';
import { Commands } from '@ecliptic/ecs';
import { defineSystem, WorldTick } from '@ecliptic/scheduler';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { InspectorLog } from '../../src/inspector.js';
import { createProgram } from '../../src/node/cli-program.js';
import { serveInspector } from '../../src/node.js';
import { inspected, Orbit, uuidOf } from './inspected.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** An engine with everything that can be shown, and its command line. */
async function engine() {
  const { scene } = inspected();
  const worldTick = new WorldTick(scene);
  worldTick.registerSystem(defineSystem({ name: 'orbit', update() {} }));
  worldTick.commit();
  void worldTick.tick(1 / 60, new Commands(scene));
  const assets = new AssetRegistry();
  const sun: AssetRegistration = { uuid: uuidOf(99), type: 'mesh', path: '/sun.glb', key: 'ball' };
  assets.register(sun);
  const log = new InspectorLog();
  const frames = { stats: { published: 9, taken: 8, replaced: 1 }, slotStates: () => ['free'] };
  const files = { save: async () => '/scene.json', load: async () => '/scene.json' };
  const sources = { worldTick, assets, log, mailboxes: { frames }, files };
  const made = inspected({ sources, asteroids: 450 });
  const server = await serveInspector(made.inspector);
  const ticking = setInterval(() => {
    made.clock.advance(50e6);
    made.inspector.tick();
  }, 1);
  ends.push(
    () => server.close(),
    () => clearInterval(ticking),
  );
  const run = async (
    line: string,
    lines: string[] = [],
    signal = new AbortController().signal,
  ): Promise<string[]> => {
    const print = (text: string): void => void lines.push(text);
    const env = { ECLIPTIC_INSPECT: server.endpoint };
    const program = createProgram({ out: print, err: print, env, signal });
    await program.parseAsync(line.split(' '), { from: 'user' });
    return lines;
  };
  return { ...made, server, log, run };
}

describe('prints', () => {
  test('entities that match, as many as are wanted', async () => {
    const { run } = await engine();
    const planets = await run('entities --name planet --with Orbit');
    expect(planets[0]).toMatch(/^id +uuid +name +children +components$/);
    expect(planets).toHaveLength(3);
    expect(planets[1]).toContain(`${uuidOf(2)}  Rocky planet`);
    expect(await run('entities')).toHaveLength(101);
    expect(await run('entities --without Name --most 1000')).toHaveLength(451);
  });

  test('one entity, by name, id or UUID', async () => {
    const { run, sun } = await engine();
    const lines = await run('entity Sun');
    expect(lines[0]).toBe(`Sun  ${uuidOf(1)}  id ${sun}`);
    expect(lines).toContain('Orbit.speed = 1');
    expect(lines).toContain('Orbit.kind = "circle"');
    expect(await run(`entity ${sun}`)).toEqual(lines);
    expect(await run(`entity ${uuidOf(1)}`)).toEqual(lines);
    await expect(run('entity Moon')).rejects.toMatchObject({ code: 'authoring/unknown-entity' });
  });

  test('systems, archetypes, assets and mailboxes', async () => {
    const { run } = await engine();
    expect((await run('systems'))[1]).toMatch(/^ +1 +tick +physics +orbit +1 +0 +0 /);
    const archetypes = await run('archetypes');
    expect(archetypes.some((line) => / 450 .*Transform Orbit$/.test(line))).toBe(true);
    expect(archetypes.at(-1)).toMatch(/^\d+ of \d+ KiB used$/);
    expect((await run('assets'))[1]).toBe(`registered  mesh  /sun.glb#ball  ${uuidOf(99)}`);
    expect((await run('mailboxes'))[1]).toMatch(/^frames +9 +8 +1 +free$/);
  });

  test('the log: what is there, and what comes until it is stopped', async () => {
    const { run, log } = await engine();
    const say = (text: string): void =>
      log.sink({ category: ['app'], level: 'info', message: [text], timestamp: 0 });
    for (let i = 0; i < 250; i++) say(`line ${i}`);
    const lines = await run('log');
    expect(lines).toHaveLength(250);
    expect(lines[249]).toBe('1970-01-01T00:00:00.000Z info    line 249');

    const followed: string[] = [];
    const controller = new AbortController();
    const following = run('log --follow', followed, controller.signal);
    await vi.waitFor(() => expect(followed).toHaveLength(250));
    say('more');
    await vi.waitFor(() => expect(followed.at(-1)).toContain('more'));
    controller.abort(new Error('stopped'));
    await following;
    expect(followed).toHaveLength(251);
  });
});

test('sets a field, undoes and redoes it, saves and loads', async () => {
  const { run, scene, sun } = await engine();
  const orbit = (): unknown => scene.getComponent(sun, Orbit);
  await run('set Sun Orbit.speed 0.5');
  expect(orbit()).toMatchObject({ speed: 0.5 });
  await run('set Sun Orbit.kind ellipse');
  await run('set Sun Orbit.axis [1,2,3]');
  expect(orbit()).toMatchObject({ kind: 'ellipse', axis: { x: 1, y: 2, z: 3 } });
  expect(await run('undo')).toEqual(['Set Orbit.axis']);
  expect(orbit()).toMatchObject({ axis: { x: 0, y: 0, z: 0 } });
  expect(await run('redo')).toEqual(['Set Orbit.axis']);
  expect(await run('redo')).toEqual(['nothing to redo']);
  expect(await run('save')).toEqual(['/scene.json']);
  expect(await run('load')).toEqual(['/scene.json']);
  await expect(run('set Sun speed 1')).rejects.toMatchObject({
    code: 'authoring/invalid-field-path',
  });
  const nameless = scene.createEntity(Orbit);
  await expect(run(`set ${nameless} Orbit.speed 1`)).rejects.toMatchObject({
    code: 'authoring/no-uuid',
  });
});

test('the program’s exit code says whether it worked, 2 that it was used wrongly', async () => {
  const { server } = await engine();
  const cli = new URL('../../src/node/cli.ts', import.meta.url).pathname;
  const hooks = new URL('../../../../scripts/ts-source-hooks.mjs', import.meta.url).pathname;
  const start = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const node = ['--import', hooks, '--conditions=@ecliptic/source', cli, ...args];
    const env = { ...process.env, ECLIPTIC_INSPECT: '' };
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, node, { env });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, err: stderr };
    }
  };
  const { endpoint } = server;
  const good = await start('--endpoint', endpoint, 'entities', '--name', 'Sun');
  expect(good).toMatchObject({ code: 0, err: '' });
  expect(good.out).toContain(uuidOf(1));
  const nobody = await start('--endpoint', 'ws://127.0.0.1:1/#token', 'systems');
  expect(nobody.code).toBe(1);
  expect(nobody.err).toMatch(/^authoring\/inspector-refused: /);
  const unknown = await start('--endpoint', endpoint, 'explode');
  expect(unknown.code).toBe(2);
  expect((await start('--help')).code).toBe(0);
});
