import { EclipticError } from '@ecliptic/core';
import type { InspectorClient } from '../inspector/inspector-client.js';
import type { LoggedEvent } from '../inspector/inspector-log.js';
import type { EntityFilter, ResultOf } from '../inspector/protocol/inspector-protocol.js';
import type { EntityRef, EntitySummary } from '../inspector/scene/entity-summary.js';
import { textTable } from './text-table.js';

/** Prints one line. */
export type Print = (line: string) => void;

const PAGE = 200;
const MICROSECOND = 1_000;
const KIBIBYTE = 1_024;

/** Prints the entities that match. */
export async function printEntities(
  client: InspectorClient,
  filter: EntityFilter,
  most: number,
  print: Print,
): Promise<void> {
  const entities = await findEntities(client, filter, most);
  const rows = entities.map(({ id, uuid, name, children, components }) => [
    id,
    uuid ?? '–',
    name,
    children,
    components.join(' '),
  ]);
  printTable(['id', 'uuid', 'name', 'children', 'components'], rows, print);
}

/** Prints the components of an entity. */
export async function printEntity(
  client: InspectorClient,
  what: string,
  print: Print,
): Promise<void> {
  const { entity, components } = await client.call('components.get', {
    entity: await findEntity(client, what),
  });
  print(`${entity.name || '(no name)'}  ${entity.uuid ?? 'no UUID'}  id ${entity.id}`);
  for (const { name, value } of components) {
    for (const [field, content] of Object.entries(value)) {
      print(`${name}.${field} = ${JSON.stringify(content)}`);
    }
    if (Object.keys(value).length === 0) print(name);
  }
}

/** Prints what systems cost, wave by wave. */
export async function printSystems(client: InspectorClient, print: Print): Promise<void> {
  const { systems, waves } = await client.call('systems.list', {});
  const byName = new Map(systems.map((system) => [system.name, system]));
  const rows = waves.flatMap(({ kind, phase, systems: names }, wave) =>
    names.flatMap((name) => {
      const system = byName.get(name);
      if (system === undefined) return [];
      const times = [system.last, system.mean, system.p99].map(microseconds);
      return [[wave + 1, kind, phase, name, system.runs, system.failures, system.rows, ...times]];
    }),
  );
  const head = ['wave', 'kind', 'phase', 'system', 'runs', 'failed', 'rows'];
  printTable([...head, 'last µs', 'mean µs', 'p99 µs'], rows, print);
}

/** Prints where the scene's memory is. */
export async function printArchetypes(client: InspectorClient, print: Print): Promise<void> {
  const { archetypes, memory } = await client.call('archetypes.list', {});
  const rows = archetypes.map(({ id, rows: used, capacity, bytes, components }) => [
    id,
    used,
    capacity,
    Math.round(bytes / KIBIBYTE),
    components.join(' '),
  ]);
  printTable(['archetype', 'rows', 'reserved', 'KiB', 'components'], rows, print);
  print(
    `${Math.round(memory.used / KIBIBYTE)} of ${Math.round(memory.budget / KIBIBYTE)} KiB used`,
  );
}

/** Prints the assets. */
export async function printAssets(client: InspectorClient, print: Print): Promise<void> {
  const rows: string[][] = [];
  let page: ResultOf<'assets.list'>;
  do {
    page = await client.call('assets.list', { offset: rows.length, limit: PAGE });
    for (const { uuid, type, key, path, state } of page.assets) {
      rows.push([state, type, `${path ?? ''}${key === '' ? '' : `#${key}`}`, uuid]);
    }
  } while (page.assets.length > 0 && rows.length < page.total);
  printTable(['state', 'type', 'path', 'uuid'], rows, print);
  const { total, completed, failed } = page.imports;
  if (total > 0) print(`imports: ${completed} of ${total}, ${failed} failed`);
}

/** Prints how frames are handed over. */
export async function printMailboxes(client: InspectorClient, print: Print): Promise<void> {
  const { mailboxes } = await client.call('mailboxes.list', {});
  const rows = mailboxes.map(({ name, published, taken, replaced, slots }) => [
    name,
    published,
    taken,
    replaced,
    slots.join(' '),
  ]);
  printTable(['mailbox', 'published', 'taken', 'replaced', 'slots'], rows, print);
}

/** Prints the log; with `follow` what comes, until `signal`. */
export async function printLog(
  client: InspectorClient,
  follow: boolean,
  signal: AbortSignal,
  print: Print,
): Promise<void> {
  const show = ({ records, lost }: { records: readonly LoggedEvent[]; lost: number }): void => {
    if (lost > 0) print(`… ${lost} more are gone`);
    for (const { time, level, text } of records) {
      print(`${new Date(time).toISOString()} ${level.padEnd(7)} ${text}`);
    }
  };
  if (follow) {
    await client.subscribe('log.read', { limit: PAGE }, show);
    await Promise.race([client.closed, aborted(signal)]);
    return;
  }
  let after = 0;
  for (;;) {
    const page = await client.call('log.read', { after, limit: PAGE });
    show(page);
    after = page.next;
    if (page.records.length === 0) return;
  }
}

/** Sets one field. */
export async function setField(
  client: InspectorClient,
  what: string,
  path: string,
  text: string,
): Promise<void> {
  const [component = '', field = '', ...rest] = path.split('.');
  if (component === '' || field === '' || rest.length > 0) {
    throw new EclipticError('authoring/invalid-field-path', `"${path}" names no field`, {
      subjects: { path },
      fix: 'Write Component.field, as Transform.position.',
    });
  }
  const { entity } = await client.call('components.get', {
    entity: await findEntity(client, what),
  });
  if (entity.uuid === null) {
    throw new EclipticError('authoring/no-uuid', `Entity ${what} has no UUID to edit it by`, {
      subjects: { entity: entity.id },
      fix: 'Give it a Uuid component.',
    });
  }
  await client.call('session.edit', {
    label: `Set ${path}`,
    edits: [{ kind: 'set', entity: entity.uuid, component, value: { [field]: parseValue(text) } }],
  });
}

/** JSON, or else the text itself: `0.5`, `[1, 2, 3]`, `true`, `spot`. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What is meant: a UUID, the id of this run, or a name that only one has. */
async function findEntity(client: InspectorClient, what: string): Promise<EntityRef> {
  if (/^\d+$/.test(what)) return Number(what);
  if (/^[0-9a-f-]{36}$/i.test(what)) return what;
  const named = await findEntities(client, { name: what }, Infinity);
  const exactly = named.filter(({ name }) => name === what);
  const [first] = exactly;
  if (first !== undefined && exactly.length === 1) return first.id;
  throw new EclipticError(
    first === undefined ? 'authoring/unknown-entity' : 'authoring/ambiguous-name',
    `${exactly.length === 0 ? 'No entity is' : `${exactly.length} entities are`} called "${what}"`,
    { subjects: { name: what, ids: exactly.map(({ id }) => id) }, fix: 'Give its UUID or its id.' },
  );
}

async function findEntities(
  client: InspectorClient,
  filter: EntityFilter,
  most: number,
): Promise<EntitySummary[]> {
  const found: EntitySummary[] = [];
  let after: string | null = '';
  while (after !== null && found.length < most) {
    const limit = Math.min(PAGE, most - found.length);
    const page: ResultOf<'entities.find'> = await client.call('entities.find', {
      ...filter,
      after,
      limit,
    });
    found.push(...page.entities);
    after = page.next;
  }
  return found;
}

function microseconds(nanoseconds: number): number {
  return Math.round(nanoseconds / MICROSECOND);
}

function printTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  print: Print,
): void {
  for (const line of textTable(head, rows)) print(line);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
