import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';

/** A channel of an OpenEXR picture. */
export interface ExrChannel {
  readonly name: string;
  readonly type: 'half' | 'float' | 'uint';
  /** Of one value. */
  readonly bytes: 2 | 4;
  /** Whether its values are perceived linearly; B44 stores such values otherwise. */
  readonly isPerceivedLinearly: boolean;
}

/** A channel, where it starts in a row in bytes per pixel of those before it, and which of red, green and blue it gives. */
export interface ExrColour {
  readonly channel: ExrChannel;
  readonly bytesBefore: number;
  readonly targets: readonly number[];
}

const MAX_CHANNELS = 64;
/** Characters of a name, as OpenEXR has it. */
const MAX_NAME = 255;
const TYPES = ['uint', 'half', 'float'] as const;

/** @throws ImportError `assets/exr-channels` */
export function readExrChannels(list: DataView, report: DiagnosticReport): readonly ExrChannel[] {
  const channels = parseChannels(list);
  return typeof channels === 'string' ? report.fail('assets/exr-channels', channels) : channels;
}

/** Whether a list of channels has R, G, B or Y, all of half or float. */
export function listsColours(list: DataView | undefined): boolean {
  const channels = list ? parseChannels(list) : '';
  return typeof channels !== 'string' && areLight(coloursAmong(channels));
}

/** @returns the channels, or what is wrong */
function parseChannels(list: DataView): ExrChannel[] | string {
  const channels: ExrChannel[] = [];
  let at = 0;
  while (at < list.byteLength && list.getUint8(at) !== 0) {
    let name = '';
    for (; at < list.byteLength && list.getUint8(at) !== 0; at++) {
      if (name.length === MAX_NAME) return `A channel's name has more than ${MAX_NAME} characters`;
      name += String.fromCharCode(list.getUint8(at));
    }
    at++;
    if (at + 16 > list.byteLength) return 'The list of channels is cut';
    const type = TYPES[list.getUint32(at, true)];
    const isEvery = list.getUint32(at + 8, true) === 1 && list.getUint32(at + 12, true) === 1;
    if (!type || !isEvery) return `Channel "${name.slice(0, 60)}" has no value for each pixel`;
    if (channels.length === MAX_CHANNELS) return `There are more than ${MAX_CHANNELS} channels`;
    const isPerceivedLinearly = list.getUint8(at + 4) !== 0;
    channels.push({ name, type, bytes: type === 'half' ? 2 : 4, isPerceivedLinearly });
    at += 16;
  }
  return channels;
}

function areLight(colours: readonly ExrColour[]): boolean {
  return colours.length > 0 && colours.every(({ channel }) => channel.type !== 'uint');
}

/**
 * The channels that are colours: R, G and B, or Y for all of them.
 *
 * @throws ImportError `assets/exr-channels`
 */
export function findExrColours(
  channels: readonly ExrChannel[],
  report: DiagnosticReport,
): readonly ExrColour[] {
  const colours = coloursAmong(channels);
  if (areLight(colours)) return colours;
  const names = channels.map(({ name }) => name);
  const list = names.slice(0, 8).join(', ').slice(0, 80);
  report.fail(
    'assets/exr-channels',
    `The channels (${list}) are not R, G, B or Y of half or float`,
  );
}

function coloursAmong(channels: readonly ExrChannel[]): ExrColour[] {
  const isColoured = channels.some(({ name }) => ['R', 'G', 'B'].includes(name));
  const colours: ExrColour[] = [];
  let bytesBefore = 0;
  for (const channel of channels) {
    const index = ['R', 'G', 'B'].indexOf(channel.name);
    const targets = isColoured ? (index < 0 ? [] : [index]) : channel.name === 'Y' ? [0, 1, 2] : [];
    if (targets.length > 0) colours.push({ channel, bytesBefore, targets });
    bytesBefore += channel.bytes;
  }
  return colours;
}
