import { headlessPlatform, type HeadlessPlatform } from '@ecliptic/engine';

/** How long a frame waits for the display, milliseconds: a hidden tab is shown none. */
const HIDDEN_PERIOD = 1_000;

/** The platform of an engine in a page's worker: frames at the pace of the display, events as the page sends them. */
export function workerPlatform(): HeadlessPlatform {
  return {
    ...headlessPlatform(),
    name: 'worker',
    nextFrame: (signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          cancelAnimationFrame(frame);
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const frame = requestAnimationFrame(done);
        const timer = setTimeout(done, HIDDEN_PERIOD);
        signal.addEventListener('abort', done);
      }),
  };
}
