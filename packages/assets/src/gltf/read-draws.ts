import { toIndexList, type IndexList } from '../geometry/triangulate.js';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { AccessorSource } from './accessor-values.js';
import type { MeshDef, PrimitiveDef } from './model.js';
import { normalizeWeights, readAttributes, type Attribute } from './read-attributes.js';
import { readIndices } from './read-indices.js';

/** Vertices that one or more draws use. */
export interface VertexBlock {
  readonly count: number;
  readonly attributes: Map<string, Attribute>;
  readonly targets: readonly Map<string, Attribute>[];
}

/** One primitive of a mesh: an index list over its vertices. */
export interface Draw {
  readonly block: VertexBlock;
  readonly list: IndexList;
  readonly primitive: PrimitiveDef;
}

/** Reads the primitives of a mesh. Those that use the same accessors share their vertices. */
export function readDraws(
  mesh: MeshDef,
  accessors: AccessorSource,
  report: DiagnosticReport,
): Draw[] {
  const blocks = new Map<string, VertexBlock>();
  return mesh.primitives.flatMap((primitive): Draw[] => {
    const { pointer } = primitive;
    if (!primitive.attributes.has('POSITION')) {
      report.warn('assets/gltf-no-position', 'A primitive without POSITION is left out', {
        pointer: `${pointer}/attributes`,
      });
      return [];
    }
    const key = JSON.stringify([
      [...primitive.attributes],
      primitive.targets.map((target) => [...target]),
      // Draco data of equal accessors would have been decoded into them once.
      primitive.draco?.view,
    ]);
    const block = blocks.get(key) ?? readBlock(primitive, accessors, report);
    if (!block) return [];
    blocks.set(key, block);
    const indices = readIndices(primitive, block.count, accessors, report);
    if (!indices || block.count === 0) return [];
    return [{ block, list: toIndexList(primitive.mode, indices), primitive }];
  });
}

function readBlock(
  { attributes: indices, targets, pointer }: PrimitiveDef,
  accessors: AccessorSource,
  report: DiagnosticReport,
): VertexBlock | undefined {
  const place = `${pointer}/attributes`;
  const types = ['VEC3'];
  const position = accessors.typed(indices.get('POSITION'), `${place}/POSITION`, types);
  if (!position) return undefined;
  const { count } = position;
  const attributes = readAttributes(indices, place, count, false, accessors, report);
  // Tangents without normals have no meaning.
  if (!attributes.has('NORMAL')) attributes.delete('TANGENT');
  const weights = [...attributes]
    .filter(([semantic]) => semantic.startsWith('WEIGHTS_'))
    .map(([, attribute]) => attribute.data as Float32Array);
  const off = normalizeWeights(weights);
  if (off > 0) {
    report.warn('assets/gltf-weights', `Weights of ${off} vertices don't add up to 1`, { pointer });
  }
  return {
    count,
    attributes,
    targets: targets.map((target, i) =>
      readAttributes(target, `${pointer}/targets/${i}`, count, true, accessors, report),
    ),
  };
}
