import type { ArenaStats } from '@ecliptic/core';
import type { ArchetypeStats } from '@ecliptic/ecs';
import type { ScheduledWave, SystemMetrics } from '@ecliptic/scheduler';
import type { FieldValues, Transaction } from '../../session/edit.js';
import type { RecordPage } from '../record-ring.js';
import type { LoggedEvent } from '../inspector-log.js';
import type { SessionRecord } from '../session-records.js';
import type { ComponentDescription } from '../scene/component-description.js';
import type { EntityRef, EntitySummary } from '../scene/entity-summary.js';

/** What a method takes and gives. */
interface Call<Params, Result> {
  readonly params: Params;
  readonly result: Result;
}

/** A method without parameters. */
type None = Readonly<Record<never, never>>;

/** Part of a long list. */
export interface Page {
  /** Entries to leave out; default 0. */
  readonly offset?: number | undefined;
  /** Most entries, 1 to 200; default 100. */
  readonly limit?: number | undefined;
}

/** Records after a number. */
export interface RecordsAfter {
  /** Number of the last record that is known; default 0, which means all that are still there. */
  readonly after?: number | undefined;
  /** Most records, 1 to 200; default 100. */
  readonly limit?: number | undefined;
}

/** Which entities to find; what is absent doesn't matter. */
export interface EntityFilter {
  /** Part of the name; the case of ASCII letters doesn't matter. */
  readonly name?: string | undefined;
  /** Names of components that they have. */
  readonly with?: readonly string[] | undefined;
  /** Names of components that they lack. */
  readonly without?: readonly string[] | undefined;
}

/** What an inspector is, and can do. */
export interface InspectorDescription {
  readonly protocol: 1;
  /** What is inspected. */
  readonly name: string;
  /** How this client is called where it is told who did something. */
  readonly client: string;
  /** Methods that it has: those of parts that the engine lacks are missing. */
  readonly methods: readonly MethodName[];
}

/** One component of one entity. */
export interface ComponentValues {
  readonly name: string;
  /** As scene files hold them: a reference to an entity is its UUID. Fields that live on one thread only (`object()`) are left out. */
  readonly value: FieldValues;
}

/** One asset. */
export interface AssetSummary {
  readonly uuid: string;
  readonly type: string;
  readonly path: string | null;
  /** Name inside its source; empty for the main asset. */
  readonly key: string;
  readonly state: string;
}

/** How a mailbox is used. */
export interface MailboxSummary {
  readonly name: string;
  readonly published: number;
  readonly taken: number;
  readonly replaced: number;
  readonly slots: readonly string[];
}

/** Where an editor session stands. */
export interface SessionState {
  readonly mode: 'editing' | 'playing';
  readonly hovered: string | null;
  readonly selection: readonly string[];
  readonly undoSteps: readonly string[];
  readonly redoSteps: readonly string[];
}

/** A subscription to make. */
export interface SubscriptionRequest {
  /** A method that only asks. */
  readonly method: string;
  readonly params?: unknown;
  /** Least time between two updates, milliseconds, 50 to 60,000; default 250. */
  readonly interval?: number | undefined;
}

/** Every method of the inspector: what it takes, what it gives. */
export interface InspectorProtocol {
  'inspector.describe': Call<None, InspectorDescription>;
  'inspector.subscribe': Call<SubscriptionRequest, { readonly subscription: number }>;
  'inspector.unsubscribe': Call<{ readonly subscription: number }, { readonly ended: boolean }>;
  'entities.children': Call<
    Page & { readonly of?: EntityRef | null | undefined },
    { readonly total: number; readonly entities: readonly EntitySummary[] }
  >;
  'entities.find': Call<
    EntityFilter & {
      /** `next` of the page before. */
      readonly after?: string | undefined;
      /** Most entities, 1 to 200; default 100. */
      readonly limit?: number | undefined;
    },
    {
      readonly entities: readonly EntitySummary[];
      /** Where to go on; `null` at the end. */
      readonly next: string | null;
    }
  >;
  'components.list': Call<None, { readonly components: readonly ComponentDescription[] }>;
  'components.get': Call<
    { readonly entity: EntityRef },
    { readonly entity: EntitySummary; readonly components: readonly ComponentValues[] }
  >;
  'systems.list': Call<
    None,
    { readonly systems: readonly SystemMetrics[]; readonly waves: readonly ScheduledWave[] }
  >;
  'archetypes.list': Call<None, ArchetypeStats & { readonly memory: ArenaStats }>;
  'assets.list': Call<
    Page,
    {
      readonly total: number;
      readonly assets: readonly AssetSummary[];
      /** The batch of imports that goes on. */
      readonly imports: {
        readonly total: number;
        readonly completed: number;
        readonly failed: number;
      };
    }
  >;
  'mailboxes.list': Call<None, { readonly mailboxes: readonly MailboxSummary[] }>;
  'log.read': Call<RecordsAfter, RecordPage<LoggedEvent>>;
  'session.state': Call<None, SessionState>;
  'session.records': Call<RecordsAfter, RecordPage<SessionRecord>>;
  'session.edit': Call<Transaction, SessionState>;
  'session.undo': Call<None, { readonly label: string | null }>;
  'session.redo': Call<None, { readonly label: string | null }>;
  'session.select': Call<
    {
      readonly entities: readonly string[];
      readonly how?: 'replace' | 'add' | 'remove' | 'toggle' | undefined;
    },
    SessionState
  >;
  'session.hover': Call<{ readonly entity: string | null }, SessionState>;
  'session.play': Call<None, SessionState>;
  'session.stop': Call<None, SessionState>;
  'scene.save': Call<None, { readonly path: string }>;
  'scene.load': Call<None, { readonly path: string }>;
}

/** Name of a method. */
export type MethodName = keyof InspectorProtocol;
/** What a method takes. */
export type ParamsOf<M extends MethodName> = InspectorProtocol[M]['params'];
/** What a method gives. */
export type ResultOf<M extends MethodName> = InspectorProtocol[M]['result'];
