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
  const lines: string[] = [];
  for (const [key, value] of Object.entries(document)) {
    if (key === 'entities') {
      const blocks = document.entities.map((block) => `    ${formatBlock(block, '    ')}`);
      lines.push(`  "entities": ${list('[', blocks, '  ]')}`);
    } else if (key === 'components' && isRecord(value)) {
      lines.push(`  "components": ${formatEntries(value, '  ', formatValue)}`);
    } else {
      lines.push(`  ${JSON.stringify(key)}: ${formatValue(value)}`);
    }
  }
  return `{\n${lines.join(',\n')}\n}\n`;
}

function list(open: string, items: readonly string[], close: string): string {
  return items.length === 0 ? open + close.trim() : `${open}\n${items.join(',\n')}\n${close}`;
}

/** An entity, or a part of one. */
function formatBlock(block: object, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(block).map(([key, value]) => {
    const name = `${inner}${JSON.stringify(key)}: `;
    if (key === 'components' && isRecord(value))
      return name + formatEntries(value, inner, formatValue);
    if (key !== 'parts' || !isRecord(value)) return name + formatValue(value);
    const part = (each: unknown): string =>
      isRecord(each) ? formatBlock(each, `${inner}  `) : formatValue(each);
    return name + formatEntries(value, inner, part);
  });
  return list('{', lines, `${indent}}`);
}

/** An object with one entry a line. */
function formatEntries(
  entries: object,
  indent: string,
  format: (value: unknown) => string,
): string {
  const lines = Object.entries(entries).map(
    ([key, value]) => `${indent}  ${JSON.stringify(key)}: ${format(value)}`,
  );
  return list('{', lines, `${indent}}`);
}

/** A value on one line. Texts are put together as they come: this is most of the work of saving. */
function formatValue(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) {
    let items = '';
    for (const each of value) items += (items === '' ? '' : ', ') + formatValue(each);
    return `[${items}]`;
  }
  if (!isRecord(value)) return JSON.stringify(value);
  let entries = '';
  for (const key of Object.keys(value)) {
    entries += `${entries === '' ? '' : ', '}${JSON.stringify(key)}: ${formatValue(value[key])}`;
  }
  return entries === '' ? '{}' : `{ ${entries} }`;
}

function formatNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}
