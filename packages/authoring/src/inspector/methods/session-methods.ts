import * as v from 'valibot';
import type { Edit } from '../../session/edit.js';
import type { EditorSession } from '../../session/editor-session.js';
import type { InspectorMethods } from '../inspector-method.js';
import type { InspectedFiles } from '../inspector-sources.js';
import type { SessionState } from '../protocol/inspector-protocol.js';
import { NONE, TEXT } from '../protocol/params.js';
import type { SessionRecords } from '../session-records.js';
import { recordMethod } from './engine-methods.js';

const MOST_EDITS = 1_000;
const VALUES = v.record(v.string(), v.unknown());
const PLACEMENT = { parent: v.optional(v.nullable(TEXT)), before: v.optional(TEXT) };
const EDIT = v.variant('kind', [
  v.strictObject({
    kind: v.literal('create'),
    entity: TEXT,
    components: v.optional(v.record(v.string(), VALUES)),
    ...PLACEMENT,
  }),
  v.strictObject({ kind: v.literal('delete'), entity: TEXT }),
  v.strictObject({
    kind: v.literal('add'),
    entity: TEXT,
    component: TEXT,
    value: v.optional(VALUES),
  }),
  v.strictObject({ kind: v.literal('remove'), entity: TEXT, component: TEXT }),
  v.strictObject({
    kind: v.literal('set'),
    entity: TEXT,
    component: TEXT,
    value: VALUES,
    expected: v.optional(VALUES),
  }),
  v.strictObject({ kind: v.literal('reparent'), entity: TEXT, ...PLACEMENT }),
]) as v.GenericSchema<unknown, Edit>;

/** Selection, edits, play mode: what the session does, in the name of a client. */
export function sessionMethods(session: EditorSession, records: SessionRecords): InspectorMethods {
  const state = (): SessionState => ({
    mode: session.mode,
    hovered: session.hovered ?? null,
    selection: session.selection,
    undoSteps: session.undoSteps,
    redoSteps: session.redoSteps,
  });
  const after = (client: string, edits: readonly Edit[], work: () => unknown): SessionState => {
    records.by(client, edits, work);
    return state();
  };
  return {
    'session.state': { asks: true, params: NONE, run: state },
    'session.records': recordMethod((after_, limit) => records.read(after_, limit)),
    'session.edit': {
      asks: false,
      params: v.strictObject({
        label: TEXT,
        edits: v.pipe(v.array(EDIT), v.minLength(1), v.maxLength(MOST_EDITS)),
      }),
      run: (transaction, client) =>
        after(client, transaction.edits, () => session.edit(transaction)),
    },
    'session.undo': {
      asks: false,
      params: NONE,
      run: (_, client) => ({ label: records.by(client, [], () => session.undo()) ?? null }),
    },
    'session.redo': {
      asks: false,
      params: NONE,
      run: (_, client) => ({ label: records.by(client, [], () => session.redo()) ?? null }),
    },
    'session.select': {
      asks: false,
      params: v.strictObject({
        entities: v.pipe(v.array(TEXT), v.maxLength(MOST_EDITS)),
        how: v.optional(v.picklist(['replace', 'add', 'remove', 'toggle'])),
      }),
      run: ({ entities, how }, client) => after(client, [], () => session.select(entities, how)),
    },
    'session.hover': {
      asks: false,
      params: v.strictObject({ entity: v.nullable(TEXT) }),
      run: ({ entity }, client) => after(client, [], () => session.hover(entity ?? undefined)),
    },
    'session.play': {
      asks: false,
      params: NONE,
      run: (_, client) => after(client, [], () => session.play()),
    },
    'session.stop': {
      asks: false,
      params: NONE,
      run: (_, client) => after(client, [], () => session.stop()),
    },
  };
}

/** Saving and loading, as the application does it. */
export function fileMethods(files: InspectedFiles): InspectorMethods {
  return {
    'scene.save': { asks: false, params: NONE, run: async () => ({ path: await files.save() }) },
    'scene.load': { asks: false, params: NONE, run: async () => ({ path: await files.load() }) },
  };
}
