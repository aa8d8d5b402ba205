/**
 * Names a value that a scene has once: settings, the clock, an index that systems share. Made by {@link defineResource}.
 */
export class Resource<out T> {
  /** Types only. */
  declare readonly value: T;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Defines a resource. Each scene has its own value.
 *
 * @example
 * ```ts
 * const Gravity = defineResource<{ y: number }>('Gravity');
 * scene.setResource(Gravity, { y: -9.81 });
 * scene.getResource(Gravity).y;
 * ```
 */
export function defineResource<T>(name: string): Resource<T> {
  return new Resource(name);
}
