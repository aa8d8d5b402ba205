import { EclipticError } from '@ecliptic/core';
import { FieldKind, type Commands, type Component, type EntityId } from '@ecliptic/ecs';
import { RecordKind, type CommandRecord } from './command-log.js';

/**
 * Queues in `commands` what the jobs of one system asked for: in order of their rows, so that it does not matter
 * which thread ran which.
 *
 * @param records - of one system; those of one job in order of writing
 * @param find - a component by its name
 * @throws EclipticError `scheduler/unknown-component`, and what `commands` throws
 */
export function replayCommands(
  records: readonly CommandRecord[],
  commands: Commands,
  find: (name: string) => Component | undefined,
): void {
  const ordered = records.toSorted((a, b) => a.part - b.part || a.start - b.start);
  const found = new Map<string, Component>();
  let placeholders = new Map<number, EntityId>();
  let last: CommandRecord | undefined;
  for (const record of ordered) {
    // Placeholders are of one job.
    if (record.part !== last?.part || record.start !== last.start) placeholders = new Map();
    last = record;
    const entity = placeholders.get(record.entity) ?? record.entity;
    if (record.kind === RecordKind.create) {
      placeholders.set(record.entity, commands.createEntity());
      continue;
    }
    if (record.kind === RecordKind.destroy) {
      commands.destroyEntity(entity);
      continue;
    }
    const component = found.get(record.component) ?? find(record.component);
    if (component === undefined) throw unknownComponent(record.component);
    found.set(record.component, component);
    const value = record.value && withRealEntities(record.value, component, placeholders);
    if (record.kind === RecordKind.remove) commands.removeComponent(entity, component);
    else if (record.kind === RecordKind.add) commands.addComponent(entity, component, value);
    else commands.setComponent(entity, component, value);
  }
}

/** The value with the placeholders of a job in its `entity()` fields replaced. */
function withRealEntities(
  value: object,
  component: Component,
  placeholders: ReadonlyMap<number, EntityId>,
): object {
  if (placeholders.size === 0) return value;
  const replaced: Record<string, unknown> = { ...value };
  for (const { name, field } of component.fields) {
    const given = replaced[name];
    if (field.kind === FieldKind.entity && typeof given === 'number') {
      replaced[name] = placeholders.get(given) ?? given;
    }
  }
  return replaced;
}

function unknownComponent(name: string): EclipticError {
  return new EclipticError(
    'scheduler/unknown-component',
    `A worker system adds component "${name}", which the scene does not know`,
    {
      subjects: { component: name },
      fix: 'Name it in the reads or writes of the system, or register it with the scene before.',
    },
  );
}
