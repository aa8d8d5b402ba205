import { describe, expect, test } from 'vitest';
import { packMesh, VERTEX_BYTES } from '../src/geometry/pack-mesh.js';
import { packMaterial, undrawnExtensions } from '../src/materials/pack-material.js';
import { material } from './fixtures/images.js';
import { ground, meshOf, sphere, textureRef, uuid } from './fixtures/meshes.js';

describe('packed meshes', () => {
  test('hold every stream at its place, and a sphere around everything', () => {
    const { vertices, indices, radius, center } = packMesh(ground());
    expect(vertices.byteLength).toBe(4 * VERTEX_BYTES);
    expect([...vertices.subarray(15, 18)]).toEqual([-1, 0, 1]);
    expect([...vertices.subarray(25, 27)]).toEqual([0, 1]);
    expect([...new Uint8Array(vertices.buffer, 56, 4)]).toEqual([255, 255, 255, 255]);
    expect([...indices]).toEqual([0, 1, 2, 0, 2, 3]);
    expect(center).toEqual([0, 0, 0]);
    expect(radius).toBeCloseTo(Math.SQRT2);
  });

  test('get normals where they have none: those of a ball point outwards', () => {
    const ball = sphere();
    const bare = packMesh({
      ...ball,
      streams: ball.streams.filter(({ semantic }) => semantic !== 'NORMAL'),
    });
    for (let v = 40; v < 200; v++) {
      const at = v * 15;
      const dot = [0, 1, 2].reduce(
        (sum, c) => sum + (bare.vertices[at + c] ?? 0) * (bare.vertices[at + 3 + c] ?? 0),
        0,
      );
      expect(dot).toBeGreaterThan(0.95);
    }
  });

  test('a triangle without area gets a normal all the same', () => {
    const flat = packMesh(
      meshOf({
        positions: [0, 0, 0, 0, 0, 0, 0, 0, 0],
        uvs: [0, 0, 0, 0, 0, 0],
        indices: [0, 1, 2],
      }),
    );
    expect([...flat.vertices.subarray(3, 6)]).toEqual([0, 1, 0]);
  });
});

describe('packed materials', () => {
  test('alpha modes', () => {
    const cutoff = (alphaMode: 'opaque' | 'mask' | 'blend') =>
      packMaterial(material({ alphaMode, alphaCutoff: 0.25 }));
    expect([cutoff('opaque').numbers[11], cutoff('opaque').cut]).toEqual([-1, false]);
    expect([cutoff('mask').numbers[11], cutoff('mask').cut]).toEqual([0.25, true]);
    expect([cutoff('blend').numbers[11], cutoff('blend').cut]).toEqual([-2, true]);
  });

  test('strong glow, and surfaces without light', () => {
    const strong = material({
      emissive: [1, 0.5, 0],
      extensions: { KHR_materials_emissive_strength: { emissiveStrength: 4 } },
    });
    expect([...packMaterial(strong).numbers.subarray(4, 7)]).toEqual([4, 2, 0]);
    const unlit = packMaterial(
      material({
        baseColor: [1, 0.5, 0.25, 1],
        baseColorTexture: textureRef(uuid(1)),
        extensions: { KHR_materials_unlit: {} },
      }),
    );
    expect([...unlit.numbers.subarray(0, 7)]).toEqual([0, 0, 0, 1, 1, 0.5, 0.25]);
    expect(unlit.textures[4]?.texture).toBe(uuid(1));
  });

  test('extensions that change nothing are known', () => {
    const extensions = { KHR_materials_unlit: {}, KHR_materials_clearcoat: {} };
    expect(undrawnExtensions(material({ extensions }))).toEqual(['KHR_materials_clearcoat']);
  });

  test('texture transforms', () => {
    const ref = {
      ...textureRef(uuid(1)),
      texCoord: 1,
      transform: { offset: [0.1, 0.2], rotation: Math.PI / 2, scale: [2, 3] },
    } as const;
    const slot = [...packMaterial(material({ baseColorTexture: ref })).numbers.subarray(12, 20)];
    [0, 3, 0.1, 1, -2, 0, 0.2, 0].forEach((value, i) => expect(slot[i]).toBeCloseTo(value));
  });
});
