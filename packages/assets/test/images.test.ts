import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { describe, expect, test } from 'vitest';
import { imageImporter, readImageHeader, sniffImage } from '../src/index.js';
import { corpusEntries, corpusFile, hasCorpus } from './corpus.js';
import { importFile } from './import-file.js';
import { pngHeader } from './samples.js';

describe('image headers', () => {
  test('are recognised by signature, never by name', () => {
    expect(sniffImage(pngHeader(1, 1))).toBe('image/png');
    expect(sniffImage(new TextEncoder().encode('#?RADIANCE\n'))).toBe('image/vnd.radiance');
    expect(sniffImage(new Uint8Array(64))).toBeUndefined();
    expect(sniffImage(new Uint8Array(0))).toBeUndefined();
  });

  test('of size 0 are refused', () => {
    expect(readImageHeader(pngHeader(0, 4))).toBeUndefined();
  });

  test('cut anywhere never throw', () => {
    const whole = pngHeader(3, 4);
    for (let length = 0; length < whole.length; length++) {
      const header = readImageHeader(whole.slice(0, length));
      expect(header === undefined || header.problem !== undefined).toBe(true);
    }
    expect(readImageHeader(whole)).toEqual({ mime: 'image/png', width: 3, height: 4 });
  });
});

describe.skipIf(!hasCorpus)('images of the corpus', () => {
  const entries = corpusEntries().filter((entry) =>
    /\.(png|jpe?g|webp|gif|ktx2)$/.test(entry.file),
  );

  test.each(entries.map((entry) => [entry.id, entry] as const))('%s', async (_, entry) => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { [`/${entry.file}`]: corpusFile(entry.file) } }));
    const outcome = await importFile(imageImporter(), vfs, VFSPath.parse(entry.file));
    const verdict = entry.expect?.verdict ?? '';
    const size =
      outcome.kind === 'imported' && outcome.assets[0]?.type === 'texture'
        ? { width: outcome.assets[0].data.width, height: outcome.assets[0].data.height }
        : undefined;
    const kind = size ? 'imported' : 'refused';
    expect(
      { valid: ['imported'], reject: ['refused'] }[verdict] ?? ['imported', 'refused'],
    ).toContain(kind);
    const { width, height } = {
      ...(entry.facts as { sharp?: object })?.sharp,
      ...entry.expect,
    } as {
      width?: number;
      height?: number;
    };
    const isKnown = size !== undefined && width !== undefined;
    expect(isKnown ? size : undefined).toEqual(isKnown ? { width, height } : undefined);
  });
});
