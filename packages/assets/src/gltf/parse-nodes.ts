import type {
  CameraData,
  InstanceData,
  LightData,
  NodeData,
  PrefabScene,
} from '../data/prefab-data.js';
import { decompose } from '../geometry/decompose.js';
import type { JsonView } from './json-view.js';

/** Nodes in an order in which parents come first, and where each index of the file went. */
export interface NodeTree {
  readonly nodes: readonly NodeData[];
  /** New index by index in the file. */
  readonly order: readonly number[];
  readonly scenes: readonly PrefabScene[];
  readonly defaultScene: number;
}

/** What nodes refer to. */
export interface NodeReferences {
  /** Uuid of each mesh; `undefined` for one without anything to draw. */
  readonly meshes: readonly (string | undefined)[];
  readonly skins: readonly (string | undefined)[];
  readonly cameras: readonly (CameraData | undefined)[];
  readonly lights: readonly (LightData | undefined)[];
  instances(view: JsonView): InstanceData | undefined;
}

/**
 * Reads `nodes`, `scenes` and `scene`. Without recursion, so depth doesn't matter.
 *
 * Reports `assets/gltf-node-cycle` (an error), `assets/gltf-node-parents`, `assets/gltf-scene-root`,
 * `assets/gltf-node-transform`.
 */
export function parseNodes(root: JsonView, references: NodeReferences): NodeTree {
  const views = root.objects('nodes');
  const parents = parentIndices(views);
  const order = topologicalOrder(views, parents, root);
  const place: number[] = Array.from({ length: views.length }, () => 0);
  order.forEach((index, at) => (place[index] = at));
  const nodes = order.map((index): NodeData => {
    const view = views[index] as JsonView;
    const parent = parents[index] ?? -1;
    return parseNode(view, parent === -1 ? -1 : (place[parent] ?? -1), references);
  });
  const scenes = root.objects('scenes').map((view): PrefabScene => {
    const listed = new Set(view.indices('nodes', views.length, 'node'));
    const isBelowAnother = ancestorTest(parents, listed);
    const roots: number[] = [];
    let i = -1;
    for (const index of listed) {
      i++;
      if ((parents[index] ?? -1) !== -1) {
        view.report.warn('assets/gltf-scene-root', `Node ${index} is a child of another node`, {
          pointer: `${view.at('nodes')}/${i}`,
        });
        if (isBelowAnother(index)) continue;
      }
      roots.push(place[index] ?? 0);
    }
    return { name: view.string('name') ?? '', roots };
  });
  const scene = root.index('scene', scenes.length, 'scene');
  return { nodes, order: place, scenes, defaultScene: scene ?? (scenes.length > 0 ? 0 : -1) };
}

/** Tells whether nodes have an ancestor in `set`. Asks about each node once, so a deep chain is climbed once. */
function ancestorTest(
  parents: readonly number[],
  set: ReadonlySet<number>,
): (index: number) => boolean {
  const known = new Map<number, boolean>();
  return (index) => {
    const way: number[] = [];
    let at = index;
    let found = known.get(at);
    while (found === undefined) {
      way.push(at);
      const parent = parents[at] ?? -1;
      if (parent === -1) found = false;
      else found = set.has(parent) || known.get(parent);
      at = parent;
    }
    for (const node of way) known.set(node, found);
    return found;
  };
}

function parentIndices(views: readonly JsonView[]): number[] {
  const parents = views.map(() => -1);
  views.forEach((view, index) => {
    view.indices('children', views.length, 'node').forEach((child, i) => {
      if (parents[child] === -1) {
        parents[child] = index;
        return;
      }
      view.report.warn(
        'assets/gltf-node-parents',
        `Node ${child} is already a child of node ${parents[child]}; it stays there`,
        { pointer: `${view.at('children')}/${i}` },
      );
    });
  });
  return parents;
}

/** Breadth first from the roots, by index; what is not reached is on a cycle. */
function topologicalOrder(
  views: readonly JsonView[],
  parents: readonly number[],
  root: JsonView,
): number[] {
  const children: number[][] = views.map(() => []);
  const order: number[] = [];
  parents.forEach((parent, index) => {
    if (parent === -1) order.push(index);
    else children[parent]?.push(index);
  });
  for (let at = 0; at < order.length; at++) {
    for (const child of children[order[at] ?? -1] ?? []) order.push(child);
  }
  if (order.length < views.length) {
    const reached = new Set(order);
    const start = views.findIndex((_, index) => !reached.has(index));
    root.report.fail(
      'assets/gltf-node-cycle',
      `Nodes are children of each other: ${cyclePath(start, parents)}`,
      { pointer: `/nodes/${start}` },
    );
  }
  return order;
}

function cyclePath(start: number, parents: readonly number[]): string {
  const path: number[] = [];
  const seen = new Set<number>();
  let at = start;
  while (!seen.has(at)) {
    seen.add(at);
    path.unshift(at);
    at = parents[at] ?? -1;
  }
  const cycle = [at, ...path.slice(0, path.lastIndexOf(at) + 1)];
  const shown = cycle.length > 12 ? [...cycle.slice(0, 6), '…', ...cycle.slice(-5)] : cycle;
  return shown.join(' → ');
}

function parseNode(view: JsonView, parent: number, references: NodeReferences): NodeData {
  const mesh = view.index('mesh', references.meshes.length, 'mesh');
  const skin = view.index('skin', references.skins.length, 'skin');
  const camera = view.index('camera', references.cameras.length, 'camera');
  const light = view
    .extension('KHR_lights_punctual')
    ?.index('light', references.lights.length, 'light');
  const weights = view.numbers('weights');
  const instancing = view.extension('EXT_mesh_gpu_instancing');
  const visible = view.extension('KHR_node_visibility')?.boolean('visible', true) ?? true;
  return {
    name: view.string('name') ?? '',
    parent,
    ...parseTransform(view),
    ...defined('mesh', references.meshes[mesh ?? -1]),
    ...defined('skin', references.skins[skin ?? -1]),
    ...defined('camera', references.cameras[camera ?? -1]),
    ...defined('light', references.lights[light ?? -1]),
    ...defined('morphWeights', weights),
    ...defined('instances', instancing && references.instances(instancing)),
    ...(visible ? {} : { hidden: true as const }),
  };
}

function parseTransform(view: JsonView): Pick<NodeData, 'translation' | 'rotation' | 'scale'> {
  const matrix = view.numbers('matrix', 16);
  const hasParts = ['translation', 'rotation', 'scale'].some((key) => view.has(key));
  const warn = (message: string, key: string): void =>
    view.report.warn('assets/gltf-node-transform', message, { pointer: view.at(key) });
  if (matrix) {
    if (hasParts) warn('A node has a matrix or its parts, not both; the matrix is used', 'matrix');
    const { translation, rotation, scale, sheared } = decompose(matrix);
    if (sheared) warn('The matrix shears or projects; that part is lost', 'matrix');
    return { translation, rotation, scale };
  }
  const [tx = 0, ty = 0, tz = 0] = view.numbers('translation', 3) ?? [];
  const [sx = 1, sy = 1, sz = 1] = view.numbers('scale', 3) ?? [];
  const [x = 0, y = 0, z = 0, w = 1] = view.numbers('rotation', 4) ?? [];
  const length = Math.hypot(x, y, z, w);
  if (Math.abs(length - 1) > 1e-3) {
    warn(`The rotation has length ${length}, not 1`, 'rotation');
  }
  const rotation: [number, number, number, number] =
    length < 1e-9 ? [0, 0, 0, 1] : [x / length, y / length, z / length, w / length];
  return { translation: [tx, ty, tz], rotation, scale: [sx, sy, sz] };
}

/** Reads `cameras`. */
export function parseCameras(root: JsonView): (CameraData | undefined)[] {
  return root.objects('cameras').map((view): CameraData | undefined => {
    const kind = view.choice('type', ['perspective', 'orthographic']);
    if (kind === undefined) return view.missing('type');
    const body = view.object(kind);
    if (!body) return view.missing(kind);
    const near = body.number('znear', { min: 0 }) ?? 0.1;
    const far = body.number('zfar', { min: 0 });
    if (kind === 'orthographic') {
      const halfWidth = body.number('xmag') ?? body.missing('xmag');
      const halfHeight = body.number('ymag') ?? body.missing('ymag');
      if (halfWidth === undefined || halfHeight === undefined) return undefined;
      return { kind, halfWidth, halfHeight, near, far };
    }
    const fovY = body.number('yfov', { min: 0 }) ?? body.missing('yfov');
    if (fovY === undefined) return undefined;
    return { kind, fovY, aspect: body.number('aspectRatio', { min: 0 }), near, far };
  });
}

/** Reads the lights of `KHR_lights_punctual`. */
export function parseLights(root: JsonView): (LightData | undefined)[] {
  const list = root.extension('KHR_lights_punctual')?.objects('lights') ?? [];
  return list.map((view): LightData | undefined => {
    const kind = view.choice('type', ['directional', 'point', 'spot']);
    if (kind === undefined) return view.has('type') ? undefined : view.missing('type');
    const [red = 1, green = 1, blue = 1] = view.numbers('color', 3) ?? [];
    const spot = view.object('spot');
    const half = Math.PI / 2;
    return {
      kind,
      color: [red, green, blue],
      intensity: view.number('intensity', { min: 0 }) ?? 1,
      range: view.number('range', { min: 0 }),
      ...(kind === 'spot'
        ? {
            innerAngle: spot?.number('innerConeAngle', { min: 0, max: half }) ?? 0,
            outerAngle: spot?.number('outerConeAngle', { min: 0, max: half }) ?? Math.PI / 4,
          }
        : {}),
    };
  });
}

function defined<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
}
