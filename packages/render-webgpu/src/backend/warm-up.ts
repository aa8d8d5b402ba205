import type { MaterialData, MeshData } from '@ecliptic/assets';
import {
  frameStateFormat,
  LIGHT_KINDS,
  RenderView,
  SKY_KINDS,
  type InstanceRecord,
  type RenderFrameState,
} from '@ecliptic/render-sync';
import { TEXTURE_USAGE } from '../device/gpu-flags.js';
import { packMesh } from '../geometry/pack-mesh.js';
import { PLAIN } from '../materials/material-store.js';
import { packMaterial } from '../materials/pack-material.js';
import type { FrameScene } from '../scene/frame-scene.js';
import type { DeviceRenderer } from './device-renderer.js';

/** What the first frames will have in them, so that it is prepared before there is anything to draw. */
export interface WarmUp {
  /** Kind of the sky. Default `none`. */
  readonly sky?: (typeof SKY_KINDS)[number];
  /** Kinds of materials. Default: one that is opaque and single-sided. */
  readonly materials?: readonly Partial<Pick<MaterialData, 'alphaMode' | 'doubleSided'>>[];
}

/** Pixels of a side. */
const SIZE = 8;
const MESH = 'warm-up';
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
/** Affine rows of something that looks at the origin. */
const IN_FRONT = IDENTITY.with(11, 4);

/**
 * Draws a frame that nobody sees: a triangle of each material, lit, through all passes, to a texture of a few pixels. Devices compile
 * shaders when something is first drawn with them; so they do it while assets are still being loaded. Submits, and doesn't wait.
 */
export function warmUp(renderer: DeviceRenderer, { sky = 'none', materials = [{}] }: WarmUp): void {
  const { device, pool, target } = renderer;
  const uuids = materials.map((_, i) => `${MESH} ${i}`);
  const records = uuids.map((materialUuid, i): InstanceRecord => {
    return { id: i + 1, meshUuid: MESH, materialUuid };
  });
  const mesh = triangle();
  pool.add(new Map([[MESH, packMesh(mesh)]]));
  materials.forEach((material, i) => {
    renderer.materials.add(uuids[i] ?? '', packMaterial({ ...PLAIN, ...material }));
  });
  const view = new RenderView();
  view.update(
    stateOf(records, SKY_KINDS.indexOf(sky)),
    1,
    1,
    new Map(records.map((record) => [record.id, record])),
    1,
    { version: 1, isResident: () => true, jointsFor: () => 0 },
  );
  const scene: FrameScene = renderer.createScene();
  const texture = device.createTexture({
    label: 'warm-up',
    format: target.format,
    size: [SIZE, SIZE],
    usage: TEXTURE_USAGE.attachment,
  });
  try {
    scene.update(view, { width: SIZE, height: SIZE, pixelRatio: 1 });
    const encoder = device.createCommandEncoder({ label: 'warm-up' });
    renderer.graph.execute(encoder, scene, texture);
    device.queue.submit([encoder.finish()]);
  } finally {
    texture.destroy();
    scene.dispose();
    for (const uuid of uuids) renderer.materials.free(uuid);
    pool.free(MESH);
  }
}

/** One instance of each record, a camera in front of them, and a light with a shadow. */
function stateOf(records: readonly InstanceRecord[], skyKind: number): RenderFrameState {
  const few = { lights: 1, cameras: 1, deforms: 1, joints: 1, morphWeights: 1, debugLines: 1 };
  const format = frameStateFormat({ instances: Math.max(1, records.length), ...few });
  const state = format.view(new ArrayBuffer(format.byteLength), 0);
  records.forEach(({ id }, i) => {
    state.instanceIds[i] = id;
    state.instanceCurrent.set(IDENTITY, i * IDENTITY.length);
  });
  state.instanceCount = records.length;
  state.cameraCount = 1;
  state.cameraParameters.set([1, 0.1, 100, 1]);
  state.lightCount = 1;
  state.lightKinds[0] = LIGHT_KINDS.indexOf('directional');
  state.lightParameters.set([1, 1, 1, 1, 0, 0, 0, 1]);
  for (const rows of [state.cameraPrevious, state.cameraCurrent]) rows.set(IN_FRONT);
  for (const rows of [state.lightPrevious, state.lightCurrent]) rows.set(IN_FRONT);
  state.skyKind = skyKind;
  state.width = SIZE;
  state.height = SIZE;
  return state;
}

function triangle(): MeshData {
  const bounds = { min: [-1, -1, 0], max: [1, 1, 0] } as const;
  const range = { firstIndex: 0, indexCount: 3, firstVertex: 0, vertexCount: 3 };
  const positions = Float32Array.of(-1, -1, 0, 1, -1, 0, 0, 1, 0);
  return {
    name: MESH,
    vertexCount: 3,
    streams: [{ semantic: 'POSITION', components: 3, data: positions }],
    indices: Uint16Array.of(0, 1, 2),
    submeshes: [{ topology: 'triangles', ...range, material: undefined, bounds }],
    bounds,
    morphTargets: [],
    morphWeights: [],
  };
}
