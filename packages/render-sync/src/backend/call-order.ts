import { EclipticError } from '@ecliptic/core';

/** How far a backend is, in its life and in its frame. */
export type BackendPhase =
  | 'new'
  | 'idle'
  | 'acquired'
  | 'frame'
  | 'scene'
  | 'graph'
  | 'presented'
  | 'disposed';

/** Refuses calls to a backend that come out of the order of {@link RenderBackend}. */
export class CallOrder {
  #phase: BackendPhase = 'new';

  get phase(): BackendPhase {
    return this.#phase;
  }

  /**
   * Goes from one phase to another, or stays.
   *
   * @param call - for the error
   * @throws EclipticError `render-sync/backend-order` in another phase than `from`
   */
  move(call: string, from: BackendPhase, to: BackendPhase): void {
    if (this.#phase !== from) {
      throw new EclipticError(
        'render-sync/backend-order',
        `${call}() came when the backend was ${this.#phase}`,
        {
          subjects: { call, phase: this.#phase },
          fix: 'See RenderBackend for the order of calls.',
        },
      );
    }
    this.#phase = to;
  }

  /** From any phase. */
  end(): void {
    this.#phase = 'disposed';
  }
}
