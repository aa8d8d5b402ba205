const TOPOLOGIES = ['points', 'lines', 'triangles'] as const;

const TRIANGLES = TOPOLOGIES.indexOf('triangles');
const BLEND = 32;

/** What tells pipelines that draw meshes apart. */
export interface MeshVariant {
  readonly topology: (typeof TOPOLOGIES)[number];
  readonly doubleSided: boolean;
  /** Fragments may be discarded. */
  readonly cut: boolean;
  /** The transform turns the winding around. */
  readonly mirrored: boolean;
  /** What is behind shines through: drawn after everything else, from the back to the front. */
  readonly blend: boolean;
}

/** A variant as one small number. */
export function encodeVariant(variant: MeshVariant): number {
  const { topology, doubleSided, cut, mirrored, blend } = variant;
  const kind = TOPOLOGIES.indexOf(topology);
  return kind | (doubleSided ? 4 : 0) | (cut ? 8 : 0) | (mirrored ? 16 : 0) | (blend ? BLEND : 0);
}

/** Whether a variant draws triangles, without decoding the rest. */
export function isTriangles(variant: number): boolean {
  return (variant & 3) === TRIANGLES;
}

/** Whether a variant blends, without decoding the rest. */
export function isBlended(variant: number): boolean {
  return (variant & BLEND) !== 0;
}

export function decodeVariant(variant: number): MeshVariant {
  return {
    topology: TOPOLOGIES[variant & 3] ?? 'triangles',
    doubleSided: (variant & 4) !== 0,
    cut: (variant & 8) !== 0,
    mirrored: (variant & 16) !== 0,
    blend: isBlended(variant),
  };
}
