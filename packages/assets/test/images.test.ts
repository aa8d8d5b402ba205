import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../src/hashing/content-hash.js';
import {
  imageImporter,
  readImageHeader,
  sniffImage,
  type ImportedAsset,
  type TexelFormat,
  type TexelLayout,
  type TextureData,
} from '../src/index.js';
import { textureLevels, TextureUnpacker } from '../src/textures.js';
import { corpusEntries, corpusFile, hasCorpus, type CorpusEntry } from './corpus.js';
import { dataOf, importFile, type ImportOutcome } from './import-file.js';
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

/** What sharp, and ktx-parse with the KTX2 format, say of an image. */
interface ImageFacts {
  readonly sharp?: {
    readonly threw?: string;
    readonly width?: number;
    readonly height?: number;
    readonly rgba8?: { readonly bytes: number; readonly sha256: string };
  };
  readonly ktx_parse?: {
    readonly width: number;
    readonly height: number;
    readonly depth: number;
    readonly faces: number;
    readonly levelCount: number;
    readonly vkFormat: number;
  };
}

/** The code of a refusal, or whether the texture has as many bytes as its levels take. */
function outcomeOf(outcome: ImportOutcome): string {
  if (outcome.kind === 'refused') return outcome.error.code;
  const [texture] = dataOf(outcome.assets, 'texture') as [TextureData];
  const levels = texture.texels ? textureLevels(texture.texels, texture) : [];
  const bytes = levels.reduce((sum, level) => sum + level.bytes, 0);
  return texture.texels === undefined || texture.bytes.length === bytes ? 'whole' : 'in part';
}

interface SeenFacts {
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Start of the SHA-256 of level 0. */
  readonly pixels: string | undefined;
  readonly texels: Partial<TexelLayout> | undefined;
}

async function factsOf(
  assets: readonly ImportedAsset[],
  facts: ImageFacts | undefined,
): Promise<SeenFacts> {
  const [texture] = dataOf(assets, 'texture') as [TextureData];
  const { bytes, sha256: wanted = '' } = facts?.sharp?.rgba8 ?? {};
  const isBasis = texture.texels === undefined;
  const ready = isBasis ? await new TextureUnpacker().unpack(texture, new Set()) : texture;
  const { shape, layers, levels } = ready.texels ?? {};
  return {
    width: texture.width,
    height: texture.height,
    pixels: bytes && (await sha256(texture.bytes.slice(0, bytes))).slice(0, wanted.length),
    texels: facts?.ktx_parse && { shape, layers, levels },
  } as SeenFacts;
}

function wantedFacts(facts: ImageFacts | undefined, { expect: wanted }: CorpusEntry): SeenFacts {
  const { sharp, ktx_parse: ktx } = facts ?? {};
  return {
    width: wanted?.width ?? sharp?.width ?? ktx?.width,
    height: wanted?.height ?? sharp?.height ?? ktx?.height,
    pixels: sharp?.rgba8?.sha256,
    texels: ktx && {
      shape: ktx.faces === 6 ? 'cube' : ktx.depth > 0 ? '3d' : '2d',
      layers: Math.max(1, ktx.depth, ktx.faces),
      levels: ktx.levelCount,
    },
  };
}

describe.skipIf(!hasCorpus)('images of the corpus', () => {
  const entries = corpusEntries().filter((entry) =>
    /\.(png|jpe?g|webp|gif|ktx2)$/.test(entry.file),
  );

  test.each(entries.map((entry) => [entry.id, entry] as const))('%s', async (_, entry) => {
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend({ files: { [`/${entry.file}`]: corpusFile(entry.file) } }));
    const outcome = await importFile(imageImporter(), vfs, VFSPath.parse(entry.file));
    const verdict = entry.expect?.verdict ?? '';
    expect(
      { valid: ['imported'], reject: ['refused'] }[verdict] ?? ['imported', 'refused'],
    ).toContain(outcome.kind);
    const facts = entry.facts as ImageFacts | undefined;
    const seen = outcome.kind === 'refused' ? undefined : await factsOf(outcome.assets, facts);
    expect(seen).toEqual(seen && wantedFacts(facts, entry));
    // What the other tools refuse or were not asked about may be refused here.
    expect(seen !== undefined || facts?.sharp?.width === undefined).toBe(true);
  });
});

describe.skipIf(!hasCorpus)('KTX2 files of the corpus', () => {
  const file = (id: string): Uint8Array =>
    corpusFile(corpusEntries().find((entry) => entry.id === id)?.file ?? id);
  const unpack = async (id: string, formats: readonly TexelFormat[] = []) => {
    const bytes = file(id);
    const texture: TextureData = {
      name: id,
      mime: 'image/ktx2',
      width: 40,
      height: 40,
      colorSpace: 'srgb',
      bytes,
    };
    return new TextureUnpacker().unpack(texture, new Set(formats));
  };

  test.each([
    ['2d-rgba8-ktx2', '2d-rgb8-ktx2', 3],
    ['2d-uastc-ktx2', '2d-etc1s-ktx2', 8],
  ])('%s and %s show one picture', async (first, second, most) => {
    const [one, other] = [await unpack(first), await unpack(second)];
    expect(other.texels).toEqual(one.texels);
    const pixels = 40 * 40 * 4;
    let difference = 0;
    for (let i = 0; i < pixels; i++) {
      difference += Math.abs((other.bytes[i] ?? 0) - (one.bytes[i] ?? 0));
    }
    expect(difference / pixels).toBeLessThanOrEqual(most);
  });

  test.each([
    ['2d-uastc-ktx2', ['bc7-rgba-unorm', 'astc-4x4-unorm'], 'astc-4x4-unorm'],
    ['2d-uastc-ktx2', ['etc2-rgba8unorm'], 'etc2-rgba8unorm'],
    ['2d-etc1s-ktx2', ['bc7-rgba-unorm', 'bc1-rgba-unorm'], 'bc1-rgba-unorm'],
    ['2d-etc1s-ktx2', ['etc2-rgb8unorm', 'etc2-rgba8unorm'], 'etc2-rgb8unorm'],
    ['2d-astc4x4-ktx2', [], 'astc-4x4-unorm'],
    ['2d-compressed-bc1-ktx2', [], 'bc1-rgba-unorm'],
    ['ryfjallet-cubemap-etc2-ktx2', [], 'etc2-rgb8unorm'],
  ] as const)('%s on a device with %j becomes %s', async (id, formats, format) => {
    expect((await unpack(id, formats)).texels.format).toBe(format);
  });

  test('never hang or come through in part when damaged', async () => {
    const sources = [
      '2d-rgba8-ktx2',
      '2d-mipmaps-incomplete-ktx2',
      'cubemap-mipmaps-ktx2',
      '3d-mipmaps-ktx2',
      '2d-uastc-ktx2',
      '2d-etc1s-ktx2',
      'ryfjallet-cubemap-etc2-ktx2',
    ].map(file);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sources),
        fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0.2, max: 1, noNaN: true }),
        async (source, faults, part) => {
          const bytes = source.slice(0, Math.ceil(source.length * part));
          for (const [at, byte] of faults) if (at < bytes.length) bytes[at] = byte;
          const vfs = new VFSContext();
          vfs.mount('/', memoryBackend({ files: { '/a.ktx2': bytes } }));
          const outcome = await importFile(imageImporter(), vfs, VFSPath.parse('/a.ktx2'));
          expect(outcomeOf(outcome)).toMatch(/^whole$|^assets\/(image|ktx2)-/);
        },
      ),
      { numRuns: 80 },
    );
  });
});
