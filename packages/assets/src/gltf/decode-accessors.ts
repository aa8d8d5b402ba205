import { messageOf } from '@ecliptic/core';
import type { GLTF, TypedArray } from '@gltf-transform/core';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { GltfDecoders } from './decoders.js';
import type { LoadedBuffer } from './load-resources.js';
import { type AccessorDef, type GltfRoot, type ViewDef } from './model.js';

/** Values of an accessor, `count × components` of them, not dequantised. */
export interface DecodedAccessor {
  readonly array: TypedArray;
  readonly components: number;
  readonly normalized: boolean;
  /** Elements. */
  readonly count: number;
  readonly pointer: string;
  /** Whether compression may have changed values a little, so that declared bounds are not exact. */
  readonly lossy: boolean;
}

const DRACO = 'KHR_draco_mesh_compression';
/** Stands in for an accessor that is not decoded, so that indices stay the same. */
const PLACEHOLDER: GLTF.IAccessor = { componentType: 5126, count: 1, type: 'SCALAR' };

/**
 * Decodes every usable accessor: buffer views, sparse values, meshopt and Draco. The file's own JSON never
 * reaches the library, only the parts that were checked, with buffers in place of URIs.
 *
 * @returns one entry an accessor; `undefined` for those with a `problem`
 * @throws ImportError `assets/gltf-compressed` when a decoder refuses its data
 */
export async function decodeAccessors(
  root: GltfRoot,
  buffers: readonly LoadedBuffer[],
  decoders: GltfDecoders,
  report: DiagnosticReport,
): Promise<(DecodedAccessor | undefined)[]> {
  const resources: Record<string, Uint8Array<ArrayBuffer>> = {};
  const bufferDefs: GLTF.IBuffer[] = [];
  const addBuffer = (bytes: Uint8Array): number => {
    const uri = `buffer-${bufferDefs.length}`;
    resources[uri] = bytes as Uint8Array<ArrayBuffer>;
    return bufferDefs.push({ uri, byteLength: bytes.byteLength }) - 1;
  };
  for (const buffer of buffers) addBuffer('bytes' in buffer ? buffer.bytes : new Uint8Array(0));
  const views = await Promise.all(
    root.views.map(async (view, index): Promise<GLTF.IBufferView> => {
      if (!view.meshopt) return plainView(view, buffers[view.buffer]);
      const bytes = await decodeMeshopt(view, index, buffers, decoders, report);
      return {
        buffer: addBuffer(bytes),
        byteOffset: 0,
        byteLength: bytes.byteLength,
        byteStride: view.meshopt.byteStride,
      };
    }),
  );
  report.throwIfFailed();

  const dracoAccessors = new Set<number>();
  for (const mesh of root.meshes) {
    for (const primitive of mesh.primitives) {
      if (!primitive.draco) continue;
      for (const semantic of primitive.draco.attributes.keys()) {
        const index = primitive.attributes.get(semantic);
        if (index !== undefined) dracoAccessors.add(index);
      }
      if (primitive.indices !== undefined) dracoAccessors.add(primitive.indices);
    }
  }
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: dracoAccessors.size > 0 ? [DRACO] : [],
    buffers: bufferDefs,
    bufferViews: views,
    accessors: root.accessors.map((accessor, index) =>
      isUsable(accessor, root, buffers)
        ? accessorJson(accessor, dracoAccessors.has(index))
        : PLACEHOLDER,
    ),
    meshes: dracoAccessors.size > 0 ? dracoMeshes(root) : [],
  } as GLTF.IGLTF;

  // Loaded with the first file: who only loads cooked artifacts needs neither package.
  const { Logger, WebIO } = await import('@gltf-transform/core');
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  if (dracoAccessors.size > 0) {
    const { KHRDracoMeshCompression } = await import('@gltf-transform/extensions');
    io.registerExtensions([KHRDracoMeshCompression]).registerDependencies({
      'draco3d.decoder': await decoders.draco(),
    });
  }
  let decoded;
  try {
    decoded = (await io.readJSON({ json, resources })).getRoot().listAccessors();
  } catch (cause) {
    const reason = messageOf(cause);
    report.fail('assets/gltf-compressed', `The geometry can't be decoded: ${reason}`, {}, cause);
  }
  return root.accessors.map((accessor, index) => {
    if (!isUsable(accessor, root, buffers)) return undefined;
    const array = decoded[index]?.getArray();
    if (!array) return undefined;
    return {
      array,
      components: accessor.components,
      normalized: accessor.normalized,
      count: array.length / accessor.components,
      pointer: accessor.pointer,
      lossy:
        dracoAccessors.has(index) ||
        (root.views[accessor.view ?? -1]?.meshopt?.filter ?? 'NONE') !== 'NONE',
    };
  });
}

/** Whether the accessor itself, its views and their buffers are whole. */
function isUsable(
  accessor: AccessorDef,
  root: GltfRoot,
  buffers: readonly LoadedBuffer[],
): boolean {
  return accessorProblem(accessor, root, buffers) === undefined;
}

/** Why an accessor has no values, with its code, or `undefined` for one that has. */
export function accessorProblem(
  accessor: AccessorDef,
  root: GltfRoot,
  buffers: readonly LoadedBuffer[],
): { readonly code: string; readonly problem: string } | undefined {
  if (accessor.problem !== undefined) {
    return { code: 'assets/gltf-out-of-bounds', problem: accessor.problem };
  }
  const { sparse } = accessor;
  for (const index of [accessor.view, sparse?.indicesView, sparse?.valuesView]) {
    const view = index === undefined ? undefined : root.views[index];
    if (!view) continue;
    const buffer = buffers[view.meshopt?.buffer ?? view.buffer];
    if (buffer && 'problem' in buffer) return buffer;
  }
  return undefined;
}

function plainView(view: ViewDef, buffer: LoadedBuffer | undefined): GLTF.IBufferView {
  const range =
    view.problem === undefined && buffer && 'bytes' in buffer
      ? { byteOffset: view.byteOffset, byteLength: view.byteLength }
      : { byteOffset: 0, byteLength: 0 };
  return {
    buffer: view.buffer,
    ...range,
    ...(view.byteStride === undefined ? {} : { byteStride: view.byteStride }),
  };
}

function accessorJson(accessor: AccessorDef, draco: boolean): GLTF.IAccessor {
  const { componentType, count, type, normalized, sparse } = accessor;
  return {
    componentType: componentType as GLTF.AccessorComponentType,
    count,
    type: type as GLTF.AccessorType,
    normalized,
    // A view beside Draco is a fallback for readers without it.
    ...(accessor.view === undefined || draco
      ? {}
      : { bufferView: accessor.view, byteOffset: accessor.byteOffset }),
    ...(sparse === undefined
      ? {}
      : {
          sparse: {
            count: sparse.count,
            indices: {
              bufferView: sparse.indicesView,
              byteOffset: sparse.indicesOffset,
              componentType: sparse.indicesType as 5121 | 5123 | 5125,
            },
            values: { bufferView: sparse.valuesView, byteOffset: sparse.valuesOffset },
          },
        }),
  };
}

function dracoMeshes(root: GltfRoot): GLTF.IMesh[] {
  return root.meshes.map((mesh) => ({
    primitives: mesh.primitives.flatMap((primitive) => {
      const { draco, indices } = primitive;
      if (!draco) return [];
      const known = [...draco.attributes].filter(([name]) => primitive.attributes.has(name));
      return {
        attributes: Object.fromEntries(primitive.attributes),
        ...(indices === undefined ? {} : { indices }),
        extensions: {
          [DRACO]: { bufferView: draco.view, attributes: Object.fromEntries(known) },
        },
      };
    }),
  }));
}

async function decodeMeshopt(
  view: ViewDef,
  index: number,
  buffers: readonly LoadedBuffer[],
  decoders: GltfDecoders,
  report: DiagnosticReport,
): Promise<Uint8Array> {
  const { meshopt } = view;
  const buffer = buffers[meshopt?.buffer ?? -1];
  if (!meshopt || !buffer || 'problem' in buffer) return new Uint8Array(0);
  const pointer = `/bufferViews/${index}`;
  const { count, byteStride, mode, filter, byteOffset, byteLength } = meshopt;
  const result = new Uint8Array(count * byteStride);
  const decoder = await decoders.meshopt();
  try {
    const source = buffer.bytes.subarray(byteOffset, byteOffset + byteLength);
    decoder.decodeGltfBuffer(result, count, byteStride, source, mode, filter);
  } catch (cause) {
    report.error('assets/gltf-compressed', `The meshopt data is malformed: ${messageOf(cause)}`, {
      pointer,
    });
  }
  return result;
}
