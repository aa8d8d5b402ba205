import { VFSPath, memoryBackend, type VFSBackendChange } from '@ecliptic/vfs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChangeQueue } from '../src/context/change-queue.js';
import { Mount } from '../src/context/mount.js';

const QUIET = 80;
const paths = ['/a', '/b', '/c', '/d'] as const;
const path = fc.constantFrom(...paths);

/** One step of a small world: what happens to it, or time that passes. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('write' as const), path }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('remove' as const), path }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('rename' as const), path, to: path }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('wait' as const), time: fc.nat(100) }) },
);

describe('the queue of changes', () => {
  it('whatever happens and whenever it is delivered, who follows it ends with the same world', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const mount = new Mount(VFSPath.root, memoryBackend());
        const queue = new ChangeQueue(QUIET);
        const world = new Map<string, number>();
        const known = new Map<string, number>();
        let now = 0;
        let version = 0;
        const add = (kind: VFSBackendChange['kind'], at: string, from?: string): void => {
          const change = { kind, path: VFSPath.parse(at), entry: 'file' as const };
          queue.add(
            mount,
            from === undefined ? change : { ...change, from: VFSPath.parse(from) },
            now,
          );
        };
        const deliver = (): void => {
          const perPath = new Map<string, number>();
          for (const { kind, path: at, from, contentChanged } of queue.takeQuiet(now)) {
            perPath.set(at.text, (perPath.get(at.text) ?? 0) + 1);
            const content = from === undefined ? undefined : known.get(from.text);
            if (from) known.delete(from.text);
            const there = world.get(at.text);
            if (kind === 'removed' || there === undefined) known.delete(at.text);
            else
              known.set(
                at.text,
                kind === 'renamed' && !contentChanged && content !== undefined ? content : there,
              );
          }
          expect([...perPath.values()].every((count) => count === 1)).toBe(true);
        };
        for (const each of steps) {
          if (each.op === 'wait') {
            now += each.time;
            deliver();
          } else if (each.op === 'write') {
            add(world.has(each.path) ? 'modified' : 'created', each.path);
            world.set(each.path, version++);
          } else if (each.op === 'remove') {
            if (world.delete(each.path)) add('removed', each.path);
          } else if (world.has(each.path) && each.path !== each.to) {
            const content = world.get(each.path) ?? 0;
            world.delete(each.path);
            if (world.has(each.to)) {
              add('removed', each.path);
              add('modified', each.to);
            } else add('renamed', each.to, each.path);
            world.set(each.to, content);
          }
        }
        now += QUIET;
        deliver();
        expect(queue.size).toBe(0);
        expect(Object.fromEntries(known)).toEqual(Object.fromEntries(world));
      }),
      { numRuns: 2_000 },
    );
  });

  it('forgets what is pending for one mount only', () => {
    const [one, two] = [
      new Mount(VFSPath.root, memoryBackend()),
      new Mount(VFSPath.parse('/x'), memoryBackend()),
    ];
    const queue = new ChangeQueue(QUIET);
    for (const mount of [one, two]) {
      queue.add(mount, { kind: 'created', path: VFSPath.parse('/a'), entry: 'file' }, 0);
      const move = {
        kind: 'renamed',
        path: VFSPath.parse('/b'),
        from: VFSPath.parse('/c'),
      } as const;
      queue.add(mount, { ...move, entry: 'file' }, 0);
    }
    queue.drop(one);
    expect(queue.takeQuiet(QUIET).map(({ path: at }) => at.text)).toEqual(['/x/a', '/x/b']);
  });
});
