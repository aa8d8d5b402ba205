import type {
  AnimationChannelData,
  AnimationData,
  AnimationSamplerData,
  SkinData,
} from '../data/prefab-data.js';
import { toFloats, type AccessorSource } from './accessor-values.js';
import type { JsonView } from './json-view.js';

const INTERPOLATION = { LINEAR: 'linear', STEP: 'step', CUBICSPLINE: 'cubic' } as const;
const PATHS = ['translation', 'rotation', 'scale', 'weights', 'pointer'] as const;
const WIDTH: Readonly<Record<string, number>> = { translation: 3, rotation: 4, scale: 3 };

/**
 * Reads `animations`. Channels whose sampler can't be used are left out with
 * `assets/gltf-animation`.
 *
 * @param order - new node index by index in the file
 */
export function parseAnimations(
  root: JsonView,
  accessors: AccessorSource,
  order: readonly number[],
): AnimationData[] {
  return root.objects('animations').map((view): AnimationData => {
    const samplers = view.objects('samplers').map((sampler) => parseSampler(sampler, accessors));
    const kept: AnimationSamplerData[] = [];
    const places = samplers.map((sampler) => (sampler ? kept.push(sampler) - 1 : -1));
    const channels = view.objects('channels').flatMap((channel) => {
      const index = channel.index('sampler', samplers.length, 'sampler');
      const sampler = samplers[index ?? -1];
      if (index === undefined || !sampler) return [];
      const parsed = parseChannel(channel, places[index] ?? 0, sampler, order);
      return parsed ? [parsed] : [];
    });
    const duration = kept.reduce((most, { times }) => Math.max(most, times.at(-1) ?? 0), 0);
    return { name: view.string('name') ?? '', duration, samplers: kept, channels };
  });
}

function parseSampler(view: JsonView, accessors: AccessorSource): AnimationSamplerData | undefined {
  const { report } = view;
  const input = view.integer('input');
  const output = view.integer('output');
  if (input === undefined) view.missing('input');
  if (output === undefined) view.missing('output');
  const interpolation =
    INTERPOLATION[view.choice('interpolation', ['LINEAR', 'STEP', 'CUBICSPLINE']) ?? 'LINEAR'];
  const times = accessors.typed(input, view.at('input'), ['SCALAR']);
  const values = accessors.get(output, view.at('output'));
  if (!times || !values) return undefined;
  const warn = (message: string, key: string): undefined => {
    report.warn('assets/gltf-animation', message, { pointer: view.at(key) });
    return undefined;
  };
  const seconds = toFloats(times);
  if (seconds.length === 0) return warn('The sampler has no keyframes and is left out', 'input');
  for (let i = 0; i < seconds.length; i++) {
    const time = seconds[i] ?? 0;
    if (time < 0 || (i > 0 && time <= (seconds[i - 1] ?? 0))) {
      return warn(`Key ${i} at ${time} s is negative or not after the one before`, 'input');
    }
  }
  const perKey = interpolation === 'cubic' ? 3 : 1;
  const floats = toFloats(values);
  const isWhole = values.count > 0 && values.count % (seconds.length * perKey) === 0;
  if (!isWhole) {
    return warn(
      `${values.count} values don't fit ${seconds.length} keys of ${interpolation}`,
      'output',
    );
  }
  return { times: seconds, values: floats, interpolation };
}

function parseChannel(
  view: JsonView,
  sampler: number,
  { times, values, interpolation }: AnimationSamplerData,
  order: readonly number[],
): AnimationChannelData | undefined {
  const target = view.object('target');
  if (!target) return view.missing('target');
  const name = target.string('path');
  if (name === undefined) return target.missing('path');
  const path = PATHS.find((known) => known === name);
  if (path === undefined) {
    view.report.warn(
      'assets/gltf-animation',
      `Nothing is known of "${name}"; the channel is left out`,
      {
        pointer: target.at('path'),
      },
    );
    return undefined;
  }
  const pointer = target.extension('KHR_animation_pointer')?.string('pointer');
  if (path === 'pointer') {
    return pointer === undefined ? undefined : { sampler, node: undefined, path, pointer };
  }
  const node = target.index('node', order.length, 'node');
  if (node === undefined) {
    // Without a node an extension may say what is animated; to others the channel means nothing.
    if (!target.has('node')) {
      view.report.warn('assets/gltf-animation', 'The channel has no node and is left out', {
        pointer: target.pointer,
      });
    }
    return undefined;
  }
  const width = WIDTH[path];
  const perKey = interpolation === 'cubic' ? 3 : 1;
  if (width !== undefined && values.length !== times.length * perKey * width) {
    view.report.warn(
      'assets/gltf-animation',
      `${values.length} numbers don't fit ${times.length} keys of ${path}; the channel is left out`,
      { pointer: view.pointer },
    );
    return undefined;
  }
  return { sampler, node: order[node], path };
}

/**
 * Reads `skins`. Missing or wrong inverse bind matrices become the identity, with
 * `assets/gltf-skin`.
 */
export function parseSkins(
  root: JsonView,
  accessors: AccessorSource,
  nodeCount: number,
  order: () => readonly number[],
): (() => SkinData)[] {
  return root.objects('skins').map((view) => {
    const joints = view.indices('joints', nodeCount, 'node');
    if (!view.has('joints')) view.missing('joints');
    const skeleton = view.index('skeleton', nodeCount, 'node');
    const matrices = bindMatrices(view, joints.length, accessors);
    const name = view.string('name') ?? '';
    return () => ({
      name,
      joints: joints.map((joint) => order()[joint] ?? 0),
      inverseBindMatrices: matrices,
      skeleton: skeleton === undefined ? undefined : order()[skeleton],
    });
  });
}

function bindMatrices(view: JsonView, joints: number, accessors: AccessorSource): Float32Array {
  const result = new Float32Array(joints * 16);
  for (let i = 0; i < result.length; i += 16) {
    for (const diagonal of [0, 5, 10, 15]) result[i + diagonal] = 1;
  }
  const pointer = view.at('inverseBindMatrices');
  const given = accessors.typed(view.integer('inverseBindMatrices'), pointer, ['MAT4']);
  if (!given) return result;
  const warn = (message: string): void =>
    view.report.warn('assets/gltf-skin', message, { pointer });
  if (given.count < joints) warn(`${given.count} matrices for ${joints} joints`);
  const values = toFloats(given);
  const count = Math.min(given.count, joints);
  for (let i = 0; i < count; i++) {
    const at = i * 16;
    const lastRow = [3, 7, 11, 15].map((row) => values[at + row] ?? 0);
    const isAffine = lastRow.every((value, row) => Math.abs(value - (row === 3 ? 1 : 0)) < 1e-5);
    if (isAffine) result.set(values.subarray(at, at + 16), at);
    else warn(`Matrix ${i} ends in ${lastRow.join(', ')}, not 0, 0, 0, 1; the identity is used`);
  }
  return result;
}
