import type { ActorManager } from '@ecliptic/actors';
import type { Scene } from '@ecliptic/ecs';
import type { SystemMetrics } from '@ecliptic/scheduler';
import { count, milliseconds, table } from './table.js';

/** Entities by what they consist of. */
export function entityReport(scene: Scene, actors: ActorManager): string[] {
  const { archetypes, bytesReserved } = scene.archetypeStats();
  const rows = archetypes
    .filter((archetype) => archetype.rows > 0)
    .toSorted((a, b) => b.rows - a.rows)
    .map((archetype) => [count(archetype.rows), archetype.components.join(' + ')]);
  const mebibytes = (bytesReserved / 1024 / 1024).toFixed(1);
  return [
    `Entities: ${count(scene.entityCount)}, of them ${actors.size} actors; ${mebibytes} MiB of columns`,
    ...table(['entities', 'archetype'], rows),
  ];
}

/** What each system cost. */
export function systemReport(metrics: readonly SystemMetrics[]): string[] {
  const rows = metrics.map(({ name, phase, runs, mean, p99, rows: visited, workerShare }) => [
    name,
    phase,
    count(runs),
    count(visited),
    milliseconds(mean),
    milliseconds(p99),
    `${Math.round(workerShare * 100)}%`,
  ]);
  return table(['system', 'phase', 'runs', 'rows', 'mean ms', 'p99 ms', 'on workers'], rows);
}
