// What main tells a page: each letter is kept until the page says that it has dealt with it, and is sent again to a page that was loaded
// anew meanwhile. Electron itself drops silently what is sent to a page that is loading, crashed or gone.

export interface Letter {
  readonly id: number;
  readonly channel: string;
  readonly value: unknown;
}

interface Kept {
  readonly channel: string;
  /** Made for each sending: what one page has used up is of no use to the next. */
  readonly make: () => unknown;
  readonly about: string | null;
  readonly settle: (isDone: boolean) => void;
}

export class Letters {
  readonly #send: (letter: Letter) => unknown;
  readonly #drop: (channel: string) => void;
  readonly #kept = new Map<number, Kept>();
  #last = 0;
  #isOver = false;

  /** @param drop told of each letter that no page will ever deal with */
  constructor(send: (letter: Letter) => unknown, drop: (channel: string) => void) {
    this.#send = send;
    this.#drop = drop;
  }

  /**
   * Resolves with true when the page has dealt with it, with false when the window has gone before.
   * @param about a later letter about the same takes this one's place: it tells a state, not an event
   */
  tell(channel: string, make: () => unknown, about: string | null = null): Promise<boolean> {
    return new Promise((settle) => {
      if (this.#isOver) {
        this.#drop(channel);
        return settle(false);
      }
      for (const [id, kept] of this.#kept) {
        if (about === null || kept.channel !== channel || kept.about !== about) continue;
        this.#kept.delete(id);
        kept.settle(true);
      }
      const id = ++this.#last;
      this.#kept.set(id, { channel, make, about, settle });
      this.#send({ id, channel, value: make() });
    });
  }

  /** A page listens, which knows nothing of what was sent to the one before it. */
  sendAgain(): void {
    for (const [id, { channel, make }] of this.#kept) this.#send({ id, channel, value: make() });
  }

  done(id: number): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    kept?.settle(true);
  }

  /** The window is gone. */
  end(): void {
    this.#isOver = true;
    for (const { channel, settle } of this.#kept.values()) {
      this.#drop(channel);
      settle(false);
    }
    this.#kept.clear();
  }
}
