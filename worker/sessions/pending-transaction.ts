// State of an open transaction: since when, how many changes, which savepoints. SQLite reports none of these.
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

/** The part of `Connection` that is used here. */
interface Counter {
  readonly totalChanges: number;
  readonly autocommit: boolean;
}

export interface Pending {
  readonly sinceMs: number;
  /** Rows inserted, updated, and deleted, those of triggers and cascades included, without what was rolled back to a savepoint. */
  readonly changes: number;
  /** Oldest first. */
  readonly savepoints: readonly string[];
  /** The user is deciding about the open transaction: until then, nothing else may become part of it. */
  readonly isUnderReview: boolean;
}

export class PendingTransaction {
  readonly #connection: Counter;
  #sinceMs: number | null = null;
  /** The connection's total changes when nothing is pending. */
  #base = 0;
  #isUnderReview = false;
  #savepoints: readonly { readonly name: string; readonly changes: number }[] = [];

  constructor(connection: Counter) {
    this.#connection = connection;
  }

  /** Null while no transaction is open. */
  get state(): Pending | null {
    if (this.#sinceMs === null) return null;
    const savepoints = this.#savepoints.map(({ name }) => name);
    return { sinceMs: this.#sinceMs, changes: this.#changes, savepoints, isUnderReview: this.#isUnderReview };
  }

  /** Same as {@link Pending.isUnderReview}, also before the transaction is known. */
  get isUnderReview(): boolean {
    return this.#isUnderReview;
  }

  /** The open transaction waits to be kept or discarded. */
  review(): void {
    this.#isUnderReview = true;
  }

  /** Call after each statement that controls transactions. @param at where it begins in `sql` */
  afterControl(sql: string, at: number): void {
    if (this.#connection.autocommit) return this.end();
    this.begin(this.#connection.totalChanges);
    const step = savepointStep(sql, at);
    if (!step) return;
    const names = this.#savepoints.map(({ name }) => name.toLowerCase());
    const index = names.lastIndexOf(step.name.toLowerCase());
    if (step.verb === 'set') this.#savepoints = [...this.#savepoints, { name: step.name, changes: this.#changes }];
    else if (step.verb === 'release') this.#savepoints = this.#savepoints.slice(0, Math.max(0, index));
    else if (index >= 0) {
      this.#base = this.#connection.totalChanges - this.#savepoints[index]!.changes;
      this.#savepoints = this.#savepoints.slice(0, index + 1);
    }
  }

  /** Does nothing if it has begun. @param totalChanges of the connection before its first change */
  begin(totalChanges: number): void {
    if (this.#sinceMs !== null) return;
    this.#sinceMs = Date.now();
    this.#base = totalChanges;
  }

  end(): void {
    this.#sinceMs = null;
    this.#isUnderReview = false;
    this.#savepoints = [];
  }

  get #changes(): number {
    return this.#connection.totalChanges - this.#base;
  }
}

type SavepointStep = { readonly verb: 'set' | 'release' | 'rollback'; readonly name: string };

/** Follows sqlite.org/lang_savepoint.html; null for any other statement. */
function savepointStep(sql: string, at: number): SavepointStep | null {
  const scanner = new SqlScanner(sql, at);
  const word = (): string => (scanner.next() === Token.word ? scanner.text.toUpperCase() : '');
  let first = word();
  while (first === '' && scanner.kind === Token.semicolon) first = word();
  if (first === 'SAVEPOINT') {
    scanner.next();
    return { verb: 'set', name: scanner.name };
  }
  if (first !== 'RELEASE' && first !== 'ROLLBACK') return null;
  if (first === 'ROLLBACK') {
    const second = word();
    if (second !== 'TO' && (second !== 'TRANSACTION' || word() !== 'TO')) return null;
  }
  scanner.next();
  // A savepoint may be called SAVEPOINT: then nothing follows.
  const name = scanner.name;
  const isKeyword = scanner.kind === Token.word && name.toUpperCase() === 'SAVEPOINT';
  const next = scanner.next();
  const isNamed = isKeyword && next !== Token.end && next !== Token.semicolon;
  return { verb: first === 'RELEASE' ? 'release' : 'rollback', name: isNamed ? scanner.name : name };
}
