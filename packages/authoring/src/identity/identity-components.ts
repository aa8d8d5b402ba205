import { defineTag, type Tag } from '@ecliptic/ecs';

/**
 * Marks an entity, and everything below it, as part of the running application only: scene files leave it out, and loading one leaves
 * it where it is. For gizmos, editor cameras, projectiles.
 */
export const Transient: Tag = defineTag('Transient', {
  storage: 'sparse',
  description: 'not part of scene files, with everything below it',
});
