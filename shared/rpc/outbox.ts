// What a server has to say within one task, posted as one message: the last chunk of a call and its reply, the events of a commit.
import type { ServerMessage } from '../protocol/envelope.ts';
import { toErrorData } from '../protocol/errors.ts';
import type { Port } from './port.ts';

type Single = Exclude<ServerMessage, { readonly t: 'batch' }>;

/** A promise that settles wakes the next one: a reply follows its last chunk within fewer steps than these. */
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

  /** Leaves before the task ends, whatever the next one does: that may take long. */
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
      // Nothing of it has left, and no buffer was moved: one message that cannot be sent must not take the others along.
      for (const each of batch) this.#postOne(each);
    }
  }

  #postOne({ message, transfers }: Waiting): void {
    try {
      this.#port.postMessage(message, transfers);
    } catch (thrown) {
      // What cannot be cloned is a mistake of ours; whoever waits for it is told rather than left waiting.
      if (!('id' in message)) throw thrown;
      this.#port.postMessage({ t: 'err', id: message.id, error: toErrorData(thrown) } satisfies ServerMessage);
    }
  }
}
