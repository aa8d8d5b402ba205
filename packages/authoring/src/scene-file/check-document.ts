import { EclipticError, isUuid, NIL_UUID } from '@ecliptic/core';
import { findUnsafe } from './find-unsafe.js';
import { isRecord } from './is-record.js';
import { checkHierarchy } from './check-hierarchy.js';
import {
  SCENE_FORMAT,
  SCENE_VERSION,
  type EntityBlock,
  type SceneDocument,
} from './scene-document.js';
import { invalidScene } from './scene-error.js';
import { UuidIndex } from '../values/uuid-index.js';

/** What a scene file may be at most. */
export interface SceneFileLimits {
  /** Entities, parts of prefabs included; 1,048,576 by default, what a scene can hold. */
  readonly maxEntities?: number;
  /** Depth of lists and objects inside a component, or of parts inside an entity; 64 by default. */
  readonly maxDepth?: number;
}

/** What is being checked, for those parts that a document repeats. */
interface Check {
  readonly maxEntities: number;
  readonly maxDepth: number;
  readonly uuids: UuidIndex;
  /** What is being looked at: the position of the entity, then keys. */
  readonly at: (number | string)[];
  entities: number;
}

/**
 * Checks that a value is a scene document of a version that this package reads: structure, identities, hierarchy, and that it is
 * neither too deep nor too large. Components are checked where they are loaded, since that needs their schemas.
 *
 * @throws EclipticError `authoring/scene-invalid`, `authoring/scene-newer`, `authoring/scene-too-large`, `authoring/duplicate-uuid`,
 *   `authoring/unknown-parent`, `authoring/parent-cycle`
 */
export function checkDocument(value: unknown, limits: SceneFileLimits = {}): SceneDocument {
  const check: Check = {
    maxEntities: limits.maxEntities ?? 1_048_576,
    maxDepth: limits.maxDepth ?? 64,
    uuids: new UuidIndex(),
    at: [],
    entities: 0,
  };
  if (!isRecord(value)) throw invalidScene('the whole', 'is no object');
  checkHeader(value);
  const { entities } = value;
  if (!Array.isArray(entities)) throw invalidScene('entities', 'is no list');
  for (const key of Object.keys(value)) {
    const problem = key === 'entities' ? undefined : findUnsafe(value[key], check.maxDepth);
    if (problem !== undefined) throw invalidScene(key, problem);
  }
  let ordered = true;
  for (let i = 0; i < entities.length; i++) {
    const block: unknown = entities[i];
    check.at[0] = i;
    const parent = parentOf(block, check);
    if (parent !== undefined && !check.uuids.has(parent)) ordered = false;
    checkBlock(block, check, 0);
    if ((block as EntityBlock).parts !== undefined) ordered = false;
  }
  // Where each parent came before its children, it is there and there can't be a cycle.
  if (!ordered) checkHierarchy(entities as readonly EntityBlock[], check.uuids);
  return value as unknown as SceneDocument;
}

function checkHeader(value: Readonly<Record<string, unknown>>): void {
  const { format, version, components } = value;
  if (format !== SCENE_FORMAT) {
    throw invalidScene('format', `is ${JSON.stringify(format)} instead of "${SCENE_FORMAT}"`);
  }
  if (!Number.isInteger(version) || (version as number) < 1) {
    throw invalidScene('version', `is ${JSON.stringify(version)}, which is no version`);
  }
  if ((version as number) > SCENE_VERSION) {
    throw new EclipticError(
      'authoring/scene-newer',
      `The scene file has version ${String(version)}, this application reads up to ${SCENE_VERSION}`,
      {
        subjects: { version, known: SCENE_VERSION },
        fix: 'Open it with the application that wrote it, or a later one.',
      },
    );
  }
  if (components === undefined) return;
  if (!isRecord(components)) throw invalidScene('components', 'is no object');
  for (const [name, saved] of Object.entries(components)) {
    if (Number.isInteger(saved) && (saved as number) >= 1) continue;
    throw invalidScene(`components.${name}`, `is ${JSON.stringify(saved)}, which is no version`);
  }
}

function checkBlock(block: unknown, check: Check, depth: number): void {
  if (!isRecord(block)) throw invalidScene(placeOf(check), 'is no object');
  if (depth > check.maxDepth) {
    throw invalidScene(placeOf(check), `is deeper than ${check.maxDepth}`);
  }
  if (++check.entities > check.maxEntities) {
    throw new EclipticError(
      'authoring/scene-too-large',
      `The scene file has more than ${check.maxEntities} entities`,
      {
        subjects: { maxEntities: check.maxEntities },
        fix: 'Split the scene, or raise the limit maxEntities.',
      },
    );
  }
  if (block['uuid'] !== undefined || depth === 0) checkUuid(block['uuid'], check);
  for (const key in block) {
    const inner = block[key];
    switch (key) {
      case '__proto__':
        throw invalidScene(placeOf(check), 'has a key "__proto__"');
      case 'components':
        if (inner !== undefined && !isRecord(inner)) {
          throw invalidScene(placeOf(check, key), 'is no object');
        }
        break;
      case 'without':
        if (inner !== undefined && !(Array.isArray(inner) && inner.every(isText))) {
          throw invalidScene(placeOf(check, key), 'is no list of names');
        }
        break;
      case 'parts':
        if (inner !== undefined) checkParts(inner, check, depth);
        continue;
      default:
    }
    const problem = findUnsafe(inner, check.maxDepth);
    if (problem !== undefined) throw invalidScene(placeOf(check, key), problem);
  }
}

function checkParts(parts: unknown, check: Check, depth: number): void {
  if (!isRecord(parts)) throw invalidScene(placeOf(check, 'parts'), 'is no object');
  for (const [name, part] of Object.entries(parts)) {
    if (name === '__proto__') throw invalidScene(placeOf(check, 'parts'), 'has a key "__proto__"');
    if (part === null) continue;
    check.at.push('parts', name);
    checkBlock(part, check, depth + 1);
    check.at.length -= 2;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/** Where it is, or a key of what is there, as `entities[3].parent`. */
function placeOf({ at: [entity, ...path] }: Check, ...key: string[]): string {
  return [`entities[${String(entity)}]`, ...path, ...key].join('.');
}

function checkUuid(uuid: unknown, check: Check): void {
  const added = check.uuids.add(uuid);
  if (added && isUsable(uuid as string)) return;
  if (added || !check.uuids.has(uuid)) {
    throw invalidScene(
      placeOf(check, 'uuid'),
      `is ${JSON.stringify(uuid)}, which is no UUID in lower case`,
    );
  }
  const at = placeOf(check);
  throw new EclipticError(
    'authoring/duplicate-uuid',
    `Scene file, ${at}: ${String(uuid)} is there already`,
    {
      subjects: { at, uuid },
      fix: 'Give one of the two entities another UUID, as after a merge that took both sides.',
    },
  );
}

/** Whether an entity can have a UUID in lower case: one of a version that there is. The usual one is seen at a glance. */
function isUsable(uuid: string): boolean {
  if (uuid.charAt(14) === '4' && '89ab'.includes(uuid.charAt(19))) return true;
  return isUuid(uuid) && uuid !== NIL_UUID;
}

/** UUID of the parent, which may not be there. */
function parentOf(block: unknown, check: Check): string | undefined {
  if (!isRecord(block)) throw invalidScene(placeOf(check), 'is no object');
  const { parent, prefab } = block;
  if (parent !== undefined && typeof parent !== 'string') {
    throw invalidScene(placeOf(check, 'parent'), 'is no UUID');
  }
  if (prefab !== undefined && typeof prefab !== 'string') {
    throw invalidScene(placeOf(check, 'prefab'), 'is no name');
  }
  return parent;
}
