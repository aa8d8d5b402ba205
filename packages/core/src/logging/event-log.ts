import { getLogger, type Logger, type LogLevel } from '@logtape/logtape';

/** Structured data of a log record; values are kept as they are for structured sinks. */
export type EventProperties = Readonly<Record<string, unknown>>;

/** What a warning is about, as a value that is compared, not as an object that would be held. */
export type WarningSubject = string | number | bigint | boolean | symbol | undefined | null;

/**
 * How many different (event, subject) pairs one log remembers before it lumps the rest together.
 */
const MAX_SUBJECTS = 1_024;

/**
 * The log of one subsystem of one engine: records are `(subsystem, event, properties)` with stable
 * names, so that people can read them and tools can count them; the message holds all of it. Backed by LogTape, which is silent
 * until the application configures it (category `['ecliptic', subsystem]`).
 *
 * Not for hot paths: a record allocates. A misuse inside a frame goes through
 * {@link EventLog.warnOnce}.
 *
 * @example
 * ```ts
 * const log = new EventLog('ecs');
 * log.info('archetype_created', { archetype: 3, components: ['Transform'] });
 * log.warnOnce('stale_entity_access', entity, { entity });
 * log.flush(); // says how many repeats of each warning were suppressed
 * ```
 */
export class EventLog {
  /** First part of every record, as `ecs` or `vfs`. */
  readonly subsystem: string;
  readonly #logger: Logger;
  /** Repeats by event and subject. */
  readonly #suppressed = new Map<string, Map<WarningSubject, number>>();
  #remembered = 0;
  #overflow = 0;

  constructor(subsystem: string) {
    this.subsystem = subsystem;
    this.#logger = getLogger(['ecliptic', subsystem]);
  }

  /** For whoever works on the subsystem. */
  debug(event: string, properties: EventProperties = {}): void {
    this.#write('debug', event, properties);
  }

  /** Worth knowing in a normal run. */
  info(event: string, properties: EventProperties = {}): void {
    this.#write('info', event, properties);
  }

  /** Something is wrong, and goes on. */
  warn(event: string, properties: EventProperties = {}): void {
    this.#write('warning', event, properties);
  }

  /** Something failed. */
  error(event: string, properties: EventProperties = {}): void {
    this.#write('error', event, properties);
  }

  /**
   * Warns the first time that `event` is seen for `subject`; counts the repeats. It remembers 1,024
   * different pairs until the next {@link EventLog.flush}; what comes beyond is announced once
   * (`warning_subjects_exhausted`) and counted together. A repeat allocates nothing, beside the properties that it is given.
   *
   * @param subject - what is misused: an entity id, a component's name
   * @returns whether this call printed
   */
  warnOnce(event: string, subject: WarningSubject, properties: EventProperties = {}): boolean {
    const subjects = this.#suppressed.get(event);
    const repeats = subjects?.get(subject);
    if (repeats !== undefined) {
      subjects?.set(subject, repeats + 1);
      return false;
    }
    if (this.#remembered >= MAX_SUBJECTS) {
      this.#overflow++;
      if (this.#overflow === 1) this.warn('warning_subjects_exhausted', { limit: MAX_SUBJECTS });
      return false;
    }
    this.#remembered++;
    if (subjects === undefined) this.#suppressed.set(event, new Map([[subject, 0]]));
    else subjects.set(subject, 0);
    this.warn(event, { ...properties, subject });
    return true;
  }

  /**
   * Reports, one `warnings_suppressed` record per event and subject, how many repeats were held
   * back, and forgets them: the next misuse warns again. Called at shutdown.
   */
  flush(): void {
    for (const [event, subjects] of this.#suppressed) {
      for (const [subject, count] of subjects) {
        if (count > 0) this.warn('warnings_suppressed', { suppressedEvent: event, subject, count });
      }
    }
    if (this.#overflow > 0) {
      this.warn('warnings_suppressed', { suppressedEvent: '*', count: this.#overflow });
    }
    this.#suppressed.clear();
    this.#remembered = this.#overflow = 0;
  }

  #write(level: LogLevel, event: string, properties: EventProperties): void {
    if (!this.#logger.isEnabledFor(level)) return;
    // Sinks for people print the message alone, so it says everything.
    const details = Object.keys(properties).map((key) => ` ${key}={${key}}`);
    const message = `${this.subsystem}/${event}${details.join('')}`;
    this.#logger[level](message, { ...properties, subsystem: this.subsystem, event });
  }
}
