import { defineComponent, type Component } from '../schema/component.js';
import { entity } from '../schema/field-types.js';

/** Schema of {@link Parent}. */
type ParentSchema = { readonly entity: ReturnType<typeof entity> };

/**
 * The entity that this one is a child of. Kept in step with an ordered index of children: set it with `scene.setParent`
 * or `setComponent`, and read it anywhere; views refuse to write it, and systems must not write its column.
 */
export const Parent: Component<ParentSchema> = defineComponent('Parent', {
  entity: entity({ description: 'the parent, never INVALID_ENTITY' }),
});
