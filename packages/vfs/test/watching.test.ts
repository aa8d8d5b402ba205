import { ManualClock } from '@ecliptic/core';
import { memoryBackend, VFSContext, type VFSChange } from '@ecliptic/vfs';
import { describe, expect, it } from 'vitest';

const MS = 1_000_000;

interface Watched {
  vfs: VFSContext;
  clock: ManualClock;
  /** `kind path`, or `kind from > path`, in order of delivery. */
  seen: string[];
  /** Lets the quiet period pass, ticks, and gives what was delivered since the last call. */
  readonly settle: () => string[];
}

async function watched(files: Record<string, string> = {}, at = '/', path = '/'): Promise<Watched> {
  const clock = new ManualClock();
  const vfs = new VFSContext({ clock });
  vfs.mount(at, memoryBackend({ files }));
  const seen: string[] = [];
  await vfs.watch(path, (change) => seen.push(show(change))).ready;
  return {
    vfs,
    clock,
    seen,
    settle() {
      clock.advance(80 * MS);
      vfs.tick();
      return seen.splice(0);
    },
  };
}

function show({ kind, path, from, contentChanged }: VFSChange): string {
  const changed = kind === 'renamed' && contentChanged ? ' (changed)' : '';
  return `${kind} ${from ? `${from.text} > ` : ''}${path.text}${changed}`;
}

describe('watching (62)', () => {
  it('a burst of writes to one file is one event, after 80 ms of quiet, delivered only in tick', async () => {
    const { vfs, clock, seen } = await watched({ '/a': '' });
    for (let i = 0; i < 10; i++) {
      await vfs.writeFile('/a', `${i}`);
      clock.advance(79 * MS);
      expect(vfs.tick()).toBe(0);
    }
    clock.advance(1 * MS);
    expect(seen).toEqual([]);
    expect(vfs.tick()).toBe(1);
    expect(seen).toEqual(['modified /a']);
    clock.advance(1_000 * MS);
    expect(vfs.tick()).toBe(0);
  });

  it("editors' save-by-rename is Modified", async () => {
    const { vfs, settle } = await watched({ '/a.png': 'old' });
    await vfs.writeFile('/a.png~', 'new');
    await vfs.rename('/a.png~', '/a.png');
    expect(settle()).toEqual(['modified /a.png']);
    // The other way that editors do it: away with the old one, then the new one in its place.
    await vfs.rename('/a.png', '/a.png.bak');
    await vfs.writeFile('/a.png', 'newer');
    await vfs.remove('/a.png.bak');
    expect(settle()).toEqual(['modified /a.png']);
    await vfs.remove('/a.png');
    await vfs.writeFile('/a.png', 'newest');
    expect(settle()).toEqual(['modified /a.png']);
  });

  it('directory renames arrive for the children', async () => {
    const { vfs, settle } = await watched({ '/d/a': '', '/d/e/b': '' });
    await vfs.rename('/d', '/f');
    expect(settle().sort()).toEqual([
      'renamed /d > /f',
      'renamed /d/a > /f/a',
      'renamed /d/e > /f/e',
      'renamed /d/e/b > /f/e/b',
    ]);
  });

  it.each<[string, (vfs: VFSContext) => Promise<void>, string[]]>([
    [
      'created and removed is nothing',
      async (vfs) => {
        await vfs.writeFile('/n', '');
        await vfs.remove('/n');
      },
      [],
    ],
    [
      'created and written is created',
      async (vfs) => {
        await vfs.writeFile('/n', '');
        await vfs.writeFile('/n', 'more');
      },
      ['created /n'],
    ],
    [
      'written and removed is removed',
      async (vfs) => {
        await vfs.writeFile('/a', 'x');
        await vfs.remove('/a');
      },
      ['removed /a'],
    ],
    [
      'two renames are one',
      async (vfs) => {
        await vfs.rename('/a', '/b');
        await vfs.rename('/b', '/c');
      },
      ['renamed /a > /c'],
    ],
    [
      'a rename there and back is nothing',
      async (vfs) => {
        await vfs.rename('/a', '/b');
        await vfs.rename('/b', '/a');
      },
      [],
    ],
    [
      'renamed and removed is removed',
      async (vfs) => {
        await vfs.rename('/a', '/b');
        await vfs.remove('/b');
      },
      ['removed /a'],
    ],
    [
      'renamed and written says both',
      async (vfs) => {
        await vfs.rename('/a', '/b');
        await vfs.writeFile('/b', 'x');
      },
      ['renamed /a > /b (changed)'],
    ],
    [
      'written and renamed says both',
      async (vfs) => {
        await vfs.writeFile('/a', 'x');
        await vfs.rename('/a', '/b');
      },
      ['renamed /a > /b (changed)'],
    ],
    [
      'created and renamed is created',
      async (vfs) => {
        await vfs.writeFile('/n', 'x');
        await vfs.rename('/n', '/m');
      },
      ['created /m'],
    ],
    [
      'renamed away and created anew is created and modified',
      async (vfs) => {
        await vfs.rename('/a', '/b');
        await vfs.writeFile('/a', 'x');
      },
      ['created /b', 'modified /a'],
    ],
  ])('%s', async (_name, act, expected) => {
    const { vfs, settle } = await watched({ '/a': '' });
    await act(vfs);
    expect(settle()).toEqual(expected);
  });

  it('paths are those of the context, and only those below the watched one', async () => {
    const { vfs, settle } = await watched({ '/models/a': '' }, '/game', '/game/models');
    await vfs.writeFile('/game/models/a', 'x');
    await vfs.writeFile('/game/modelsX', 'x');
    await vfs.writeFile('/game/b', 'x');
    expect(settle()).toEqual(['modified /game/models/a']);
    await vfs.rename('/game/models/a', '/game/a');
    expect(settle()).toEqual(['renamed /game/models/a > /game/a']);
  });

  it('mounts that come later are watched, unmounted ones are not', async () => {
    const { vfs, settle } = await watched();
    const mount = vfs.mount('/late', memoryBackend());
    await vfs.writeFile('/late/a', 'x');
    expect(settle()).toEqual(['created /late/a']);
    await vfs.writeFile('/late/b', 'x');
    await vfs.unmount(mount);
    expect(settle()).toEqual([]);
  });

  it('nothing arrives after the subscription has ended; a listener that throws stops no other', async () => {
    const { vfs, settle } = await watched();
    let calls = 0;
    const angry = vfs.watch('/', () => {
      calls++;
      throw new Error('listener');
    });
    const second: string[] = [];
    vfs.watch('/', (change) => second.push(show(change)));
    await vfs.writeFile('/a', 'x');
    expect(settle()).toEqual(['created /a']);
    expect([calls, second]).toEqual([1, ['created /a']]);
    angry.dispose();
    await vfs.writeFile('/a', 'y');
    expect(settle()).toEqual(['modified /a']);
    expect(calls).toBe(1);
  });

  it('says when a mount can not be watched', async () => {
    const vfs = new VFSContext({ clock: new ManualClock() });
    const backend = memoryBackend();
    vfs.mount(
      '/',
      Object.assign(Object.create(backend) as typeof backend, {
        watch: () => Promise.reject(new Error('no watches left')),
      }),
    );
    await expect(vfs.watch('/', () => {}).ready).rejects.toThrow('no watches left');
  });

  it('a clock that is set back delays nothing for long', async () => {
    const { vfs, clock, seen } = await watched({ '/a': '' });
    clock.advance(1e12);
    await vfs.writeFile('/a', 'x');
    clock.jump(0);
    vfs.tick();
    clock.advance(80 * MS);
    vfs.tick();
    expect(seen).toEqual(['modified /a']);
  });
});
