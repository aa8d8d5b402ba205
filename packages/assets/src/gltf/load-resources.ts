import { messageOf } from '@ecliptic/core';
import { VFSError } from '@ecliptic/vfs';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { ImportContext } from '../importer/importer.js';
import { decodeBase64 } from '../images/base64.js';
import { sniffText } from '../images/sniff-text.js';
import type { GltfLimits } from './limits.js';
import type { BufferDef } from './model.js';

/** Bytes of a buffer, or why there are none. */
export type LoadedBuffer =
  | { readonly bytes: Uint8Array }
  | { readonly code: string; readonly problem: string };

/** Loads URIs of one file and keeps count of how much was loaded. */
export class ResourceLoader {
  readonly #context: ImportContext;
  readonly #limits: GltfLimits;
  readonly #report: DiagnosticReport;
  #total = 0;

  constructor(context: ImportContext, limits: GltfLimits, report: DiagnosticReport) {
    this.#context = context;
    this.#limits = limits;
    this.#report = report;
  }

  /**
   * The bytes of a buffer, exactly as many as it declares.
   *
   * @param binary - the binary chunk of a GLB, for its first buffer
   */
  async buffer(
    buffer: BufferDef,
    index: number,
    binary: Uint8Array | undefined,
  ): Promise<LoadedBuffer> {
    if (buffer.byteLength > this.#limits.resourceBytes) {
      return {
        code: 'assets/gltf-too-large',
        problem: `The buffer says ${buffer.byteLength} bytes, more than ${this.#limits.resourceBytes}`,
      };
    }
    if (buffer.fallback && buffer.uri === undefined) return { bytes: new Uint8Array(0) };
    let bytes: Uint8Array;
    if (buffer.uri !== undefined) {
      const loaded = await this.uri(buffer.uri, buffer.pointer, true);
      if ('problem' in loaded) return loaded;
      bytes = loaded.bytes;
    } else if (index === 0 && binary) {
      bytes = binary;
      if (bytes.byteLength > buffer.byteLength + 3) {
        this.#report.warn(
          'assets/glb-padding',
          `The binary chunk has ${bytes.byteLength - buffer.byteLength} bytes more than its buffer`,
          { pointer: buffer.pointer },
        );
      }
    } else {
      return { code: 'assets/gltf-no-bytes', problem: 'The buffer has neither URI nor chunk' };
    }
    if (bytes.byteLength < buffer.byteLength) {
      return {
        code: 'assets/gltf-buffer-short',
        problem: `The buffer says ${buffer.byteLength} bytes, but there are ${bytes.byteLength}`,
      };
    }
    return { bytes: bytes.subarray(0, buffer.byteLength) };
  }

  /** The bytes that `uri` names: a file inside the project, or a data URI. Never throws for a bad URI. */
  async uri(uri: string, pointer: string, isBuffer: boolean): Promise<LoadedBuffer> {
    if (/^data:/i.test(uri)) return this.#dataUri(uri, pointer, isBuffer);
    let path: string;
    try {
      path = this.#context.resolve(uri);
    } catch (error) {
      const leaves = VFSError.is(error, 'vfs/path-escapes', 'vfs/uri-scheme', 'vfs/path-drive');
      const code = leaves ? 'assets/gltf-uri-escape' : 'assets/gltf-uri';
      return { code, problem: messageOf(error) };
    }
    if (uri.includes(' ')) {
      this.#report.info('assets/gltf-uri-space', `Spaces in URIs are written %20: "${uri}"`, {
        pointer,
      });
    }
    let bytes: Uint8Array;
    try {
      bytes = await this.#context.read(path);
    } catch (error) {
      return { code: 'assets/gltf-missing-file', problem: `${path}: ${messageOf(error)}` };
    }
    if (sniffText(bytes) === 'git-lfs') {
      return {
        code: 'assets/git-lfs-pointer',
        problem: `${path} is a Git LFS pointer; run "git lfs pull"`,
      };
    }
    return this.#count(bytes, path);
  }

  #dataUri(uri: string, pointer: string, isBuffer: boolean): LoadedBuffer {
    const comma = uri.indexOf(',');
    const header = uri.slice(5, comma === -1 ? 0 : comma).toLowerCase();
    if (comma === -1 || !header.split(';').includes('base64')) {
      return { code: 'assets/gltf-data-uri', problem: 'The data URI is not base64' };
    }
    const [mime] = header.split(';');
    if (isBuffer && mime !== 'application/octet-stream' && mime !== 'application/gltf-buffer') {
      this.#report.warn('assets/gltf-data-uri-type', `A buffer's data URI has type "${mime}"`, {
        pointer: `${pointer}/uri`,
      });
    }
    const text = uri.slice(comma + 1);
    if (this.#total + text.length * 0.75 > this.#limits.resourceBytes) return this.#tooLarge(uri);
    const bytes = decodeBase64(text);
    if (!bytes) {
      return { code: 'assets/gltf-data-uri', problem: 'The data URI is not valid base64' };
    }
    return this.#count(bytes, 'data URI');
  }

  #count(bytes: Uint8Array, what: string): LoadedBuffer {
    this.#total += bytes.byteLength;
    return this.#total > this.#limits.resourceBytes ? this.#tooLarge(what) : { bytes };
  }

  #tooLarge(what: string): LoadedBuffer {
    return {
      code: 'assets/gltf-too-large',
      problem: `With ${what.slice(0, 100)} the file's buffers and images exceed ${this.#limits.resourceBytes} bytes`,
    };
  }
}
