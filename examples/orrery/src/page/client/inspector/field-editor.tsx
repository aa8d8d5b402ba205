import type { FieldDescription } from '@ecliptic/authoring/inspector';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fromHex, toHex } from './color-hex.js';

/** What an editor of a field is given. */
interface EditorProps {
  readonly label: string;
  readonly field: FieldDescription;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const LISTS: readonly string[] = ['vec2', 'vec3', 'vec4', 'quat', 'color', 'array'];

/** What a field is edited with, by its kind. What systems derive, and what can't be typed in, is only shown. */
export function FieldEditor(props: EditorProps): JSX.Element {
  const { field, value, label, onChange } = props;
  if (field.runtime) return <output>{JSON.stringify(value)}</output>;
  if (LISTS.includes(field.kind)) return <ListEditor {...props} />;
  switch (field.kind) {
    case 'number':
      return <NumberEditor {...props} value={Number(value)} />;
    case 'bool':
      return (
        <input
          type="checkbox"
          aria-label={label}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'oneOf':
      return (
        <select
          aria-label={label}
          value={String(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      );
    case 'text':
    case 'uuid':
    case 'entity':
      return <TextEditor {...props} />;
    default:
      return <output>{JSON.stringify(value)}</output>;
  }
}

function ListEditor({ label, field, value, onChange }: EditorProps): JSX.Element {
  const list = value as readonly number[];
  const replace = (index: number, part: unknown): void => onChange(list.with(index, Number(part)));
  return (
    <span class="list">
      {field.kind === 'color' && (
        <input
          type="color"
          aria-label={`${label}, picked`}
          value={toHex(list)}
          onChange={({ currentTarget }) => onChange(fromHex(currentTarget.value, list[3] ?? 1))}
        />
      )}
      {list.map((part, index) => (
        <NumberEditor
          key={index}
          label={`${label} ${index + 1}`}
          field={field}
          value={part}
          onChange={(changed) => replace(index, changed)}
        />
      ))}
    </span>
  );
}

/** Shows what the simulation has until something is typed, then that. */
function NumberEditor(props: EditorProps & { readonly value: number }): JSX.Element {
  const { label, field, value, onChange } = props;
  const [draft, setDraft] = useState<string>();
  return (
    <input
      type="number"
      aria-label={label}
      step={field.whole ? 1 : 'any'}
      min={field.min ?? undefined}
      max={field.max ?? undefined}
      value={draft ?? Number(value.toPrecision(6))}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => {
        if (Number.isFinite(currentTarget.valueAsNumber)) onChange(currentTarget.valueAsNumber);
        setDraft(undefined);
      }}
    />
  );
}

function TextEditor({ label, field, value, onChange }: EditorProps): JSX.Element {
  const [draft, setDraft] = useState<string>();
  return (
    <input
      aria-label={label}
      value={draft ?? (typeof value === 'string' ? value : '')}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => {
        const text = currentTarget.value;
        onChange(field.kind === 'entity' && text === '' ? null : text);
        setDraft(undefined);
      }}
    />
  );
}
