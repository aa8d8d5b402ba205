import { EclipticError, isUuid, NIL_UUID } from '@ecliptic/core';
import { checkPlain, isRecord } from './check-plain.js';
import { checkHierarchy } from './check-hierarchy.js';
import {
  SCENE_FORMAT,
  SCENE_VERSION,
  type EntityBlock,
  type SceneDocument,
} from './scene-document.js';
import { invalidScene } from './scene-error.js';

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
  readonly uuids: Set<string>;
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
    uuids: new Set(),
    entities: 0,
  };
  if (!isRecord(value)) throw invalidScene('the whole', 'is no object');
  checkHeader(value);
  const { entities } = value;
  if (!Array.isArray(entities)) throw invalidScene('entities', 'is no list');
  for (const key of Object.keys(value)) {
    if (key !== 'entities') checkPlain(value[key], key, check.maxDepth);
  }
  let ordered = true;
  for (let i = 0; i < entities.length; i++) {
    const block: unknown = entities[i];
    const at = `entities[${i}]`;
    const parent = parentOf(block, at);
    if (parent !== undefined && !check.uuids.has(parent)) ordered = false;
    checkBlock(block, at, check, 0);
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

function checkBlock(block: unknown, at: string, check: Check, depth: number): void {
  if (!isRecord(block)) throw invalidScene(at, 'is no object');
  if (depth > check.maxDepth) throw invalidScene(at, `is deeper than ${check.maxDepth}`);
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
  const { uuid, components, parts, without } = block;
  if (uuid !== undefined || depth === 0) checkUuid(uuid, at, check.uuids);
  if (components !== undefined && !isRecord(components)) {
    throw invalidScene(`${at}.components`, 'is no object');
  }
  for (const key in block) {
    if (key === '__proto__') throw invalidScene(at, 'has a key "__proto__"');
    const inner = block[key];
    if (typeof inner === 'object' && key !== 'parts') {
      checkPlain(inner, `${at}.${key}`, check.maxDepth);
    }
  }
  if (without !== undefined && !(Array.isArray(without) && without.every(isText))) {
    throw invalidScene(`${at}.without`, 'is no list of names');
  }
  if (parts === undefined) return;
  if (!isRecord(parts)) throw invalidScene(`${at}.parts`, 'is no object');
  for (const [name, part] of Object.entries(parts)) {
    if (name === '__proto__') throw invalidScene(`${at}.parts`, 'has a key "__proto__"');
    if (part !== null) checkBlock(part, `${at}.parts.${name}`, check, depth + 1);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function checkUuid(uuid: unknown, at: string, seen: Set<string>): void {
  if (!isUuid(uuid) || uuid === NIL_UUID) {
    throw invalidScene(`${at}.uuid`, `is ${JSON.stringify(uuid)}, which is no UUID in lower case`);
  }
  if (seen.has(uuid)) {
    throw new EclipticError(
      'authoring/duplicate-uuid',
      `Scene file, ${at}: ${uuid} is there already`,
      {
        subjects: { at, uuid },
        fix: 'Give one of the two entities another UUID, as after a merge that took both sides.',
      },
    );
  }
  seen.add(uuid);
}

/** UUID of the parent, which may not be there. */
function parentOf(block: unknown, at: string): string | undefined {
  if (!isRecord(block)) throw invalidScene(at, 'is no object');
  const { parent, prefab } = block;
  if (parent !== undefined && typeof parent !== 'string') {
    throw invalidScene(`${at}.parent`, 'is no UUID');
  }
  if (prefab !== undefined && typeof prefab !== 'string') {
    throw invalidScene(`${at}.prefab`, 'is no name');
  }
  return parent;
}
