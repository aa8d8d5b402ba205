import { FieldKind } from '../schema/field.js';
import type { ColumnSet } from '../storage/columns.js';
import type { ComponentType } from '../storage/component-type.js';
import type { SceneCore } from './scene-core.js';

/** Two lanes of 32 bits, mixed byte- or word-wise. */
class Hash {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  add(word: number): void {
    this.#a = Math.imul(this.#a ^ word, 0x01000193);
    this.#a = (this.#a << 13) | (this.#a >>> 19);
    this.#b = Math.imul(this.#b + word, 0x5bd1e995) ^ (this.#b >>> 15);
  }

  text(text: string): void {
    for (let i = 0; i < text.length; i++) this.add(text.charCodeAt(i));
    this.add(text.length);
  }

  toString(): string {
    const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
    return hex(Math.imul(this.#a ^ (this.#a >>> 16), 0x2c1b3c6d)) + hex(this.#b ^ (this.#b >>> 13));
  }
}

/** See `Scene.stateHash`. */
export function stateHash(core: SceneCore): string {
  const hash = new Hash();
  const byName = [...core.components.types].toSorted((a, b) =>
    a.component.name < b.component.name ? -1 : 1,
  );
  hash.add(core.entities.alive);
  for (let slot = 0; slot < core.entities.used; slot++) {
    const id = core.entities.ids[slot] as number;
    if (id <= 0) continue;
    hash.add(id);
    const table = core.tableOf(slot);
    for (const type of byName) {
      const { sparse } = type;
      if (!sparse) {
        const set = table.setOf(type);
        if (set) addRow(core, hash, type, set, core.entities.rows[slot] as number);
      } else if (sparse.has(id)) {
        addRow(core, hash, type, sparse.columns, sparse.rowOf(id));
      }
    }
  }
  return hash.toString();
}

function addRow(
  core: SceneCore,
  hash: Hash,
  type: ComponentType,
  set: ColumnSet,
  row: number,
): void {
  const { u8, u32 } = core.heap;
  hash.text(type.component.name);
  for (const { field, index, words } of type.fields) {
    if (field.runtime || field.kind === FieldKind.object) continue;
    const at = set.fieldAt(index, row, field);
    if (words > 0) for (let i = 0; i < words; i++) hash.add(u32[(at >>> 2) + i] as number);
    else for (let i = 0; i < field.bytes; i++) hash.add(u8[at + i] as number);
  }
}
