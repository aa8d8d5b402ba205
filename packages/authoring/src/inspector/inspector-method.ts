import type { GenericSchema } from 'valibot';
import type { MethodName, ParamsOf, ResultOf } from './protocol/inspector-protocol.js';

/** One method of the protocol. */
export interface InspectorMethod<M extends MethodName> {
  /** What its parameters must be. */
  readonly params: GenericSchema<unknown, ParamsOf<M>>;
  /** Whether it only asks and answers at once: then it can be subscribed. */
  readonly asks: boolean;
  /** @param client - who calls */
  readonly run: (params: ParamsOf<M>, client: string) => ResultOf<M> | Promise<ResultOf<M>>;
  /** Of streams: parameters that ask for what comes after a result; `undefined` where the result has nothing new. */
  readonly advance?: (params: ParamsOf<M>, result: ResultOf<M>) => ParamsOf<M> | undefined;
}

/** Some methods, by name. */
export type InspectorMethods = { readonly [M in MethodName]?: InspectorMethod<M> };

/** A method whose name is not known to the compiler. */
export interface AnyMethod {
  readonly params: GenericSchema;
  readonly asks: boolean;
  readonly run: (params: unknown, client: string) => unknown;
  readonly advance?: (params: unknown, result: unknown) => unknown;
}

/** Methods for calls that name them; only names that are there are found. */
export function methodsByName(methods: InspectorMethods): ReadonlyMap<string, AnyMethod> {
  return new Map(Object.entries(methods) as unknown as readonly (readonly [string, AnyMethod])[]);
}
