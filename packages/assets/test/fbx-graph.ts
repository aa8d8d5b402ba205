import type { FbxNode, FbxProperty } from './fbx-tree.js';
import { writeFbx } from './fbx-tree.js';

/** Models by number, and which belongs to which: child, then parent. 0 is the scene. */
export interface FbxGraph {
  readonly models: readonly number[];
  readonly links: readonly (readonly [child: number, parent: number])[];
}

const text = (value: string): FbxProperty => ({
  type: 'S',
  bytes: Uint8Array.from(value, (c) => c.charCodeAt(0)),
});
const id = (value: number): FbxProperty => ({
  type: 'L',
  bytes: new Uint8Array(BigInt64Array.of(BigInt(value)).buffer),
});
const node = (
  name: string,
  properties: readonly FbxProperty[],
  children: readonly FbxNode[] = [],
): FbxNode => ({ name, properties: [...properties], children: [...children] });

/** The nodes of a binary FBX of empty models. */
export function fbxNodes({ models, links }: FbxGraph): FbxNode[] {
  return [
    node('FBXHeaderExtension', []),
    node(
      'Objects',
      [],
      models.map((model) =>
        node(
          'Model',
          [id(model), text(`m${model}\0\u0001Model`), text('Null')],
          [node('Properties70', [])],
        ),
      ),
    ),
    node(
      'Connections',
      [],
      links.map(([child, parent]) => node('C', [text('OO'), id(child), id(parent)])),
    ),
  ];
}

/** A binary FBX of empty models. */
export function binaryFbx(graph: FbxGraph, version: number): Uint8Array {
  return writeFbx({ version, nodes: fbxNodes(graph), footer: new Uint8Array(0) }, true);
}

/** The same as text. */
export function textFbx({ models, links }: FbxGraph): string {
  return [
    '; FBX 7.4.0 project file',
    'FBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}',
    'Objects:  {',
    ...models.map((model) => `\tModel: ${model}, "Model::m${model}", "Null" {\n\t}`),
    '}',
    'Connections:  {',
    ...links.map(([child, parent]) => `\tC: "OO",${child},${parent}`),
    '}',
    '',
  ].join('\n');
}
