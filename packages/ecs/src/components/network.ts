import { defineComponent, type Component } from '../schema/component.js';
import type { U32Field, U8Field } from '../schema/field-shapes.js';
import { u32, u8 } from '../schema/number-fields.js';

/** An entity that is sent over the network. */
export const NetReplicated: Component<{
  readonly ownerId: U32Field;
  readonly priority: U8Field;
}> = defineComponent('NetReplicated', {
  ownerId: u32({ description: 'the peer that decides; 0 is the server' }),
  priority: u8({ default: 128, description: 'higher is sent first when bandwidth is short' }),
});
