import { EclipticError } from '@ecliptic/core';
import { tokenName } from './token.js';

/** One service, as the check sees it. */
export interface ServiceNode {
  /** The plugin that bound it. */
  readonly owner: string;
  /** What it needs; `undefined` for a parameter that names no token. */
  readonly needs: readonly (symbol | undefined)[];
}

/**
 * Finds everything that would go wrong on resolving the services: missing ones, cycles, and
 * constructor parameters without `@inject`. O(services + needs).
 *
 * @returns one line a problem, in a fixed order
 */
function findServiceProblems(services: ReadonlyMap<symbol, ServiceNode>): string[] {
  return [...findMissing(services), ...findServiceCycles(services)];
}

/**
 * Checks the services before any of them is resolved.
 *
 * @throws EclipticError `engine/service-graph` with one line a problem, all at once
 */
export function assertServiceGraph(services: ReadonlyMap<symbol, ServiceNode>): void {
  const problems = findServiceProblems(services);
  if (problems.length === 0) return;
  throw new EclipticError(
    'engine/service-graph',
    `The services don't fit together:\n- ${problems.join('\n- ')}`,
    {
      subjects: { problems },
      fix: 'Add the plugins that bind what is missing, and break cycles by asking for one of the services later, with services.get().',
    },
  );
}

function findMissing(services: ReadonlyMap<symbol, ServiceNode>): string[] {
  const problems: string[] = [];
  for (const [token, { owner, needs }] of services) {
    for (const [index, need] of needs.entries()) {
      if (need === undefined) {
        problems.push(
          `"${tokenName(token)}" (bound by ${owner}): constructor parameter ${index + 1} has no @inject(TOKEN)`,
        );
      } else if (!services.has(need)) {
        problems.push(
          `"${tokenName(token)}" (bound by ${owner}) needs "${tokenName(need)}", which no plugin binds${twinHint(services, need)}`,
        );
      }
    }
  }
  return problems;
}

/** Two copies of one package have two tokens of one name: say so, it is hard to find. */
function twinHint(services: ReadonlyMap<symbol, ServiceNode>, need: symbol): string {
  for (const token of services.keys()) {
    if (tokenName(token) === tokenName(need)) {
      return ' (a different token of that name is bound: is its package loaded twice?)';
    }
  }
  return '';
}

function findServiceCycles(services: ReadonlyMap<symbol, ServiceNode>): string[] {
  const problems: string[] = [];
  const done = new Set<symbol>();
  const path: symbol[] = [];
  const visit = (token: symbol): void => {
    const start = path.indexOf(token);
    if (start >= 0) {
      problems.push(`cycle: ${[...path.slice(start), token].map(tokenName).join(' → ')}`);
      return;
    }
    if (done.has(token)) return;
    path.push(token);
    for (const need of services.get(token)?.needs ?? []) {
      if (need !== undefined) visit(need);
    }
    path.pop();
    done.add(token);
  };
  for (const token of services.keys()) visit(token);
  return problems;
}
