/** Globs of what is passed over, in a form that can be sent to a worker and needs no library there. */
export interface IgnoreRules {
  /** Whole names at any depth. */
  readonly names: ReadonlySet<string>;
  /** Matches names at any depth. */
  readonly name: RegExp | undefined;
  /** Matches whole paths without the first `/`. */
  readonly path: RegExp | undefined;
}

/** Whether `path`, as `/a/b`, is passed over, with all that is in it. */
export function isIgnored(rules: IgnoreRules, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    rules.names.has(name) ||
    rules.name?.test(name) === true ||
    rules.path?.test(path.slice(1)) === true
  );
}
