// Decides which work a commit is credited to: the one that changed most in its transaction, since a COMMIT says nothing about its content.
import type { Connection } from '../engines/engine.ts';
import type { WorkOrigin, WindowSession } from '../sessions/session.ts';

interface StepAuthor extends WorkOrigin {
  readonly windowTitle: string;
}

interface Share {
  readonly author: StepAuthor;
  readonly changes: number;
}

const NOBODY: StepAuthor = { title: 'Change', sql: null, windowTitle: '', run: 0, withoutUndo: false };

export class Author {
  readonly #connection: Connection;
  #now: { readonly window: WindowSession; readonly origin: WorkOrigin; readonly changesBefore: number } | null = null;
  /** Shares of earlier turns in the open transaction, by run, the most recent one last. */
  readonly #shares = new Map<number, Share>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  began(window: WindowSession, origin: WorkOrigin): void {
    this.#now = { window, origin, changesBefore: this.#connection.totalChanges };
  }

  ended(): void {
    if (this.#connection.autocommit) this.#shares.clear();
    else this.#noteShare();
    this.#now = null;
  }

  get withoutUndo(): boolean {
    return this.#now?.origin.withoutUndo ?? false;
  }

  get sql(): string | null {
    return this.#now?.origin.sql ?? null;
  }

  get run(): number {
    return this.#now?.origin.run ?? 0;
  }

  /** Call once per commit. */
  ofCommit(): StepAuthor {
    this.#noteShare();
    let most: Share = { author: NOBODY, changes: 0 };
    for (const share of this.#shares.values()) if (share.changes >= most.changes) most = share;
    this.#shares.clear();
    if (this.#now) this.#now = { ...this.#now, changesBefore: this.#connection.totalChanges };
    return most.author;
  }

  /** A script that took several turns knows more about its transaction by now, so its latest description counts. */
  #noteShare(): void {
    if (!this.#now) return;
    const { run } = this.#now.origin;
    const changes = this.#changes() + (this.#shares.get(run)?.changes ?? 0);
    this.#shares.delete(run);
    this.#shares.set(run, { author: this.#current(), changes });
  }

  #changes(): number {
    return this.#now ? this.#connection.totalChanges - this.#now.changesBefore : 0;
  }

  #current(): StepAuthor {
    const { origin, window } = this.#now!;
    const { title, sql, run, withoutUndo } = origin;
    return { title, sql, run, withoutUndo, windowTitle: window.windowTitle };
  }
}
