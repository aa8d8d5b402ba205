import type { JsonView } from './json-view.js';
import type { GltfLimits } from './limits.js';
import {
  COMPONENT_BYTES,
  COMPONENTS,
  type AccessorDef,
  type BufferDef,
  type MeshoptDef,
  type SparseDef,
  type ViewDef,
} from './model.js';

const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const;
const MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'] as const;
const FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'] as const;

/** Reads `buffers`. */
export function parseBuffers(root: JsonView): BufferDef[] {
  return root.objects('buffers').map((view) => {
    const byteLength = view.integer('byteLength');
    if (byteLength === undefined && !view.has('byteLength')) view.missing('byteLength');
    if (byteLength === 0) {
      view.report.warn('assets/gltf-empty', 'The buffer has no bytes', {
        pointer: view.at('byteLength'),
      });
    }
    return {
      byteLength: byteLength ?? 0,
      uri: view.string('uri'),
      fallback: MESHOPT.some((name) => view.extension(name)?.boolean('fallback', false)),
      pointer: view.pointer,
    };
  });
}

/** Reads `bufferViews`. One that leaves its buffer gets a `problem`, which is an error once it is used. */
export function parseViews(
  root: JsonView,
  buffers: readonly BufferDef[],
  limits: GltfLimits,
): ViewDef[] {
  return root.objects('bufferViews').map((view) => {
    const buffer = view.index('buffer', buffers.length, 'buffer');
    if (buffer === undefined && !view.has('buffer')) view.missing('buffer');
    const byteOffset = view.integer('byteOffset') ?? 0;
    const byteLength = view.integer('byteLength') ?? view.missing('byteLength') ?? 0;
    const byteStride = view.integer('byteStride');
    const result: ViewDef = {
      buffer: buffer ?? 0,
      byteOffset,
      byteLength,
      byteStride,
      meshopt: parseMeshopt(view, buffers, limits),
      pointer: view.pointer,
      problem: undefined,
    };
    const total = buffers[result.buffer]?.byteLength ?? 0;
    if (byteOffset + byteLength > total) {
      result.problem = `Bytes ${byteOffset} to ${byteOffset + byteLength} are not in buffer ${result.buffer} of ${total} bytes`;
    }
    if (byteStride !== undefined && (byteStride < 4 || byteStride > 252 || byteStride % 4 !== 0)) {
      view.report.warn(
        'assets/gltf-stride',
        `byteStride ${byteStride} is not a multiple of 4 in [4, 252]`,
        { pointer: view.at('byteStride') },
      );
    }
    if (byteStride !== undefined && byteStride > byteLength) {
      view.report.warn(
        'assets/gltf-stride',
        `byteStride ${byteStride} is more than the view's ${byteLength} bytes`,
        { pointer: view.at('byteStride') },
      );
    }
    return result;
  });
}

function parseMeshopt(
  view: JsonView,
  buffers: readonly BufferDef[],
  limits: GltfLimits,
): MeshoptDef | undefined {
  for (const name of MESHOPT) {
    const extension = view.extension(name);
    if (!extension) continue;
    const buffer = extension.index('buffer', buffers.length, 'buffer');
    const byteLength = extension.integer('byteLength', { min: 1 });
    const byteStride = extension.integer('byteStride', { min: 2, max: 256 });
    const count = extension.integer('count', { min: 1 });
    const mode = extension.choice('mode', MODES);
    const filter = extension.choice('filter', FILTERS);
    const byteOffset = extension.integer('byteOffset') ?? 0;
    if (
      buffer === undefined ||
      byteLength === undefined ||
      byteStride === undefined ||
      count === undefined ||
      mode === undefined
    ) {
      extension.report.error('assets/gltf-meshopt', 'The compressed view is not fully described', {
        pointer: extension.pointer,
      });
      return undefined;
    }
    if (count * byteStride > limits.decodedBytes) {
      extension.report.error(
        'assets/gltf-too-large',
        `The view decodes to ${count * byteStride} bytes, more than ${limits.decodedBytes}`,
        { pointer: extension.pointer },
      );
    }
    if (byteOffset + byteLength > (buffers[buffer]?.byteLength ?? 0)) {
      extension.report.error(
        'assets/gltf-out-of-bounds',
        `The compressed bytes leave buffer ${buffer}`,
        { pointer: extension.pointer },
      );
    }
    return { buffer, byteOffset, byteLength, byteStride, count, mode, filter: filter ?? 'NONE' };
  }
  return undefined;
}

/**
 * Reads `accessors` and checks each against its buffer view and all together against the limit on
 * decoded bytes, before any of them is decoded.
 */
export function parseAccessors(
  root: JsonView,
  views: readonly ViewDef[],
  limits: GltfLimits,
): AccessorDef[] {
  let decoded = 0;
  return root.objects('accessors').map((view) => {
    const type = view.choice('type', Object.keys(COMPONENTS)) ?? view.missing('type') ?? 'SCALAR';
    const componentType =
      view.choice('componentType', Object.keys(COMPONENT_BYTES).map(Number)) ??
      view.missing('componentType') ??
      5126;
    const count = view.integer('count');
    if (count === undefined && !view.has('count')) view.missing('count');
    if (count === 0) {
      view.report.warn('assets/gltf-empty', 'The accessor has no elements', {
        pointer: view.at('count'),
      });
    }
    const components = COMPONENTS[type] ?? 1;
    const accessor: AccessorDef = {
      view: view.index('bufferView', views.length, 'buffer view'),
      byteOffset: view.integer('byteOffset') ?? 0,
      componentType,
      count: count ?? 0,
      type,
      components,
      normalized: view.boolean('normalized', false),
      sparse: parseSparse(view, views),
      min: parseBound(view, 'min', components),
      max: parseBound(view, 'max', components),
      pointer: view.pointer,
      problem: undefined,
    };
    decoded += accessor.count * components * (COMPONENT_BYTES[componentType] ?? 4);
    if (decoded > limits.decodedBytes) {
      view.report.fail(
        'assets/gltf-too-large',
        `With ${accessor.count} elements here the accessors decode to ${decoded} bytes, more than ${limits.decodedBytes}`,
        { pointer: view.at('count') },
      );
    }
    if (accessor.view === undefined && view.has('byteOffset')) {
      view.report.warn('assets/gltf-unused', 'byteOffset has no meaning without bufferView', {
        pointer: view.at('byteOffset'),
      });
    }
    accessor.problem = accessorProblem(accessor, views, view);
    return accessor;
  });
}

function parseBound(view: JsonView, key: 'min' | 'max', components: number): number[] | undefined {
  const value = view.raw(key);
  if (value === undefined) return undefined;
  const isVector = Array.isArray(value) && value.every((item) => Number.isFinite(item));
  if (isVector && value.length === components) return value as number[];
  view.report.warn('assets/gltf-bounds', `"${key}" is not ${components} numbers and is ignored`, {
    pointer: view.at(key),
  });
  return undefined;
}

function parseSparse(view: JsonView, views: readonly ViewDef[]): SparseDef | undefined {
  const sparse = view.object('sparse');
  if (!sparse) return undefined;
  const count = sparse.integer('count', { min: 1 });
  const indices = sparse.object('indices');
  const values = sparse.object('values');
  const indicesView = indices?.index('bufferView', views.length, 'buffer view');
  const valuesView = values?.index('bufferView', views.length, 'buffer view');
  const indicesType = indices?.choice('componentType', [5121, 5123, 5125]);
  if (
    count === undefined ||
    indicesView === undefined ||
    valuesView === undefined ||
    indicesType === undefined
  ) {
    view.report.error('assets/gltf-sparse', 'The sparse values are not fully described', {
      pointer: sparse.pointer,
    });
    return undefined;
  }
  for (const index of [indicesView, valuesView]) {
    if (views[index]?.byteStride !== undefined) {
      view.report.warn('assets/gltf-stride', 'A sparse buffer view must not have a byteStride', {
        pointer: `/bufferViews/${index}/byteStride`,
      });
    }
  }
  return {
    count,
    indicesView,
    indicesOffset: indices?.integer('byteOffset') ?? 0,
    indicesType,
    valuesView,
    valuesOffset: values?.integer('byteOffset') ?? 0,
  };
}

function accessorProblem(
  accessor: AccessorDef,
  views: readonly ViewDef[],
  view: JsonView,
): string | undefined {
  const { componentType, components, count, sparse, type } = accessor;
  const size = COMPONENT_BYTES[componentType] ?? 4;
  const element = size * components;
  if ((type === 'MAT2' && size === 1) || (type === 'MAT3' && size < 4)) {
    return 'Matrices of small integers, with padded columns, are not supported';
  }
  if (accessor.view !== undefined) {
    const source = views[accessor.view];
    const problem = viewProblem(source, accessor.view, accessor.byteOffset, count, element, true);
    if (problem !== undefined) return problem;
    const start = accessor.byteOffset + (source?.byteOffset ?? 0);
    if (accessor.byteOffset % size !== 0 || start % size !== 0) {
      view.report.warn(
        'assets/gltf-alignment',
        `Byte ${start} is not aligned to components of ${size} bytes`,
        { pointer: view.pointer },
      );
    }
  }
  if (sparse) {
    if (sparse.count > count) return `${sparse.count} sparse values for ${count} elements`;
    return (
      viewProblem(
        views[sparse.indicesView],
        sparse.indicesView,
        sparse.indicesOffset,
        sparse.count,
        COMPONENT_BYTES[sparse.indicesType] ?? 4,
        false,
      ) ??
      viewProblem(
        views[sparse.valuesView],
        sparse.valuesView,
        sparse.valuesOffset,
        sparse.count,
        element,
        false,
      )
    );
  }
  return undefined;
}

function viewProblem(
  source: ViewDef | undefined,
  index: number,
  byteOffset: number,
  count: number,
  element: number,
  strided: boolean,
): string | undefined {
  if (!source) return `There is no buffer view ${index}`;
  // A compressed view decodes to its own size, whatever its fallback declares.
  if (source.problem !== undefined && !source.meshopt) return source.problem;
  const available = source.meshopt
    ? source.meshopt.count * source.meshopt.byteStride
    : source.byteLength;
  const stride = strided ? (source.byteStride ?? element) : element;
  if (stride < element) return `byteStride ${stride} is less than an element of ${element} bytes`;
  const end = count === 0 ? 0 : byteOffset + stride * (count - 1) + element;
  return end > available
    ? `${count} elements end at byte ${end} of buffer view ${index}, which has ${available}`
    : undefined;
}
