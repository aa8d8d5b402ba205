import { EclipticError } from '@ecliptic/core';

/**
 * A handle to an entity: 20 bits of slot index and 10 bits of generation in one small integer. Compare with `===`.
 *
 * It is valid within its scene and process only; what must outlive them is a `Uuid` component.
 */
export type EntityId = number;

/** What no entity ever is. The value of an `entity()` field that points at nothing. */
export const INVALID_ENTITY: EntityId = 0;

/** Bits of an id that hold the slot index. */
export const INDEX_BITS = 20;
/** Mask of the slot index; also the highest index. */
export const INDEX_MASK: number = (1 << INDEX_BITS) - 1;
/** Highest generation; 0 is invalid, so that every generation in use is 1…1023. */
export const MAX_GENERATION = 1_023;

/** Both halves of an {@link EntityId}. */
export interface DecodedEntityId {
  /** Slot, 0…1,048,575. */
  readonly index: number;
  /** How often the slot was given out, 1…1,023, wrapping around without 0. */
  readonly generation: number;
}

/**
 * Makes an id of its halves. For tools and tests: ids of a scene come from `createEntity`.
 *
 * @throws EclipticError `ecs/invalid-entity-id` when a half is out of range
 *
 * @example
 * ```ts
 * encodeEntityId(1, 1); // 1_048_577
 * ```
 */
export function encodeEntityId(index: number, generation: number): EntityId {
  const legal =
    Number.isInteger(index) &&
    index >= 0 &&
    index <= INDEX_MASK &&
    Number.isInteger(generation) &&
    generation >= 1 &&
    generation <= MAX_GENERATION;
  if (!legal) {
    throw new EclipticError(
      'ecs/invalid-entity-id',
      `Index ${index} with generation ${generation} is no entity id`,
      {
        subjects: { index, generation },
        fix: `An index is 0…${INDEX_MASK}, a generation 1…${MAX_GENERATION}.`,
      },
    );
  }
  return (generation << INDEX_BITS) | index;
}

/**
 * Takes an id apart.
 *
 * @throws EclipticError `ecs/invalid-entity-id` for anything that no scene can have issued
 *
 * @example
 * ```ts
 * decodeEntityId(1_048_577); // { index: 1, generation: 1 }
 * ```
 */
export function decodeEntityId(id: EntityId): DecodedEntityId {
  if (!Number.isInteger(id) || id <= INDEX_MASK || id >= 2 ** 30) {
    throw new EclipticError('ecs/invalid-entity-id', `${String(id)} is no entity id`, {
      subjects: { id },
      fix: 'Use an id that createEntity returned. An id that Commands returned becomes real at flush.',
    });
  }
  return { index: id & INDEX_MASK, generation: id >> INDEX_BITS };
}
