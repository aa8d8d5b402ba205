import type { SlotFormat } from '../mailbox/mailbox.js';
import { frameStateLayout, type FrameBudget, type FrameStateLayout } from './frame-state-layout.js';
import { RenderFrameState } from './frame-state.js';

/** Format of a frame mailbox. */
export interface FrameStateFormat extends SlotFormat<RenderFrameState> {
  readonly layout: FrameStateLayout;
}

/** The mailbox format of frame states of a budget; see {@link createMailbox}. */
export function frameStateFormat(budget: Partial<FrameBudget> = {}): FrameStateFormat {
  const layout = frameStateLayout(budget);
  return {
    layout,
    byteLength: layout.byteLength,
    view: (buffer, byteOffset) => new RenderFrameState(layout, buffer, byteOffset),
    link: (states) => RenderFrameState.link(states),
    stamp: (state, number) => {
      state.sequence = number;
    },
  };
}
