import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createUuid, ManualClock } from '@ecliptic/core';
import {
  followMove,
  memoryBackend,
  MetaFile,
  MetaIndex,
  VFSContext,
  VFSError,
  VFSPath,
  type MetaReport,
} from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpus, hasCorpus } from './corpus.js';

const uuid = '6f1b1a52-3c0e-4a59-9a4d-0d9b6f5c2a11';
const other = '0c9b7c58-2f5a-4c3e-8f43-1a2b3c4d5e6f';
const text = (fields: object): string => JSON.stringify({ version: 1, uuid, ...fields });

function reason(
  content: string | Uint8Array,
  options?: Parameters<typeof MetaFile.parse>[1],
): unknown {
  try {
    return MetaFile.parse(content, options).uuid;
  } catch (error) {
    return VFSError.is(error, 'vfs/meta-invalid') ? error.subjects['reason'] : error;
  }
}

function project(files: Record<string, string>): VFSContext {
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files }));
  return vfs;
}

describe('a sidecar', () => {
  it('is read with all its fields, and written the same', () => {
    const source = `{\n  "version": 1,\n  "uuid": "${uuid}",\n  "importer": "image",\n  "x": {\n    "y": 1\n  }\n}\n`;
    const meta = MetaFile.parse(source);
    expect(meta).toMatchObject({ version: 1, uuid, fields: { importer: 'image', x: { y: 1 } } });
    expect(meta.toText()).toBe(source);
    expect(meta.with({ x: undefined, importer: 'gltf' }).fields).toEqual({ importer: 'gltf' });
    expect(meta.with({ uuid: other }).uuid).toBe(other);
  });

  it.each([
    ['a byte-order mark', `\ufeff${text({})}`],
    ['CRLF', text({}).replaceAll(',', ',\r\n')],
    ['an upper-case uuid', text({ uuid: uuid.toUpperCase() })],
    ['unknown fields', text({ whatever: [1, { a: null }] })],
    ['equals signs in a text', text({ note: '=======' })],
  ])('takes %s for what it means', (_name, content) => {
    expect(reason(content)).toBe(uuid);
    expect(reason(new TextEncoder().encode(content))).toBe(uuid);
  });

  it.each([
    ['empty', ''],
    ['empty', ' \n'],
    ['not-json', text({}).slice(0, -1)],
    ['not-json', '\0\0\0\0'],
    ['not-object', '[]'],
    ['not-object', 'null'],
    ['not-object', '7'],
    ['missing-uuid', '{"version":1}'],
    ['bad-version', `{"uuid":"${uuid}"}`],
    ['bad-version', text({ version: '1' })],
    ['bad-version', text({ version: 0 })],
    ['future-version', text({ version: 2 })],
    ['bad-uuid', text({ uuid: 7 })],
    ['bad-uuid', text({ uuid: 'rock' })],
    ['bad-uuid', text({ uuid: `${uuid}0` })],
    ['nil-uuid', text({ uuid: '00000000-0000-0000-0000-000000000000' })],
    ['reserved-key', '{"version":1,"uuid":"x","__proto__":{"polluted":1}}'],
    ['reserved-key', text({ a: [{ constructor: 1 }] })],
    [
      'merge-conflict',
      `{\n<<<<<<< HEAD\n"uuid":"${uuid}"\n=======\n"uuid":"${other}"\n>>>>>>> theirs\n}`,
    ],
    ['lfs-pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n'],
    ['too-large', text({ pad: 'x'.repeat(1 << 20) })],
  ])('is refused for the reason %s', (expected, content) => {
    expect(reason(content)).toBe(expected);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('is refused when it is no UTF-8, and read when a newer version is known', () => {
    expect(reason(Uint8Array.of(0x7b, 0xff, 0x7d))).toBe('not-utf8');
    expect(reason(text({ version: 2 }), { newestVersion: 2 })).toBe(uuid);
    expect(reason(text({}), { maxBytes: 10 })).toBe('too-large');
  });

  it('says in the error where it is and what to do', async () => {
    const vfs = project({ '/rock.png': '', '/rock.png.meta': '{' });
    const read = MetaFile.read(vfs, VFSPath.parse('/rock.png'));
    await expect(read).rejects.toMatchObject({
      message: expect.stringContaining(
        '/rock.png.meta is no JSON. Restore it from version control',
      ),
      cause: expect.any(SyntaxError),
    });
    expect(await vfs.readText('/rock.png.meta')).toBe('{');
  });

  it('survives any JSON that is thrown at it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (content) => {
        expect(typeof reason(content)).toBe('string');
      }),
    );
  });

  it.each([
    [60, uuid],
    [70, 'too-deep'],
    [100_000, 'too-deep'],
  ])('nested %i levels deep gives %s', (depth, outcome) => {
    const nested = '['.repeat(depth) + ']'.repeat(depth);
    expect(reason(`{"version":1,"uuid":"${uuid}","deep":${nested}}`)).toBe(outcome);
  });

  it('any fields come back from the text that was written', () => {
    const fields = fc.dictionary(
      fc.string().filter((key) => !['version', 'uuid'].includes(key)),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fields, (given) => {
        fc.pre(!/"(__proto__|constructor|prototype)":/.test(JSON.stringify(given)));
        const meta = new MetaFile({ uuid, fields: JSON.parse(JSON.stringify(given)) as unknown });
        expect(MetaFile.parse(meta.toText())).toEqual(meta);
      }),
    );
  });

  it('has its place beside the asset', () => {
    const asset = VFSPath.parse('/a/rock.png');
    expect(MetaFile.pathOf(asset).text).toBe('/a/rock.png.meta');
    expect(MetaFile.assetOf(MetaFile.pathOf(asset))?.equals(asset)).toBe(true);
    expect(MetaFile.assetOf(asset)).toBeUndefined();
    expect(MetaFile.assetOf(VFSPath.parse('/.meta'))).toBeUndefined();
  });

  it('is written only when it says something new', async () => {
    const vfs = project({});
    const asset = VFSPath.parse('/rock.png');
    const meta = new MetaFile({ uuid });
    expect(await MetaFile.read(vfs, asset)).toBeUndefined();
    expect(await meta.write(vfs, asset)).toBe(true);
    expect(await meta.write(vfs, asset)).toBe(false);
    expect(await meta.with({ a: 1 }).write(vfs, asset)).toBe(true);
    expect((await MetaFile.read(vfs, asset))?.fields).toEqual({ a: 1 });
  });

  it('refuses to be made of nonsense', () => {
    expect(() => new MetaFile({ uuid: 'x' })).toThrow(
      expect.objectContaining({ code: 'vfs/meta-invalid' }),
    );
    expect(() => new MetaFile({ uuid: createUuid(), version: 0.5 })).toThrow(/version/);
  });
});

describe('an index of identities', () => {
  it('finds assets by uuid, and reports missing, orphaned, invalid and duplicate sidecars', async () => {
    const vfs = project({
      '/a.png': '',
      '/a.png.meta': text({}),
      '/d/b.png': '',
      '/d/b.png.meta': text({ uuid: other }),
      '/d/new.png': '',
      '/gone.png.meta': text({}),
      '/bad.png': '',
      '/bad.png.meta': '{',
      '/d.meta': text({ uuid: createUuid() }),
      '/skip/x.png': '',
    });
    const index = new MetaIndex();
    const report = await index.scan(vfs, '/', { ignore: ({ name }) => name === 'skip' });
    expect(report).toMatchObject({ found: 3, duplicates: [] });
    expect(report.missing.map(({ text: path }) => path)).toEqual(['/d/new.png']);
    expect(report.orphans.map(({ text: path }) => path)).toEqual(['/gone.png.meta']);
    expect(report.invalid.map(({ path }) => path.text)).toEqual(['/bad.png.meta']);
    expect(index.find(uuid)?.text).toBe('/a.png');
    expect(index.find(other)?.text).toBe('/d/b.png');
    expect(index.get('/d')?.uuid).toBeDefined();
    expect(await index.scan(vfs, '/d')).toMatchObject({ found: 1 });
    expect(index.size).toBe(3);
  });

  it('keeps the older of two that claim one uuid first', async () => {
    let now = 2_000;
    const backend = memoryBackend({ now: () => now });
    const vfs = new VFSContext();
    vfs.mount('/', backend);
    for (const name of ['z', 'a', 'm']) {
      await vfs.writeFile(`/${name}.png`, '');
      await vfs.writeFile(`/${name}.png.meta`, text({}));
      now -= name === 'z' ? 1_000 : 0;
    }
    const index = new MetaIndex();
    const { duplicates } = await index.scan(vfs, '/');
    expect(duplicates.map(({ assets }) => assets.map(({ name }) => name))).toEqual([
      ['a.png', 'm.png', 'z.png'],
    ]);
    expect(index.find(uuid)?.text).toBe('/a.png');
    expect(index.delete('/a.png')).toBe(true);
    expect(index.find(uuid)?.text).toBe('/m.png');
    index.delete('/m.png');
    index.delete('/z.png');
    expect([index.find(uuid), index.duplicates(), index.delete('/z.png')]).toEqual([
      undefined,
      [],
      false,
    ]);
  });

  it('agrees with a plain map under any sequence of changes', () => {
    const step = fc.record({ path: fc.nat(5), uuid: fc.nat(3), keep: fc.boolean() });
    const uuids = Array.from({ length: 4 }, () => createUuid());
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const index = new MetaIndex();
        const oracle = new Map<string, string>();
        for (const { path, uuid: which, keep } of steps) {
          const asset = VFSPath.parse(`/${path}`);
          const id = uuids[which] ?? '';
          if (keep) {
            index.set(asset, new MetaFile({ uuid: id }), 0);
            oracle.set(asset.key, id);
          } else {
            index.delete(asset);
            oracle.delete(asset.key);
          }
        }
        expect(index.size).toBe(oracle.size);
        for (const id of uuids) {
          const claimed = [...oracle]
            .filter(([, value]) => value === id)
            .map(([key]) => key)
            .sort();
          expect(index.find(id)?.key).toBe(claimed[0]);
          const duplicate = index.duplicates().find((found) => found.uuid === id);
          expect(duplicate?.assets.map(({ key }) => key)).toEqual(
            claimed.length > 1 ? claimed : undefined,
          );
        }
      }),
    );
  });
});

describe('following moves', () => {
  const files = { '/a.png': 'x', '/a.png.meta': text({}) };

  async function moving(
    act: (vfs: VFSContext) => Promise<void>,
  ): Promise<{ vfs: VFSContext; index: MetaIndex }> {
    const clock = new ManualClock();
    const vfs = new VFSContext({ clock });
    vfs.mount('/', memoryBackend({ files }));
    const index = new MetaIndex();
    const changes: Parameters<MetaIndex['apply']>[1][] = [];
    await vfs.watch('/', (change) => changes.push(change)).ready;
    await index.scan(vfs, '/');
    await act(vfs);
    clock.advance(1e9);
    vfs.tick();
    for (const change of changes) await index.apply(vfs, change);
    return { vfs, index };
  }

  it('an asset that is moved with its sidecar keeps its uuid', async () => {
    const { index } = await moving(async (vfs) => {
      await vfs.rename('/a.png', '/d/b.png');
      await vfs.rename('/a.png.meta', '/d/b.png.meta');
    });
    expect(index.find(uuid)?.text).toBe('/d/b.png');
    expect(index.size).toBe(1);
  });

  it('a sidecar that was left behind is moved after its asset', async () => {
    const { vfs, index } = await moving((vfs) => vfs.rename('/a.png', '/b.png'));
    expect(index.find(uuid)?.text).toBe('/b.png');
    expect((await vfs.list('/')).map(({ name }) => name)).toEqual(['b.png', 'b.png.meta']);
  });

  it('a removed asset is forgotten; a copied one is a duplicate; a new one is found when its sidecar came first', async () => {
    const removed = await moving((vfs) => vfs.remove('/a.png'));
    expect(removed.index.size).toBe(0);
    const copied = await moving(async (vfs) => {
      await vfs.copy('/a.png', '/b.png');
      await vfs.copy('/a.png.meta', '/b.png.meta');
    });
    expect(
      copied.index.duplicates().map(({ assets }) => assets.map(({ text: path }) => path)),
    ).toEqual([['/a.png', '/b.png']]);
    const late = await moving(async (vfs) => {
      await vfs.writeFile('/n.png.meta', text({ uuid: other }));
      await vfs.writeFile('/n.png', '');
    });
    expect(late.index.find(other)?.text).toBe('/n.png');
  });

  it('does not move over another sidecar, nor away from something that is still there', async () => {
    const [a, b] = [VFSPath.parse('/a.png'), VFSPath.parse('/b.png')];
    expect(await followMove(project(files), a, b)).toBe(false);
    expect(
      await followMove(project({ '/b.png': '', '/a.png.meta': '{}', '/b.png.meta': '{}' }), a, b),
    ).toBe(false);
    expect(await followMove(project({ '/b.png': '', '/a.png.meta': '{}' }), a, b)).toBe(true);
    expect(await followMove(project({ '/b.png': '' }), a, b)).toBe(false);
  });
});

describe.skipIf(!hasCorpus)('the corpus of sidecars', () => {
  /** found, missing, orphans, duplicates, or the reason why the sidecar is refused. */
  const expected: Record<string, Partial<Record<keyof MetaReport, number>> & { reason?: string }> =
    {
      ok: { found: 1 },
      crlf: { found: 1 },
      'uppercase-uuid': { found: 1 },
      'unknown-fields': { found: 1 },
      'wrong-importer': { found: 1 },
      huge: { found: 1 },
      'dir-meta': { found: 1, missing: 1 },
      'duplicate-uuid': { found: 2, duplicates: 1 },
      'meta-of-meta': { found: 1, orphans: 1 },
      empty: { reason: 'empty' },
      'malformed-json': { reason: 'not-json' },
      'missing-uuid': { reason: 'missing-uuid' },
      'nil-uuid': { reason: 'nil-uuid' },
      'proto-key': { reason: 'reserved-key' },
    };

  it('has an expectation for every case', () => {
    expect(readdirSync(join(corpus, 'meta')).sort()).toEqual(Object.keys(expected).sort());
  });

  it.each(Object.entries(expected))('%s gives %j', async (name, { reason: why, ...counts }) => {
    const vfs = new VFSContext();
    vfs.mount('/', diskBackend(join(corpus, 'meta', name)), { readOnly: true });
    const report = await new MetaIndex().scan(vfs, '/');
    const got = {
      found: report.found,
      missing: report.missing.length,
      orphans: report.orphans.length,
      duplicates: report.duplicates.length,
    };
    expect(got).toEqual({ found: 0, missing: 0, orphans: 0, duplicates: 0, ...counts });
    expect(report.invalid.map(({ error }) => error.subjects['reason'])).toEqual(why ? [why] : []);
    expect(
      readFileSync(join(corpus, 'meta', name, name === 'dir-meta' ? 'sub.meta' : 'a.png.meta')),
    ).toBeDefined();
  });
});
