import {
  type Clock,
  createUuid,
  EventLog,
  NANOSECONDS_PER_MILLISECOND,
  systemClock,
} from '@ecliptic/core';
import { INVALID_ENTITY, type EntityId, type Scene } from '@ecliptic/ecs';
import { identifyEntities } from '../identity/identify-entities.js';
import { loadScene, type LoadOptions } from '../scene-load/load-scene.js';
import type { LoadReport } from '../scene-load/load-report.js';
import type { SceneDocument } from '../scene-file/scene-document.js';
import { ChangeApplier } from './change-applier.js';
import { SavedState } from '../scene-state/saved-state.js';
import { doneStep } from './done-step.js';
import type { Transaction } from './edit.js';
import { EntityIndex } from './entity-index.js';
import { History } from './history.js';
import { Selection, type SelectionChange } from './selection.js';
import { notPlaying, playing, sessionDisposed, unknownEntity } from './session-error.js';
import { WorkQueue } from './work-queue.js';

/** What happened in a session: `replace` is a scene that was loaded. The session's properties say the rest. */
export type SessionEvent =
  | 'hover'
  | 'selection'
  | 'edit'
  | 'undo'
  | 'redo'
  | 'play'
  | 'stop'
  | 'replace';

/** Options of {@link EditorSession}. */
export interface EditorSessionOptions {
  /** Decides which edits are one step. Default: the system's. */
  readonly clock?: Clock;
  /** Makes UUIDs for entities that have none. Default: random ones. */
  readonly mint?: () => string;
  /** Steps that can be undone; 100 by default. */
  readonly historyLimit?: number;
  /** Milliseconds within which an edit of the same fields goes on with the step before; 200 by default. */
  readonly mergeWindow?: number;
  /** Default: a log of the subsystem `authoring`. */
  readonly log?: EventLog;
}

/** What play mode puts aside. */
interface PlayState {
  readonly state: SavedState;
  readonly history: History;
  readonly selection: readonly string[];
  readonly hovered: string | undefined;
}

/**
 * Editing of one scene: hover and selection, transactions with undo and redo, play mode. Everything is addressed by the UUIDs of
 * entities, so that a step of the history still finds its entities after they were deleted and brought back.
 *
 * Its methods change the scene at once: call them where no system runs, or {@link EditorSession.submit} the call and have the
 * frame {@link EditorSession.flush} at one point. Changes by systems or code are no steps of the history.
 *
 * @example
 * ```ts
 * const session = new EditorSession(scene);
 * session.edit({ label: 'Move', edits: [{ kind: 'set', entity: sun, component: 'Transform', value: { position: [0, 1, 0] } }] });
 * session.undo(); // 'Move'
 * ```
 */
export class EditorSession {
  readonly scene: Scene;
  readonly #clock: Clock;
  readonly #newHistory: () => History;
  readonly #index: EntityIndex;
  readonly #applier: ChangeApplier;
  readonly #selection = new Selection();
  readonly #queue = new WorkQueue();
  #listeners: readonly ((event: SessionEvent) => void)[] = [];
  #history: History;
  #hovered: string | undefined = undefined;
  #playing: PlayState | undefined = undefined;
  #disposed = false;

  /** Gives entities of the scene that lack one a UUID. */
  constructor(scene: Scene, options: EditorSessionOptions = {}) {
    this.scene = scene;
    this.#clock = options.clock ?? systemClock();
    const mint = options.mint ?? createUuid;
    const { historyLimit = 100, mergeWindow = 200 } = options;
    this.#newHistory = () => new History(historyLimit, mergeWindow * NANOSECONDS_PER_MILLISECOND);
    this.#history = this.#newHistory();
    identifyEntities(scene, mint);
    this.#index = new EntityIndex(scene, options.log ?? new EventLog('authoring'), (uuid) => {
      this.#forget(uuid);
    });
    this.#applier = new ChangeApplier(scene, this.#index, mint);
  }

  /** `playing` from {@link EditorSession.play} to {@link EditorSession.stop}. */
  get mode(): 'editing' | 'playing' {
    return this.#playing === undefined ? 'editing' : 'playing';
  }

  /** UUID of the entity under the pointer. */
  get hovered(): string | undefined {
    return this.#hovered;
  }

  /** UUIDs of the selected entities, in order of selection; the last one is the active one. Living entities only. */
  get selection(): readonly string[] {
    return this.#selection.chosen;
  }

  /** Labels of the steps that can be undone, the latest last. */
  get undoSteps(): readonly string[] {
    return this.#history.done.map(({ label }) => label);
  }

  /** Labels of the steps that can be redone, the next one last. */
  get redoSteps(): readonly string[] {
    return this.#history.undone.map(({ label }) => label);
  }

  /** The entity of a UUID, or `INVALID_ENTITY`. O(1). */
  entityOf(uuid: string): EntityId {
    return this.#index.entityOf(uuid);
  }

  /** The UUID of an entity; `undefined` for entities that came after the session began, and have none. O(1). */
  uuidOf(entity: EntityId): string | undefined {
    return this.#index.uuidOf(entity);
  }

  /** @throws EclipticError `authoring/unknown-entity` */
  hover(uuid: string | undefined): void {
    if (uuid !== undefined) this.#require(uuid);
    if (uuid === this.#hovered) return;
    this.#hovered = uuid;
    this.#tell('hover');
  }

  /**
   * Changes the selection. What is selected again becomes the active one.
   *
   * @param how - `replace` (default) selects exactly these
   * @throws EclipticError `authoring/unknown-entity`; the selection is as before then
   */
  select(uuids: readonly string[], how: SelectionChange = 'replace'): void {
    for (const uuid of uuids) this.#require(uuid);
    if (this.#selection.change(uuids, how)) this.#tell('selection');
  }

  /**
   * Applies a transaction now, all of it or nothing, and makes it the latest step of the history; what could be redone is gone.
   *
   * A transaction that sets the same fields of the same entities as the latest step, within 200 ms, is applied and goes on with
   * that step: dragging a slider is one step, whose undoing brings back the value before.
   *
   * @throws EclipticError `authoring/unknown-entity`, `authoring/unknown-component`, `authoring/missing-component`,
   *   `authoring/invalid-value`, `authoring/asset-path`, `authoring/not-editable`, `authoring/duplicate-uuid`,
   *   `authoring/edit-conflict`, `authoring/unknown-edit`; `ecs/parent-cycle`, `ecs/duplicate-component`, budgets, `ecs/structure-locked`
   */
  edit(transaction: Transaction): void {
    const backward = this.#keepingSelection(() => this.#applier.applyAll(transaction.edits));
    const { step, mergeKey } = doneStep(transaction, backward);
    this.#history.push(step, mergeKey, this.#clock.now());
    this.#tell('edit');
  }

  /**
   * Undoes the latest step.
   *
   * @returns its label, or `undefined` where there is none
   * @throws EclipticError as `edit`, where something else took away what the step needs; the scene is as before then, and the step is
   *   dropped
   */
  undo(): string | undefined {
    const step = this.#history.undo(({ backward }) => {
      this.#keepingSelection(() => this.#applier.applyAll(backward));
    });
    if (step !== undefined) this.#tell('undo');
    return step?.label;
  }

  /** Does the step again that was undone last. Returns and throws as {@link EditorSession.undo}. */
  redo(): string | undefined {
    const step = this.#history.redo(({ forward }) => {
      this.#keepingSelection(() => this.#applier.applyAll(forward));
    });
    if (step !== undefined) this.#tell('redo');
    return step?.label;
  }

  /**
   * Begins play mode: what happens until {@link EditorSession.stop}, edits too, leaves no trace. It has a history of its own.
   *
   * @throws EclipticError `authoring/playing`
   */
  play(): void {
    this.#requireEditing('begin to play');
    this.#playing = {
      state: new SavedState(this.scene),
      history: this.#history,
      selection: this.selection,
      hovered: this.#hovered,
    };
    this.#history = this.#newHistory();
    this.#tell('play');
  }

  /**
   * Ends play mode: the scene is as it was, to the byte, with the same ids; so are selection and history. Values of `object()`
   * fields are the same objects, whatever happened inside them.
   *
   * @throws EclipticError `authoring/not-playing`; `ecs/structure-locked`, and play mode goes on then
   */
  stop(): void {
    const before = this.#playing;
    if (before === undefined) throw notPlaying();
    before.state.restore(this.scene);
    this.#playing = undefined;
    this.#history = before.history;
    this.#selection.set(before.selection);
    this.#hovered = before.hovered;
    this.#tell('stop');
  }

  /**
   * Replaces the scene by a document, as `loadScene`. The history begins anew; what is there again stays selected.
   *
   * @throws EclipticError `authoring/playing`; as `loadScene`
   */
  load(document: SceneDocument, options: LoadOptions = {}): LoadReport {
    this.#requireEditing('load a scene');
    const { selection } = this;
    const report = loadScene(this.scene, document, options);
    this.#history = this.#newHistory();
    this.#selection.set(selection.filter((uuid) => this.entityOf(uuid) !== INVALID_ENTITY));
    this.#tell('replace');
    return report;
  }

  /**
   * Has `work` run in the next {@link EditorSession.flush}: for what arrives in the middle of a frame.
   *
   * @returns what `work` returns; rejects with what it throws, and with `authoring/session-disposed`
   */
  submit<T>(work: () => T): Promise<T> {
    if (this.#disposed) return Promise.reject(sessionDisposed());
    return this.#queue.submit(work);
  }

  /** Runs what was submitted, in order: once a frame, where no system runs. @returns how many there were */
  flush(): number {
    return this.#queue.flush();
  }

  /** Calls back after each event, at once. @returns stops it */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    const own = (event: SessionEvent): void => listener(event);
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== own);
    };
  }

  /** Stops following the scene; what was submitted and did not run is rejected. Idempotent. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#index.dispose();
    this.#listeners = [];
    this.#queue.cancel(sessionDisposed());
  }

  #require(uuid: string): void {
    if (this.entityOf(uuid) === INVALID_ENTITY) throw unknownEntity(uuid);
  }

  #requireEditing(what: string): void {
    if (this.#playing !== undefined) throw playing(what, this.scene.name);
  }

  /** Changes that fail and are taken back make entities anew: what was selected still is. */
  #keepingSelection<T>(work: () => T): T {
    const { selection, hovered } = this;
    try {
      return work();
    } catch (error) {
      const there = (uuid: string): boolean => this.entityOf(uuid) !== INVALID_ENTITY;
      this.#selection.set(selection.filter(there));
      if (hovered !== undefined && there(hovered)) this.#hovered = hovered;
      throw error;
    }
  }

  /** An entity is about to go. */
  #forget(uuid: string): void {
    if (this.#hovered === uuid) {
      this.#hovered = undefined;
      this.#tell('hover');
    }
    if (this.#selection.change([uuid], 'remove')) this.#tell('selection');
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
