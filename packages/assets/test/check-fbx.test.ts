import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkFbx } from '../src/assimp/check-fbx.js';
import { scanFbx } from '../src/assimp/scan-fbx.js';
import { DiagnosticReport } from '../src/diagnostics/diagnostic-report.js';
import { DEFAULT_GLTF_LIMITS, ImportError } from '../src/index.js';
import { binaryFbx, fbxNodes, textFbx, type FbxGraph } from './fbx-graph.js';
import { writeFbx } from './fbx-tree.js';

const graph: fc.Arbitrary<FbxGraph> = fc
  .record({
    count: fc.integer({ min: 1, max: 7 }),
    ends: fc.array(fc.tuple(fc.nat(99), fc.nat(99)), { maxLength: 12 }),
    isAcyclic: fc.boolean(),
  })
  .map(({ count, ends, isAcyclic }) => ({
    // What has number 8 is no model.
    models: Array.from({ length: count }, (_, i) => i + 1),
    links: ends.map(([a, b]) => {
      const [one, other] = [a % 9, b % 9];
      return isAcyclic ? [Math.max(one, other) + 1, Math.min(one, other)] : [one, other];
    }),
  }));

/** How many nodes Assimp makes below one of them, itself included; `undefined` where it would not end. */
function expand(
  { models, links }: FbxGraph,
  from: number,
  above: readonly number[],
): number | undefined {
  if (above.includes(from)) return undefined;
  let sum = 1;
  for (const [child, parent] of links) {
    if (parent !== from || !models.includes(child)) continue;
    const below = expand({ models, links }, child, [...above, from]);
    if (below === undefined) return undefined;
    sum += below;
  }
  return sum;
}

function codeOf(bytes: Uint8Array, items: number): string {
  try {
    checkFbx(scanFbx(bytes), { ...DEFAULT_GLTF_LIMITS, items }, new DiagnosticReport('/a.fbx'));
  } catch (error) {
    if (error instanceof ImportError) return error.code;
    throw error;
  }
  return 'sound';
}

describe('an FBX before Assimp reads it', () => {
  test('is refused where models are above themselves, or become too many nodes', () => {
    fc.assert(
      fc.property(graph, fc.integer({ min: 1, max: 12 }), (made, items) => {
        const nodes = expand(made, 0, []);
        const codes = [
          binaryFbx(made, 7_400),
          binaryFbx(made, 7_500),
          new TextEncoder().encode(textFbx(made)),
        ].map((bytes) => codeOf(bytes, items));
        const wanted =
          nodes === undefined
            ? /^assets\/(fbx-cycle|gltf-too-large)$/
            : nodes > items
              ? /^assets\/gltf-too-large$/
              : /^sound$/;
        for (const code of codes) expect(code).toMatch(wanted);
      }),
      { numRuns: 500 },
    );
  });

  test('is refused in good time where a few models would be billions', () => {
    // Each belongs to the one before it twice.
    const models = Array.from({ length: 60 }, (_, i) => i + 1);
    const links = models.flatMap((model) => [
      [model, model - 1] as const,
      [model, model - 1] as const,
    ]);
    const bytes = binaryFbx({ models, links }, 7_500);
    expect(codeOf(bytes, DEFAULT_GLTF_LIMITS.items)).toBe('assets/gltf-too-large');
    const at = scanFbx(bytes).links.map(({ byteOffset }) => byteOffset);
    expect(at).toHaveLength(120);
    expect(() =>
      checkFbx(scanFbx(bytes), DEFAULT_GLTF_LIMITS, new DiagnosticReport('/a.fbx')),
    ).toThrow(/\/a\.fbx@\d+: Model \d+ and others are connected so that/);
  });

  test('is as deep as it likes', () => {
    const models = Array.from({ length: 20_000 }, (_, i) => i + 1);
    const links = models.map((model) => [model, model - 1] as const);
    expect(codeOf(binaryFbx({ models, links }, 7_500), DEFAULT_GLTF_LIMITS.items)).toBe('sound');
  });

  test('has the size of what it unpacks to, packed or not, and no more than it can', () => {
    const nodes = fbxNodes({ models: [1], links: [] });
    const values = new Uint8Array(100_000);
    nodes.push({ name: 'Vertices', properties: [{ type: 'd', bytes: values }], children: [] });
    const [packed, plain] = [true, false].map((isPacked) =>
      writeFbx({ version: 7_400, nodes, footer: new Uint8Array(0) }, isPacked),
    ) as [Uint8Array, Uint8Array];
    const size = scanFbx(plain).unpackedBytes;
    expect(size).toBeGreaterThan(100_000);
    expect(size).toBeLessThan(plain.byteLength);
    expect(scanFbx(packed).unpackedBytes).toBe(size);
    // A claim of 2³² values is one of 1,032 times the bytes that are there.
    const at = Buffer.from(packed).indexOf('Vertices') + 'Vertices'.length + 1;
    new DataView(packed.buffer).setUint32(at, 2 ** 32 - 1, true);
    const claimed = scanFbx(packed).unpackedBytes;
    expect(claimed).toBeGreaterThan(size);
    expect(claimed).toBeLessThan(packed.byteLength * 1_032);
    const limits = { ...DEFAULT_GLTF_LIMITS, decodedBytes: 99_999 };
    expect(() => checkFbx(scanFbx(plain), limits, new DiagnosticReport('/a.fbx'))).toThrow(
      /unpacks to \d+ bytes, more than the limit of 99999/,
    );
  });

  test('that is damaged is looked through to where it is, whatever bytes are wrong', () => {
    fc.assert(
      fc.property(
        graph,
        fc.constantFrom(7_400, 7_500),
        fc.array(fc.tuple(fc.nat(3_000), fc.nat(255)), { minLength: 1, maxLength: 5 }),
        fc.nat(3_000),
        (made, version, faults, length) => {
          const bytes = binaryFbx(made, version);
          for (const [at, byte] of faults) bytes[at % bytes.length] = byte;
          for (const damaged of [bytes, bytes.subarray(0, length)]) {
            const { links, models, unpackedBytes } = scanFbx(damaged);
            expect(links.length + models.size).toBeLessThanOrEqual(damaged.length / 13);
            expect(unpackedBytes).toBeLessThanOrEqual(damaged.length * 1_032);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
