import { EclipticError } from '@ecliptic/core';
import type { MailboxWriter } from '../mailbox/mailbox.js';
import type { FrameBudget } from './frame-state-layout.js';
import type { RenderFrameState } from './frame-state.js';

/**
 * Fails unless what a budget allows fits into the states of a mailbox.
 *
 * @throws EclipticError `render-sync/frame-too-small`
 */
export function requireBudget(frames: MailboxWriter<RenderFrameState>, budget: FrameBudget): void {
  const room = frames.begin().layout.budget;
  frames.cancel();
  for (const what of Object.keys(budget) as (keyof FrameBudget)[]) {
    if (budget[what] <= room[what]) continue;
    throw new EclipticError(
      'render-sync/frame-too-small',
      `The renderer's frames hold ${room[what]} ${what}, and there may be ${budget[what]}`,
      {
        subjects: { what, room: room[what], budget: budget[what] },
        fix: 'Give the renderer and the RenderSync the same budget.',
      },
    );
  }
}
