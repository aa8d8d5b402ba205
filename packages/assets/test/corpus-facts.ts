interface Box {
  readonly min: readonly number[];
  readonly max: readonly number[];
}

/** What is known of one file to differ from the facts of the manifest: what it has here, and why. */
export interface Difference {
  readonly ours?: Readonly<Record<string, number>>;
  /** Where it is here. */
  readonly box?: Box | 'nothing';
  readonly reason: string;
}

/**
 * Which counts are neither the fact of the same name nor what a difference says. A difference that has become none is listed,
 * too.
 */
export function wrongCounts(
  counts: Readonly<Record<string, number>>,
  facts: Readonly<Record<string, number | undefined>>,
  { ours = {} }: Partial<Difference> = {},
): string[] {
  const wrong: string[] = [];
  for (const [name, fact] of Object.entries(facts)) {
    if (fact === undefined) continue;
    const wanted = ours[name] ?? fact;
    if (counts[name] !== wanted) wrong.push(`${name}: ${counts[name]}, not ${wanted}`);
    if (ours[name] === fact) wrong.push(`${name} is no difference`);
  }
  for (const name of Object.keys(ours)) {
    if (facts[name] === undefined) wrong.push(`${name} has no fact`);
  }
  return wrong;
}

/** What is wrong with a box, which should be the fact or what a difference says, to a thousandth of its size. */
export function wrongPlace(actual: Box, fact: Box, { box }: Partial<Difference> = {}): string[] {
  if (box === 'nothing') return actual.min[0] === Infinity ? [] : ['there is something'];
  const wrong: string[] = [];
  if (!(distance(actual, box ?? fact) < 1e-3)) wrong.push(JSON.stringify(actual));
  if (box && distance(box, fact) < 1e-3) wrong.push('the box is no difference');
  return wrong;
}

/** The largest distance of two boxes' corners along an axis, by the size of the second. */
function distance(a: Box, b: Box): number {
  const size = Math.max(1e-6, ...b.max.map((value, i) => value - (b.min[i] ?? 0)));
  const corners = (box: Box): readonly number[] => [...box.min, ...box.max];
  return Math.max(...corners(a).map((value, i) => Math.abs(value - (corners(b)[i] ?? 0)))) / size;
}
