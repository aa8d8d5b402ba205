import { EclipticError } from '@ecliptic/core';
import { touches } from './access.js';
import { OrderGraph, type OrderOrigin } from './order-graph.js';
import type { OrderReference } from './order-reference.js';
import type { SchedulableSystem, ScheduleInput, UpdateKind } from './schedule.js';

/** Orders given from outside the systems, by registration number. */
export interface ManualOrder {
  readonly orderBefore: readonly (readonly [before: number, after: number])[];
  readonly anyOrder: readonly (readonly [a: number, b: number])[];
}

/**
 * All declared orders as a graph.
 *
 * @throws EclipticError `scheduler/unknown-system`, `scheduler/order-against-phase`,
 *   `scheduler/order-across-kinds`
 */
export function collectOrder(input: ScheduleInput): OrderGraph {
  const { systems, phases } = input;
  const graph = new OrderGraph(systems.length);
  const byName = new Map(systems.map((system, index) => [system.name, index]));
  const connect = (before: number, after: number, origin: OrderOrigin): void => {
    const [first, second] = [systems[before], systems[after]];
    if (first === undefined || second === undefined) return;
    checkPair(phases, first, second);
    graph.add(before, after, origin);
  };
  for (const [before, after] of input.orderBefore) connect(before, after, 'orderBefore');
  for (const [index, system] of systems.entries()) {
    for (const reference of system.before) {
      for (const other of select(input, byName, index, reference, 'before')) {
        connect(index, other, 'before');
      }
    }
    for (const reference of system.after) {
      for (const other of select(input, byName, index, reference, 'after')) {
        connect(other, index, 'after');
      }
    }
  }
  return graph;
}

/**
 * Whether `first` can be made to run before `second`.
 *
 * @throws EclipticError `scheduler/order-against-phase`, `scheduler/order-across-kinds`
 */
export function checkPair(
  phases: readonly string[],
  first: SchedulableSystem,
  second: SchedulableSystem,
): void {
  const subjects = { before: first.name, after: second.name };
  if (phases.indexOf(first.phase) > phases.indexOf(second.phase)) {
    throw new EclipticError(
      'scheduler/order-against-phase',
      `"${first.name}" can't run before "${second.name}": its phase "${first.phase}" comes after "${second.phase}"`,
      { subjects, fix: 'Move one of the two into another phase, or drop the order.' },
    );
  }
  if (!sameKind(first, second)) {
    throw new EclipticError(
      'scheduler/order-across-kinds',
      `"${first.name}" can't run before "${second.name}": one runs in fixed steps only, the other in frames only`,
      { subjects, fix: 'Drop the order, or give both the same updateKind.' },
    );
  }
}

/** Whether two systems ever run in the same tick or frame. */
export function sameKind(
  a: { readonly updateKind: UpdateKind },
  b: { readonly updateKind: UpdateKind },
): boolean {
  return a.updateKind === 'both' || b.updateKind === 'both' || a.updateKind === b.updateKind;
}

function select(
  { systems, phases }: ScheduleInput,
  byName: ReadonlyMap<string, number>,
  self: number,
  reference: OrderReference,
  relation: 'before' | 'after',
): number[] {
  if (typeof reference === 'string' || reference.select === 'ifPresent') {
    const name = typeof reference === 'string' ? reference : reference.name;
    const found = byName.get(name);
    if (found !== undefined) return [found];
    if (typeof reference !== 'string') return [];
    throw new EclipticError(
      'scheduler/unknown-system',
      `"${systems[self]?.name}" is ordered ${relation} "${name}", which is not registered`,
      {
        subjects: { system: systems[self]?.name, [relation]: name },
        fix: `Register "${name}", or write ifPresent('${name}') if it may be absent.`,
      },
    );
  }
  const { select: role, target } = reference;
  const me = systems[self];
  if (me === undefined) return [];
  const phaseOf = (system: SchedulableSystem): number => phases.indexOf(system.phase);
  return [...systems.keys()].filter((index) => {
    const system = systems[index];
    if (system === undefined || index === self || !sameKind(me, system)) return false;
    const [first, second] = relation === 'before' ? [me, system] : [system, me];
    if (phaseOf(first) > phaseOf(second)) return false;
    if (role === 'writers') return system.access.writes.has(target);
    return touches(system.access, target) && !system.access.writes.has(target);
  });
}
