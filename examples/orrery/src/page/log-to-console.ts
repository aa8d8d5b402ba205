import { configure, getConsoleSink } from '@logtape/logtape';

/**
 * Prints what fails in this thread's subsystems in the browser's console; once a thread. No warnings: a slow device would be told of
 * dropped steps in each frame.
 */
export function logToConsole(): Promise<void> {
  return configure({
    sinks: { console: getConsoleSink() },
    loggers: [
      { category: 'ecliptic', sinks: ['console'], lowestLevel: 'error' },
      { category: ['logtape', 'meta'], sinks: ['console'], lowestLevel: 'warning' },
    ],
  });
}
