import { EclipticError, HandleTable, type Handle } from '@ecliptic/core';
import { DEFAULT_FRAME_BUDGET, type FrameBudget } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { heapMemory, type PoseMemory } from '../hierarchy/pose-memory.js';
import type { InstanceEnd } from '../hierarchy/row-kernel.js';
import type { RenderMessage } from '../messages/render-message.js';
import type { ReliableSender } from '../queue/reliable-queue.js';
import { InstanceArrays } from './instance-arrays.js';
import { InstanceChanges } from './instance-changes.js';
import type { InstanceDescription, InstanceRecord } from './instance-record.js';
import { RenderCameras } from './render-cameras.js';
import { RenderDeforms } from './render-deforms.js';
import { RenderLights } from './render-lights.js';
import { RenderSky } from './render-sky.js';
import { UseCounts } from './use-counts.js';

/** An instance id that is never issued: "not bound". */
export const NO_INSTANCE = 0xffff_ffff;

/** Options of a {@link RenderScene}. */
export interface RenderSceneOptions {
  /** The same as that of the frame mailbox. */
  readonly budget?: Partial<FrameBudget>;
  /** Where what a kernel writes to is to be. Default: arrays of its own. */
  readonly memory?: PoseMemory;
}

/**
 * What is to be rendered, retained on the simulation's side: mesh instances, lights, cameras and sky,
 * in the packed arrays that a frame state is copied from. The sync systems keep it; nothing of the
 * ECS goes beyond it. Usable on its own, without an ECS.
 *
 * Instance ids are positive, go stale when destroyed, and mean nothing outside this scene: they are
 * never saved.
 *
 * @example
 * ```ts
 * const scene = new RenderScene({ budget: { instances: 100 } });
 * const id = scene.createInstance({ meshUuid: rock });
 * scene.setTransform(id, rows, 0, rows, 0);
 * scene.writeTo(mailbox.writer.begin());
 * ```
 */
export class RenderScene {
  readonly budget: FrameBudget;
  readonly lights: RenderLights;
  readonly cameras: RenderCameras;
  /** Joints and morph weights of instances. */
  readonly deforms: RenderDeforms;
  readonly sky: RenderSky = new RenderSky();
  readonly #instances: InstanceArrays;
  readonly #records: HandleTable<{ record: InstanceRecord }>;
  readonly #toDense = (id: number): number => this.denseIndex(id);
  #membership = 0;
  #uses = 0;
  readonly #changes = new InstanceChanges();
  readonly #meshUses = new UseCounts();
  readonly #materialUses = new UseCounts();

  constructor(options: RenderSceneOptions = {}) {
    this.budget = { ...DEFAULT_FRAME_BUDGET, ...options.budget };
    const { instances, lights, cameras } = this.budget;
    this.lights = new RenderLights(lights);
    this.cameras = new RenderCameras(cameras);
    this.deforms = new RenderDeforms(this.budget);
    this.#instances = new InstanceArrays(instances, options.memory ?? heapMemory);
    this.#records = new HandleTable({ name: 'render instances', capacity: instances });
  }

  /** By dense index, as in a frame state; the first {@link RenderScene.instanceCount} count. */
  get instanceIds(): Uint32Array {
    return this.#instances.ids;
  }

  /** By dense index, as are the transforms. */
  get instanceFlags(): Uint32Array {
    return this.#instances.flags;
  }

  /** Affine rows one fixed step back. Changes places with {@link RenderScene.instanceCurrent}: don't keep it. */
  get instancePrevious(): Float32Array {
    return this.#instances.previous;
  }

  /** Affine rows of the last fixed step. */
  get instanceCurrent(): Float32Array {
    return this.#instances.current;
  }

  /** {@link RenderScene.instancePrevious}, for who sets many of them at once; don't keep it. */
  changePrevious(): InstanceEnd {
    return this.#instances.changePrevious();
  }

  /** {@link RenderScene.instanceCurrent}, for who sets many of them at once; don't keep it. */
  changeCurrent(): InstanceEnd {
    return this.#instances.changeCurrent();
  }

  get instanceCount(): number {
    return this.#instances.count;
  }

  /** Grows when an instance appears, vanishes, is hidden or shown, or changes its dense index. */
  get membership(): number {
    return this.#membership;
  }

  /**
   * Adds an instance at the origin. O(1).
   *
   * @returns its id
   * @throws EclipticError `render-sync/instance-budget`; the scene is as before
   */
  createInstance(description: InstanceDescription): number {
    if (this.instanceCount >= this.budget.instances) {
      throw new EclipticError(
        'render-sync/instance-budget',
        `The render scene is full: it holds ${this.budget.instances} instances`,
        {
          subjects: { budget: this.budget.instances, mesh: description.meshUuid },
          fix: 'Raise budget.instances of the render scene and of the frame mailbox.',
        },
      );
    }
    const stored = { record: { ...description, id: 0 } };
    const id = this.#records.insert(stored);
    stored.record.id = id;
    this.#use(description, 1);
    this.#instances.add(id);
    this.#changes.set(stored.record);
    this.#membership++;
    return id;
  }

  /**
   * Changes what an instance is, in place: its id and transform stay.
   *
   * @throws EclipticError `render-sync/unknown-instance`
   */
  describeInstance(id: number, description: InstanceDescription): void {
    const stored = this.#records.get(id as Handle);
    if (stored === undefined) throw unknownInstance(id);
    this.#use(stored.record, -1);
    this.#use(description, 1);
    stored.record = { ...description, id };
    this.#changes.set(stored.record);
  }

  /** The instance's description, or `undefined` for a stale id. */
  instance(id: number): InstanceRecord | undefined {
    return this.#records.get(id as Handle)?.record;
  }

  /** Whether the id is of an instance that is still here; any number is safe to pass. */
  hasInstance(id: number): boolean {
    return id !== NO_INSTANCE && this.#records.has(id as Handle);
  }

  /**
   * Removes an instance; the last one takes its dense index. O(1).
   *
   * @returns whether there was one
   */
  destroyInstance(id: number): boolean {
    if (!this.hasInstance(id)) return false;
    const stored = this.#records.remove(id as Handle);
    if (stored) this.#use(stored.record, -1);
    this.#instances.removeAt(this.denseIndex(id));
    this.#changes.remove(id);
    this.#membership++;
    return true;
  }

  /** Grows when an instance begins or ends to use a mesh or material. */
  get uses(): number {
    return this.#uses;
  }

  /** Every mesh that an instance has, once. */
  meshesInUse(): IterableIterator<string> {
    return this.#meshUses.keys();
  }

  /** Every material that an instance has as its own, once. */
  materialsInUse(): IterableIterator<string> {
    return this.#materialUses.keys();
  }

  /** Whether any instance has this mesh. O(1). */
  usesMesh(uuid: string): boolean {
    return this.#meshUses.has(uuid);
  }

  /** Whether any instance has this material as its own. O(1). */
  usesMaterial(uuid: string): boolean {
    return this.#materialUses.has(uuid);
  }

  /** Where the instance is in the arrays, or −1 for a stale id. O(1). */
  denseIndex(id: number): number {
    return this.#instances.denseIndex(id);
  }

  /**
   * Sets the ends that a renderer interpolates between; the same twice to snap.
   *
   * @param previous - affine rows at `p`
   * @param current - affine rows at `c`
   * @throws EclipticError `render-sync/unknown-instance`
   */
  setTransform(
    id: number,
    previous: Float32Array,
    p: number,
    current: Float32Array,
    c: number,
  ): void {
    const dense = this.denseIndex(id);
    if (dense < 0) throw unknownInstance(id);
    this.#instances.setTransform(dense, previous, p, current, c);
  }

  /** Lets the two ends of every instance change places: for who then sets what is not right so. O(1). */
  swapTransforms(): void {
    this.#instances.swapTransforms();
  }

  /** Hides or shows an instance without forgetting it; a stale id is ignored. */
  setHidden(id: number, hidden: boolean): void {
    const dense = this.denseIndex(id);
    if (dense >= 0 && this.#instances.setHidden(dense, hidden)) this.#membership++;
  }

  /** Goes on with arrays of its own: the memory that it was made with can be given back. O(budget). */
  leaveMemory(): void {
    this.#instances.leaveMemory();
  }

  /** Removes every instance, with its joints and weights, every light and camera. */
  clear(): void {
    const { ids } = this.#instances;
    while (this.instanceCount > 0) this.destroyInstance(ids[this.instanceCount - 1] ?? 0);
    this.lights.clear();
    this.cameras.clear();
    this.deforms.clear();
  }

  /** Copies everything but the times into a frame state: a few block copies. */
  writeTo(state: RenderFrameState): void {
    state.membership = this.#membership;
    this.#instances.writeTo(state);
    this.lights.writeTo(state);
    this.cameras.writeTo(state);
    this.deforms.writeTo(state, this.#toDense);
    this.sky.writeTo(state);
  }

  /**
   * Tells the renderer which instances appeared, changed and vanished since the last call that did:
   * one message. When the queue is full the changes are kept for the next call.
   *
   * @returns whether the renderer knows everything now
   */
  sendChanges(sender: ReliableSender<RenderMessage>): boolean {
    return this.#changes.send(sender);
  }

  /** The renderer is another one: the next {@link RenderScene.sendChanges} tells it of every instance. O(instances). */
  announceAnew(): void {
    this.#changes.clear();
    for (let dense = 0; dense < this.instanceCount; dense++) {
      const record = this.instance(this.#instances.ids[dense] as number);
      if (record) this.#changes.set(record);
    }
  }

  #use({ meshUuid, materialUuid }: InstanceDescription, by: 1 | -1): void {
    this.#uses++;
    this.#meshUses.add(meshUuid, by);
    if (materialUuid !== undefined) this.#materialUses.add(materialUuid, by);
  }
}

function unknownInstance(id: number): EclipticError {
  return new EclipticError('render-sync/unknown-instance', `There is no instance ${id}`, {
    subjects: { id },
    fix: 'It was destroyed or belongs to another render scene; check hasInstance() first.',
  });
}
