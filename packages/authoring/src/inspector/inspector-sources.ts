import type { AssetRegistry, ImportProgress } from '@ecliptic/assets';
import type { EntityId } from '@ecliptic/ecs';
import type { WorldTick } from '@ecliptic/scheduler';
import type { EditorSession } from '../session/editor-session.js';
import type { InspectorLog } from './inspector-log.js';

/** What is needed of a mailbox's writing end. */
export interface InspectedMailbox {
  readonly stats: { readonly published: number; readonly taken: number; readonly replaced: number };
  /** The state of each slot, where it is known. */
  slotStates?(): readonly string[];
}

/** What an inspector shows. Methods about what is absent are absent, too. */
export interface InspectorSources {
  /** Shown to clients; default `ecliptic`. */
  readonly name?: string | undefined;
  /** The scene, and the one way to change it. */
  readonly session: EditorSession;
  /** What an entity without a name is called in lists, for people. Asked for each that is listed. Default: nothing. */
  readonly labelOf?: ((entity: EntityId) => string) | undefined;
  readonly worldTick?: WorldTick | undefined;
  readonly assets?: AssetRegistry | undefined;
  /** How imports go; with `assets`. */
  readonly imports?: { readonly progress: ImportProgress } | undefined;
  /** Mailboxes by name. */
  readonly mailboxes?: Readonly<Record<string, InspectedMailbox>> | undefined;
  readonly log?: InspectorLog | undefined;
  /** How the application saves and loads its scene. */
  readonly files?: InspectedFiles | undefined;
}

/** Where an application keeps the scene that is edited. */
export interface InspectedFiles {
  /** @returns the path of the file that was written */
  save(): Promise<string>;
  /** Replaces the scene by what the file holds. @returns its path */
  load(): Promise<string>;
}
