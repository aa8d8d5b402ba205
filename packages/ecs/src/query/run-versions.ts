import type { QueryHost } from './query-host.js';
import { TermKind, type Term } from './term.js';

const OBSERVING: readonly TermKind[] = [TermKind.added, TermKind.removed, TermKind.changed];

/** When a query ran, by the host's versions: what `added`, `removed` and `changed` compare with. Stands still for queries without them. */
export class RunVersions {
  /** Whether the query watches changes. */
  readonly observes: boolean;
  /** What the present run, or the last one, compares with: it sees what is newer. */
  since = 0;
  /** Of the present run, or the last one: what the next will compare with. */
  last = 0;
  readonly #core: QueryHost;

  constructor(core: QueryHost, terms: readonly Term[]) {
    this.#core = core;
    this.observes = terms.some(({ kind }) => OBSERVING.includes(kind));
  }

  /** Begins a run. */
  begin(): void {
    if (!this.observes) return;
    this.since = this.last;
    this.last = this.#core.version++;
  }

  /** Of what the present run writes. */
  get written(): number {
    return this.observes ? this.last : this.#core.version;
  }
}
