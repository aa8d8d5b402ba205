/** A class that the registry can construct. */
export type ServiceClass<T> = new (...args: never[]) => T;

/** What a constructor asks for: a token for each parameter, `undefined` where it names none. */
export type InjectedTokens = readonly (symbol | undefined)[];

/** Key under which tsyringe's `@inject` leaves the tokens on the class. */
const INJECTION_TOKENS = 'injectionTokens';

/**
 * Reads which tokens the `@inject` decorators of a class's constructor name. Only those are looked at,
 * never the types that a compiler may emit, because half of the compilers emit none.
 */
export function injectedTokens(type: ServiceClass<unknown>): InjectedTokens {
  const byIndex = (Reflect.getOwnMetadata(INJECTION_TOKENS, type) ?? {}) as Record<string, unknown>;
  const indices = Object.keys(byIndex).map(Number);
  const count = Math.max(type.length, ...indices.map((index) => index + 1));
  return Array.from({ length: count }, (_, index) => toToken(byIndex[index]));
}

/** tsyringe wraps the token in a descriptor that says how to resolve it. */
function toToken(injected: unknown): symbol | undefined {
  if (typeof injected === 'symbol') return injected;
  if (typeof injected !== 'object' || injected === null || !('token' in injected)) return undefined;
  return typeof injected.token === 'symbol' ? injected.token : undefined;
}
