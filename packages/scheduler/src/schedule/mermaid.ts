import type { Schedule, SchedulableSystem } from './schedule.js';

/**
 * The order of systems as a Mermaid flow chart: a box for each phase that has systems, an arrow for
 * each declared order, a dotted one for each conflict that was accepted or tolerated.
 */
export function scheduleToMermaid(
  systems: readonly SchedulableSystem[],
  phases: readonly string[],
  schedule: Schedule,
): string {
  const lines = ['flowchart LR'];
  const used = phases.filter((phase) => systems.some((system) => system.phase === phase));
  for (const [i, phase] of used.entries()) {
    lines.push(`  subgraph p${i}["${escape(phase)}"]`);
    for (const [index, system] of systems.entries()) {
      if (system.phase === phase) lines.push(`    s${index}["${escape(system.name)}"]`);
    }
    lines.push('  end');
  }
  for (let i = 1; i < used.length; i++) lines.push(`  p${i - 1} ==> p${i}`);
  const declared = schedule.graph.closure();
  for (const index of systems.keys()) {
    for (const { to } of schedule.graph.edgesFrom(index)) lines.push(`  s${index} --> s${to}`);
    const tolerated = [...(schedule.runsBefore[index] ?? [])].filter(
      (to) => !declared[index]?.has(to),
    );
    for (const to of tolerated.toSorted((a, b) => a - b)) lines.push(`  s${index} -.-> s${to}`);
  }
  return `${lines.join('\n')}\n`;
}

function escape(name: string): string {
  return name.replaceAll('"', '#quot;');
}
