// Whose work a commit is: that which changed most in its transaction, since a COMMIT says nothing about what it commits.
import type { Connection } from '../engines/engine.ts';
import type { WorkOrigin } from '../sessions/journal.ts';
import type { WindowSession } from '../sessions/session.ts';

export interface StepAuthor extends WorkOrigin {
  readonly windowTitle: string;
}

const NOBODY: StepAuthor = { title: 'Change', sql: null, windowTitle: '', run: 0, withoutUndo: false };

export class Author {
  readonly #connection: Connection;
  #now: { readonly window: WindowSession; readonly origin: WorkOrigin; readonly changesBefore: number } | null = null;
  /** Of earlier turns in the open transaction. */
  #most: { readonly author: StepAuthor; readonly changes: number } | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  began(window: WindowSession, origin: WorkOrigin): void {
    this.#now = { window, origin, changesBefore: this.#connection.totalChanges };
  }

  ended(): void {
    const most = this.#goesOn ? null : this.#most;
    const changes = this.#changes() + (this.#goesOn ? this.#most!.changes : 0);
    if (this.#connection.autocommit) this.#most = null;
    else if (this.#now && changes >= (most?.changes ?? 0)) this.#most = { author: this.#current(), changes };
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

  /** To be asked once a commit. */
  ofCommit(): StepAuthor {
    const most = this.#most;
    const isOlder = most !== null && !this.#goesOn && most.changes > this.#changes();
    const author = isOlder ? most.author : this.#current();
    this.#most = null;
    if (this.#now) this.#now = { ...this.#now, changesBefore: this.#connection.totalChanges };
    return author;
  }

  /** A script that took several turns: by now it knows more of its transaction. */
  get #goesOn(): boolean {
    return this.#most !== null && this.#now?.origin.run === this.#most.author.run;
  }

  #changes(): number {
    return this.#now ? this.#connection.totalChanges - this.#now.changesBefore : 0;
  }

  #current(): StepAuthor {
    if (!this.#now) return NOBODY;
    const { title, sql, run, withoutUndo } = this.#now.origin;
    return { title, sql, run, withoutUndo, windowTitle: this.#now.window.windowTitle };
  }
}
