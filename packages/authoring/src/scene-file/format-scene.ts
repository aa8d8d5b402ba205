import { isRecord } from './is-record.js';
import type { SceneDocument } from './scene-document.js';

/**
 * Writes a document as the text of a scene file: one entity a block and one component a line, in the order of the document, so that
 * a change of one value is a change of one line. Numbers keep their exact value: `-0` too, and infinities as texts.
 *
 * @returns JSON, with a line feed at the end
 *
 * @example
 * ```ts
 * const text = formatScene(captureScene(scene));
 * ```
 */
export function formatScene(document: SceneDocument): string {
  const format = new Formatter();
  let text = '{';
  let between = '\n';
  for (const [key, value] of Object.entries(document)) {
    text += `${between}  ${format.name(key)}`;
    between = ',\n';
    if (key === 'entities') {
      // Put together at once, block by block: a text that grows by little things is copied again in the end.
      const blocks = document.entities.map((block) => `    ${format.block(block, '    ')}`);
      text += blocks.length === 0 ? '[]' : `[\n${blocks.join(',\n')}\n  ]`;
    } else if (key === 'components' && isRecord(value)) text += format.components(value, '  ');
    else text += format.value(value);
  }
  return `${text}\n}\n`;
}

/** Writes what documents have, and remembers the names that come again and again. */
class Formatter {
  readonly #names = new Map<string, string>();

  /** A name in front of its value. */
  name(key: string): string {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = `${JSON.stringify(key)}: `;
      this.#names.set(key, name);
    }
    return name;
  }

  /** An entity, or a part of one. */
  block(block: object, indent: string): string {
    const inner = `${indent}  `;
    let text = '';
    for (const key of Object.keys(block)) {
      const value = (block as Readonly<Record<string, unknown>>)[key];
      text += `${text === '' ? '{\n' : ',\n'}${inner}${this.name(key)}`;
      if (key === 'components' && isRecord(value)) text += this.components(value, inner);
      else if (key === 'parts' && isRecord(value)) text += this.#parts(value, inner);
      else text += this.value(value);
    }
    return text === '' ? '{}' : `${text}\n${indent}}`;
  }

  /** An object with one entry a line. */
  components(entries: Readonly<Record<string, unknown>>, indent: string): string {
    let text = '';
    for (const key of Object.keys(entries)) {
      text += `${text === '' ? '{\n' : ',\n'}${indent}  ${this.name(key)}${this.value(entries[key])}`;
    }
    return text === '' ? '{}' : `${text}\n${indent}}`;
  }

  #parts(parts: Readonly<Record<string, unknown>>, indent: string): string {
    let text = '';
    for (const key of Object.keys(parts)) {
      const part = parts[key];
      const inner = isRecord(part) ? this.block(part, `${indent}  `) : this.value(part);
      text += `${text === '' ? '{\n' : ',\n'}${indent}  ${this.name(key)}${inner}`;
    }
    return text === '' ? '{}' : `${text}\n${indent}}`;
  }

  /** A value on one line. */
  value(value: unknown): string {
    if (typeof value === 'number') return formatNumber(value);
    if (typeof value === 'string') return JSON.stringify(value);
    if (Array.isArray(value)) return this.#list(value);
    if (!isRecord(value)) return JSON.stringify(value);
    let text = '';
    for (const key in value) {
      text += `${text === '' ? '{ ' : ', '}${this.name(key)}${this.value(value[key])}`;
    }
    return text === '' ? '{}' : `${text} }`;
  }

  #list(list: readonly unknown[]): string {
    let text = '[';
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      if (i > 0) text += ', ';
      text += typeof item === 'number' ? formatNumber(item) : this.value(item);
    }
    return `${text}]`;
  }
}

function formatNumber(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}
