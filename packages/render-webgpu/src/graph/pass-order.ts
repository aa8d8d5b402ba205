import { EclipticError } from '@ecliptic/core';
import { TARGET } from './texture-description.js';

/** What a pass says about itself; all that its place in the order depends on. */
export interface PassAccess {
  /** Unique in the graph, as `lighting`. */
  readonly name: string;
  /** Textures that it samples. */
  readonly reads: readonly string[];
  /** Textures that it draws to. */
  readonly writes: readonly string[];
}

/**
 * Orders passes by what they read and write: a reader comes after every writer of the texture, and passes
 * that write the same texture keep the order they were given in. Otherwise the given order holds.
 * O(passes² · accesses).
 *
 * @param textures - names of the graph's textures; `target` always exists
 * @returns indices into `passes`
 * @throws EclipticError `render-webgpu/duplicate-pass`, `render-webgpu/unknown-texture`, `render-webgpu/never-written`,
 * `render-webgpu/feedback` for a pass that samples what it draws to, `render-webgpu/pass-cycle` with the path
 */
export function orderPasses(passes: readonly PassAccess[], textures: Iterable<string>): number[] {
  check(passes, new Set([...textures, TARGET]));
  const before = passes.map((pass, i) =>
    passes.flatMap((other, j) => (comesAfter(pass, i, other, j) ? [j] : [])),
  );
  const order: number[] = [];
  const placed = new Set<number>();
  while (order.length < passes.length) {
    const next = passes.findIndex(
      (_, i) => !placed.has(i) && (before[i] ?? []).every((j) => placed.has(j)),
    );
    if (next < 0) throw cycle(passes, before, placed);
    placed.add(next);
    order.push(next);
  }
  return order;
}

function comesAfter(pass: PassAccess, i: number, other: PassAccess, j: number): boolean {
  if (i === j) return false;
  if (other.writes.some((texture) => pass.reads.includes(texture))) return true;
  return j < i && other.writes.some((texture) => pass.writes.includes(texture));
}

function check(passes: readonly PassAccess[], known: ReadonlySet<string>): void {
  const names = new Set<string>();
  const written = new Set(passes.flatMap(({ writes }) => writes));
  for (const { name, reads, writes } of passes) {
    if (names.has(name)) {
      throw new EclipticError('render-webgpu/duplicate-pass', `Two passes are called "${name}"`, {
        subjects: { pass: name },
        fix: 'Give each pass a name of its own.',
      });
    }
    names.add(name);
    for (const texture of [...reads, ...writes]) {
      if (known.has(texture)) continue;
      throw new EclipticError(
        'render-webgpu/unknown-texture',
        `Pass "${name}" uses the texture "${texture}", which nothing describes`,
        {
          subjects: { pass: name, texture, known: [...known] },
          fix: 'Describe it in the `textures` of a pass.',
        },
      );
    }
    for (const texture of reads) {
      if (writes.includes(texture)) {
        throw new EclipticError(
          'render-webgpu/feedback',
          `Pass "${name}" samples "${texture}" while it draws to it`,
          { subjects: { pass: name, texture }, fix: 'Draw to another texture, or blend.' },
        );
      }
      if (!written.has(texture)) {
        throw new EclipticError(
          'render-webgpu/never-written',
          `Pass "${name}" reads the texture "${texture}", which no pass writes`,
          {
            subjects: { pass: name, texture },
            fix: 'Add the pass that writes it, or drop the read.',
          },
        );
      }
    }
  }
}

/** Follows unplaced predecessors until one repeats: that is a cycle. */
function cycle(
  passes: readonly PassAccess[],
  before: readonly (readonly number[])[],
  placed: ReadonlySet<number>,
): EclipticError {
  const path: number[] = [];
  let at = passes.findIndex((_, i) => !placed.has(i));
  while (!path.includes(at)) {
    path.push(at);
    at = (before[at] ?? []).find((j) => !placed.has(j)) ?? at;
  }
  const names = [...path.slice(path.indexOf(at)), at].map((i) => passes[i]?.name).toReversed();
  return new EclipticError(
    'render-webgpu/pass-cycle',
    `Passes wait for each other: ${names.join(' → ')}`,
    {
      subjects: { passes: names },
      fix: 'Split one of them, let it write another texture, or name a depth that it only tests against in `reads`.',
    },
  );
}
