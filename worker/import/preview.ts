// The first records as they will be stored: imports them into a substitute table to show the values, and into the real one to collect its
// errors; both transactions are rolled back.
import type { ImportPlan, ImportPreview } from '#shared/protocol/import.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import { assertNoTransaction } from '../history/undo-redo.ts';
import type { RecordBatch } from '../records/record-batch.ts';
import { quoteNames } from '../sql/quote.ts';
import { defersKeys } from './foreign-keys.ts';
import {
  addColumns,
  bindingOf,
  createLookalike,
  createTable,
  indexKey,
  insertSql,
  nameIn,
  resolveTarget,
  hasNamesOnly,
  NAMES_ONLY,
} from './import-target.ts';
import type { ResolvedTarget, Schema } from './import-target.ts';
import { ProblemLog } from './problem-log.ts';
import { ChangedNumbers } from './changed-numbers.ts';
import { RecordFeed, type Remarks } from './record-feed.ts';
import { countRows } from './run.ts';

export const PREVIEW_RECORDS = 1000;
/** The most records when the user asks for more. */
export const MAX_PREVIEW_RECORDS = 10_001;
/** Deleting more rows than this for a trial run, and rolling that back, would take noticeably long. */
const MAX_REPLACED_ROWS = 50_000;

const ROWID_NAMES = ['rowid', '_rowid_', 'oid'] as const;

export interface ImportTry {
  readonly plan: ImportPlan;
  /** Remarks on the part that was read. */
  readonly remarks: Remarks;
  /** Batches of one record each. */
  readonly records: readonly RecordBatch[];
}

interface PreviewOptions {
  /** Skips the trial import into the real table. */
  readonly valuesOnly?: boolean;
  /** Database for the substitute table, used when the rows are far away; the real table is then left alone. */
  readonly near?: Connection;
}

/** @throws AppError when the plan itself is wrong */
export function previewImport(connection: Connection, attempt: ImportTry, options: PreviewOptions = {}): ImportPreview {
  const { valuesOnly = false, near } = options;
  assertNoTransaction(connection);
  const resolved = resolveTarget(connection, attempt.plan);
  const [first] = attempt.records;
  if (first && attempt.records.length === 1 && !attempt.plan.options.hasHeader && hasNamesOnly(first, resolved))
    return { rows: [], records: 0, problems: [], changes: null, notes: [...resolved.notes, NAMES_ONLY] };
  const problems = new ProblemLog();
  const { rows, notes } = asStored(near ?? connection, attempt, resolved, problems);
  const isTried = resolved.shape !== null && !valuesOnly && near === undefined;
  const real = isTried ? triedOnTable(connection, attempt, resolved) : null;
  return {
    rows,
    records: attempt.records.length,
    problems: (real?.problems ?? problems).kept,
    changes: resolved.target.kind === 'table' && resolved.target.mode === 'upsert' ? (real?.counts ?? null) : null,
    notes: [...resolved.notes, ...notes, ...(near ? notesOfServer(resolved) : [])],
  };
}

function notesOfServer({ target, table, lacksKey }: ResolvedTarget): readonly string[] {
  const notes = [
    'The whole import is one transaction. If another client wants to write, the server ends it after a few seconds, and nothing is imported.',
  ];
  // SQLite does not say whether an upsert inserted or updated.
  if (target.kind === 'table' && target.mode === 'upsert')
    notes.push(`To tell added rows from changed ones, the server counts the rows of “${table}” twice.`);
  if (lacksKey)
    notes.push(
      `The chosen columns are no key of “${table}”, so the server indexes all of its rows, which counts as writing them.`,
    );
  return notes;
}

function asStored(
  connection: Connection,
  attempt: ImportTry,
  resolved: ResolvedTarget,
  problems: ProblemLog,
): Pick<ImportPreview, 'rows' | 'notes'> {
  const { plan } = attempt;
  const names =
    resolved.shape === null ? plan.columns.map(({ name }) => name) : resolved.columns.map(({ name }) => name);
  return rolledBack(connection, 'BEGIN', () => {
    connection.run(resolved.shape === null ? createTable(plan, 'temp') : createLookalike(resolved));
    const rows: (readonly Value[])[] = [];
    const row = `SELECT ${quoteNames(names)} FROM ${nameIn('temp', '')} WHERE ${freeRowid(names)} = ?`;
    const notes = feedAll(connection, attempt, { resolved, schema: 'temp', problems }, (insert) => {
      if (insert.changes > rows.length) rows.push(connection.one(row, [connection.lastInsertRowid])!);
    });
    return { rows, notes };
  });
}

/** Null where the trial would take too long. */
function triedOnTable(
  connection: Connection,
  attempt: ImportTry,
  resolved: ResolvedTarget,
): { readonly problems: ProblemLog; readonly counts: ImportPreview['changes'] } | null {
  const { target, table } = resolved;
  const isReplaced = target.kind === 'table' && target.mode === 'replace';
  // SQLite checks all rows of a STRICT table before it adds a column (sqlite.org/lang_altertable.html#altertabaddcol).
  const isCheckedWhole = resolved.added.length > 0 && resolved.shape!.strict;
  if ((isReplaced || isCheckedWhole || resolved.lacksKey) && hasMoreRows(connection, table)) return null;
  const isDeferred = defersKeys(connection, resolved);
  return rolledBack(connection, 'BEGIN IMMEDIATE', () => {
    if (isDeferred) connection.run('PRAGMA defer_foreign_keys = ON');
    if (isReplaced) connection.run(`DELETE FROM ${nameIn('main', table)}`);
    addColumns(connection, resolved);
    indexKey(connection, resolved);
    const problems = new ProblemLog();
    const count = countRows(connection, resolved);
    let counts: ImportPreview['changes'] = null;
    feedAll(connection, attempt, { resolved, schema: 'main', problems }, (insert, feed, isLast) => {
      if (isLast) counts = count(feed.taken, insert.changes);
    });
    return { problems, counts };
  });
}

interface Into {
  readonly resolved: ResolvedTarget;
  readonly schema: Schema;
  readonly problems: ProblemLog;
}

function feedAll(
  connection: Connection,
  { plan, remarks, records }: ImportTry,
  { resolved, schema, problems }: Into,
  fed: (insert: RecordInsert, feed: RecordFeed, isLast: boolean) => void,
): readonly string[] {
  const binding = bindingOf(resolved, plan);
  const insert = connection.insertRecords(insertSql(resolved, schema), binding);
  try {
    const { options } = plan;
    const changed = new ChangedNumbers(resolved, binding, options);
    const feed = new RecordFeed({ insert, remarks, problems, format: options.format, changed });
    for (const [index, record] of records.entries()) {
      feed.load(record);
      feed.run(Infinity);
      fed(insert, feed, index === records.length - 1);
    }
    feed.end();
    return feed.notes;
  } finally {
    insert.close();
  }
}

function rolledBack<T>(connection: Connection, begin: string, body: () => T): T {
  connection.run(begin);
  try {
    return body();
  } finally {
    if (!connection.autocommit) connection.run('ROLLBACK');
  }
}

const freeRowid = (names: readonly string[]): string =>
  ROWID_NAMES.find((name) => !names.some((taken) => taken.toLowerCase() === name)) ?? 'rowid';

function hasMoreRows(connection: Connection, table: string): boolean {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${nameIn('main', table)} LIMIT ${MAX_REPLACED_ROWS + 1})`;
  return Number(connection.one(sql)![0]) > MAX_REPLACED_ROWS;
}
