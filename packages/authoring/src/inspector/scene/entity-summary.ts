import { EclipticError } from '@ecliptic/core';
import { INVALID_ENTITY, type EntityId } from '@ecliptic/ecs';
import { Name } from '@ecliptic/ecs/components';
import type { EditorSession } from '../../session/editor-session.js';

/** An entity in a question: its UUID, or the id that it has in this run. */
export type EntityRef = string | number;

/** What a list shows of an entity. */
export interface EntitySummary {
  /** Its id in this run: good for questions about what has no UUID, not for keeping. */
  readonly id: EntityId;
  /** `null` for one that nobody gave a UUID: it can be looked at, not edited. */
  readonly uuid: string | null;
  /** Empty where it has none. */
  readonly name: string;
  /** Its name, or what the application calls one without; empty where it calls it nothing. */
  readonly label: string;
  /** Names of its components, in order of registration. */
  readonly components: readonly string[];
  /** How many entities are right below it. */
  readonly children: number;
  /** Id of the entity above it; `null` for a root. */
  readonly parent: EntityId | null;
}

/**
 * Sums up an entity that lives.
 *
 * @param labelOf - what one without a name is called
 */
export function summarizeEntity(
  session: EditorSession,
  entity: EntityId,
  labelOf: (entity: EntityId) => string,
): EntitySummary {
  const { scene } = session;
  const parent = scene.parentOf(entity);
  const name = scene.getComponent(entity, Name)?.value ?? '';
  return {
    id: entity,
    uuid: session.uuidOf(entity) ?? null,
    name,
    label: name === '' ? labelOf(entity) : name,
    components: scene.getMask(entity).components.map(({ name }) => name),
    children: scene.childrenOf(entity).length,
    parent: parent === INVALID_ENTITY ? null : parent,
  };
}

/**
 * The entity that is meant.
 *
 * @throws EclipticError `authoring/unknown-entity`
 */
export function resolveEntity(session: EditorSession, ref: EntityRef): EntityId {
  const entity = typeof ref === 'string' ? session.entityOf(ref) : ref;
  if (session.scene.isAlive(entity)) return entity;
  throw new EclipticError('authoring/unknown-entity', `There is no entity ${ref}`, {
    subjects: { entity: ref },
    fix: 'It may have been deleted: ask for the list again.',
  });
}
