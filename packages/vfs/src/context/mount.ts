import type { VFSBackend } from '../backends/vfs-backend.js';
import type { VFSPath } from '../paths/vfs-path.js';

/** Options of `VFSContext.mount`. */
export interface MountOptions {
  /** Among mounts at one place the higher number wins. Whole, may be negative. Default 0. */
  readonly priority?: number | undefined;
  /** Nothing is written through this mount, whatever its backend can. Default `false`. */
  readonly readOnly?: boolean | undefined;
  /** The context disposes the backend when it is unmounted, and at its own end. Default `false`. */
  readonly owned?: boolean | undefined;
}

/** A backend at its place in a `VFSContext`. Made by `VFSContext.mount`. */
export class Mount {
  /** Where the backend's root is. */
  readonly at: VFSPath;
  readonly backend: VFSBackend;
  readonly priority: number;
  readonly readOnly: boolean;
  /** Whether the context disposes the backend. */
  readonly owned: boolean;

  constructor(at: VFSPath, backend: VFSBackend, options: MountOptions = {}) {
    this.at = at;
    this.backend = backend;
    this.priority = options.priority ?? 0;
    this.readOnly = options.readOnly ?? false;
    this.owned = options.owned ?? false;
  }

  /** Whether something can be written here. */
  get writable(): boolean {
    return !this.readOnly && this.backend.capabilities.write;
  }

  /** As `/Ecliptic (disk, priority -1)`. */
  get label(): string {
    return `${this.at.text} (${this.backend.name}, priority ${this.priority})`;
  }
}

/** Which mount serves a path, and what the path is called in its backend. */
export interface ResolvedPath {
  readonly mount: Mount;
  readonly path: VFSPath;
}
