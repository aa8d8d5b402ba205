import { describe, expect, test } from 'vitest';
import { createTaskPool } from '../src/pool.js';
import tasks from './fixtures/task-pool/tasks.worker.js';
import { describeTaskPool } from './task-pool-conformance.js';

const tasksWorker = (): Worker =>
  new Worker(new URL('./fixtures/task-pool/tasks.worker.ts', import.meta.url), { type: 'module' });

describeTaskPool('the web', {
  tasks: tasksWorker,
  broken: () =>
    new Worker(new URL('./fixtures/task-pool/broken.worker.ts', import.meta.url), {
      type: 'module',
    }),
  silent: () =>
    new Worker(new URL('./fixtures/task-pool/silent.worker.ts', import.meta.url), {
      type: 'module',
    }),
  missing: new URL('/missing.worker.js', location.href),
});

describe('in a browser', () => {
  test('a pool takes the URL of a script', async () => {
    const source = `
      onmessage = () => postMessage({ eclipticPool: { kind: 'reply', reply: { kind: 'done', value: 42 } } });
      postMessage('not of the pool');
      postMessage({ eclipticPool: { kind: 'ready' } });`;
    const worker = new URL(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    await using pool = createTaskPool({ name: 'test', size: 1, worker });
    expect(await pool.run('any', undefined)).toBe(42);
  });

  test('a worker that can not even be made is a coded error', async () => {
    const refused = new DOMException('Refused', 'SecurityError');
    const worker = (): Worker => {
      throw refused;
    };
    await using pool = createTaskPool({ name: 'test', size: 1, worker });
    await expect(pool.run('echo', 1)).rejects.toMatchObject({
      code: 'core/pool-worker-start',
      cause: refused,
    });
  });

  test('a worker module can be imported on a page', () => {
    expect(tasks).toBeTypeOf('function');
  });
});
