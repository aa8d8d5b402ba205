import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeBounds } from '../src/geometry/bounds.js';
import { weldMesh } from '../src/geometry/weld-mesh.js';
import type { MeshData, Submesh, VertexStream } from '../src/index.js';

const few = fc.integer({ min: -1, max: 1 });
const vertices = fc.array(fc.tuple(few, few, few, few), { minLength: 1, maxLength: 12 });

/** Triangles soups of one or two submeshes, with few different values. */
const meshes = fc
  .tuple(fc.array(vertices, { minLength: 1, maxLength: 2 }), fc.infiniteStream(fc.nat()))
  .map(([blocks, random]): MeshData => {
    const all = blocks.flat();
    const indices: number[] = [];
    let firstVertex = 0;
    const submeshes = blocks.map((block): Submesh => {
      const firstIndex = indices.length;
      for (let i = 0; i < 6; i++)
        indices.push(firstVertex + ((random.next().value ?? 0) % block.length));
      const range = { firstIndex, indexCount: 6, firstVertex, vertexCount: block.length };
      firstVertex += block.length;
      return {
        topology: 'triangles',
        ...range,
        material: undefined,
        bounds: { min: [0, 0, 0], max: [1, 1, 1] },
      };
    });
    const positions = Float32Array.from(all.flatMap(([x, y]) => [x, y, 0]));
    return {
      name: 'soup',
      vertexCount: all.length,
      streams: [
        { semantic: 'POSITION', components: 3, data: positions },
        {
          semantic: 'JOINTS_0',
          components: 4,
          data: Uint16Array.from(all.flatMap(([, , z]) => [z + 1, 0, 0, 0])),
        },
      ],
      indices: Uint16Array.from(indices),
      submeshes,
      bounds: computeBounds(positions, 0, all.length),
      morphTargets: [
        {
          name: 'up',
          streams: [
            {
              semantic: 'POSITION',
              components: 3,
              data: Float32Array.from(all.flatMap(([, , , w]) => [0, w, 0])),
            },
          ],
        },
      ],
      morphWeights: [0],
    };
  });

/** All values of a vertex. −0 is 0. */
function vertexOf(mesh: MeshData, vertex: number): string {
  const values = ({ data, components }: VertexStream): number[] =>
    [...data.subarray(vertex * components, (vertex + 1) * components)].map((value) => value + 0);
  return JSON.stringify(
    [...mesh.streams, ...mesh.morphTargets.flatMap(({ streams }) => streams)].map(values),
  );
}

const rangeOf = (mesh: MeshData, { firstVertex, vertexCount }: Submesh): string[] =>
  Array.from({ length: vertexCount }, (_, i) => vertexOf(mesh, firstVertex + i));

test('a welded mesh draws the same, with no two vertices of a submesh alike', () => {
  fc.assert(
    fc.property(meshes, (mesh) => {
      const welded = weldMesh(mesh);
      expect(Array.from(welded.indices, (vertex) => vertexOf(welded, vertex))).toEqual(
        Array.from(mesh.indices, (vertex) => vertexOf(mesh, vertex)),
      );
      let vertexCount = 0;
      welded.submeshes.forEach((submesh, i) => {
        const before = mesh.submeshes[i];
        if (!before) throw new Error('There is another submesh');
        expect(rangeOf(welded, submesh)).toEqual([...new Set(rangeOf(mesh, before))]);
        expect(submesh).toMatchObject({
          firstIndex: before.firstIndex,
          indexCount: before.indexCount,
          firstVertex: vertexCount,
        });
        const own = welded.indices.subarray(
          submesh.firstIndex,
          submesh.firstIndex + submesh.indexCount,
        );
        for (const vertex of own) {
          expect(vertex).toBeGreaterThanOrEqual(submesh.firstVertex);
          expect(vertex).toBeLessThan(submesh.firstVertex + submesh.vertexCount);
        }
        vertexCount += submesh.vertexCount;
      });
      expect(welded.vertexCount).toBe(vertexCount);
      for (const { data, components } of welded.streams)
        expect(data).toHaveLength(vertexCount * components);
      expect(welded.bounds).toEqual(mesh.bounds);
    }),
  );
});

test('a mesh without vertices that are alike stays the very same', () => {
  const data = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
  const bounds = computeBounds(data, 0, 3);
  const range = { firstIndex: 0, indexCount: 3, firstVertex: 0, vertexCount: 3 };
  const mesh: MeshData = {
    name: '',
    vertexCount: 3,
    streams: [{ semantic: 'POSITION', components: 3, data }],
    indices: Uint16Array.of(0, 1, 2),
    submeshes: [{ topology: 'triangles', ...range, material: undefined, bounds }],
    bounds,
    morphTargets: [],
    morphWeights: [],
  };
  expect(weldMesh(mesh)).toBe(mesh);
});

test('indices become short where they fit then', () => {
  const count = 70_000;
  const data = Float32Array.from({ length: count * 3 }, (_, i) => Math.floor(i / 3) % 10);
  const bounds = computeBounds(data, 0, count);
  const range = { firstIndex: 0, indexCount: count, firstVertex: 0, vertexCount: count };
  const welded = weldMesh({
    name: '',
    vertexCount: count,
    streams: [{ semantic: 'POSITION', components: 3, data }],
    indices: Uint32Array.from({ length: count }, (_, i) => i),
    submeshes: [{ topology: 'points', ...range, material: undefined, bounds }],
    bounds,
    morphTargets: [],
    morphWeights: [],
  });
  expect(welded.vertexCount).toBe(10);
  expect(welded.indices).toBeInstanceOf(Uint16Array);
  expect(welded.indices.at(-1)).toBe(9);
});
