// One engine of the product in a round of a suite that times one operation from its call to its reply.
import type { Sink } from '#shared/bench/sink.ts';
import type { PartFacts } from '../target.ts';
import type { Player, Seen } from './app-target.ts';

export interface WholeWork {
  readonly test: string;
  readonly facts: PartFacts;
  /** Runs it once, and checks the outcome. Returns the milliseconds that count. */
  once(): Promise<number>;
  compare(sink: Sink): Promise<void>;
  close(): Promise<void>;
}

export class WholePlayer implements Player {
  readonly needsScreen = false;
  readonly test: string;
  readonly facts: PartFacts;
  readonly #work: WholeWork;

  constructor(work: WholeWork) {
    this.test = work.test;
    this.facts = work.facts;
    this.#work = work;
  }

  async play(): Promise<Seen> {
    const ms = await this.#work.once();
    return { samples: [ms], timedMs: ms };
  }

  async compare(_round: number, sink: Sink): Promise<void> {
    await this.#work.once();
    await this.#work.compare(sink);
  }

  rest(): void {}

  close(): Promise<void> {
    return this.#work.close();
  }
}
