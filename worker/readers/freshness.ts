// Whether what a reader shows includes every commit, and the run that makes it do so.
//
//   current ── a change ──▶ outdated ── a run is asked for ──▶ waiting ── its turn ──▶ reading ── a change ──▶ overtaken
//      ▲                        ▲                                 │                       │                        │
//      │                        └───────── the run ends ──────────┴─────────────────────  │  ──────────────────────┘
//      └───────────────────────────────────────────── the run ends ───────────────────────┘
//
// A run that ends without all rows is overtaken. Rows that are read for the first time are read without a run.

type State =
  | { readonly kind: 'current' | 'outdated' }
  | { readonly kind: 'waiting' | 'reading' | 'overtaken'; readonly ended: Promise<void> };

const OUTDATED: ReadonlySet<State['kind']> = new Set(['outdated', 'waiting', 'overtaken']);

export class Freshness {
  #state: State = { kind: 'current' };

  get isOutdated(): boolean {
    return OUTDATED.has(this.#state.kind);
  }

  /** Settles with the run under way; null without one. */
  get run(): Promise<void> | null {
    return 'ended' in this.#state ? this.#state.ended : null;
  }

  /** A commit is missing, and will be missing after the run under way if that has begun to read. */
  expire(): void {
    if (this.#state.kind === 'current') this.#state = { kind: 'outdated' };
    else if (this.#state.kind === 'reading') this.#state = { ...this.#state, kind: 'overtaken' };
  }

  /** Everything committed so far is included, or will be when the run under way ends. */
  renew(): void {
    this.#state = 'ended' in this.#state ? { ...this.#state, kind: 'reading' } : { kind: 'current' };
  }

  /** Runs, unless a run is under way. Settles with the run. */
  start(kind: 'waiting' | 'reading', run: () => Promise<void>): Promise<void> {
    if (this.run) return this.run;
    let settle!: (run: Promise<void>) => void;
    const ended = new Promise<void>((resolve) => (settle = resolve));
    this.#state = { kind, ended };
    settle(run().finally(() => (this.#state = { kind: this.isOutdated ? 'outdated' : 'current' })));
    return ended;
  }
}
