import type { ComponentDescription, InspectorClient } from '@ecliptic/authoring/inspector';
import type { JSX } from 'preact';
import { FieldEditor } from './field-editor.js';
import { useLive } from './use-live.js';

/** The components of an entity, each field with an editor that its schema asks for. */
export function ComponentEditors({
  client,
  entity: uuid,
  onEdit,
}: {
  readonly client: InspectorClient;
  readonly entity: string;
  readonly onEdit: (component: string, field: string, value: unknown) => void;
}): JSX.Element {
  const types = useLive(client, 'components.list', {});
  const shown = useLive(client, 'components.get', { entity: uuid });
  if (types === undefined || shown === undefined) return <section aria-label="Components" />;
  const typeOf = (name: string): ComponentDescription | undefined =>
    types.components.find((type) => type.name === name);
  return (
    <section aria-label="Components">
      {shown.components.map(({ name, value }) => (
        <fieldset key={name}>
          <legend title={typeOf(name)?.description}>{name}</legend>
          {typeOf(name)?.fields.map((field) => (
            <div key={field.name} class="field" title={field.description}>
              <span>{field.name}</span>
              <FieldEditor
                label={`${name}.${field.name}`}
                field={field}
                value={value[field.name]}
                onChange={(changed) => onEdit(name, field.name, changed)}
              />
            </div>
          ))}
        </fieldset>
      ))}
    </section>
  );
}
