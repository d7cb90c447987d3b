// Requests of a session: statements that run in a transaction, or not at all.
import type { Request } from '../hrana/hrana-client.ts';
import type { Condition, RemoteSql, StatementResult, Step } from '../hrana/messages.ts';

export const plain = (sql: string, wantRows = false): RemoteSql => ({ sql, args: [], wantRows });
/** The last step of a batch; {@link ServerState.note} reads its row. */
export const SCHEMA_VERSION: Step = { statement: plain('PRAGMA schema_version', true) };
const IN_TRANSACTION = { type: 'not', cond: { type: 'is_autocommit' } } as const;
export const ASKS_AUTOCOMMIT: Request = { type: 'get_autocommit' };
/** Result of a statement that was not sent. */
export const NOTHING: StatementResult = {
  cols: [],
  rows: [],
  affected_row_count: 0,
  last_insert_rowid: null,
  rows_read: 0,
  rows_written: 0,
};

/** A transaction of its own; what the steps do not commit is rolled back. */
export function inOneTransaction(steps: readonly Step[]): readonly Request[] {
  const begin: Request = { type: 'batch', steps: [{ statement: plain('BEGIN IMMEDIATE') }], atLeast: null };
  const guarded = steps.map((step) => ({ ...step, condition: whileOpen(step.condition ?? null) }));
  // A commit that fails, for a foreign key that is checked late, leaves the transaction open.
  const end: Step = { statement: plain('ROLLBACK'), condition: IN_TRANSACTION };
  return [begin, { type: 'batch', steps: [...guarded, end, SCHEMA_VERSION], atLeast: null }, { type: 'close' }];
}

/**
 * Steps that run only while the transaction is open.
 *
 * @param before how many steps the batch has before them
 * @param goOn not: after a failure none of the others runs
 */
export function inOpenTransaction(statements: readonly RemoteSql[], before: number, goOn: boolean): readonly Step[] {
  return statements.map((statement, at) => ({
    statement,
    condition: whileOpen(at === 0 || goOn ? null : { type: 'ok', step: before + at - 1 }),
  }));
}

/** @param before how many steps the batch has before this one; the last of them must have succeeded */
export const afterOthers = (statement: RemoteSql, before: number): Step =>
  before === 0 ? { statement } : { statement, condition: { type: 'ok', step: before - 1 } };

const whileOpen = (condition: Condition | null): Condition =>
  condition === null ? IN_TRANSACTION : { type: 'and', conds: [IN_TRANSACTION, condition] };
