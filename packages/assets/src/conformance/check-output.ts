import type { ImportedAsset } from '../data/imported-asset.js';
import type { MeshData } from '../data/mesh-data.js';
import { must } from './conformance-case.js';

/**
 * Checks what every importer's output must be: one main asset, unique keys and uuids, uuids that come from the context, finite
 * numbers, sound meshes.
 *
 * @param where - for messages
 * @param subAsset - the uuid of a key
 */
export function checkOutput(
  assets: readonly ImportedAsset[],
  main: { readonly uuid: string; readonly type: string },
  subAsset: (key: string) => string,
  where: string,
): void {
  must(Array.isArray(assets), `${where}: the result is no list`);
  const mains = assets.filter((asset) => asset.key === '');
  must(mains.length === 1, `${where}: ${mains.length} assets have the key '', not 1`);
  must(mains[0]?.uuid === main.uuid, `${where}: the main asset has not the source's uuid`);
  must(
    mains[0]?.type === main.type,
    `${where}: the main asset is a ${mains[0]?.type}, not a ${main.type}`,
  );
  const keys = new Set(assets.map((asset) => asset.key.toLowerCase()));
  must(keys.size === assets.length, `${where}: keys are not unique without regard to case`);
  for (const asset of assets) {
    const name = `${where}#${asset.key}`;
    must(
      asset.key === '' || asset.uuid === subAsset(asset.key),
      `${name}: the uuid is not context.subAsset(key)`,
    );
    must(
      new Set(asset.dependencies).size === asset.dependencies.length,
      `${name}: a dependency is listed twice`,
    );
    checkFinite(asset.data, name);
    if (asset.type === 'mesh') checkMesh(asset.data, name);
  }
}

function checkFinite(data: unknown, where: string): void {
  const pending: unknown[] = [data];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'number') must(Number.isFinite(value), `${where}: ${value} in the data`);
    else if (value instanceof Float32Array) {
      must(value.every(Number.isFinite), `${where}: a stream holds values that are not finite`);
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const item of Object.values(value)) pending.push(item);
    } else {
      const kind = typeof value;
      must(
        kind !== 'function' && kind !== 'bigint' && kind !== 'symbol',
        `${where}: a ${kind} in the data`,
      );
    }
  }
}

function checkMesh(mesh: MeshData, where: string): void {
  const { vertexCount, indices, streams, submeshes } = mesh;
  const position = streams.find((stream) => stream.semantic === 'POSITION');
  must(position?.components === 3, `${where}: there are no positions of 3 components`);
  for (const { semantic, components, data } of [
    ...streams,
    ...mesh.morphTargets.flatMap((target) => target.streams),
  ]) {
    must(data.length === components * vertexCount, `${where}: ${semantic} has the wrong length`);
  }
  must(
    indices.every((index) => index < vertexCount),
    `${where}: an index has no vertex`,
  );
  for (const lod of mesh.lods ?? []) {
    must(
      lod.ranges.length === submeshes.length,
      `${where}: a LOD has not a range for each submesh`,
    );
    must(
      lod.indices.every((index) => index < vertexCount),
      `${where}: an index of a LOD has no vertex`,
    );
  }
  for (const [i, submesh] of submeshes.entries()) {
    const { firstIndex, indexCount, firstVertex, topology } = submesh;
    const divisor = { points: 1, lines: 2, triangles: 3 }[topology];
    must(indexCount % divisor === 0, `${where}: submesh ${i} ends inside a primitive`);
    must(firstIndex + indexCount <= indices.length, `${where}: submesh ${i} leaves the indices`);
    must(
      firstVertex + submesh.vertexCount <= vertexCount,
      `${where}: submesh ${i} leaves the vertices`,
    );
    const { min, max } = submesh.bounds;
    must(
      min.every((low, axis) => low <= (max[axis] ?? low)),
      `${where}: submesh ${i} has bounds inside out`,
    );
  }
}
