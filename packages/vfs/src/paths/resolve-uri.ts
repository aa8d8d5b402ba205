import { VFSError, type VFSErrorCode } from '../errors/vfs-error.js';
import { VFSPath } from './vfs-path.js';

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const ENCODED_SEPARATOR = /%(?:2f|5c)/i;

/**
 * The file that `uri`, found inside the file `base`, refers to: as a glTF's image or buffer names it.
 * Percent-escapes are decoded exactly once, `?query` and `#fragment` are cut off, `.` and `..`
 * (escaped or not) are resolved against the folder of `base`, and a leading `/` starts at the root.
 *
 * Not for texts that are already paths: those go to {@link VFSPath.parse}.
 *
 * @throws VFSError `vfs/uri-data` for a `data:` URI, which holds its bytes itself; `vfs/uri-scheme` for
 * any other scheme, a drive letter or a `//host`; `vfs/uri-encoding` for a malformed escape, an escaped
 * separator or a raw `\`; `vfs/uri-empty` when it names no file; and `vfs/path-*` as {@link VFSPath.parse}
 *
 * @example
 * ```ts
 * const model = VFSPath.parse('/models/rock.gltf');
 * resolveUri(model, '../textures/big%20rock.png').toString(); // '/textures/big rock.png'
 * resolveUri(model, '..%2f..%2fsecret'); // throws vfs/uri-encoding
 * ```
 */
export function resolveUri(base: VFSPath, uri: string): VFSPath {
  const fail = (code: VFSErrorCode, what: string, fix: string, cause?: unknown): VFSError => {
    const shown = String(uri).slice(0, 300);
    return new VFSError(code, `URI ${JSON.stringify(shown)} in ${base.text} ${what}`, {
      subjects: { uri: shown, base: base.text },
      fix,
      ...(cause === undefined ? {} : { cause }),
    });
  };
  const scheme = SCHEME.exec(uri)?.[0].toLowerCase();
  if (scheme === 'data:') {
    throw fail('vfs/uri-data', 'holds its own data', 'Decode it instead of resolving it.');
  }
  if (scheme !== undefined || /^[/\\]{2}/.test(uri)) {
    throw fail('vfs/uri-scheme', 'leaves the project', 'Copy the file into the project.');
  }
  const path = uri.replace(/[?#].*$/s, '');
  if (path === '') throw fail('vfs/uri-empty', 'names no file', 'Name a file.');
  if (path.includes('\\') || ENCODED_SEPARATOR.test(path)) {
    throw fail('vfs/uri-encoding', 'hides a separator', 'Write separators as a plain "/".');
  }
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch (cause) {
    throw fail('vfs/uri-encoding', 'has a malformed percent-escape', 'Write "%" as "%25".', cause);
  }
  return decoded.startsWith('/') ? VFSPath.parse(decoded) : base.parent.join(decoded);
}
