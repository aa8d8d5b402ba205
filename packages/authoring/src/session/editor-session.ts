import type { EntityId, Scene } from '@ecliptic/ecs';
import type { Transaction } from './edit.js';

/** What happened in a session; its fields say the rest. */
export type SessionEvent =
  | 'hover'
  | 'selection'
  | 'edit'
  | 'undo'
  | 'redo'
  | 'play'
  | 'stop'
  | 'replace';

/**
 * Editing of one scene: hover and selection, transactions with undo and redo, play mode. Everything is addressed by the UUIDs of
 * entities.
 */
export interface EditorSession {
  readonly scene: Scene;
  /** `playing` from {@link EditorSession.play} to {@link EditorSession.stop}. */
  readonly mode: 'editing' | 'playing';
  /** UUID of the entity under the pointer. */
  readonly hovered: string | undefined;
  /** UUIDs of the selected entities, in order of selection; the last one is the active one. Living entities only. */
  readonly selection: readonly string[];
  /** Labels of the steps that can be undone, the latest last; at most 100. */
  readonly undoSteps: readonly string[];
  /** Labels of the steps that can be redone, the next one last. */
  readonly redoSteps: readonly string[];
  /** @throws EclipticError `authoring/unknown-entity` */
  hover(uuid: string | undefined): void;
  /**
   * Changes the selection.
   *
   * @param how - `replace` (default) selects exactly these
   * @throws EclipticError `authoring/unknown-entity`; the selection is as before then
   */
  select(uuids: readonly string[], how?: 'replace' | 'add' | 'remove' | 'toggle'): void;
  /** The entity of a UUID, or `INVALID_ENTITY`. O(1). */
  entityOf(uuid: string): EntityId;
  /** The UUID of an entity that has one. */
  uuidOf(entity: EntityId): string | undefined;
  /**
   * Applies a transaction now, all of it or nothing, and makes it the latest step of the history.
   *
   * @throws EclipticError `authoring/unknown-entity`, `authoring/unknown-component`, `authoring/edit-conflict`, …
   */
  edit(transaction: Transaction): void;
  /** Undoes the latest step. @returns its label, or `undefined` where there is none */
  undo(): string | undefined;
  /** Does the step again that was undone last. @returns its label, or `undefined` where there is none */
  redo(): string | undefined;
  /** Begins play mode: what happens until {@link EditorSession.stop} leaves no trace. @throws EclipticError `authoring/playing` */
  play(): void;
  /** Ends play mode: the scene is as it was, to the byte. @throws EclipticError `authoring/not-playing` */
  stop(): void;
  /** Has `work` run in the next {@link EditorSession.flush}: for what arrives in the middle of a frame. Rejects with what it throws. */
  submit<T>(work: () => T): Promise<T>;
  /** Runs what was submitted, in order: once a frame, where no system runs. @returns how many there were */
  flush(): number;
  /** Calls back after each event. @returns stops it */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** Stops following the scene. What was submitted is rejected. Idempotent. */
  dispose(): void;
}
