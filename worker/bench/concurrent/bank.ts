// The data of a writer and its readers: accounts between which money moves. A reader that sees half of a transaction, or two moments at
// once, sees it in the sums.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { ShownStatement } from '#shared/bench/result.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import type { Random } from '#shared/random.ts';
import { exec, inTransaction, run, type Step } from '../program.ts';

/** Concurrent work, as data, so that it can be sent to threads. */
export interface ConcurrentWork {
  readonly readers: number;
  /** Duration of the work. */
  readonly windowMs: number;
  /** Transfers that the writer commits, one after the other, and then from the beginning. */
  readonly transfers: readonly Transfer[];
  readonly dialect: EngineDefinition['dialect'];
}

type Transfer = readonly [payer: number, payee: number, amount: number];

const ACCOUNTS = 1_000;
const OPENING = 1_000;
/** Sum over all accounts, at any time. */
const TOTAL = ACCOUNTS * OPENING;
const TRANSFERS = 4_096;
const LARGEST = 100;

export const SQL = {
  pay: 'UPDATE account SET balance = balance - ?, moves = moves + 1 WHERE id = ?',
  receive: 'UPDATE account SET balance = balance + ?, moves = moves + 1 WHERE id = ?',
  note: 'INSERT INTO ledger (id, payer, payee, amount) VALUES (?, ?, ?, ?)',
  /** All accounts, plus the number of the last commit. */
  read: 'SELECT count(*), sum(balance), sum(moves), (SELECT coalesce(max(id), 0) FROM ledger) FROM account',
  accounts: 'SELECT id, balance, moves FROM account ORDER BY id',
  ledger: 'SELECT count(*), coalesce(max(id), 0) FROM ledger',
} as const;

export const OPEN_BANK: readonly Step[] = [
  exec('CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL, moves INTEGER NOT NULL)'),
  exec(
    'CREATE TABLE ledger (id INTEGER PRIMARY KEY, payer INTEGER NOT NULL, payee INTEGER NOT NULL, amount INTEGER NOT NULL)',
  ),
  ...inTransaction(
    run(
      'INSERT INTO account (id, balance, moves) VALUES (?, ?, ?)',
      Array.from({ length: ACCOUNTS }, (_, index) => [index + 1, OPENING, 0]),
    ),
  ),
];

export function transfersFrom(random: Random): readonly Transfer[] {
  return Array.from({ length: TRANSFERS }, () => {
    const payer = random.between(1, ACCOUNTS);
    const apart = random.between(1, ACCOUNTS - 1);
    return [payer, ((payer - 1 + apart) % ACCOUNTS) + 1, random.between(1, LARGEST)];
  });
}

/** Checks the results of {@link SQL.read}, one read after the other, and remembers the first fault. */
export class Witness implements RowSink {
  readonly #row = new Float64Array(4);
  #column = 0;
  /** Number of the last commit seen. */
  seen = 0;
  wrong: string | null = null;

  value(value: unknown): void {
    this.#row[this.#column++] = Number(value);
  }

  endRow(): void {
    const [accounts, total, moves, commits] = this.#row;
    const isWhole = accounts === ACCOUNTS && total === TOTAL && moves === 2 * commits! && this.#column === 4;
    if (!isWhole || commits! < this.seen) this.wrong ??= this.#reason();
    this.seen = commits!;
    this.#column = 0;
  }

  changed(): void {
    // It only reads.
  }

  #reason(): string {
    const [accounts, total, moves, commits] = Array.from(this.#row, (value) => value.toLocaleString('en-US'));
    if (this.#row[0] !== ACCOUNTS) return `a reader saw ${accounts} accounts instead of ${ACCOUNTS}`;
    if (this.#row[1] !== TOTAL)
      return `a reader saw ${total} on all accounts instead of ${TOTAL.toLocaleString('en-US')}`;
    if (this.#row[2] !== 2 * this.#row[3]!)
      return `a reader saw ${moves} moves of accounts beside ${commits} commits: of two moments at once`;
    return `a reader saw commit ${commits} after commit ${this.seen.toLocaleString('en-US')}`;
  }
}

/** The accounts after so many commits, as {@link SQL.accounts} returns them: [id, balance, moves] of each. */
export function accountsAfter(commits: number, transfers: readonly Transfer[]): Float64Array {
  const rows = new Float64Array(ACCOUNTS * 3);
  for (let id = 1; id <= ACCOUNTS; id++) rows.set([id, OPENING, 0], (id - 1) * 3);
  const move = (id: number, amount: number): void => {
    rows[(id - 1) * 3 + 1]! += amount;
    rows[(id - 1) * 3 + 2]!++;
  };
  for (let commit = 0; commit < commits; commit++) {
    const [payer, payee, amount] = transfers[commit % transfers.length]!;
    move(payer, -amount);
    move(payee, amount);
  }
  return rows;
}

/** Concurrent work in readable form. */
export function showConcurrent({ readers, windowMs, dialect }: ConcurrentWork): readonly ShownStatement[] {
  const transaction = [dialect === 'sqlite' ? 'BEGIN IMMEDIATE' : 'BEGIN', SQL.pay, SQL.receive, SQL.note, 'COMMIT'];
  const many = readers === 1 ? 'the reader' : `each of ${readers} readers`;
  return [
    {
      part: 'timed',
      sql: `-- the writer, for ${windowMs} ms, each statement prepared once\n${transaction.join(';\n')};`,
      times: 1,
    },
    { part: 'timed', sql: `-- ${many} in the meantime, prepared once\n${SQL.read};`, times: 1 },
    { part: 'checked', sql: `${SQL.ledger};\n${SQL.accounts};`, times: 1 },
    ...(dialect === 'sqlite' ? [{ part: 'checked', sql: 'PRAGMA integrity_check', times: 1 } as const] : []),
  ];
}
