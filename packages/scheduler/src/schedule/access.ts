/** What a system can read or write: a component type, or a resource by its name. */
export type AccessTarget = string | { readonly name: string };

/** What one system declares to touch. */
export interface Access {
  readonly reads: ReadonlySet<AccessTarget>;
  readonly writes: ReadonlySet<AccessTarget>;
}

/** Name of a target, for messages. */
export function targetName(target: AccessTarget): string {
  return typeof target === 'string' ? target : target.name;
}

/** Whether the system touches `target` at all. */
export function touches(access: Access, target: AccessTarget): boolean {
  return access.reads.has(target) || access.writes.has(target);
}

/**
 * Targets that one of two systems writes and the other reads or writes: they can't run at the same
 * time, and who comes first shows.
 */
export function conflicts(a: Access, b: Access): AccessTarget[] {
  const found = new Set<AccessTarget>();
  for (const target of a.writes) if (touches(b, target)) found.add(target);
  for (const target of b.writes) if (touches(a, target)) found.add(target);
  return [...found];
}
