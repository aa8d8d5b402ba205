import { MainThreadQueue, type MainThreadQueueOptions } from '@ecliptic/scheduler';
import type { SubsystemPlugin } from '../lifecycle/lifecycle-step.js';
import { CLOCK, CONFIG } from '../services/engine-tokens.js';
import { createToken, type Token } from '../services/token.js';

/** Work that other threads want done on this one. */
export const MAIN_THREAD_QUEUE: Token<MainThreadQueue> = createToken<MainThreadQueue>(
  'scheduler.mainThreadQueue',
);

/**
 * The queue of work for the main thread: drained once a frame; what is pending at the shutdown is discarded, counted and logged.
 *
 * Binds {@link MAIN_THREAD_QUEUE}.
 */
export function mainThreadQueue(options: MainThreadQueueOptions = {}): SubsystemPlugin {
  return {
    id: 'ecliptic.mainThreadQueue',
    configure(services) {
      services.bindFactory(MAIN_THREAD_QUEUE, [CONFIG, CLOCK], ({ memory }, clock) => {
        return new MainThreadQueue({ capacity: memory.mainThreadQueueSlots, clock, ...options });
      });
    },
    steps: [
      {
        name: 'MainThreadQueue',
        at: 'mainThreadQueue',
        initialize({ get, frame }) {
          const queue = get(MAIN_THREAD_QUEUE);
          frame.on('drain', 'drain the main-thread queue', () => void queue.drain());
        },
        cleanups: [
          {
            at: 'mainThreadQueue',
            cleanup({ get, log }) {
              const discarded = get(MAIN_THREAD_QUEUE).close();
              if (discarded > 0) log.warn('main_thread_posts_discarded', { discarded });
            },
          },
        ],
      },
    ],
  };
}
