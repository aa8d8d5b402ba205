import type { SkinData } from '@ecliptic/assets';
import type { EventLog } from '@ecliptic/core';
import {
  changed,
  read,
  without,
  type EntityId,
  type FilterTerm,
  type Query,
  type ReadonlyComponentView,
  type ReadTerm,
  type Scene,
} from '@ecliptic/ecs';
import { Mesh, MorphWeights, PrefabNode, Skeleton } from '@ecliptic/ecs/components';
import { PrefabNodes } from '../animation/prefab-nodes.js';
import { NO_NODE } from '../hierarchy/parent-links.js';
import type { PoseSet } from '../hierarchy/pose-set.js';
import { jointRows } from '../math/joint-rows.js';
import { AFFINE_FLOATS, matrixToRows } from '../math/affine-rows.js';
import { NO_INSTANCE, type RenderScene } from '../scene/render-scene.js';
import type { InstanceBindings } from './instance-bindings.js';
import { MorphPairs, type MorphPair } from './morph-pairs.js';
import type { SceneHierarchy } from './scene-hierarchy.js';

/** The part of an `AssetManager` that skeletons need. */
export interface SkinAssets {
  /** A resident skin. */
  get(uuid: string, type: 'skin'): SkinData | undefined;
}

/** A skeleton with its joints looked up. */
interface BoundSkeleton {
  readonly skinUuid: string;
  readonly root: EntityId;
  skin: SkinData | undefined;
  version: number;
  joints: readonly (EntityId | undefined)[];
}

/** What a {@link DeformSync} works on. */
export interface DeformSyncOptions {
  readonly scene: Scene;
  readonly hierarchy: SceneHierarchy;
  readonly bindings: InstanceBindings;
  readonly target: RenderScene;
  /** Without it no mesh is skinned. */
  readonly skins: SkinAssets | undefined;
  readonly log: EventLog;
}

/**
 * Gives the instances of a render scene the joint matrices of their `Skeleton` and their `MorphWeights`, each frame anew. After
 * {@link TransformSync}. A mesh whose skin isn't resident is drawn rigid; a joint without an entity, and one whose matrix isn't
 * finite, goes with the mesh's own entity and is reported once an entity (`joint_missing`, `joint_not_finite`).
 */
export class DeformSync {
  readonly #options: DeformSyncOptions;
  readonly #nodes: PrefabNodes;
  readonly #morphs: MorphPairs;
  readonly #skinned: Query<readonly [ReadTerm<typeof Skeleton>, ReadTerm<typeof Mesh>]>;
  readonly #morphed: Query<
    readonly [ReadTerm<typeof MorphWeights>, ReadTerm<typeof Mesh>, FilterTerm]
  >;
  readonly #changed: Query<readonly [ReadTerm<typeof Skeleton>, FilterTerm]>;
  readonly #skeletons = new Map<EntityId, BoundSkeleton>();
  readonly #stop: () => void;
  /** A skeleton whose joints are still to be looked up. */
  readonly #keep = (
    entity: EntityId,
    { skinUuid, root }: ReadonlyComponentView<typeof Skeleton>,
  ): void => {
    this.#skeletons.set(entity, { skinUuid, root, skin: undefined, version: -1, joints: [] });
  };

  constructor(options: DeformSyncOptions) {
    const { scene } = options;
    this.#options = options;
    // All that is observed, or nothing: a scene may have too many types of components already.
    for (const observed of [PrefabNode, Skeleton]) scene.registerComponent(observed);
    this.#nodes = new PrefabNodes(scene);
    this.#morphs = new MorphPairs(scene);
    this.#skinned = scene.query(read(Skeleton), read(Mesh));
    this.#morphed = scene.query(read(MorphWeights), read(Mesh), without(Skeleton));
    this.#changed = scene.query(read(Skeleton), changed(Skeleton));
    this.#stop = scene.observe('remove', Skeleton, (entity) => void this.#skeletons.delete(entity));
  }

  /** What finds no room in the budget is drawn rigid, and reported once (`deforms_over_budget`). */
  update(): void {
    const { target, log } = this.#options;
    const { deforms, budget } = target;
    deforms.clear();
    this.#nodes.update();
    this.#morphs.update();
    this.#changed.forEach(this.#keep);
    for (const table of this.#skinned.tables()) {
      const { visible } = table.column(Mesh);
      for (let row = 0; row < table.count; row++) {
        if (visible[row] === 0) continue;
        const entity = table.entities[row] as number;
        this.#deform(entity, this.#jointsOf(entity));
      }
    }
    for (const table of this.#morphed.tables()) {
      const { visible } = table.column(Mesh);
      for (let row = 0; row < table.count; row++) {
        if (visible[row] === 1) this.#deform(table.entities[row] as number, undefined);
      }
    }
    if (deforms.overflow > 0) {
      log.warnOnce('deforms_over_budget', budget.deforms, {
        left: deforms.overflow,
        deforms: budget.deforms,
        joints: budget.joints,
        morphWeights: budget.morphWeights,
      });
    }
  }

  /** Looks every skeleton up anew: after the scene's content was replaced. */
  rebuild(): void {
    this.#skeletons.clear();
    this.#skinned.forEach(this.#keep);
  }

  /** Stops following the scene. */
  dispose(): void {
    this.#stop();
    this.#nodes.dispose();
    this.#morphs.dispose();
    this.#skeletons.clear();
    this.#options.target.deforms.clear();
  }

  /** The skeleton with its joints looked up; `undefined` while its skin isn't resident. */
  #jointsOf(entity: EntityId): BoundSkeleton | undefined {
    const bound = this.#skeletons.get(entity);
    const skin = bound && this.#options.skins?.get(bound.skinUuid, 'skin');
    if (bound === undefined || skin === undefined) return undefined;
    const prefab = this.#nodes.of(bound.root);
    const version = prefab?.version ?? -1;
    if (bound.skin !== skin || bound.version !== version) {
      bound.skin = skin;
      bound.version = version;
      bound.joints = skin.joints.map((node) => prefab?.nodes.get(node));
    }
    return bound;
  }

  #deform(entity: EntityId, skeleton: BoundSkeleton | undefined): void {
    const { bindings, target, hierarchy } = this.#options;
    const { deforms } = target;
    const instance = bindings.instanceOf(entity);
    const pair = this.#morphs.of(entity);
    const joints = skeleton?.joints.length ?? 0;
    const weights = pair?.count ?? 0;
    if (instance === NO_INSTANCE || joints + weights === 0) return;
    const index = deforms.add(instance, joints, weights);
    if (index < 0) return;
    if (pair) this.#copyWeights(entity, pair, deforms.firstWeight(index));
    const skin = skeleton?.skin;
    if (skin === undefined) return;
    const at = deforms.firstJoint(index) * AFFINE_FLOATS;
    this.#pose(entity, skeleton?.joints ?? [], skin, hierarchy.previous, deforms.jointPrevious, at);
    this.#pose(entity, skeleton?.joints ?? [], skin, hierarchy.current, deforms.jointCurrent, at);
  }

  #pose(
    entity: EntityId,
    joints: readonly (EntityId | undefined)[],
    skin: SkinData,
    { world }: PoseSet,
    out: Float32Array,
    at: number,
  ): void {
    const { hierarchy, log } = this.#options;
    const own = hierarchy.nodeOf(entity) * 16;
    for (let i = 0; i < joints.length; i++) {
      const o = at + i * AFFINE_FLOATS;
      const joint = joints[i];
      const node = joint === undefined ? NO_NODE : hierarchy.nodeOf(joint);
      if (node === NO_NODE) {
        log.warnOnce('joint_missing', entity, { entity, joint: i, node: skin.joints[i] });
        matrixToRows(out, o, world, own);
      } else if (!jointRows(out, o, world, node * 16, skin.inverseBindMatrices, i * 16)) {
        log.warnOnce('joint_not_finite', entity, { entity, joint: i, node: skin.joints[i] });
        matrixToRows(out, o, world, own);
      }
    }
  }

  #copyWeights(entity: EntityId, { previous, current, count }: MorphPair, at: number): void {
    const { weightPrevious, weightCurrent } = this.#options.target.deforms;
    for (let i = 0; i < count; i++) {
      const from = previous[i] as number;
      const to = current[i] as number;
      const isFinite = Number.isFinite(from) && Number.isFinite(to);
      weightPrevious[at + i] = isFinite ? from : 0;
      weightCurrent[at + i] = isFinite ? to : 0;
      if (!isFinite) this.#options.log.warnOnce('morph_weight_not_finite', entity, { entity });
    }
  }
}
