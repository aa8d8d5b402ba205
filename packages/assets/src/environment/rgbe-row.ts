import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';

/** Widths for which the newer run-length encoding exists. */
const MIN_RLE = 8;
const MAX_RLE = 32_767;

/**
 * Reads one row of a Radiance picture.
 *
 * @param planes - receives its reds, then its greens, its blues and its exponents: `width` of each
 * @returns where the next one starts
 * @throws ImportError `assets/hdr-truncated`, `assets/hdr-run`
 */
export function readRgbeRow(
  bytes: Uint8Array,
  at: number,
  width: number,
  planes: Uint8Array,
  report: DiagnosticReport,
): number {
  if (at + 4 > bytes.length) return cut(at, report);
  const isNew =
    width >= MIN_RLE &&
    width <= MAX_RLE &&
    bytes[at] === 2 &&
    bytes[at + 1] === 2 &&
    ((bytes[at + 2] ?? 0) & 0x80) === 0;
  return isNew
    ? readNewRow(bytes, at, width, planes, report)
    : readOldRow(bytes, at, width, planes, report);
}

/** Channel after channel, as runs of one value and stretches of several. */
function readNewRow(
  bytes: Uint8Array,
  at: number,
  width: number,
  planes: Uint8Array,
  report: DiagnosticReport,
): number {
  const declared = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  if (declared !== width) {
    report.fail('assets/hdr-run', `A row says ${declared} pixels, not ${width}`, {
      byteOffset: at,
    });
  }
  let next = at + 4;
  for (let channel = 0; channel < 4; channel++) {
    const end = (channel + 1) * width;
    for (let to = channel * width; to < end;) {
      const code = bytes[next] ?? cut(next, report);
      const isRun = code > 128;
      const count = isRun ? code - 128 : code;
      if (count === 0 || to + count > end) overrun(count, next, report);
      const taken = isRun ? 1 : count;
      if (next + 1 + taken > bytes.length) return cut(next, report);
      if (isRun) planes.fill(bytes[next + 1] ?? 0, to, to + count);
      else planes.set(bytes.subarray(next + 1, next + 1 + count), to);
      next += 1 + taken;
      to += count;
    }
  }
  return next;
}

/** Pixels one by one; (1, 1, 1, n) repeats the one before n times, several of these with higher digits. */
function readOldRow(
  bytes: Uint8Array,
  at: number,
  width: number,
  planes: Uint8Array,
  report: DiagnosticReport,
): number {
  let next = at;
  let shift = 0;
  for (let x = 0; x < width; next += 4) {
    if (next + 4 > bytes.length) return cut(next, report);
    const isRun = bytes[next] === 1 && bytes[next + 1] === 1 && bytes[next + 2] === 1;
    const count = isRun ? (bytes[next + 3] ?? 0) * 2 ** shift : 1;
    if ((isRun && x === 0) || x + count > width) overrun(count, next, report);
    for (let channel = 0; channel < 4; channel++) {
      const to = channel * width + x;
      const value = isRun ? planes[to - 1] : bytes[next + channel];
      planes.fill(value ?? 0, to, to + count);
    }
    x += count;
    shift = isRun ? shift + 8 : 0;
  }
  return next;
}

function cut(byteOffset: number, report: DiagnosticReport): never {
  report.fail('assets/hdr-truncated', 'The file ends inside a row', { byteOffset });
}

function overrun(count: number, byteOffset: number, report: DiagnosticReport): never {
  report.fail('assets/hdr-run', `A run of ${count} pixels leaves its row`, { byteOffset });
}
