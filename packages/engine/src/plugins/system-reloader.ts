import type { System, WorldTick } from '@ecliptic/scheduler';

interface Reload {
  readonly systems: readonly System[];
  readonly keepState: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Replaces systems of a running engine, for development: between two frames, by name, with the scene and everything in it as it
 * is.
 *
 * @example
 * ```ts
 * import.meta.hot?.accept('./systems.js', (module) => {
 *   void engine.get(SYSTEM_RELOADER).replace(Object.values(module?.systems));
 * });
 * ```
 */
export class SystemReloader {
  readonly #worldTick: WorldTick;
  #waiting: Reload[] = [];

  constructor(worldTick: WorldTick) {
    this.#worldTick = worldTick;
  }

  /**
   * Puts each system in the place of the one of its name, at the start of the next frame; one with a new name is added.
   *
   * @param options - `keepState`: hand the old system's state on to the new one; default `true`
   * @returns when it is done
   * @throws EclipticError of `WorldTick.replaceSystem`, `registerSystem` or `commit`; the system that failed, and those after
   *   it in the list, are as before
   */
  replace(
    systems: readonly System[],
    options: { readonly keepState?: boolean } = {},
  ): Promise<void> {
    const { keepState = true } = options;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ systems, keepState, resolve, reject });
    });
  }

  /** Does what waits; while no system runs. @internal */
  apply(): void {
    if (this.#waiting.length === 0) return;
    const reloads = this.#waiting;
    this.#waiting = [];
    for (const { systems, keepState, resolve, reject } of reloads) {
      try {
        for (const system of systems) this.#put(system, keepState);
        resolve();
      } catch (error) {
        reject(error);
      }
    }
  }

  #put(system: System, keepState: boolean): void {
    const known = this.#worldTick.metrics().some(({ name }) => name === system.name);
    if (known) this.#worldTick.replaceSystem(system, { keepState });
    else this.#add(system);
  }

  #add(system: System): void {
    this.#worldTick.reopen();
    try {
      this.#worldTick.registerSystem(system);
      this.#worldTick.commit();
    } catch (error) {
      const added = this.#worldTick.metrics().some(({ name }) => name === system.name);
      if (added) this.#worldTick.unregisterSystem(system.name);
      this.#worldTick.commit();
      throw error;
    }
  }
}
