// The transaction of a session: what begins it, and why the last one was lost.
import { toAppError } from '#shared/protocol/errors.ts';
import type { AppError } from '#shared/protocol/errors.ts';

export class SessionTransaction {
  #isOpen = false;
  #pending: readonly string[] = [];
  #begun = 0;
  #losses = 0;
  #whyLost: AppError | null = null;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Statements that begin the transaction. They travel with its first statement, which saves a round trip. */
  get pending(): readonly string[] {
    return this.#pending;
  }

  /** Null while none is open. */
  get id(): number | null {
    return this.#isOpen ? this.#begun : null;
  }

  /** Transactions that have ended other than by COMMIT or ROLLBACK. */
  get losses(): number {
    return this.#losses;
  }

  /** Why the last transaction was lost; null if it was not, or if the statement that ended it was to blame. */
  get whyLost(): AppError | null {
    return this.#whyLost;
  }

  begin(statements: readonly string[]): void {
    this.#isOpen = true;
    this.#pending = statements;
    this.#begun++;
    this.#whyLost = null;
  }

  /** The pending statements have reached the server. */
  sent(): void {
    this.#pending = [];
  }

  end(): void {
    this.#isOpen = false;
    this.#pending = [];
  }

  /** @param why null: who ended it gets the reason as the answer */
  lose(why: unknown): void {
    this.#losses++;
    const error = why === null ? null : toAppError(why);
    this.#whyLost = error?.code === 'constraint' ? null : error;
    this.end();
  }
}
