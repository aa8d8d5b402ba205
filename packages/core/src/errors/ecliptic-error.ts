/** What an {@link EclipticError} says beyond its message. */
export interface EclipticErrorDetails {
  /** The things involved, by role: `{ component: 'Velocity', entity: 17 }`. */
  readonly subjects?: Readonly<Record<string, unknown>>;
  /** One sentence that says what to do. It is appended to the message; on a line of its own if that is a list of lines. */
  readonly fix?: string;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/**
 * Base of every error that Ecliptic throws: a stable `code` for programs, a message with the names
 * of the things involved and the fix for people, and the `cause`.
 *
 * Packages subclass it where a caller will want to tell a family apart by `instanceof`; otherwise
 * the code is enough. A code is `<package>/<what-went-wrong>` and never changes its meaning.
 *
 * @example
 * ```ts
 * throw new EclipticError('ecs/unknown-component', 'Component "Velocity" is not registered', {
 *   subjects: { component: 'Velocity', scene: 'main' },
 *   fix: 'Call scene.registerComponent(Velocity) before using it.',
 * });
 * ```
 */
export class EclipticError extends Error {
  /** Stable identifier, `<package>/<what-went-wrong>`. */
  readonly code: string;
  /** The things involved, by role. */
  readonly subjects: Readonly<Record<string, unknown>>;
  /** What to do about it, or `undefined` where nothing general can be said. */
  readonly fix: string | undefined;

  /**
   * @param code - `<package>/<what-went-wrong>`
   * @param message - what happened, with names; one sentence without a final full stop
   */
  constructor(code: string, message: string, details: EclipticErrorDetails = {}) {
    const between = message.includes('\n') ? '\n' : '. ';
    super(
      details.fix === undefined ? message : `${message}${between}${details.fix}`,
      'cause' in details ? { cause: details.cause } : undefined,
    );
    this.name = new.target.name;
    this.code = code;
    this.subjects = details.subjects ?? {};
    this.fix = details.fix;
  }
}
