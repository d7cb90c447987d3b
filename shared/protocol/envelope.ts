// The messages that cross a port. The first message from a server is always `hello`; a client queues until then.
import type { ErrorData } from './errors.ts';

export type ClientMessage =
  | { readonly t: 'req'; readonly id: number; readonly op: string; readonly params: unknown }
  | { readonly t: 'cancel'; readonly id: number }
  /** The client has consumed `n` chunks of stream `id`; the server may send as many more. */
  | { readonly t: 'credit'; readonly id: number; readonly n: number };

export type ServerMessage =
  | { readonly t: 'hello'; readonly protocolVersion: number; readonly info: unknown }
  /** Sent instead of `hello` when this server cannot serve at all. The port is dead afterwards. */
  | { readonly t: 'refused'; readonly error: ErrorData }
  | { readonly t: 'ok'; readonly id: number; readonly value: unknown }
  | { readonly t: 'err'; readonly id: number; readonly error: ErrorData }
  | { readonly t: 'chunk'; readonly id: number; readonly value: unknown }
  | { readonly t: 'event'; readonly topic: string; readonly value: unknown }
  /** Several messages that were ready in one task, in order: sending has a cost per message. */
  | { readonly t: 'batch'; readonly messages: readonly Exclude<ServerMessage, { readonly t: 'batch' }>[] };

/** One operation: its parameters, its reply, and the chunks streamed before the reply. */
export interface Op<Params, Reply, Chunk = never> {
  readonly params: Params;
  readonly reply: Reply;
  readonly chunk: Chunk;
}

/** Chunks a server may have in flight on one stream before it waits for credit. */
export const STREAM_CREDITS = 4;
