// What a server has to say within one task, posted as one message: the last chunk of a call and its reply, the events of a commit.
import type { ServerMessage } from '../protocol/envelope.ts';
import type { Port } from './port.ts';

type Single = Exclude<ServerMessage, { readonly t: 'batch' }>;

/** A promise that settles wakes the next one: a reply follows its last chunk within fewer steps than these. */
const QUIET_MICROTASKS = 12;

export class Outbox {
  readonly #port: Port;
  #messages: Single[] = [];
  #transfers: ArrayBuffer[] = [];

  constructor(port: Port) {
    this.#port = port;
  }

  /** Leaves before the task ends, whatever the next one does: that may take long. */
  post(message: Single, transfers: readonly ArrayBuffer[]): void {
    this.#messages.push(message);
    this.#transfers.push(...transfers);
    if (this.#messages.length === 1) void this.#leave();
  }

  async #leave(): Promise<void> {
    for (let quiet = 0, seen = 1; quiet < QUIET_MICROTASKS; quiet++) {
      await Promise.resolve();
      if (this.#messages.length > seen) [quiet, seen] = [0, this.#messages.length];
    }
    const [messages, transfers] = [this.#messages, this.#transfers];
    this.#messages = [];
    this.#transfers = [];
    this.#port.postMessage(
      messages.length === 1 ? messages[0] : ({ t: 'batch', messages } satisfies ServerMessage),
      transfers,
    );
  }
}
