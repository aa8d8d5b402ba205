/**
 * Prefabs of `@ecliptic/assets` as entities of `@ecliptic/ecs`.
 *
 * @packageDocumentation
 */
export { spawnPrefab, type SpawnOptions } from './scene/spawn-prefab.js';
