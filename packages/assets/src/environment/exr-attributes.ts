import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';

interface Attribute {
  readonly type: string;
  readonly value: Uint8Array;
}

/** The most in a header: OpenEXR's own files have a few dozen. */
const MAX_ATTRIBUTES = 1_024;

/** The attributes of one header of an OpenEXR file. */
export class ExrAttributes {
  /** Behind the last of them. */
  readonly end: number;
  readonly #byName: ReadonlyMap<string, Attribute>;
  readonly #report: DiagnosticReport;

  /**
   * Reads those that start at `at`, up to an empty name.
   *
   * @throws ImportError `assets/exr-truncated`, `assets/exr-header`
   */
  constructor(bytes: Uint8Array, at: number, report: DiagnosticReport) {
    this.#report = report;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const byName = new Map<string, Attribute>();
    const cut = (): never =>
      report.fail('assets/exr-truncated', 'The file ends inside its header', { byteOffset: at });
    const text = (): string => {
      const end = bytes.indexOf(0, at);
      if (end < 0 || end - at > 255) return cut();
      const found = new TextDecoder('latin1').decode(bytes.subarray(at, end));
      at = end + 1;
      return found;
    };
    let count = 0;
    for (let name = text(); name !== ''; name = text()) {
      if (++count > MAX_ATTRIBUTES) {
        report.fail('assets/exr-header', `A header has more than ${MAX_ATTRIBUTES} attributes`, {
          byteOffset: at,
        });
      }
      const type = text();
      if (at + 4 > bytes.byteLength) cut();
      const size = view.getUint32(at, true);
      at += 4;
      if (size > bytes.byteLength - at) cut();
      byName.set(name, { type, value: bytes.subarray(at, at + size) });
      at += size;
    }
    this.#byName = byName;
    this.end = at;
  }

  /** The value of an attribute of some type and at least so many bytes, or `undefined`. */
  find(name: string, type: string, size: number): DataView | undefined {
    const found = this.#byName.get(name);
    if (found?.type !== type || found.value.byteLength < size) return undefined;
    const { value } = found;
    return new DataView(value.buffer, value.byteOffset, value.byteLength);
  }

  /**
   * As {@link ExrAttributes.find}, of one that has to be there.
   *
   * @throws ImportError `assets/exr-header`
   */
  get(name: string, type: string, size: number): DataView {
    return (
      this.find(name, type, size) ??
      this.#report.fail('assets/exr-header', `The header has no attribute "${name}"`)
    );
  }

  /** The value of an attribute that is text, or `''`. */
  text(name: string): string {
    const view = this.find(name, 'string', 0);
    return view ? new TextDecoder('latin1').decode(view) : '';
  }
}
