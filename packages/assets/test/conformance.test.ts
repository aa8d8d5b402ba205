import { describe, expect, it, test } from 'vitest';
import { describeImporter, importerCases } from '../src/conformance.js';
import { assimpImporter, gltfImporter, imageImporter, type Importer } from '../src/index.js';
import { linesImporter } from './engine.js';
import { everything, GltfBuilder } from './gltf-builder.js';
import { png } from './samples.js';

const OBJ = 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl red\nf 1/1 2/1 3/1\n';
const STL = `solid a
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
endsolid a
`;

const separate = (): GltfBuilder => {
  const gltf = new GltfBuilder();
  const position = gltf.accessor(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), 'VEC3');
  gltf.json['meshes'] = [{ primitives: [{ attributes: { POSITION: position } }] }];
  gltf.json['images'] = [{ uri: 'a%20b.png' }];
  return gltf;
};

describeImporter(
  { describe, it },
  {
    importer: gltfImporter(),
    mutations: 400,
    samples: [
      { files: { '/a.glb': everything().glb() }, path: '/a.glb' },
      { files: { '/m/a.gltf': everything().gltf() }, path: '/m/a.gltf' },
      {
        files: {
          '/m/a.gltf': separate().gltf('b.bin'),
          '/m/b.bin': separate().buffer,
          '/m/a b.png': png(3, 3),
        },
        path: '/m/a.gltf',
        settings: { normals: 'keep', lods: 2 },
      },
    ],
  },
);

describeImporter(
  { describe, it },
  {
    importer: imageImporter(),
    samples: [{ files: { '/a.png': png(2, 2) }, path: '/a.png' }],
  },
);

describeImporter(
  { describe, it },
  {
    importer: assimpImporter(),
    mutations: 100,
    samples: [
      {
        files: { '/a.obj': OBJ, '/a.mtl': 'newmtl red\nKd 1 0 0\nmap_Kd sub\\\\t.png\n' },
        path: '/a.obj',
      },
      { files: { '/a.stl': STL }, path: '/a.stl' },
    ],
  },
);

describe('the suite finds importers that', () => {
  const good = linesImporter();
  const cases: readonly (readonly [string, Partial<Importer>])[] = [
    ['have no version', { version: 0 }],
    ['take extensions that never match', { extensions: ['png'] }],
    ['give nothing', { import: async () => [] }],
    ['give something else each time', { import: counting(good) }],
    [
      'write to the source',
      { import: async (context) => (context.source.fill(7), good.import(context)) },
    ],
    ['let other errors through', { import: async () => JSON.parse('{') as never }],
    ['make NaN', { import: broken(good, { roughness: Number.NaN }) }],
    ['give functions', { import: broken(good, { extensions: { x: { f: (() => 1) as never } } }) }],
  ];

  test.each(cases)('%s', async (_, fault) => {
    const subject = {
      importer: { ...good, ...fault },
      samples: [{ files: { '/a.lines': 'a' }, path: '/a.lines' }],
      mutations: 5,
    };
    const outcomes = await Promise.allSettled(importerCases().map((one) => one.run(subject)));
    const errors = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as Error).name] : [],
    );
    expect(errors).toContain('ImporterConformanceError');
  });
});

function counting(inner: Importer): Importer['import'] {
  let count = 0;
  return (context) => broken(inner, { name: String(count++) })(context);
}

function broken(inner: Importer, change: object): Importer['import'] {
  return async (context) => {
    const [asset] = await inner.import(context);
    return [{ ...asset, data: { ...asset?.data, ...change } } as never];
  };
}
