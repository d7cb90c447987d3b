// Finds the values that a text would set in the rows of one table: it runs in a transaction that is rolled back in the same piece of work,
// so that nothing else can become part of it.
import { byName } from '#shared/by-name.ts';
import { AppError, fail, inParts } from '#shared/protocol/errors.ts';
import type { TriedUpdate } from '#shared/protocol/history.ts';
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { RowLog } from '../engines/row-log/row-log.ts';
import { describeTable, keyCondition } from '../schema/table-shape.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { preview } from './differences.ts';
import { inTransaction, SLICE_MS } from './dry-run.ts';
import { keyText } from './net-changes.ts';

const TOO_LARGE = 'They are more than the history keeps of one step. Choose fewer cells.';

interface UpdatesText {
  readonly sql: string;
  readonly parameters: ParameterValues | undefined;
  readonly table: string;
  readonly columns: readonly string[];
  readonly maxRows: number;
  /** Why no rows are recorded, or null. */
  readonly whyNotRecorded: () => string | null;
}

interface Touched {
  readonly key: readonly Value[];
  /** Key at this point of the transaction. */
  keyNow: readonly Value[];
  readonly base: Record<string, Value>;
  readonly columns: Set<string>;
}

/** @throws AppError `refused` if keys of rows, or too many rows, would change */
export function* tryUpdates(turn: Turn, text: UpdatesText): Generator<Pause, readonly TriedUpdate[]> {
  const { connection } = turn;
  const changesBefore = connection.totalChanges;
  return yield* inTransaction(turn, text, function* () {
    const log = connection.openLog;
    if (!log && connection.totalChanges > changesBefore)
      throw refused(`The rows that would change cannot be listed. ${text.whyNotRecorded() ?? TOO_LARGE}`);
    const updates = log ? yield* updatesIn(turn, log, text) : [];
    connection.run('ROLLBACK');
    return updates;
  });
}

function* updatesIn(turn: Turn, log: RowLog, text: UpdatesText): Generator<Pause, readonly TriedUpdate[]> {
  const pause = pauses(turn);
  const touched = yield* touchedRows(log, text, pause);
  const { key: by } = describeTable(turn.connection, text.table);
  if (by.kind === 'none') throw refused(by.why);
  const from = `FROM main.${quoteName(text.table)} WHERE ${keyCondition(by)}`;
  const updates: TriedUpdate[] = [];
  for (const { key, keyNow, base, columns } of touched) {
    if (columns.size === 0) continue;
    if (keyText('', key) !== keyText('', keyNow))
      throw refused('Keys of rows would change too, which cannot be held for many rows at once.');
    const names = [...columns];
    const set = byName<Value>();
    const row = turn.connection.one(`SELECT ${quoteNames(names)} ${from}`, key);
    if (!row) throw refused('Rows would be deleted too, which cannot be held together with changes of many rows.');
    for (const [at, name] of names.entries()) set[name] = row[at]!;
    updates.push({ key, set, base });
    yield* pause();
  }
  return updates;
}

function* touchedRows(
  log: RowLog,
  { table: name, columns, maxRows }: UpdatesText,
  pause: () => Generator<Pause, void>,
): Generator<Pause, readonly Touched[]> {
  const table = log.tables.find((one) => one.name === name);
  if (!table) return [];
  const wanted = new Set(columns);
  const rows: Touched[] = [];
  const byKey = new Map<string, Touched>();
  for (const change of log.rowsOf(table, 0)) {
    if (change.operation !== 'update') continue;
    const keyBefore = keyText(name, change.keyBefore);
    const known = byKey.get(keyBefore);
    const row = known ?? { key: change.keyBefore, keyNow: change.keyBefore, base: byName<Value>(), columns: new Set() };
    if (!known && rows.push(row) > maxRows)
      throw refused(`More than ${maxRows.toLocaleString('en')} rows would change, which is too many to hold.`);
    byKey.delete(keyBefore);
    byKey.set(keyText(name, change.keyAfter), row);
    row.keyNow = change.keyAfter;
    change.columnIndexes.forEach((place, at) => note(row, table.columns[place]!, change.before[at]!, wanted));
    yield* pause();
  }
  return rows;
}

/** The stored value is the one before the first change. A long value is left out. */
function note(row: Touched, column: string, before: Value, wanted: ReadonlySet<string>): void {
  if (!wanted.has(column) || row.columns.has(column)) return;
  row.columns.add(column);
  const shown = preview(before);
  if (shown === null || typeof shown !== 'object' || !('preview' in shown)) row.base[column] = before;
}

function pauses(turn: Turn): () => Generator<Pause, void> {
  let at = performance.now() + SLICE_MS;
  return function* () {
    if (performance.now() < at) return;
    if (turn.stopRequested) fail('stopped', 'Stopped.');
    yield 'between';
    at = performance.now() + SLICE_MS;
  };
}

const refused = (what: string): AppError => AppError.refused(inParts(what, 'Nothing was changed.'));
