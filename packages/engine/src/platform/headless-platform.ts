import type { EnginePlatform } from './engine-platform.js';
import type { PlatformEvent } from './platform-event.js';
import { platformInUse } from './platform-in-use.js';

/** A {@link headlessPlatform}: events come from `push`. */
export interface HeadlessPlatform extends EnginePlatform {
  /** Has the event seen in the next frame. */
  push(event: PlatformEvent): void;
}

/**
 * A platform without a window, signals or files: for tests, simulations in a worker, and hosts that drive the engine frame by
 * frame. It runs everywhere. On a server use `nodePlatform()`, which ends in good order on SIGTERM.
 *
 * @example
 * ```ts
 * const platform = headlessPlatform();
 * const engine = createEngine({ platform, plugins: [game()] });
 * await engine.initialize();
 * platform.push({ type: 'button', code: 'Space', down: true });
 * await engine.runFrame();
 * ```
 */
export function headlessPlatform(): HeadlessPlatform {
  let events: PlatformEvent[] = [];
  let inUse = false;
  return {
    name: 'headless',
    open() {
      if (inUse) throw platformInUse('headlessPlatform');
      inUse = true;
    },
    close() {
      inUse = false;
    },
    push(event) {
      events.push(event);
    },
    poll(emit) {
      const polled = events;
      events = [];
      for (const event of polled) emit(event);
    },
  };
}
