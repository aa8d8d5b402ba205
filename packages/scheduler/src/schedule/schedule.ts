import { conflicts, type Access, type AccessTarget } from './access.js';
import { collectOrder, sameKind, type ManualOrder } from './collect-order.js';
import { cycleError } from './order-errors.js';
import type { OrderGraph } from './order-graph.js';
import type { OrderReference } from './order-reference.js';

/** When a system runs: in fixed steps, in frames, or in both. */
export type UpdateKind = 'tick' | 'frame' | 'both';

/** What the order of systems depends on. */
export interface SchedulableSystem {
  readonly name: string;
  readonly phase: string;
  readonly order: number;
  readonly updateKind: UpdateKind;
  readonly access: Access;
  readonly before: readonly OrderReference[];
  readonly after: readonly OrderReference[];
}

/** Two systems, by registration number, of which one writes what the other touches. */
export interface ConflictPair {
  readonly first: number;
  readonly second: number;
  readonly targets: readonly AccessTarget[];
}

/** Systems, by registration number, that may run at the same time; in canonical order. */
interface Wave {
  readonly phase: string;
  readonly systems: readonly number[];
}

/** The order in which a tick or a frame runs its systems. */
export interface Schedule {
  readonly tick: readonly Wave[];
  readonly frame: readonly Wave[];
  readonly graph: OrderGraph;
  /** For each system those that must run after it. */
  readonly runsBefore: readonly ReadonlySet<number>[];
  /** Conflicts that nobody ordered and nobody accepted. They are run one after the other anyway. */
  readonly unordered: readonly ConflictPair[];
}

/** What {@link buildSchedule} needs beside the systems. */
export interface ScheduleInput extends ManualOrder {
  readonly systems: readonly SchedulableSystem[];
  readonly phases: readonly string[];
}

/**
 * Orders systems: by phase, inside a phase by what was declared, where that leaves a choice by their
 * `order` number, then by registration. Systems that no order and no conflict separates share a wave.
 *
 * O(n²) pairs of n systems, for commits, not for frames.
 *
 * @throws EclipticError `scheduler/unknown-system`, `scheduler/order-against-phase`,
 *   `scheduler/order-across-kinds`, `scheduler/order-cycle`
 */
export function buildSchedule(input: ScheduleInput): Schedule {
  const { systems, phases } = input;
  const graph = collectOrder(input);
  const cycle = graph.findCycle();
  if (cycle !== undefined) throw cycleError(systems, cycle);

  const declared = graph.closure();
  const sequence = canonicalSequence(input, declared);
  const accepted = new Set(input.anyOrder.map(([a, b]) => pairKey(a, b)));
  const runsBefore = declared.map((set) => new Set(set));
  const unordered: ConflictPair[] = [];
  for (const [position, a] of sequence.entries()) {
    for (const b of sequence.slice(position + 1)) {
      const [one, other] = [systems[a], systems[b]];
      if (one === undefined || other === undefined || one.phase !== other.phase) continue;
      if (!sameKind(one, other) || declared[a]?.has(b)) continue;
      const targets = conflicts(one.access, other.access);
      if (targets.length === 0) continue;
      runsBefore[a]?.add(b);
      if (accepted.has(pairKey(a, b))) continue;
      unordered.push({ first: Math.min(a, b), second: Math.max(a, b), targets });
    }
  }
  unordered.sort((x, y) => x.first - y.first || x.second - y.second);
  const wavesOf = (kind: 'tick' | 'frame'): Wave[] =>
    phases.flatMap((phase) => {
      const members = sequence.filter((index) => {
        const system = systems[index];
        return (
          system?.phase === phase && (system.updateKind === kind || system.updateKind === 'both')
        );
      });
      return waves(members, runsBefore).map((wave) => ({ phase, systems: wave }));
    });
  return { tick: wavesOf('tick'), frame: wavesOf('frame'), graph, runsBefore, unordered };
}

/** All systems, each after those it must follow, with ties broken by phase, `order`, registration. */
function canonicalSequence(
  { systems, phases }: ScheduleInput,
  runsBefore: readonly ReadonlySet<number>[],
): number[] {
  const blockers = systems.map((_, b) => runsBefore.filter((after) => after.has(b)).length);
  const rank = systems.map(({ phase, order }, index) => [phases.indexOf(phase), order, index]);
  const left = new Set(systems.keys());
  const sequence: number[] = [];
  while (left.size > 0) {
    let best: number | undefined;
    for (const candidate of left) {
      if (blockers[candidate] !== 0) continue;
      if (best === undefined || comesFirst(rank[candidate], rank[best])) best = candidate;
    }
    if (best === undefined) throw new Error('canonicalSequence needs a graph without cycles');
    left.delete(best);
    sequence.push(best);
    for (const after of runsBefore[best] ?? []) blockers[after] = (blockers[after] ?? 0) - 1;
  }
  return sequence;
}

function comesFirst(a: readonly number[] = [], b: readonly number[] = []): boolean {
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0;
    if (value !== other) return value < other;
  }
  return false;
}

/** Kahn's waves: each holds the systems whose predecessors are all in earlier ones. */
function waves(members: readonly number[], runsBefore: readonly ReadonlySet<number>[]): number[][] {
  const levels = new Map<number, number>();
  const result: number[][] = [];
  for (const system of members) {
    let level = 0;
    for (const [earlier, itsLevel] of levels) {
      if (runsBefore[earlier]?.has(system)) level = Math.max(level, itsLevel + 1);
    }
    levels.set(system, level);
    (result[level] ??= []).push(system);
  }
  return result;
}

/** The same for (a, b) and (b, a). */
function pairKey(a: number, b: number): string {
  return `${Math.min(a, b)},${Math.max(a, b)}`;
}
