// Messages from main to a page: each message is kept until the page reports that it is done with the message, and is sent again to a page
// that was reloaded in the meantime. Electron silently drops messages to a page that is loading, crashed or gone.

export interface OutboxMessage {
  readonly id: number;
  readonly channel: string;
  readonly value: unknown;
}

/** Reply of a page to a message. */
interface Done {
  /** The page's answer, of any kind: the page may be compromised. */
  readonly reply: unknown;
}

interface Kept {
  readonly channel: string;
  /** Called for each sending, because content that one page has consumed is useless to the next. */
  readonly make: () => unknown;
  readonly about: string | null;
  readonly settle: (done: Done | null) => void;
}

export class Outbox {
  readonly #send: (message: OutboxMessage) => unknown;
  readonly #drop: (channel: string) => void;
  readonly #kept = new Map<number, Kept>();
  #last = 0;
  #isOver = false;

  /** @param drop called with each message that no page will ever handle */
  constructor(send: (message: OutboxMessage) => unknown, drop: (channel: string) => void) {
    this.#send = send;
    this.#drop = drop;
  }

  /**
   * Resolves when the page has handled the message; with null if the window is gone before.
   * @param about a later message with the same `about` replaces this one: it reports a state, not an event
   */
  tell(channel: string, make: () => unknown, about: string | null = null): Promise<Done | null> {
    return new Promise((settle) => {
      if (this.#isOver) {
        this.#drop(channel);
        return settle(null);
      }
      for (const [id, kept] of this.#kept) {
        if (about === null || kept.channel !== channel || kept.about !== about) continue;
        this.#kept.delete(id);
        kept.settle({ reply: undefined });
      }
      const id = ++this.#last;
      this.#kept.set(id, { channel, make, about, settle });
      this.#send({ id, channel, value: make() });
    });
  }

  /** A new page listens, which has received none of the messages sent before. */
  sendAgain(): void {
    for (const [id, { channel, make }] of this.#kept) this.#send({ id, channel, value: make() });
  }

  done(id: number, reply?: unknown): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    kept?.settle({ reply });
  }

  /** The window is gone. */
  end(): void {
    this.#isOver = true;
    for (const { channel, settle } of this.#kept.values()) {
      this.#drop(channel);
      settle(null);
    }
    this.#kept.clear();
  }
}
