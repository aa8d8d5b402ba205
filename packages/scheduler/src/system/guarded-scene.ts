import { EclipticError } from '@ecliptic/core';
import {
  Parent,
  type Component,
  type ComponentInit,
  type ComponentMask,
  type ComponentView,
  type EntityId,
  type Resource,
  type Scene,
} from '@ecliptic/ecs';
import { targetName, touches, type Access, type AccessTarget } from '../schedule/access.js';
import type { SystemScene } from './system-scene.js';

/** Methods of views that change what they show. */
const MUTATORS: ReadonlySet<PropertyKey> = new Set([
  'set',
  'fill',
  'copyWithin',
  'reverse',
  'sort',
]);

/**
 * The scene as one system may use it, in development builds: refuses whatever the system did not
 * declare, so that two systems that run at the same time can't meet.
 */
export class GuardedScene implements SystemScene {
  readonly #scene: Scene;
  readonly #system: string;
  readonly #access: Access;

  constructor(scene: Scene, system: string, access: Access) {
    this.#scene = scene;
    this.#system = system;
    this.#access = access;
  }

  get name(): string {
    return this.#scene.name;
  }

  isAlive(entity: EntityId): boolean {
    return this.#scene.isAlive(entity);
  }

  getMask(entity: EntityId): ComponentMask {
    return this.#scene.getMask(entity);
  }

  hasComponent(entity: EntityId, component: Component): boolean {
    return this.#scene.hasComponent(entity, component);
  }

  getComponent<C extends Component>(entity: EntityId, component: C): ComponentView<C> | undefined {
    this.#requireRead(component);
    const view = this.#scene.getComponent(entity, component);
    if (view === undefined || this.#access.writes.has(component)) return view;
    return this.#readOnly(view, component);
  }

  setComponent<C extends Component>(
    entity: EntityId,
    component: C,
    value?: ComponentInit<C>,
  ): void {
    this.#requireWrite(component);
    this.#scene.setComponent(entity, component, value);
  }

  hasResource(resource: Resource<unknown>): boolean {
    this.#requireRead(resource);
    return this.#scene.hasResource(resource);
  }

  getResource<T>(resource: Resource<T>): T {
    this.#requireRead(resource);
    return this.#scene.getResource(resource);
  }

  setResource<T>(resource: Resource<T>, value: T): void {
    this.#requireWrite(resource);
    this.#scene.setResource(resource, value);
  }

  parentOf(entity: EntityId): EntityId {
    this.#requireRead(Parent);
    return this.#scene.parentOf(entity);
  }

  childrenOf(entity: EntityId): EntityId[] {
    this.#requireRead(Parent);
    return this.#scene.childrenOf(entity);
  }

  snapTransform(entity: EntityId): void {
    this.#scene.snapTransform(entity);
  }

  #requireRead(target: AccessTarget): void {
    if (!this.#declares(target, false)) throw this.#undeclared(target, 'reads');
  }

  #requireWrite(target: AccessTarget): void {
    if (!this.#declares(target, true)) throw this.#undeclared(target, 'writes');
  }

  /** Resources may be declared by their name. */
  #declares(target: AccessTarget, write: boolean): boolean {
    const { writes } = this.#access;
    const name = targetName(target);
    if (write) return writes.has(target) || writes.has(name);
    return touches(this.#access, target) || touches(this.#access, name);
  }

  #undeclared(target: AccessTarget, verb: 'reads' | 'writes'): EclipticError {
    const name = targetName(target);
    return new EclipticError(
      'scheduler/undeclared-access',
      `System "${this.#system}" ${verb} "${name}" without declaring it`,
      {
        subjects: { system: this.#system, target: name, access: verb },
        fix: `Add ${name} to the ${verb} of the system, or to one of its queries.`,
      },
    );
  }

  #readOnly<T extends object>(view: T, component: Component): T {
    const refuse = (): never => {
      throw this.#undeclared(component, 'writes');
    };
    return new Proxy(view, {
      set: refuse,
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value === 'function') {
          return MUTATORS.has(key) ? refuse : (value.bind(target) as unknown);
        }
        return typeof value === 'object' && value !== null
          ? this.#readOnly(value, component)
          : value;
      },
    });
  }
}
