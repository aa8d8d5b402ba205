import type { Change } from './change.js';
import type { Edit, Transaction } from './edit.js';
import type { Step } from './history.js';

/** A step of the history, and what decides whether it goes on with the one before. */
interface DoneStep {
  readonly step: Step;
  /** Equal for transactions that set the same fields of the same entities; `undefined` for all others. */
  readonly mergeKey: string | undefined;
}

/** The step of a transaction that was applied. @param backward - what takes it back */
export function doneStep(transaction: Transaction, backward: readonly Change[]): DoneStep {
  const { label, edits } = transaction;
  return {
    step: { label, forward: edits.map(unconditional), backward },
    mergeKey: mergeKeyOf(transaction),
  };
}

/** An edit for redoing: what was expected once was checked then. */
function unconditional(edit: Edit): Edit {
  if (edit.kind !== 'set') return edit;
  const { kind, entity, component, value } = edit;
  return { kind, entity, component, value };
}

/** Equal for transactions that set the same fields of the same entities. */
function mergeKeyOf({ label, edits }: Transaction): string | undefined {
  if (!edits.every((edit) => edit.kind === 'set')) return undefined;
  return JSON.stringify([
    label,
    edits.map(({ entity, component, value }) => [entity, component, Object.keys(value)]),
  ]);
}
