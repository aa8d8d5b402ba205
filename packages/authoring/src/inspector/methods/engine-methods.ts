import type { WorldTick } from '@ecliptic/scheduler';
import type { EditorSession } from '../../session/editor-session.js';
import type { InspectorLog } from '../inspector-log.js';
import type { InspectorMethod, InspectorMethods } from '../inspector-method.js';
import type { InspectedMailbox } from '../inspector-sources.js';
import { NONE, RECORDS_AFTER, USUAL_LIMIT } from '../protocol/params.js';
import type { RecordsAfter } from '../protocol/inspector-protocol.js';
import type { RecordPage } from '../record-ring.js';

/** Where the scene's memory is. */
export function archetypeMethods(session: EditorSession): InspectorMethods {
  return {
    'archetypes.list': {
      asks: true,
      params: NONE,
      run: () => ({ ...session.scene.archetypeStats(), memory: session.scene.arena.stats() }),
    },
  };
}

/** What systems cost, and when they run. */
export function systemMethods(worldTick: WorldTick): InspectorMethods {
  return {
    'systems.list': {
      asks: true,
      params: NONE,
      run: () => ({
        systems: worldTick.metrics(),
        waves: worldTick.committed ? worldTick.waves() : [],
      }),
    },
  };
}

/** How frames are handed over. */
export function mailboxMethods(
  mailboxes: Readonly<Record<string, InspectedMailbox>>,
): InspectorMethods {
  return {
    'mailboxes.list': {
      asks: true,
      params: NONE,
      run: () => ({
        mailboxes: Object.entries(mailboxes).map(([name, mailbox]) => {
          const { published, taken, replaced } = mailbox.stats;
          return { name, published, taken, replaced, slots: mailbox.slotStates?.() ?? [] };
        }),
      }),
    },
  };
}

/** What was logged. */
export function logMethods(log: InspectorLog): InspectorMethods {
  return { 'log.read': recordMethod((after, limit) => log.read(after, limit)) };
}

/** A stream of records, of which each subscriber sees each once. */
export function recordMethod<T>(read: (after: number, limit: number) => RecordPage<T>): {
  readonly asks: true;
  readonly params: InspectorMethod<'log.read'>['params'];
  readonly run: (params: RecordsAfter) => RecordPage<T>;
  readonly advance: (params: RecordsAfter, result: RecordPage<T>) => RecordsAfter | undefined;
} {
  return {
    asks: true,
    params: RECORDS_AFTER,
    run: ({ after = 0, limit = USUAL_LIMIT }) => read(after, limit),
    advance: (params, { next, records }) =>
      records.length > 0 ? { ...params, after: next } : undefined,
  };
}
