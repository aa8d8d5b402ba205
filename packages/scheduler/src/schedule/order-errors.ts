import { EclipticError } from '@ecliptic/core';
import { targetName } from './access.js';
import type { OrderCycle } from './order-graph.js';
import type { ConflictPair, SchedulableSystem } from './schedule.js';

const REASONS = {
  orderBefore: 'by orderBefore',
  before: 'by the "before" of the first',
  after: 'by the "after" of the second',
} as const;

/** `scheduler/order-cycle`, with the path and the reason of each step. */
export function cycleError(
  systems: readonly SchedulableSystem[],
  { nodes, origins }: OrderCycle,
): EclipticError {
  const names = nodes.map((node) => systems[node]?.name ?? '');
  const steps = names.map((name, i) => {
    const next = names[(i + 1) % names.length];
    return `\n  "${name}" before "${next}", ${REASONS[origins[i] ?? 'orderBefore']}`;
  });
  return new EclipticError(
    'scheduler/order-cycle',
    `Systems wait for each other: ${[...names, names[0]].join(' → ')}${steps.join('')}`,
    { subjects: { cycle: names }, fix: 'Remove one of these orders.' },
  );
}

/** `scheduler/unordered-conflict`, for all pairs at once, grouped by what they touch. */
export function conflictError(
  systems: readonly SchedulableSystem[],
  pairs: readonly ConflictPair[],
): EclipticError {
  const name = (index: number): string => systems[index]?.name ?? '';
  const groups = new Map<string, string[]>();
  for (const { first, second, targets } of pairs) {
    for (const target of targets) {
      const role = (index: number): string =>
        `"${name(index)}" (${systems[index]?.access.writes.has(target) ? 'writes' : 'reads'})`;
      const lines = groups.get(targetName(target)) ?? [];
      lines.push(`    ${role(first)} and ${role(second)}`);
      groups.set(targetName(target), lines);
    }
  }
  const report = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([target, lines]) => `  ${target}\n${lines.join('\n')}`);
  const calls = pairs.map(
    ({ first, second }) => `  worldTick.orderBefore('${name(first)}', '${name(second)}')`,
  );
  const count =
    pairs.length === 1 ? '1 pair of systems touches' : `${pairs.length} pairs of systems touch`;
  return new EclipticError(
    'scheduler/unordered-conflict',
    `${count} the same data in no order:\n${report.join('\n')}`,
    {
      subjects: {
        pairs: pairs.map(({ first, second, targets }) => ({
          first: name(first),
          second: name(second),
          targets: targets.map(targetName),
        })),
      },
      fix: `Order each pair one way or the other, or accept it with anyOrderWith:\n${calls.join('\n')}`,
    },
  );
}
