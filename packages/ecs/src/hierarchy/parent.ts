import { defineComponent, type Component } from '../schema/component.js';
import type { EntityField } from '../schema/field-shapes.js';
import { entity } from '../schema/number-fields.js';
import { Hierarchy } from './hierarchy.js';

/**
 * The entity that this one is a child of. Kept in step with an ordered index of children: set it with `scene.setParent`
 * or `setComponent`, and read it anywhere; views refuse to write it, and systems must not write its column.
 */
export const Parent: Component<{ readonly entity: EntityField }> = defineComponent(
  'Parent',
  { entity: entity({ description: 'the parent, never INVALID_ENTITY' }) },
  {
    attach(core, type) {
      core.hierarchy = new Hierarchy(core, type);
    },
  },
);
