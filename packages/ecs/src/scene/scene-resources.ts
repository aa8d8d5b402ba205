import { EclipticError } from '@ecliptic/core';
import type { Resource } from '../schema/resource.js';

/** The resources of one scene. */
export class SceneResources {
  readonly #values = new Map<Resource<unknown>, unknown>();
  readonly #names = new Map<string, Resource<unknown>>();
  readonly #scene: string;

  constructor(scene: string) {
    this.#scene = scene;
  }

  set<T>(resource: Resource<T>, value: T): void {
    const named = this.#names.get(resource.name);
    if (named && named !== resource) {
      throw new EclipticError(
        'ecs/duplicate-resource-name',
        `Scene "${this.#scene}" has another resource named "${resource.name}"`,
        {
          subjects: { scene: this.#scene, resource: resource.name },
          fix: 'Define each resource once, at module level, and import it; or rename one.',
        },
      );
    }
    this.#names.set(resource.name, resource);
    this.#values.set(resource, value);
  }

  get<T>(resource: Resource<T>): T {
    if (this.#values.has(resource)) return this.#values.get(resource) as T;
    throw new EclipticError(
      'ecs/missing-resource',
      `Scene "${this.#scene}" has no resource "${resource.name}"`,
      {
        subjects: { scene: this.#scene, resource: resource.name },
        fix: 'Call setResource first, or ask with hasResource.',
      },
    );
  }

  has(resource: Resource<unknown>): boolean {
    return this.#values.has(resource);
  }

  remove(resource: Resource<unknown>): boolean {
    this.#names.delete(resource.name);
    return this.#values.delete(resource);
  }

  clear(): void {
    this.#values.clear();
    this.#names.clear();
  }
}
