import { RecordRing, type RecordPage } from './record-ring.js';

/** What is needed of a record of LogTape. */
export interface SinkRecord {
  readonly category: readonly string[];
  readonly level: string;
  /** Parts of the message: texts, and between them values. */
  readonly message: readonly unknown[];
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

/** Something that was logged. */
export interface LoggedEvent {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: string;
  /** As `ecliptic.assets`. */
  readonly category: string;
  /** At most 1,000 characters. */
  readonly text: string;
}

const MOST_CHARACTERS = 1_000;

/**
 * Keeps what was logged last, for inspectors. Give its `sink` to LogTape, whose configuration is the application's.
 *
 * @example
 * ```ts
 * const log = new InspectorLog();
 * await configure({
 *   sinks: { inspector: log.sink },
 *   loggers: [{ category: 'ecliptic', lowestLevel: 'info', sinks: ['inspector'] }],
 * });
 * ```
 */
export class InspectorLog {
  readonly #ring: RecordRing<LoggedEvent>;
  /** Takes the records; bound, so that it can be handed over as it is. */
  readonly sink: (record: SinkRecord) => void = ({ timestamp, level, category, message }) => {
    const text = message.map(textOf).join('').slice(0, MOST_CHARACTERS);
    this.#ring.push({ time: timestamp, level, category: category.join('.'), text });
  };

  /** @param capacity - records kept */
  constructor(capacity = 1_000) {
    this.#ring = new RecordRing(capacity);
  }

  /** At most `limit` records after number `after`, oldest first. */
  read(after: number, limit: number): RecordPage<LoggedEvent> {
    return this.#ring.read(after, limit);
  }
}

function textOf(part: unknown): string {
  if (part instanceof Error) return `${part.name}: ${part.message}`;
  if (Array.isArray(part)) return `[${part.map(textOf).join(', ')}]`;
  return String(part);
}
