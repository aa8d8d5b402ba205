import { defineComponent, type Component } from '../schema/component.js';
import type { TextField } from '../schema/field-shapes.js';
import { text } from '../schema/text-field.js';
import { uuid } from '../schema/uuid-field.js';

/** A name for people: outliners, logs. Need not be unique. */
export const Name: Component<{ readonly value: TextField }> = defineComponent('Name', {
  value: text(128),
});

/** Identity that outlives the process: documents and replication refer to it. */
export const Uuid: Component<{ readonly value: TextField }> = defineComponent('Uuid', {
  value: uuid(),
});
