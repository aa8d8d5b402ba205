import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeArtifact, describeArtifact, encodeArtifact, loadMesh } from '../src/artifacts.js';
import { layOutArtifact, sealArtifact } from '../src/artifacts/artifact-header.js';
import { damageChecksum } from '../src/hashing/damage-checksum.js';
import { wideChecksum } from '../src/hashing/wide-checksum.js';
import { xxh32 } from '../src/hashing/xxh32.js';
import type { AssetType, MaterialData } from '../src/index.js';
import { checksumByTheBook } from './checksum-by-the-book.js';
import { plainMaterial, texture, triangle } from './samples.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

test('XXH32 gives the published values', () => {
  expect(xxh32(utf8(''))).toBe(0x02cc5d05);
  expect(xxh32(utf8('a'))).toBe(0x550d7456);
  expect(xxh32(utf8('abc'))).toBe(0x32d153ff);
  expect(xxh32(utf8('Nobody inspects the spammish repetition'))).toBe(0xe2293b2f);
  expect(xxh32(utf8('abc'), 0x9e3779b1)).not.toBe(xxh32(utf8('abc')));
});

test('XXH32 is the same wherever the bytes lie', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(7), (bytes, shift) => {
      const moved = new Uint8Array(bytes.length + shift);
      moved.set(bytes, shift);
      expect(xxh32(moved.subarray(shift))).toBe(xxh32(bytes));
    }),
  );
});

describe('the checksum against damage', () => {
  const anyBytes = fc.uint8Array({ maxLength: 200 });

  test('is what its description says, wherever the bytes lie', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(7), fc.nat(0xffff_ffff), (bytes, shift, seed) => {
        const moved = new Uint8Array(bytes.length + shift);
        moved.set(bytes, shift);
        const wanted = checksumByTheBook(bytes, seed, 8);
        expect(damageChecksum(bytes, seed)).toBe(wanted);
        expect(damageChecksum(moved.subarray(shift), seed)).toBe(wanted);
      }),
    );
  });

  test('differs for bytes of which one word or the length is another', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.nat(254),
        (bytes, at, by) => {
          const changed = bytes.slice();
          const place = at % bytes.length;
          changed[place] = (changed[place] ?? 0) + by + 1;
          const word = place & ~3;
          changed[word] = (changed[word] ?? 0) ^ (word === place ? 0 : by & 7);
          expect(damageChecksum(changed)).not.toBe(damageChecksum(bytes));
          expect(damageChecksum(Uint8Array.of(...bytes, 0))).not.toBe(damageChecksum(bytes));
        },
      ),
    );
  });
});

describe('a cooked artifact', () => {
  test('gives back what was cooked, as aligned views', () => {
    const bytes = encodeArtifact({ type: 'mesh', data: triangle() });
    const mesh = loadMesh(bytes);
    expect(mesh).toEqual({
      ...triangle(),
      submeshes: [expect.objectContaining({ indexCount: 3 })],
    });
    for (const { data } of [...mesh.streams, { data: mesh.indices }]) {
      expect(data.byteOffset % 16).toBe(0);
      expect(data.buffer).toBe(bytes.buffer);
    }
  });

  test('is equal for equal data, and read the same from an unaligned buffer', () => {
    const bytes = encodeArtifact({ type: 'mesh', data: triangle() });
    expect(encodeArtifact({ type: 'mesh', data: triangle() })).toEqual(bytes);
    const shifted = new Uint8Array(bytes.byteLength + 3);
    shifted.set(bytes, 3);
    expect(loadMesh(shifted.subarray(3))).toEqual(loadMesh(bytes));
  });

  test('has the documented layout', () => {
    const bytes = encodeArtifact({ type: 'texture', data: texture([5, 6, 7]) });
    const view = new DataView(bytes.buffer);
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('ZEAF');
    expect(view.getUint16(4, true)).toBe(4);
    expect(view.getUint16(6, true)).toBe(3);
    expect(view.getUint32(8, true)).toBe(bytes.byteLength);
    expect(view.getUint32(20, true)).toBe(1);
    const offset = view.getUint32(32, true);
    expect(offset).toBe(Math.ceil((40 + view.getUint32(16, true)) / 16) * 16);
    expect(view.getUint32(12, true)).toBe(damageChecksum(bytes.subarray(16, offset), 3));
    expect(view.getUint32(24, true)).toBe(damageChecksum(bytes.subarray(offset)));
    expect(view.getUint32(28, true)).toBe(0);
    expect([...bytes.subarray(offset, offset + view.getUint32(36, true))]).toEqual([5, 6, 7]);
  });

  test('of 4096 bytes of content and more has the checksum of many lanes', () => {
    for (const [length, checksum] of [
      [4095, damageChecksum],
      [4096, wideChecksum],
    ] as const) {
      const bytes = encodeArtifact({
        type: 'texture',
        data: texture(Array.from({ length }, () => 9)),
      });
      const view = new DataView(bytes.buffer);
      const content = bytes.subarray(view.getUint32(32, true));
      expect(content).toHaveLength(length);
      expect(view.getUint32(24, true)).toBe(checksum(content));
      expect(describeArtifact(bytes).intact).toBe(true);
      bytes[bytes.length - 1] = 8;
      expect(() => decodeArtifact(bytes)).toThrow('checksum');
    }
  });

  test('keeps hostile keys as plain data', () => {
    const data: MaterialData = {
      ...plainMaterial(),
      extensions: JSON.parse(
        '{"__proto__":{"$f32":7,"$$x":1,"$":{"$u8":0}},"constructor":{"a":2},"$u16":[{"$":{}}]}',
      ),
    };
    const back = decodeArtifact(encodeArtifact({ type: 'material', data })).data as MaterialData;
    expect(JSON.stringify(back.extensions)).toBe(JSON.stringify(data.extensions));
    expect(({} as { $f32?: number }).$f32).toBeUndefined();
  });

  test.each([
    [
      'another file',
      utf8('something else that is long enough to be one'),
      'assets/artifact-format',
    ],
    ['an empty file', new Uint8Array(0), 'assets/artifact-format'],
  ])('%s is not one', (_, bytes, code) => {
    expect(() => decodeArtifact(bytes)).toThrow(expect.objectContaining({ code }));
  });

  test('of another version says so', () => {
    const bytes = encodeArtifact({ type: 'mesh', data: triangle() });
    bytes[4] = 9;
    expect(() => decodeArtifact(bytes)).toThrow(
      expect.objectContaining({ code: 'assets/artifact-version' }),
    );
  });

  test('with any one bit wrong, or cut anywhere, is refused with a code', () => {
    const bytes = encodeArtifact({ type: 'mesh', data: triangle() });
    const codes = /^assets\/artifact-(format|version|damaged)$/;
    for (let bit = 0; bit < bytes.byteLength * 8; bit++) {
      const broken = bytes.slice();
      broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeArtifact(broken), `bit ${bit}`).toThrow(
        expect.objectContaining({ code: expect.stringMatching(codes) }),
      );
    }
    fc.assert(
      fc.property(fc.nat(bytes.byteLength - 1), (length) => {
        expect(() => decodeArtifact(bytes.slice(0, length))).toThrow(
          expect.objectContaining({ code: expect.stringMatching(codes) }),
        );
      }),
    );
  });

  test.each([
    ['is null', 'null'],
    ['is a number', '7'],
    ['is no JSON', '{'],
    ['is a name', '"mesh"'],
    ['names no kind of blocks', '{"$f64":0}'],
    ['names no block', '{"$f32":1e999}'],
    ['is nested beyond the stack', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['is objects nested beyond the stack', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ])('with sound checksums whose description %s is refused with a code', (_, json) => {
    const types = ['mesh', 'material', 'texture', 'prefab', 'skin', 'animation', 'environment'];
    for (const type of types as AssetType[]) {
      const { bytes } = layOutArtifact(type, utf8(json), [16]);
      sealArtifact(bytes);
      expect(() => decodeArtifact(bytes), `a ${type}`).toThrow(
        expect.objectContaining({ code: 'assets/artifact-damaged' }),
      );
    }
  });

  test('whose values were checked before is refused for damage to anything else', () => {
    const bytes = encodeArtifact({ type: 'mesh', data: triangle() });
    const values = Math.min(...describeArtifact(bytes).blocks.map(({ offset }) => offset));
    for (let bit = 0; bit < values * 8; bit++) {
      const broken = bytes.slice();
      broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => decodeArtifact(broken, 'structure'), `bit ${bit}`).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^assets\/artifact-/) }),
      );
    }
    // A position of 0 becomes another one.
    bytes[values + 3] = 0x40;
    expect(() => loadMesh(bytes)).toThrow(
      expect.objectContaining({ code: 'assets/artifact-damaged' }),
    );
    expect(loadMesh(bytes, 'structure').streams[0]?.data[0]).toBe(2);
  });

  test('can be described, also when it is damaged', () => {
    const bytes = encodeArtifact({ type: 'mesh', data: triangle() });
    expect(describeArtifact(bytes)).toMatchObject({ type: 'mesh', intact: true, version: 4 });
    bytes[bytes.byteLength - 1] = 77;
    const description = describeArtifact(bytes);
    expect(description.intact).toBe(false);
    expect(description.blocks).toHaveLength(3);
    expect(description.tree).toMatchObject({ name: 'triangle', vertexCount: 3 });
  });
});
