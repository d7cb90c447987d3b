// Batches what a server sends within one task into one message: the last chunk of a call and its reply, the events of a commit.
import type { ServerMessage } from '../protocol/envelope.ts';
import { toErrorData } from '../protocol/errors.ts';
import type { Port } from './port.ts';

type Single = Exclude<ServerMessage, { readonly t: 'batch' }>;

/** Microtasks to wait for more messages: a reply follows its last chunk within fewer steps than these. */
const QUIET_MICROTASKS = 12;

interface Waiting {
  readonly message: Single;
  readonly transfers: readonly ArrayBuffer[];
}

export class Outbox {
  readonly #port: Port;
  #waiting: Waiting[] = [];

  constructor(port: Port) {
    this.#port = port;
  }

  /** Messages are sent before the task ends, because the next task may take long. */
  post(message: Single, transfers: readonly ArrayBuffer[]): void {
    this.#waiting.push({ message, transfers });
    if (this.#waiting.length === 1) void this.#flush();
  }

  async #flush(): Promise<void> {
    for (let quiet = 0, seen = 1; quiet < QUIET_MICROTASKS; quiet++) {
      await Promise.resolve();
      if (this.#waiting.length > seen) [quiet, seen] = [0, this.#waiting.length];
    }
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 1) return this.#postOne(batch[0]!);
    const messages = batch.map(({ message }) => message);
    try {
      this.#port.postMessage(
        { t: 'batch', messages } satisfies ServerMessage,
        batch.flatMap(({ transfers }) => transfers),
      );
    } catch {
      // The batch was not sent and no buffer was transferred, so retry one by one: one message that cannot be sent must not block the
      // others.
      for (const each of batch) this.#postOne(each);
    }
  }

  #postOne({ message, transfers }: Waiting): void {
    try {
      this.#port.postMessage(message, transfers);
    } catch (thrown) {
      // A value that cannot be cloned is a bug; the waiting caller gets an error instead of waiting forever.
      if (!('id' in message)) throw thrown;
      this.#port.postMessage({ t: 'err', id: message.id, error: toErrorData(thrown) } satisfies ServerMessage);
    }
  }
}
