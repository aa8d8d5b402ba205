import type { Edit } from '../session/edit.js';
import type { EditorSession, SessionEvent } from '../session/editor-session.js';
import { RecordRing, type RecordPage } from './record-ring.js';

/** Something that changed the scene in the session, whoever did it. */
export interface SessionRecord {
  readonly event: SessionEvent;
  /** Of the step that was made, undone or redone. */
  readonly label: string | null;
  /** Client who did it; `null` for the application itself. */
  readonly client: string | null;
  /** What an edit touched, where a client made it; at most 20. */
  readonly touched: readonly TouchedPart[];
}

/** What one edit was about. */
export interface TouchedPart {
  readonly kind: Edit['kind'];
  readonly entity: string;
  readonly component: string | null;
  readonly fields: readonly string[];
}

const KEPT = 256;
const MOST_TOUCHED = 20;
const RECORDED: readonly SessionEvent[] = ['edit', 'undo', 'redo', 'play', 'stop', 'replace'];

/** Remembers what happened in a session and who did it, so that each client hears of the others' edits. */
export class SessionRecords {
  readonly #session: EditorSession;
  readonly #ring = new RecordRing<SessionRecord>(KEPT);
  readonly #unsubscribe: () => void;
  #client: string | null = null;
  #edits: readonly Edit[] = [];

  constructor(session: EditorSession) {
    this.#session = session;
    this.#unsubscribe = session.subscribe((event) => this.#record(event));
  }

  /** Does something in the name of a client. */
  by<T>(client: string, edits: readonly Edit[], work: () => T): T {
    this.#client = client;
    this.#edits = edits;
    try {
      return work();
    } finally {
      this.#client = null;
      this.#edits = [];
    }
  }

  /** At most `limit` records after number `after`, oldest first. */
  read(after: number, limit: number): RecordPage<SessionRecord> {
    return this.#ring.read(after, limit);
  }

  dispose(): void {
    this.#unsubscribe();
  }

  #record(event: SessionEvent): void {
    if (!RECORDED.includes(event)) return;
    this.#ring.push({
      event,
      label: this.#labelOf(event),
      client: this.#client,
      touched: this.#edits.slice(0, MOST_TOUCHED).map(touchedBy),
    });
  }

  #labelOf(event: SessionEvent): string | null {
    if (event === 'undo') return this.#session.redoSteps.at(-1) ?? null;
    if (event === 'edit' || event === 'redo') return this.#session.undoSteps.at(-1) ?? null;
    return null;
  }
}

function touchedBy(edit: Edit): TouchedPart {
  return {
    kind: edit.kind,
    entity: edit.entity,
    component: 'component' in edit ? edit.component : null,
    fields: edit.kind === 'set' ? Object.keys(edit.value) : [],
  };
}
