declare const service: unique symbol;

/**
 * Names a service and its type. A symbol at run time, so it is also what `@inject(TOKEN)` of tsyringe
 * takes. Export it beside the service's interface; never make it again elsewhere: two tokens of one
 * name are two services.
 */
export type Token<T> = symbol & { readonly [service]: T };

/**
 * Makes a token.
 *
 * @param name - `<package>.<service>`, as `acme.weather`; shown in errors
 * @example
 * ```ts
 * export const WEATHER = createToken<Weather>('acme.weather');
 * services.bindValue(WEATHER, new Weather());
 * services.get(WEATHER).windAt(0, 0);
 * ```
 */
export function createToken<T>(name: string): Token<T> {
  return Symbol(name) as Token<T>;
}

/** The name that the token was made with. */
export function tokenName(token: symbol): string {
  return token.description ?? 'unnamed';
}
