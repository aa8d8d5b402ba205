import { EclipticError, messageOf } from '@ecliptic/core';
import { container as globalContainer, type DependencyContainer } from 'tsyringe';
import type { CleanupStack } from '../lifecycle/cleanup-stack.js';
import { injectedTokens, type ServiceClass } from './injected-tokens.js';
import { assertServiceGraph, type ServiceNode } from './service-graph.js';
import { tokenName, type Token } from './token.js';

/** How to bind a service. */
export interface BindOptions<T> {
  /** Takes the place of what another plugin bound to the token, as long as nobody has asked for it. */
  readonly replace?: boolean;
  /**
   * Releases the service after all plugins were disposed, the latest made first. Only for a service that no plugin's own
   * clean-up releases.
   */
  readonly dispose?: (service: T) => void | Promise<void>;
}

/** What a factory is given: the services of its list of tokens. */
export type ServicesOf<Needs extends readonly Token<unknown>[]> = {
  [K in keyof Needs]: Needs[K] extends Token<infer T> ? T : never;
};

/** What plugins bind services with, and everyone gets them from. One per engine. */
export interface ServiceRegistry {
  /** Binds a service that exists already. */
  bindValue<T>(token: Token<T>, value: NoInfer<T>, options?: BindOptions<T>): void;
  /**
   * Binds a function that makes the service when it is first asked for. What it needs is listed, so that the graph can be
   * checked before anything is made.
   */
  bindFactory<T, const Needs extends readonly Token<unknown>[]>(
    token: Token<T>,
    needs: Needs,
    create: (...services: ServicesOf<Needs>) => NoInfer<T>,
    options?: BindOptions<T>,
  ): void;
  /**
   * Binds a class, made when it is first asked for. It is decorated with tsyringe's `@injectable()`, and each parameter of
   * its constructor with `@inject(TOKEN)`.
   */
  bindClass<T>(token: Token<T>, type: ServiceClass<NoInfer<T>>, options?: BindOptions<T>): void;
  /** Whether something is bound to the token. */
  has(token: Token<unknown>): boolean;
  /**
   * The service; the same one every time.
   *
   * @throws EclipticError `engine/missing-service`; `engine/service-failed` if making it throws; `engine/service-cycle` from
   *   inside its own factory; `engine/too-early` for one that would have to be made while plugins are still being configured
   */
  get<T>(token: Token<T>): T;
  /** The service, or `undefined` if nothing is bound to the token. */
  find<T>(token: Token<T>): T | undefined;
  /**
   * Makes an object that isn't a service: a new one each time, its constructor's `@inject` parameters filled in. The caller
   * owns it.
   *
   * @throws EclipticError `engine/missing-service`, `engine/service-failed`, `engine/process-wide-class`
   */
  create<T>(type: ServiceClass<T>): T;
}

interface Binding extends ServiceNode {
  readonly make: () => unknown;
  readonly dispose: ((service: never) => void | Promise<void>) | undefined;
  /** Whether it needn't be made. */
  exists: boolean;
  /** Whether somebody has asked for it. */
  inUse: boolean;
}

/**
 * The services of one engine: a tsyringe child container that only stores and constructs. Ownership, the check of the graph,
 * and disposal in order are done here, because the container does them badly.
 */
export class EngineServices {
  readonly #container: DependencyContainer = globalContainer.createChildContainer();
  readonly #bindings = new Map<symbol, Binding>();
  readonly #cleanups: CleanupStack;
  /** What is being made now, the innermost last: factories may ask for more than they list. */
  readonly #making: symbol[] = [];
  #complete = false;

  /** @param cleanups - where services to be disposed of are pushed, as they are made */
  constructor(cleanups: CleanupStack) {
    this.#cleanups = cleanups;
  }

  /** The registry as one plugin sees it: what it binds is bound in its name. */
  for(owner: string): ServiceRegistry {
    return {
      bindValue: (token, value, options) => {
        const binding = this.#bind(owner, token, [], () => value, options);
        binding.exists = true;
        this.#owe(token, binding, value);
      },
      bindFactory: (token, needs, create, options) =>
        this.#bind(owner, token, needs, () => this.#callFactory(needs, create), options),
      bindClass: (token, type, options) => {
        assertNotProcessWide(type);
        this.#bind(owner, token, injectedTokens(type), () => this.#construct(type), options);
      },
      has: (token) => this.#bindings.has(token),
      get: (token) => this.get(token),
      find: (token) => (this.#bindings.has(token) ? this.get(token) : undefined),
      create: (type) => this.#create(type),
    };
  }

  /** @throws EclipticError `engine/missing-service`, `engine/service-failed` */
  get<T>(token: Token<T>): T {
    if (!this.#bindings.has(token)) throw missing(token);
    return this.#container.resolve<T>(token);
  }

  /** Checks the graph; from now on services are made. @throws EclipticError `engine/service-graph` */
  assertComplete(): void {
    assertServiceGraph(this.#bindings);
    this.#complete = true;
  }

  #bind<T>(
    owner: string,
    token: Token<T>,
    needs: readonly (symbol | undefined)[],
    make: () => unknown,
    options: BindOptions<T> = {},
  ): Binding {
    const bound = this.#bindings.get(token);
    if (bound && (bound.inUse || options.replace !== true)) throw duplicate(token, owner, bound);
    const { dispose } = options;
    const binding: Binding = { owner, needs, make, dispose, exists: false, inUse: false };
    this.#bindings.set(token, binding);
    if (bound === undefined) {
      this.#container.register(token, { useFactory: () => this.#make(token) });
    }
    return binding;
  }

  /** Makes the service, once: from then on the container holds the value itself. */
  #make(token: symbol): unknown {
    const binding = this.#bindings.get(token);
    if (binding === undefined) throw missing(token);
    if (!binding.exists && !this.#complete) throw tooEarly(token);
    if (this.#making.includes(token)) throw cycle(this.#making, token);
    let service: unknown;
    this.#making.push(token);
    try {
      service = binding.make();
    } catch (cause) {
      throw failed(tokenName(token), binding.owner, cause);
    } finally {
      this.#making.pop();
    }
    binding.inUse = true;
    if (!binding.exists) this.#owe(token, binding, service);
    this.#container.register(token, { useValue: service });
    return service;
  }

  /** Remembers to release a service that is there now. */
  #owe(token: symbol, { owner, dispose }: Binding, service: unknown): void {
    if (dispose === undefined) return;
    const cleanup = (): void | Promise<void> => dispose(service as never);
    this.#cleanups.push({ name: tokenName(token), plugin: owner, at: 'dispose', cleanup });
  }

  #callFactory<T, Needs extends readonly Token<unknown>[]>(
    needs: Needs,
    create: (...services: ServicesOf<Needs>) => T,
  ): T {
    return create(...(needs.map((need) => this.get(need)) as ServicesOf<Needs>));
  }

  #create<T>(type: ServiceClass<T>): T {
    assertNotProcessWide(type);
    for (const [index, token] of injectedTokens(type).entries()) {
      if (token === undefined) {
        throw new EclipticError(
          'engine/service-failed',
          `Parameter ${index + 1} of ${type.name} has no @inject(TOKEN)`,
          {
            subjects: { class: type.name, parameter: index + 1 },
            fix: 'Decorate every parameter.',
          },
        );
      }
      if (!this.#bindings.has(token)) throw missing(token, type.name);
    }
    try {
      return this.#construct(type);
    } catch (cause) {
      throw failed(type.name, undefined, cause);
    }
  }

  /** In a container of its own, because a container keeps everything disposable that it ever made. */
  #construct<T>(type: ServiceClass<T>): T {
    return this.#container.createChildContainer().resolve<T>(type as new (...args: unknown[]) => T);
  }
}

function assertNotProcessWide(type: ServiceClass<unknown>): void {
  if (!globalContainer.isRegistered(type as new (...args: unknown[]) => unknown)) return;
  throw new EclipticError(
    'engine/process-wide-class',
    `${type.name} is registered in tsyringe's global container, so two engines would share it`,
    {
      subjects: { class: type.name },
      fix: 'Decorate it with @injectable() instead of @singleton(), @registry() or an autoInjectable token.',
    },
  );
}

function missing(token: symbol, neededBy?: string): EclipticError {
  const name = tokenName(token);
  const by = neededBy === undefined ? '' : `, which ${neededBy} needs`;
  return new EclipticError('engine/missing-service', `No plugin binds the service "${name}"${by}`, {
    subjects: { service: name, neededBy },
    fix: 'Add the plugin that binds it, or use find() where it is optional.',
  });
}

function tooEarly(token: symbol): EclipticError {
  const service = tokenName(token);
  return new EclipticError(
    'engine/too-early',
    `"${service}" can't be made yet: plugins are still being configured`,
    {
      subjects: { service },
      fix: 'Ask for services from initialize() on; in configure(), list what a factory needs.',
    },
  );
}

function duplicate(token: symbol, owner: string, bound: Binding): EclipticError {
  const service = tokenName(token);
  const why = bound.inUse ? 'it is in use already' : `${bound.owner} binds it`;
  return new EclipticError('engine/duplicate-service', `${owner} can't bind "${service}": ${why}`, {
    subjects: { service, owner, boundBy: bound.owner, inUse: bound.inUse },
    fix: bound.inUse
      ? 'Bind services in configure(), before anything asks for them.'
      : 'Leave one of the two plugins out, or pass { replace: true } in the one that should win.',
  });
}

function failed(name: string, owner: string | undefined, cause: unknown): EclipticError {
  const of = owner === undefined ? '' : ` (bound by ${owner})`;
  const reason = messageOf(cause);
  return new EclipticError('engine/service-failed', `Making "${name}"${of} failed: ${reason}`, {
    subjects: { service: name, owner },
    cause,
  });
}

function cycle(making: readonly symbol[], token: symbol): EclipticError {
  const path = [...making.slice(making.indexOf(token)), token].map(tokenName);
  return new EclipticError(
    'engine/service-cycle',
    `Services need each other: ${path.join(' → ')}`,
    {
      subjects: { path },
      fix: 'Ask for one of them later than in its factory or constructor.',
    },
  );
}
