import type { ExrChannel } from './exr-channels.js';

/** How the channels of a block of DWAA are stored, as their places in the list of channels. */
export interface DwaLayout {
  /** In blocks of 8 × 8: first three at a time, red, green and blue of one layer, then one at a time. In the order of their data. */
  readonly lossy: readonly (readonly number[])[];
  /** As runs of bytes. */
  readonly runs: readonly number[];
  /** As they are. */
  readonly plain: readonly number[];
}

/** Of the channels with one name, after the layer's, and of one type. */
export interface DwaRule {
  readonly name: string;
  readonly type: ExrChannel['type'];
  readonly scheme: 'plain' | 'lossy' | 'runs';
  /** 0 to 2 for red, green and blue, −1 for others. */
  readonly colour: number;
  readonly ignoresCase: boolean;
}

const SCHEMES = ['plain', 'lossy', 'runs'] as const;
const TYPES = ['uint', 'half', 'float'] as const;
/** OpenEXR writes at most 15. */
const MAX_RULES = 256;

/** The rules of blocks that hold none: those of the first two versions. */
export const LEGACY_RULES: readonly DwaRule[] = [
  ...named(['r', 'red'], 'lossy', 0),
  ...named(['g', 'grn', 'green'], 'lossy', 1),
  ...named(['b', 'blu', 'blue'], 'lossy', 2),
  ...named(['y', 'by', 'ry'], 'lossy', -1),
  ...named(['a'], 'runs', -1),
];

function named(names: readonly string[], scheme: DwaRule['scheme'], colour: number): DwaRule[] {
  const types = TYPES.filter((type) => type !== 'uint' || scheme !== 'lossy');
  return names.flatMap((name) =>
    types.map((type) => ({ name, type, scheme, colour, ignoresCase: true })),
  );
}

/** Reads rules: of each a name, zero, a byte of bits and one of the type. @returns `undefined` where they are damaged */
export function readDwaRules(bytes: Uint8Array): readonly DwaRule[] | undefined {
  const rules: DwaRule[] = [];
  for (let at = 0; at < bytes.byteLength;) {
    const end = bytes.indexOf(0, at);
    if (end < 0 || end + 3 > bytes.byteLength || rules.length === MAX_RULES) return undefined;
    const bits = bytes[end + 1] ?? 0;
    const scheme = SCHEMES[(bits >> 2) & 3];
    const type = TYPES[bytes[end + 2] ?? 0];
    const colour = (bits >> 4) - 1;
    // Lossy values are half floats, whatever becomes of them.
    if (!scheme || !type || colour > 2 || (scheme === 'lossy' && type === 'uint')) return undefined;
    const ignoresCase = (bits & 1) !== 0;
    const name = String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 255)));
    rules.push({
      name: ignoresCase ? name.toLowerCase() : name,
      type,
      scheme,
      colour,
      ignoresCase,
    });
    at = end + 3;
  }
  return rules;
}

/** Sorts channels by the last rule that each of them meets. @returns `undefined` where the rules contradict one another */
export function layOutDwa(
  channels: readonly ExrChannel[],
  rules: readonly DwaRule[],
): DwaLayout | undefined {
  const schemes: DwaRule['scheme'][] = [];
  const layers = new Map<string, number[]>();
  for (const [index, { name, type }] of channels.entries()) {
    const dot = name.lastIndexOf('.');
    const layer = name.slice(0, Math.max(0, dot));
    const own = name.slice(dot + 1);
    const small = own.toLowerCase();
    schemes[index] = 'plain';
    for (const rule of rules) {
      if (rule.type !== type || rule.name !== (rule.ignoresCase ? small : own)) continue;
      schemes[index] = rule.scheme;
      if (rule.colour < 0) continue;
      const colours = layers.get(layer) ?? [-1, -1, -1];
      colours[rule.colour] = index;
      layers.set(layer, colours);
    }
  }
  const triples = [...layers]
    .filter(([, colours]) => !colours.includes(-1))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, colours]) => colours);
  const grouped = triples.flat();
  const isSound =
    new Set(grouped).size === grouped.length &&
    grouped.every((index) => schemes[index] === 'lossy');
  if (!isSound) return undefined;
  const of = (scheme: DwaRule['scheme']): number[] =>
    [...channels.keys()].filter((index) => schemes[index] === scheme && !grouped.includes(index));
  return {
    lossy: [...triples, ...of('lossy').map((index) => [index])],
    runs: of('runs'),
    plain: of('plain'),
  };
}
