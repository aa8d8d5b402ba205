import type { ImportAnswer } from '../pool/import-task.js';

/** What an import process tells its parent. */
export type ProcessAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: ImportAnswer }
  | { readonly kind: 'threw'; readonly message: string };
