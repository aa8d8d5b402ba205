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

  test('how much is mirrored, by index of refraction and specular strength', () => {
    const reflectance = (extensions = {}): number =>
      packMaterial(material({ extensions })).numbers[12] ?? NaN;
    const ior = (value: unknown) => ({ KHR_materials_ior: { ior: value } });
    const specular = (factor: number, color: number[]) => ({
      KHR_materials_specular: { specularFactor: factor, specularColorFactor: color },
    });
    expect(reflectance()).toBe(Math.fround(0.04));
    expect(reflectance(ior(1.5))).toBe(Math.fround(0.04));
    expect(reflectance(ior(1))).toBe(0);
    expect(reflectance(ior(0))).toBe(1);
    expect(reflectance(ior(NaN))).toBe(Math.fround(0.04));
    expect(reflectance(specular(0.5, [1, 1, 1]))).toBeCloseTo(0.02, 6);
    expect(reflectance(specular(1, [0, 1, 0]))).toBeCloseTo(0.04 * 0.7152, 6);
    expect(reflectance({ ...ior(2), ...specular(0.5, [9, 9, 9]) })).toBeCloseTo(0.5, 6);
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
    const slot = [...packMaterial(material({ baseColorTexture: ref })).numbers.subarray(16, 24)];
    [0, 3, 0.1, 1, -2, 0, 0.2, 0].forEach((value, i) => expect(slot[i]).toBeCloseTo(value));
  });
});
