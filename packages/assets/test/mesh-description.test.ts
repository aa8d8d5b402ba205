import { expect, test } from 'vitest';
import { decodeArtifact, describeArtifact, encodeArtifact } from '../src/artifacts.js';
import { artifactDamaged } from '../src/artifacts/artifact-header.js';
import { BlockReader, BlockWriter } from '../src/artifacts/block-arrays.js';
import { readMesh, writeMesh, type MeshDescription } from '../src/artifacts/mesh-description.js';
import type { MeshData } from '../src/index.js';

const MATERIAL = '2c5ea4c0-4067-4fe9-8bad-9b1deb4d3b7d';
const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
const box = { min: [0, 0, 0], max: [1, 1, 0] } as const;
const draws = { topology: 'triangles', firstIndex: 0, indexCount: 3, bounds: box } as const;

/** A mesh with everything that a mesh can have. */
const mesh: MeshData = {
  name: 'Räder "vorn"',
  vertexCount: 3,
  streams: [
    { semantic: 'POSITION', components: 3, data: positions },
    { semantic: 'JOINTS_0', components: 4, data: new Uint16Array(12).fill(2) },
    // Of the same values as the positions: one block.
    { semantic: '_REST', components: 3, data: positions },
  ],
  indices: Uint16Array.of(0, 1, 2),
  submeshes: [
    { ...draws, firstVertex: 0, vertexCount: 3, material: undefined },
    {
      ...draws,
      firstVertex: 1,
      vertexCount: 2,
      material: MATERIAL,
      variants: JSON.parse(`{"__proto__":"${MATERIAL}","dusk":"${MATERIAL}"}`),
    },
  ],
  bounds: box,
  morphTargets: [
    {
      name: 'smile',
      streams: [
        { semantic: 'POSITION', components: 3, data: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1) },
      ],
    },
    { name: '', streams: [] },
  ],
  morphWeights: [0.25, 0],
  lods: [
    {
      error: 0.5,
      indices: Uint16Array.of(0, 2, 1),
      ranges: [
        { firstIndex: 0, indexCount: 3 },
        { firstIndex: 3, indexCount: 0 },
      ],
    },
  ],
};

test('a mesh comes back as it was, with arrays that it had twice as one', () => {
  const blocks = new BlockWriter();
  writeMesh(mesh, blocks);
  expect(blocks.arrays).toHaveLength(5);
  const { data } = decodeArtifact(encodeArtifact({ type: 'mesh', data: mesh }));
  expect(data).toEqual(mesh);
  expect(Object.keys((data as MeshData).submeshes[1]?.variants ?? {})).toEqual([
    '__proto__',
    'dusk',
  ]);
  const { lods: _, ...withoutLods } = mesh;
  const plain = decodeArtifact(encodeArtifact({ type: 'mesh', data: withoutLods })).data;
  expect(plain).toEqual(withoutLods);
  expect('lods' in plain).toBe(false);
});

test('a mesh is described by the documented lists', () => {
  expect(writeMesh(mesh, new BlockWriter())).toEqual([
    'Räder "vorn"',
    3,
    [
      ['POSITION', 3, 0],
      ['JOINTS_0', 4, 6],
      ['_REST', 3, 0],
    ],
    10,
    [
      ['triangles', 0, 3, 0, 3, [0, 0, 0, 1, 1, 0], null, null],
      ['triangles', 0, 3, 1, 2, [0, 0, 0, 1, 1, 0], MATERIAL, mesh.submeshes[1]?.variants],
    ],
    [0, 0, 0, 1, 1, 0],
    [
      ['smile', [['POSITION', 3, 12]]],
      ['', []],
    ],
    [0.25, 0],
    [
      [
        0.5,
        18,
        [
          [0, 3],
          [3, 0],
        ],
      ],
    ],
  ]);
});

test('for people a mesh is described with names', () => {
  const { tree, blocks } = describeArtifact(encodeArtifact({ type: 'mesh', data: mesh }));
  expect(blocks).toHaveLength(5);
  expect(tree).toMatchObject({
    name: mesh.name,
    streams: [
      { data: { $f32: 0 } },
      { data: { $u16: 1 } },
      { semantic: '_REST', data: { $f32: 0 } },
    ],
    indices: { $u16: 2 },
    submeshes: [{}, { material: MATERIAL }],
    lods: [{ indices: { $u16: 4 } }],
  });
});

test.each([
  ['no block', ['', 3, [['POSITION', 3, 4]], 2, [], [0, 0, 0, 0, 0, 0], [], [], null]],
  [
    'a block that is no number',
    ['', 3, [['POSITION', 3, '0']], 'length', [], [0, 0, 0, 0, 0, 0], [], [], null],
  ],
  ['half a float', ['', 3, [['POSITION', 3, 0]], 2, [], [0, 0, 0, 0, 0, 0], [], [], null]],
])('a description with %s is damaged', (_, description) => {
  const blocks = new BlockReader(new Uint8Array(16), [{ offset: 0, bytes: 6 }]);
  expect(() => readMesh(description as unknown as MeshDescription, blocks)).toThrow(
    expect.objectContaining({ code: artifactDamaged('').code }),
  );
});
