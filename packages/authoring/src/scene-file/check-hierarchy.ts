import { EclipticError } from '@ecliptic/core';
import type { UuidIndex } from '../values/uuid-index.js';
import type { EntityBlock } from './scene-document.js';

/**
 * Checks that parents are there, and that no entity is its own ancestor.
 *
 * @param known - has the UUIDs of all entities, parts of prefabs included
 * @throws EclipticError `authoring/unknown-parent`, `authoring/parent-cycle`
 */
export function checkHierarchy(blocks: readonly EntityBlock[], known: UuidIndex): void {
  for (const { uuid, parent } of blocks) {
    if (parent !== undefined && !known.has(parent)) throw unknownParent(uuid, parent);
  }
  checkCycles(blocks);
}

/** The blocks so that each comes after its parent; those of one parent stay in order. O(entities). */
export function parentsFirst(blocks: readonly EntityBlock[]): readonly EntityBlock[] {
  const earlier = new Set<string>();
  const waiting = new Map<string, EntityBlock[]>();
  const ordered: EntityBlock[] = [];
  const place = (first: EntityBlock): void => {
    const open = [first];
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      ordered.push(block);
      for (const uuid of uuidsOf(block)) {
        earlier.add(uuid);
        open.push(...(waiting.get(uuid)?.toReversed() ?? []));
        waiting.delete(uuid);
      }
    }
  };
  for (const block of blocks) {
    const { parent } = block;
    if (parent === undefined || earlier.has(parent)) place(block);
    else if (waiting.has(parent)) waiting.get(parent)?.push(block);
    else waiting.set(parent, [block]);
  }
  return ordered;
}

/** UUIDs of an entity and of its parts, as far as the file gives them. */
function* uuidsOf({
  uuid,
  parts,
}: Pick<EntityBlock, 'parts'> & { uuid?: string }): Generator<string> {
  if (uuid !== undefined) yield uuid;
  for (const part of Object.values(parts ?? {})) if (part !== null) yield* uuidsOf(part);
}

function checkCycles(blocks: readonly EntityBlock[]): void {
  const parents = new Map<string, string | undefined>();
  for (const block of blocks) {
    for (const uuid of uuidsOf(block)) {
      // A part hangs on the entity that it is a part of.
      parents.set(uuid, uuid === block.uuid ? block.parent : block.uuid);
    }
  }
  const safe = new Set<string>();
  for (const uuid of parents.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    for (
      let up: string | undefined = uuid;
      up !== undefined && !safe.has(up);
      up = parents.get(up)
    ) {
      if (onPath.has(up)) throw cycle([...path.slice(path.indexOf(up)), up]);
      onPath.add(up);
      path.push(up);
    }
    for (const each of path) safe.add(each);
  }
}

function unknownParent(uuid: string, parent: string): EclipticError {
  return new EclipticError(
    'authoring/unknown-parent',
    `Scene file: entity ${uuid} has the parent ${parent}, which is not there`,
    {
      subjects: { uuid, parent },
      fix: 'Give the UUID of an entity of this file, or none for a root.',
    },
  );
}

function cycle(path: readonly string[]): EclipticError {
  return new EclipticError(
    'authoring/parent-cycle',
    `Scene file: entity ${path[0]} is its own ancestor: ${path.join(' → ')}`,
    { subjects: { path }, fix: 'Make one of them a root by leaving out its parent.' },
  );
}
