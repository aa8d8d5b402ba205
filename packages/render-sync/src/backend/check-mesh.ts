import { EclipticError } from '@ecliptic/core';
import { findStream, type MeshData } from '@ecliptic/assets';

/** What {@link checkMesh} found out about a mesh. */
export interface MeshFacts {
  readonly bytes: number;
  readonly triangles: number;
}

/**
 * Checks that a mesh is fit for upload: streams of the right length and finite, positions among them, bounds that are finite,
 * indices below the vertex count, submeshes within the indices, morph targets as long as the mesh, simpler versions with a finite error
 * and a range for each submesh.
 *
 * @returns its size
 * @throws EclipticError `render-sync/mesh-invalid`
 */
export function checkMesh(uuid: string, mesh: MeshData): MeshFacts {
  const { vertexCount, streams, indices, submeshes, bounds } = mesh;
  const require = (fine: boolean, problem: string): void => {
    if (fine) return;
    throw new EclipticError('render-sync/mesh-invalid', `Mesh ${uuid}: ${problem}`, {
      subjects: { mesh: uuid },
      fix: 'Import it again; if it was made by code, check that code.',
    });
  };
  let bytes = indices.byteLength;
  const morphs = mesh.morphTargets.flatMap((target) => target.streams);
  for (const { semantic, components, data } of [...streams, ...morphs]) {
    require(data.length ===
      vertexCount *
        components, `${semantic} has ${data.length} numbers for ${vertexCount} vertices`);
    require(data.every(Number.isFinite), `${semantic} isn't finite`);
    bytes += data.byteLength;
  }
  require([...bounds.min, ...bounds.max].every(Number.isFinite), "its bounds aren't finite");
  const position = findStream(mesh, 'POSITION');
  require(position?.components === 3, 'it has no positions');
  for (const index of indices) {
    require(index < vertexCount, `index ${index} of ${vertexCount} vertices`);
  }
  let triangles = 0;
  for (const { topology, firstIndex, indexCount } of submeshes) {
    require(firstIndex >= 0 &&
      indexCount >= 0 &&
      firstIndex + indexCount <=
        indices.length, `a submesh ends at index ${firstIndex + indexCount} of ${indices.length}`);
    if (topology !== 'triangles') continue;
    require(indexCount % 3 === 0, `a submesh of ${indexCount} indices has no whole triangles`);
    triangles += indexCount / 3;
  }
  for (const { error, indices: simpler, ranges } of mesh.lods ?? []) {
    bytes += simpler.byteLength;
    require(error >= 0 && Number.isFinite(error), `a LOD is off by ${error}`);
    require(ranges.length ===
      submeshes.length, `a LOD has ${ranges.length} ranges for ${submeshes.length} submeshes`);
    for (const index of simpler) {
      require(index < vertexCount, `index ${index} of a LOD, of ${vertexCount} vertices`);
    }
    for (const [i, { firstIndex, indexCount }] of ranges.entries()) {
      require(firstIndex >= 0 &&
        indexCount >= 0 &&
        firstIndex + indexCount <=
          simpler.length, `a LOD ends at index ${firstIndex + indexCount} of ${simpler.length}`);
      require(submeshes[i]?.topology !== 'triangles' ||
        indexCount % 3 === 0, `a LOD of ${indexCount} indices has no whole triangles`);
    }
  }
  return { bytes, triangles };
}
