import { EclipticError } from '@ecliptic/core';
import { DEBUG_LINE_FLOATS, DEFORM_INTS, LIGHT_FLOATS } from '../frame-state/frame-state-layout.js';
import type { RenderView } from '../loop/render-view.js';
import { AFFINE_FLOATS } from '../math/affine-rows.js';
import type { MeshFacts } from './check-mesh.js';

/** A mesh that a backend has. */
export interface ResidentMesh extends MeshFacts {
  /** Joints that its vertices refer to; 0 for a rigid mesh. */
  readonly joints: number;
}

/**
 * Checks what a backend is to draw: meshes resident, joints and weights there, every number finite.
 *
 * @param meshes - those that are resident
 * @returns how many triangles it has
 * @throws EclipticError `render-sync/backend-invalid`
 */
export function checkView(view: RenderView, meshes: ReadonlyMap<string, ResidentMesh>): number {
  let triangles = 0;
  for (let i = 0; i < view.instanceCount; i++) {
    const record = view.records[i];
    const mesh = record && meshes.get(record.meshUuid);
    if (record === undefined || mesh === undefined) {
      throw invalid(`Instance ${record?.id} has mesh ${record?.meshUuid}, which isn't resident`, {
        instance: record?.id,
        mesh: record?.meshUuid,
      });
    }
    triangles += mesh.triangles;
    checkRows(view.transforms, i, `instance ${record.id} (${record.name ?? 'unnamed'})`);
  }
  const { lightCount, lightIds, lightParameters, debugLines, debugLineCount } = view.state;
  for (let i = 0; i < lightCount; i++) {
    checkRows(view.lightTransforms, i, `light of entity ${lightIds[i]}`);
  }
  for (let i = 0; i < lightCount * LIGHT_FLOATS; i++) {
    if (Number.isFinite(lightParameters[i])) continue;
    const id = lightIds[Math.floor(i / LIGHT_FLOATS)];
    throw invalid(`A light of entity ${id} that is not finite`, { id });
  }
  for (let i = 0; i < debugLineCount * DEBUG_LINE_FLOATS; i++) {
    if (!Number.isFinite(debugLines[i])) throw invalid('A debug line that is not finite', { i });
  }
  checkDeforms(view, meshes);
  checkCamera(view);
  return triangles;
}

/** What a backend may not get. */
export function invalid(what: string, subjects: Record<string, unknown>): EclipticError {
  return new EclipticError('render-sync/backend-invalid', `${what} reached the backend`, {
    subjects,
    fix: 'See RenderBackend for what a backend may rely on.',
  });
}

function checkDeforms(
  { records, deforms, deformCount, state, joints, morphWeights }: RenderView,
  meshes: ReadonlyMap<string, ResidentMesh>,
): void {
  for (let at = 0; at < deformCount * DEFORM_INTS; at += DEFORM_INTS) {
    const [index = 0, firstJoint = 0, jointCount = 0, firstWeight = 0, weightCount = 0] =
      deforms.subarray(at, at + DEFORM_INTS);
    const record = records[index];
    const what = `instance ${record?.id} (${record?.name ?? 'unnamed'})`;
    const needed = record && meshes.get(record.meshUuid)?.joints;
    const fits =
      needed !== undefined &&
      (jointCount === 0 || (needed > 0 && jointCount >= needed)) &&
      firstJoint + jointCount <= state.jointCount &&
      firstWeight + weightCount <= state.weightCount;
    if (!fits) {
      throw invalid(`${jointCount} joints and ${weightCount} morph weights of ${what}`, {
        instance: record?.id,
        mesh: record?.meshUuid,
        needed,
      });
    }
    for (let i = 0; i < jointCount; i++) checkRows(joints, firstJoint + i, `joint ${i} of ${what}`);
    const weights = morphWeights.subarray(firstWeight, firstWeight + weightCount);
    if (!weights.every(Number.isFinite)) throw invalid(`Morph weights of ${what}`, { what });
  }
}

function checkCamera({ camera }: RenderView): void {
  if (camera === undefined) return;
  checkRows(camera.transform, 0, `camera of entity ${camera.id}`);
  const { fovY, near, far, aspect } = camera;
  const valid = fovY > 0 && fovY < Math.PI && near > 0 && far > near && aspect > 0;
  if (!valid) throw invalid(`A camera of entity ${camera.id} that can't see`, { ...camera });
}

function checkRows(rows: Float32Array, index: number, what: string): void {
  const at = index * AFFINE_FLOATS;
  for (let i = at; i < at + AFFINE_FLOATS; i++) {
    if (!Number.isFinite(rows[i])) throw invalid(`The transform of ${what} isn't finite`, { what });
  }
}
