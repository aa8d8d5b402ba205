import type { AccessTarget } from './access.js';

/**
 * Systems that a system runs `before` or `after`: one by its name, or those that {@link ifPresent},
 * {@link readersOf} or {@link writersOf} select.
 */
export type OrderReference = string | SystemSelection;

/** Made by {@link ifPresent}, {@link readersOf} and {@link writersOf}. */
export type SystemSelection =
  | { readonly select: 'ifPresent'; readonly name: string }
  | { readonly select: 'readers'; readonly target: AccessTarget }
  | { readonly select: 'writers'; readonly target: AccessTarget };

/**
 * The system of that name if there is one; without it a missing name is an error at commit.
 *
 * @example
 * ```ts
 * defineSystem({ name: 'acme.rain', after: [ifPresent('acme.wind')], update() {} });
 * ```
 */
export function ifPresent(name: string): SystemSelection {
  return { select: 'ifPresent', name };
}

/**
 * All systems that read a component type or resource and do not write it, as far as phases allow.
 *
 * @example
 * ```ts
 * defineSystem({ name: 'acme.physics', before: [readersOf(Transform)], update() {} });
 * ```
 */
export function readersOf(target: AccessTarget): SystemSelection {
  return { select: 'readers', target };
}

/** All systems that write a component type or resource, as far as phases allow. */
export function writersOf(target: AccessTarget): SystemSelection {
  return { select: 'writers', target };
}
