// Several guarded writes as one batch, which D1 carries out as a whole or not at all: each write is followed by a step that fails if no row
// was changed. The row as it is now is read afterwards, with a request of its own.
import type { Value } from '#shared/protocol/values.ts';
import type { GuardedOutcome, GuardedWrite } from '../../guarded-write.ts';
import type { DecodedCell } from '../hrana/values.ts';
import type { RemoteSql, StatementResult } from '../hrana/messages.ts';
import { isLostConnection } from '../network/network-error.ts';
import { KnownTexts, assertFits, sentBytes } from '../session/together-size.ts';
import { isUnknownOutcome } from '../session/outcomes.ts';
import type { Effect, TogetherParts } from '../session/server-session.ts';
import type { RemoteStatement } from '../statements/remote-statement.ts';
import { checkOf, MissedWrite } from './d1-error.ts';

/** How long to wait for a server that does not answer before the outcome of a write stays unknown. */
const TIMEOUT_MS = 10_000;
const AGAIN_EVERY_MS = 100;
/** Limit for one result. Reading for Undo takes two for each column, so a wide table has more. */
const MAX_COLUMNS = 100;

interface D1Batches {
  bindUpTo(most: number, statement: RemoteStatement, params: readonly Value[]): RemoteSql;
  run(statement: RemoteSql, effect: Effect): StatementResult;
  /** Runs all statements in one transaction. @throws MissedWrite, AppError */
  runBatch(statements: readonly RemoteSql[], effect: 'write'): readonly StatementResult[];
}

/** @throws AppError; nothing was changed then, or `detail.kind` is `unknown-outcome` */
export function writeD1Together(
  session: D1Batches,
  { prepare, mayWrite, look }: TogetherParts,
  writes: readonly GuardedWrite[],
): GuardedOutcome {
  const known = new KnownTexts(prepare, {
    bind: (statement, params) => session.bindUpTo(MAX_COLUMNS, statement, params),
  });
  const { statements, places } = batchOf(writes, known);
  assertFits(writes.length, sentBytes(statements.map((statement) => ({ statement }))), 0);
  mayWrite();
  const unread: GuardedOutcome = { kind: 'done', rows: writes.map(() => null), before: writes.map(() => null) };
  try {
    const results = session.runBatch(statements, 'write');
    return {
      kind: 'done',
      rows: places.map(({ write }, at) => padded(firstRow(results[write]!), known.statement(writes[at]!.write.sql))),
      before: places.map(({ before }) => (before === null ? null : firstRow(results[before]!))),
    };
  } catch (error) {
    if (error instanceof MissedWrite && error.at < writes.length) {
      const now = writes[error.at]!.now;
      return { kind: 'missed', at: error.at, now: now && firstRow(session.run(known.bind(now), 'read')) };
    }
    if (!isUnknownOutcome(error) || error.code === 'stopped' || !isFound(session, known, writes, look)) throw error;
    return unread;
  }
}

function batchOf(writes: readonly GuardedWrite[], known: KnownTexts) {
  const statements: RemoteSql[] = [];
  const add = (statement: RemoteSql): number => statements.push(statement) - 1;
  const places = writes.map(({ before, write }, at) => {
    const isNarrow = before !== undefined && known.statement(before.sql).columnCount <= MAX_COLUMNS;
    const read = isNarrow ? add(known.bind(before)) : null;
    const wrote = add(known.bind(write));
    add(checkOf(at));
    return { before: read, write: wrote };
  });
  return { statements, places };
}

const firstRow = ({ rows: [row] }: StatementResult): readonly Value[] | null =>
  row === undefined ? null : row.map((cell) => (cell as DecodedCell).value);

/** The key comes first. A value that is left out counts as too long to read for Undo. */
const padded = (row: readonly Value[] | null, { columnCount }: RemoteStatement): readonly Value[] | null =>
  row && [...row, ...Array<null>(columnCount - row.length).fill(null)];

/**
 * Whether one of the writes, which are one transaction, is there. If it is not, it may still be under way: there is no transaction that would
 * have to wait for it.
 */
function isFound(session: D1Batches, known: KnownTexts, writes: readonly GuardedWrite[], look: () => void): boolean {
  const after = writes.find((write) => write.after !== null)?.after;
  if (!after) return false;
  const word = new Int32Array(new SharedArrayBuffer(4));
  for (const endMs = performance.now() + TIMEOUT_MS; performance.now() < endMs;) {
    try {
      return session.run(known.bind(after), 'read').rows.length > 0;
    } catch (error) {
      if (!isLostConnection(error)) return false;
    }
    Atomics.wait(word, 0, 0, AGAIN_EVERY_MS);
    look();
  }
  return false;
}
