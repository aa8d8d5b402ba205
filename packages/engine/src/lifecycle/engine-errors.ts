import { EclipticError, messageOf } from '@ecliptic/core';

/** A clean-up that threw, rejected or took too long; code `engine/cleanup-failed`. */
export class CleanupError extends EclipticError {
  /** The plugin that the clean-up belongs to. */
  readonly plugin: string;
  /** The step whose work could not be undone. */
  readonly step: string;

  constructor(plugin: string, step: string, cause: unknown) {
    super('engine/cleanup-failed', `${plugin} failed to clean up "${step}": ${messageOf(cause)}`, {
      subjects: { plugin, step },
      cause,
    });
    this.plugin = plugin;
    this.step = step;
  }
}

/**
 * The engine could not be initialized; code `engine/initialization-failed`. Everything that had completed was undone before
 * it was thrown, and nothing after the failed step was started.
 */
export class EngineInitializationError extends EclipticError {
  /** The plugin whose step failed; `engine` for the engine's own. */
  readonly plugin: string;
  /** The step that failed, or that would have been next when the engine was told to close. */
  readonly step: string;
  /** What went wrong on undoing the completed steps, in the order of undoing. */
  readonly cleanupErrors: readonly CleanupError[];

  constructor(
    plugin: string,
    step: string,
    cause: unknown,
    cleanupErrors: readonly CleanupError[],
  ) {
    super('engine/initialization-failed', `${plugin} failed in "${step}": ${messageOf(cause)}`, {
      subjects: { plugin, step },
      cause,
    });
    this.plugin = plugin;
    this.step = step;
    this.cleanupErrors = cleanupErrors;
  }
}

/** A frame failed; code `engine/frame-failed`. The rest of it was skipped; the next frame works. */
export class EngineFrameError extends EclipticError {
  /** The plugin whose hook failed. */
  readonly plugin: string;
  /** The step of the frame, and the hook's name. */
  readonly step: string;

  constructor(plugin: string, step: string, cause: unknown) {
    super(
      'engine/frame-failed',
      `${plugin} failed in the frame step "${step}": ${messageOf(cause)}`,
      {
        subjects: { plugin, step },
        cause,
      },
    );
    this.plugin = plugin;
    this.step = step;
  }
}

/** Clean-ups failed during a shutdown; code `engine/shutdown-incomplete`. All others ran. */
export class EngineShutdownError extends EclipticError {
  /** What went wrong, in the order of the shutdown. */
  readonly errors: readonly CleanupError[];

  constructor(errors: readonly CleanupError[]) {
    super(
      'engine/shutdown-incomplete',
      `${errors.length} clean-ups failed:\n- ${errors.map((error) => error.message).join('\n- ')}`,
      { subjects: { steps: errors.map((error) => error.step) }, cause: errors[0] },
    );
    this.errors = errors;
  }
}
