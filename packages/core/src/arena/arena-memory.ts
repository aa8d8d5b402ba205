import { EclipticError } from '../errors/ecliptic-error.js';
import type { EventLog } from '../logging/event-log.js';

/**
 * What an arena's bytes are: a shared `WebAssembly.Memory` (`wasm`), a `SharedArrayBuffer`
 * (`shared`), or an `ArrayBuffer` that only this thread sees (`plain`). Equally fast from
 * JavaScript.
 */
export type ArenaBacking = 'wasm' | 'shared' | 'plain';

const WASM_PAGE = 65_536;

/** Bytes reserved at once, of fixed length. */
export interface ArenaMemory {
  readonly backing: ArenaBacking;
  readonly buffer: SharedArrayBuffer | ArrayBuffer;
  readonly memory: WebAssembly.Memory | undefined;
}

/**
 * Whether memory can be shared with workers here: always in Node, in cross-origin isolated pages
 * elsewhere.
 */
function canShare(): boolean {
  return typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
}

function reserve(backing: ArenaBacking, byteLength: number): ArenaMemory {
  if (backing === 'plain') {
    return { backing, buffer: new ArrayBuffer(byteLength), memory: undefined };
  }
  if (!canShare()) {
    throw new EclipticError('core/arena-not-shareable', `No "${backing}" memory can be made here`, {
      subjects: { backing },
      fix: 'Serve the page with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp, or use backing "plain".',
    });
  }
  if (backing === 'shared') {
    return { backing, buffer: new SharedArrayBuffer(byteLength), memory: undefined };
  }
  const pages = Math.ceil(byteLength / WASM_PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return { backing, buffer: memory.buffer, memory };
}

/**
 * Reserves the whole of an arena: the first of `wasm`, `shared`, `plain` that works here for
 * `auto`, else what is asked.
 *
 * @throws EclipticError `core/arena-not-shareable`, `core/arena-reserve`
 */
export function reserveArenaMemory(
  wanted: ArenaBacking | 'auto',
  byteLength: number,
  name: string,
  log: EventLog | undefined,
): ArenaMemory {
  const candidates: ArenaBacking[] =
    wanted !== 'auto' ? [wanted] : canShare() ? ['wasm', 'shared', 'plain'] : ['plain'];
  const failures: unknown[] = [];
  for (const backing of candidates) {
    try {
      return reserve(backing, byteLength);
    } catch (cause) {
      if (cause instanceof EclipticError) throw cause;
      failures.push(cause);
      log?.warn('arena_backing_unavailable', { arena: name, backing, byteLength, cause });
    }
  }
  throw new EclipticError(
    'core/arena-reserve',
    `Can't reserve ${byteLength} bytes for arena "${name}"`,
    {
      subjects: { arena: name, byteLength, backings: candidates },
      fix: 'Lower the budget, or free memory first.',
      cause: failures.length === 1 ? failures[0] : new AggregateError(failures),
    },
  );
}
