import { messageOf } from '@ecliptic/core';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { sniffText } from '../images/sniff-text.js';
import type { GltfLimits } from './limits.js';

/** The parts of a glTF file before anything is interpreted. */
export interface GltfContainer {
  readonly kind: 'gltf' | 'glb';
  readonly json: object;
  /** The binary chunk of a GLB. */
  readonly binary: Uint8Array | undefined;
}

const MAGIC = 0x46546c67; // 'glTF'
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BINARY = 0x004e4942;

/**
 * Splits a `.gltf` or `.glb` file, told apart by its bytes.
 *
 * @throws ImportError `assets/gltf-empty-file`, `assets/git-lfs-pointer`, `assets/gltf-not-gltf`,
 * `assets/gltf-json`, `assets/glb-version`, `assets/glb-truncated`, `assets/glb-first-chunk`,
 * `assets/gltf-too-large`
 */
export function openContainer(
  bytes: Uint8Array,
  limits: GltfLimits,
  report: DiagnosticReport,
): GltfContainer {
  if (bytes.byteLength === 0) report.fail('assets/gltf-empty-file', 'The file is empty');
  if (bytes.byteLength > limits.fileBytes) {
    report.fail(
      'assets/gltf-too-large',
      `The file has ${bytes.byteLength} bytes, more than the limit of ${limits.fileBytes}`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGlb = bytes.byteLength >= 4 && view.getUint32(0, true) === MAGIC;
  if (isGlb) return openGlb(bytes, view, report);
  refuseOtherText(bytes, report);
  return { kind: 'gltf', json: parseJson(bytes, 0, report), binary: undefined };
}

function refuseOtherText(bytes: Uint8Array, report: DiagnosticReport): void {
  const kind = sniffText(bytes);
  if (kind === 'git-lfs') {
    report.fail(
      'assets/git-lfs-pointer',
      'The file is a Git LFS pointer, not the model; run "git lfs pull"',
    );
  }
  if (kind === 'git-conflict') {
    report.fail('assets/git-conflict', 'The file holds merge conflict markers; resolve them');
  }
  if (kind === 'utf16') {
    report.fail('assets/gltf-json', 'The file is UTF-16; glTF is UTF-8', { byteOffset: 0 });
  }
}

function openGlb(bytes: Uint8Array, view: DataView, report: DiagnosticReport): GltfContainer {
  if (bytes.byteLength < 12) {
    report.fail('assets/glb-truncated', 'The file ends inside its 12-byte header', {
      byteOffset: bytes.byteLength,
    });
  }
  const version = view.getUint32(4, true);
  if (version !== 2) {
    report.fail('assets/glb-version', `GLB version ${version} is not supported, only 2`, {
      byteOffset: 4,
    });
  }
  const declared = view.getUint32(8, true);
  if (declared < bytes.byteLength) {
    report.warn(
      'assets/glb-length',
      `The header says ${declared} bytes, the file has ${bytes.byteLength}; the rest is ignored`,
      { byteOffset: 8 },
    );
  } else if (declared > bytes.byteLength) {
    report.warn(
      'assets/glb-length',
      `The header says ${declared} bytes, the file has ${bytes.byteLength}`,
      { byteOffset: 8 },
    );
  }
  // A header that understates its length is common; chunks are bounded by the file in that case.
  const end = declared >= 20 ? Math.min(declared, bytes.byteLength) : bytes.byteLength;
  let json: object | undefined;
  let binary: Uint8Array | undefined;
  let offset = 12;
  for (let chunk = 0; offset < end; chunk++) {
    if (end - offset < 8) {
      report.fail('assets/glb-truncated', `The file ends inside the header of chunk ${chunk}`, {
        byteOffset: offset,
      });
    }
    const length = view.getUint32(offset, true);
    const type = view.getUint32(offset + 4, true);
    const start = offset + 8;
    if (length > end - start) {
      report.fail(
        'assets/glb-truncated',
        `Chunk ${chunk} says ${length} bytes, but only ${end - start} follow`,
        { byteOffset: offset },
      );
    }
    if (length % 4 !== 0) {
      report.warn('assets/glb-alignment', `Chunk ${chunk} has ${length} bytes, no multiple of 4`, {
        byteOffset: offset,
      });
    }
    const data = bytes.subarray(start, start + length);
    if (chunk === 0) {
      if (type !== CHUNK_JSON) {
        report.fail('assets/glb-first-chunk', 'The first chunk is not JSON', {
          byteOffset: offset + 4,
        });
      }
      json = parseJson(data, start, report);
    } else if (type === CHUNK_BINARY && binary === undefined) {
      if (chunk > 1) {
        report.warn('assets/glb-chunk-order', 'The binary chunk is not the second one', {
          byteOffset: offset,
        });
      }
      binary = data;
    } else {
      report.warn(
        'assets/glb-unknown-chunk',
        `Chunk ${chunk} of type 0x${type.toString(16)} is ignored`,
        { byteOffset: offset + 4 },
      );
    }
    offset = start + length;
  }
  if (json === undefined) {
    report.fail('assets/glb-first-chunk', 'There is no JSON chunk', { byteOffset: 12 });
  }
  return { kind: 'glb', json, binary };
}

function parseJson(bytes: Uint8Array, start: number, report: DiagnosticReport): object {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    report.warn('assets/gltf-bom', 'The JSON starts with a byte order mark', { byteOffset: start });
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const message = messageOf(cause);
    const position = /position (\d+)/.exec(message)?.[1];
    report.fail(
      'assets/gltf-json',
      `The JSON can't be read: ${message.slice(0, 120)}`,
      { byteOffset: start + Number(position ?? 0) },
      cause,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report.fail('assets/gltf-not-gltf', 'The JSON is not an object', { pointer: '' });
  }
  return value;
}
