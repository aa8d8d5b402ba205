import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packProject, unpackProject } from '../src/project-pack.js';

const files = fc.array(
  fc.record({ path: fc.string(), bytes: fc.option(fc.uint8Array(), { nil: undefined }) }),
);

describe('a project in one block', () => {
  test('comes out as it went in', () => {
    fc.assert(
      fc.property(files, fc.boolean(), (some, watch) => {
        const packed = some.map(({ path, bytes }) => {
          const listed = { path, size: bytes?.length ?? 7 };
          return bytes ? { listed, bytes } : { listed };
        });
        expect(unpackProject(packProject({ files: packed, watch }))).toEqual({
          files: packed,
          watch,
        });
      }),
    );
  });

  test('that was cut off or grew is refused', () => {
    const listed = { path: '/a', size: 3 };
    const pack = packProject({ files: [{ listed, bytes: Uint8Array.of(1, 2, 3) }], watch: false });
    for (let length = 0; length < pack.length; length++) {
      const cut = pack.subarray(0, length);
      expect(() => unpackProject(cut)).toThrow(/has no listing|should have/);
    }
    expect(() => unpackProject(Uint8Array.of(...pack, 0))).toThrow('should have');
  });
});
