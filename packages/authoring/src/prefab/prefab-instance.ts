import { defineComponent, text, type Component, type TextField } from '@ecliptic/ecs';

/** Marks an instance of a prefab: scene files hold only what it changes. See `instantiatePrefab`. */
export const PrefabInstance: Component<{ readonly prefab: TextField }> = defineComponent(
  'PrefabInstance',
  { prefab: text(128, { description: 'name of the prefab' }) },
);

/** Marks an entity that came with an instance of a prefab, below its topmost entity. */
export const PrefabPart: Component<{ readonly name: TextField }> = defineComponent('PrefabPart', {
  name: text(128, { description: 'name of the child in the prefab' }),
});
