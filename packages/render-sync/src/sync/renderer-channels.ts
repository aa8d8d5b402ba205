import type { RenderFrameState } from '../frame-state/frame-state.js';
import type { MailboxWriter } from '../mailbox/mailbox.js';
import type { RenderMessage } from '../messages/render-message.js';
import type { ReliableSender } from '../queue/reliable-queue.js';

/** The ways to a renderer, as a `RenderThread` and an `InlineRenderer` have them. */
export interface RendererChannels {
  readonly frames: MailboxWriter<RenderFrameState>;
  readonly messages: ReliableSender<RenderMessage>;
}
