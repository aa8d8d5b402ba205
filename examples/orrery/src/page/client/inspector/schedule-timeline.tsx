import { NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import type { InspectorClient } from '@ecliptic/authoring/inspector';
import type { JSX } from 'preact';
import { useLive } from './use-live.js';

/** The waves of systems in the order in which they run, each system as long as it takes in the mean. */
export function ScheduleTimeline({ client }: { readonly client: InspectorClient }): JSX.Element {
  const schedule = useLive(client, 'systems.list', {});
  const meanOf = (name: string): number =>
    schedule?.systems.find((system) => system.name === name)?.mean ?? 0;
  const waves = schedule?.waves ?? [];
  const longest = (systems: readonly string[]): number => Math.max(...systems.map(meanOf));
  const total = waves.reduce((sum, { systems }) => sum + longest(systems), 0);
  let start = 0;
  return (
    <section aria-label="Schedule">
      {waves.map(({ kind, phase, systems }, wave) => {
        const from = start;
        start += longest(systems);
        return (
          <div key={wave} role="list" aria-label={`Wave ${wave + 1}: ${kind}, ${phase}`}>
            {systems.map((name) => (
              <div key={name} role="listitem" class="bar">
                <span
                  style={{
                    left: `${(100 * from) / total}%`,
                    width: `${(100 * meanOf(name)) / total}%`,
                  }}
                />
                {name} {(meanOf(name) / NANOSECONDS_PER_MILLISECOND).toFixed(3)} ms
              </div>
            ))}
          </div>
        );
      })}
    </section>
  );
}
