import { EclipticError } from '@ecliptic/core';

/** What a message can carry: nothing, bytes, or plain data as of JSON. */
export type MessagePayload =
  | undefined
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly MessagePayload[]
  | { readonly [key: string]: MessagePayload };

/** A topic and what came with it. */
export interface Message {
  readonly topic: string;
  readonly payload: MessagePayload;
}

const NOTHING = 0;
const JSON_TEXT = 1;
const BYTES = 2;
const HEADER_BYTES = 3;
const MAX_TOPIC_BYTES = 65_535;

/**
 * One message as bytes: kind, length of the topic (2 bytes), topic, payload.
 *
 * @param limit - most bytes
 * @throws EclipticError `scheduler/message-not-serializable`, `scheduler/message-too-large`
 */
export function encodeMessage(topic: string, payload: MessagePayload, limit: number): Uint8Array {
  const topicBytes = new TextEncoder().encode(topic);
  const [kind, body] = encodePayload(topic, payload);
  const length = HEADER_BYTES + topicBytes.length + body.length;
  if (length > limit || topicBytes.length > MAX_TOPIC_BYTES) {
    throw new EclipticError(
      'scheduler/message-too-large',
      `A message of ${length} bytes on "${topic}" does not fit into a slot of ${limit}`,
      {
        subjects: { topic, length, limit },
        fix: 'Post less (an id, a path), or create the queue with larger slotBytes.',
      },
    );
  }
  const bytes = new Uint8Array(length);
  bytes[0] = kind;
  bytes[1] = topicBytes.length & 0xff;
  bytes[2] = topicBytes.length >> 8;
  bytes.set(topicBytes, HEADER_BYTES);
  bytes.set(body, HEADER_BYTES + topicBytes.length);
  return bytes;
}

/** Reads what {@link encodeMessage} wrote. */
export function decodeMessage(bytes: Uint8Array): Message {
  const kind = bytes[0];
  const bodyStart = HEADER_BYTES + ((bytes[1] ?? 0) | ((bytes[2] ?? 0) << 8));
  const decoder = new TextDecoder();
  const topic = decoder.decode(bytes.subarray(HEADER_BYTES, bodyStart));
  const body = bytes.subarray(bodyStart);
  if (kind === NOTHING) return { topic, payload: undefined };
  if (kind === BYTES) return { topic, payload: body };
  return { topic, payload: JSON.parse(decoder.decode(body)) as MessagePayload };
}

function encodePayload(topic: string, payload: MessagePayload): [kind: number, body: Uint8Array] {
  if (payload === undefined) return [NOTHING, new Uint8Array(0)];
  if (payload instanceof Uint8Array) return [BYTES, payload];
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(payload);
  } catch (error) {
    cause = error;
  }
  if (text === undefined) {
    throw new EclipticError(
      'scheduler/message-not-serializable',
      `What was posted on "${topic}" is not plain data`,
      { subjects: { topic }, fix: 'Post JSON data or a Uint8Array.', cause },
    );
  }
  return [JSON_TEXT, new TextEncoder().encode(text)];
}
