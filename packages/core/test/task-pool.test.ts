import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createTaskPool } from '../src/pool.js';
import { codeOf } from './error-of.js';
import { describeTaskPool } from './task-pool-conformance.js';

const fixture = (name: string): URL =>
  new URL(`./fixtures/task-pool/${name}.worker.ts`, import.meta.url);

describeTaskPool('Node', {
  tasks: fixture('tasks'),
  broken: fixture('broken'),
  silent: fixture('silent'),
  missing: fixture('missing'),
});

describe('in Node', () => {
  test('a task that ends its thread fails alone, and says how it ended', async () => {
    await using pool = createTaskPool({ name: 'test', worker: fixture('node'), size: 1 });
    const [exited, next] = await Promise.allSettled([pool.run('exit', 7), pool.run('chatter', 1)]);
    expect(exited).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'core/pool-worker-died',
        cause: { message: expect.stringContaining('7') as string },
      },
    });
    expect(next).toEqual({ status: 'fulfilled', value: 'real' });
  });

  test('a task that runs out of memory fails alone, where the memory is limited', async () => {
    await using pool = createTaskPool({
      name: 'test',
      worker: fixture('node'),
      size: 1,
      memoryLimit: 40,
    });
    const [devoured, next] = await Promise.allSettled([
      pool.run('devour', 0),
      pool.run('chatter', 1),
    ]);
    expect(devoured).toMatchObject({
      reason: { code: 'core/pool-worker-died', cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' } },
    });
    expect(next).toEqual({ status: 'fulfilled', value: 'real' });
  });

  test.each(['exit-on-import', 'plain-function', 'silent'])(
    'a module that can not serve (%s) is a coded error, without waiting for a time-out',
    async (name) => {
      await using pool = createTaskPool({
        name: 'test',
        worker: fixture(name),
        size: 1,
        startTimeout: Infinity,
      });
      await expect(pool.run('echo', 1)).rejects.toMatchObject({ code: 'core/pool-worker-start' });
      await expect(pool.run('echo', 2)).rejects.toMatchObject({ code: 'core/pool-worker-start' });
    },
  );

  test('a pool takes file URLs only', () => {
    const worker = { postMessage() {}, terminate() {}, addEventListener() {} };
    const addresses = ['https://example.org/tasks.js', 'file://host/tasks.js', 'file:///a%2Fb.js'];
    for (const source of [() => worker, ...addresses.map((address) => new URL(address))]) {
      const make = (): unknown => createTaskPool({ name: 'test', size: 1, worker: source });
      expect(codeOf(make)).toBe('core/pool-options');
    }
  });

  test('an idle pool does not keep the process alive, and a busy one does', async () => {
    const script = fileURLToPath(new URL('./fixtures/task-pool/idle-script.ts', import.meta.url));
    const run = promisify(execFile)(process.execPath, [...process.execArgv, script]);
    expect((await run).stdout.trim()).toBe('42');
  });
});
