/** Why one system runs before another. */
export type OrderOrigin = 'orderBefore' | 'before' | 'after';

interface Edge {
  readonly to: number;
  readonly origin: OrderOrigin;
}

/** Systems on a cycle, each before the next and the last before the first, with the reasons. */
export interface OrderCycle {
  readonly nodes: readonly number[];
  readonly origins: readonly OrderOrigin[];
}

/** "Runs before" among systems that are numbered by registration. */
export class OrderGraph {
  readonly #edges: Edge[][];

  constructor(size: number) {
    this.#edges = Array.from({ length: size }, () => []);
  }

  /** Makes `before` run before `after`; the first reason given for a pair is kept. */
  add(before: number, after: number, origin: OrderOrigin): void {
    const edges = this.#edges[before] ?? [];
    if (!edges.some((edge) => edge.to === after)) edges.push({ to: after, origin });
  }

  /** Direct successors, ascending, each with its reason. */
  edgesFrom(node: number): readonly Edge[] {
    return (this.#edges[node] ?? []).toSorted((a, b) => a.to - b.to);
  }

  /** A shortest cycle through the lowest system that is on one, or `undefined`. O(n · edges). */
  findCycle(): OrderCycle | undefined {
    for (let start = 0; start < this.#edges.length; start++) {
      const cycle = this.#cycleThrough(start);
      if (cycle !== undefined) return cycle;
    }
    return undefined;
  }

  /** For each system the set of all that run after it, transitively. The graph must have no cycle. */
  closure(): Set<number>[] {
    const after: (Set<number> | undefined)[] = Array.from({ length: this.#edges.length });
    const visit = (node: number): Set<number> => {
      const known = after[node];
      if (known !== undefined) return known;
      const reachable = new Set<number>();
      for (const { to } of this.#edges[node] ?? []) {
        reachable.add(to);
        for (const further of visit(to)) reachable.add(further);
      }
      after[node] = reachable;
      return reachable;
    };
    return this.#edges.map((_, node) => visit(node));
  }

  #cycleThrough(start: number): OrderCycle | undefined {
    const cameFrom = new Map<number, { node: number; origin: OrderOrigin }>();
    const queue = [start];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const { to, origin } of this.edgesFrom(next)) {
        if (to === start) return backtrack(cameFrom, start, next, origin);
        if (cameFrom.has(to)) continue;
        cameFrom.set(to, { node: next, origin });
        queue.push(to);
      }
    }
    return undefined;
  }
}

function backtrack(
  cameFrom: ReadonlyMap<number, { node: number; origin: OrderOrigin }>,
  start: number,
  last: number,
  closing: OrderOrigin,
): OrderCycle {
  const nodes = [last];
  const origins = [closing];
  for (let step = cameFrom.get(last); step !== undefined; step = cameFrom.get(step.node)) {
    nodes.unshift(step.node);
    origins.unshift(step.origin);
    if (step.node === start) break;
  }
  return { nodes, origins };
}
