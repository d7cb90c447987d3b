// Rebuilds a table from its text, with its rows, inside a transaction without foreign keys: the old table gets
// an interim name, or its rows go to an interim table, the new table is created word for word, and nothing else in the schema is touched.
import { AppError, fail, inParts } from '#shared/protocol/errors.ts';
import type { SchemaName, TableProof } from '#shared/protocol/schema-change.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { unless, type BoundSql } from '../engines/guarded-write.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { quoteName } from '../sql/quote.ts';
import {
  copyRows,
  countCopied,
  failure,
  MISSING,
  OTHER_VALUES,
  planCopy,
  changedValuesSql,
  equalRowsSql,
  otherRowsSql,
  provedColumns,
} from './copy-rows.ts';
import type { CopyPlan } from './copy-rows.ts';
import { ownedObjects, isAutoincrement, type OwnedObject } from './owned-objects.ts';
import type { Work } from './work.ts';

interface TableChange {
  readonly table: string;
  readonly sql: string;
  /** The former name of each column of `sql`; null: a new one. */
  readonly columns: readonly (string | null)[];
  /** Indexes and triggers that are not recreated. */
  readonly without: ReadonlySet<string>;
}

export function* rebuildTable(work: Work, change: TableChange): Generator<Pause, Rebuilt> {
  const { connection } = work;
  const before = assertRebuildable(connection, change.table);
  const owned = ownedObjects(connection, before.name).filter(({ name }) => !change.without.has(name.toLowerCase()));
  const interim = freeName(connection);
  if (connection.runInTransaction)
    return yield* rebuildTogether(work, {
      ...change,
      before,
      after: shapeAfter(connection, before, change),
      interim,
      owned,
    });
  const putSequenceBack = keepSequence(connection, before.name);
  if (!renameToInterim(work, before.name, interim)) yield* copyToInterim(work, before, interim);
  work.run(change.sql);
  const after = assertMade(connection, before.name, change.columns);
  const copied = yield* copyRows(work, {
    table: after.name,
    before: { ...before, name: interim },
    after,
    sources: change.columns,
  });
  if (putSequenceBack !== null) work.sql.push(...sequenceSql(connection, after.name, interim));
  work.run(`DROP TABLE main.${quoteName(interim)}`);
  for (const { kind, name, sql } of owned) {
    work.tell(`Creating the ${kind} ${name}`);
    yield* work.look();
    work.run(sql);
  }
  const proof = countCopied(connection, after.name, copied);
  putSequenceBack?.(after.name);
  settleStatistics(connection, after.name);
  yield* work.look();
  return { proof, restored: owned.map(({ kind, name, table }) => ({ kind, name, table })) };
}

/** @throws AppError `invalid`, `not-found` */
export function assertRebuildable(connection: Connection, table: string): TableShape {
  const shape = describeTable(connection, table);
  if (shape.kind !== 'table' || /^sqlite_/i.test(shape.name))
    fail('invalid', inParts(`“${shape.name}” is not a table whose definition can be changed.`, 'Nothing was changed.'));
  if (connection.one('SELECT 1 FROM temp.sqlite_schema WHERE name = ? COLLATE NOCASE', [shape.name]) !== null)
    fail('unavailable', inParts(`A temporary table or view named “${shape.name}” hides this table.`, 'Drop it first.'));
  return shape;
}

/**
 * Legacy mode without foreign keys writes a new name into the table itself and its dependents, and nowhere else: views, triggers of other
 * tables and their keys still refer to the name that the new one is about to take (sqlite.org/lang_altertable.html). Returns false if SQLite
 * cannot do that: a CHECK that mentions the table by its name keeps the old one in this mode.
 */
export function renameToInterim(work: Work, table: string, interim: string): boolean {
  const { connection, sql } = work;
  const shown = sql.length;
  const before = Number(connection.one('PRAGMA legacy_alter_table')![0]);
  let isRenamed = true;
  work.run('PRAGMA legacy_alter_table = ON');
  try {
    work.run(`ALTER TABLE main.${quoteName(table)} RENAME TO ${quoteName(interim)}`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'sql') throw error;
    isRenamed = false;
  } finally {
    work.run(`PRAGMA legacy_alter_table = ${before}`);
  }
  if (!isRenamed) sql.length = shown;
  return isRenamed;
}

export function freeName(connection: Connection): string {
  for (let at = 1; ; at++) {
    const name = `sidelite_before_${at}`;
    if (connection.one('SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [name]) === null) return name;
  }
}

/** Read from a database on this computer with the same schema. */
function shapeAfter(connection: Connection, { name }: TableShape, { sql, columns }: TableChange): TableShape {
  const near = connection.openNear!();
  try {
    near.beginWithoutForeignKeys();
    near.run(`DROP TABLE main.${quoteName(name)}`);
    near.run(sql);
    return assertMade(near, name, columns);
  } finally {
    near.close();
  }
}

/** @throws AppError `invalid` where `sql` created something else */
function assertMade(connection: Connection, name: string, sources: readonly (string | null)[]): TableShape {
  const row = connection.one(
    "SELECT type, name FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE AND type = 'table' AND rootpage > 0",
    [name],
  );
  const after = row === null ? null : describeTable(connection, row[1] as string);
  if (after !== null && after.columns.length === sources.length) {
    if (connection.one(`SELECT 1 FROM main.${quoteName(after.name)} LIMIT 1`) === null) return after;
  }
  fail(
    'invalid',
    inParts(`The new definition does not define the table “${name}” with its columns.`, 'Nothing was changed.'),
  );
}

interface Rebuilt {
  readonly proof: TableProof;
  readonly restored: readonly SchemaName[];
}

interface RebuildTogether {
  readonly before: TableShape;
  /** The table as `sql` defines it. */
  readonly after: TableShape;
  /** The name of no table. */
  readonly interim: string;
  readonly sql: string;
  /** The former name of each column of `after`; null: a new one. */
  readonly columns: readonly (string | null)[];
  /** Indexes and triggers to create again. */
  readonly owned: readonly OwnedObject[];
}

type Step =
  /** Changes something, and is shown. */
  | { readonly kind: 'change'; readonly sql: string }
  | { readonly kind: 'read'; readonly sql: string }
  /** Fails unless `condition`. */
  | { readonly kind: 'check'; readonly condition: string; readonly error: (read: Read) => AppError };

/** Row that a `read` step returned, by its SQL. */
type Read = (sql: string) => readonly Value[];

/**
 * Rebuilds a table in one request of an open transaction, for engines where each statement is a round trip. Servers do not accept
 * `PRAGMA legacy_alter_table`, and without it a rename reaches views, triggers, and the keys of other tables. So the rows are copied into an
 * interim table, the table is dropped and created from its text, and gets its rows back. Both copies are
 * compared with what they were made from by statements that fail, so that nothing behind them is run. Statistics get an interim name as well, because
 * servers accept no ANALYZE that would make new ones.
 */
function* rebuildTogether(work: Work, rebuild: RebuildTogether): Generator<Pause, Rebuilt> {
  const { connection } = work;
  const { before, after, interim, columns, owned } = rebuild;
  const plain = withoutRules(before, interim);
  const out = planCopy({ table: before.name, before, after: plain, sources: before.columns.map(({ name }) => name) });
  const back = planCopy({ table: before.name, before: plain, after, sources: columns });
  const steps = stepsOf(connection, rebuild, plain, { out, back });
  work.tell(`Rebuilding ${before.name} on the server`);
  yield* work.look();
  work.sql.push(...steps.flatMap((step) => (step.kind === 'change' ? [step.sql] : [])));
  const read = runSteps(connection, steps);
  yield* work.look();
  const rows = Number(read(countSql(out.compared.from))[0]);
  const changed = changedValuesSql(back.compared, 'true').flatMap((sql) =>
    read(sql).map((count) => Number(count ?? 0)),
  );
  const { pairs } = back.compared;
  return {
    proof: {
      table: after.name,
      rowsBefore: rows,
      rowsAfter: rows,
      columns: provedColumns(pairs, changed),
      rowids: pairs.rowids,
    },
    restored: owned.map(({ kind, name, table }) => ({ kind, name, table })),
  };
}

function stepsOf(
  connection: Connection,
  { before, interim, sql, owned }: RebuildTogether,
  plain: TableShape,
  { out, back }: { readonly out: CopyPlan; readonly back: CopyPlan },
): readonly Step[] {
  const count = sequenceToInterimSql(connection, before.name, interim);
  const backSql = count === null ? [] : sequenceBackSql({ table: before.name, interim, counts: isAutoincrement(sql) });
  const statistics = statisticsSql(connection, before.name, interim);
  const { nullKeys } = back;
  return [
    change(interimSql(plain)),
    { kind: 'read', sql: countSql(out.compared.from) },
    change(out.insert),
    ...checksOf(before.name, out),
    ...(nullKeys === null ? [] : checkOfKeys(nullKeys)),
    ...(count === null ? [] : [change(count)]),
    ...statistics.toInterim.map(change),
    change(`DROP TABLE ${out.compared.from}`),
    change(sql),
    ...statistics.back.map(change),
    change(back.insert),
    ...checksOf(before.name, back),
    ...changedValuesSql(back.compared, 'true').map((read): Step => ({ kind: 'read', sql: read })),
    ...backSql.map(change),
    change(`DROP TABLE ${back.compared.from}`),
    ...owned.map((object) => change(object.sql)),
    ...statistics.settle.map(change),
  ];
}

const change = (sql: string): Step => ({ kind: 'change', sql });
const countSql = (table: string): string => `SELECT count(*) FROM ${table}`;

function checksOf(table: string, { compared }: CopyPlan): readonly Step[] {
  const { from, to } = compared;
  const check = (condition: string, what: string): Step => ({
    kind: 'check',
    condition,
    error: () => failure(table, what),
  });
  const others = otherRowsSql(compared);
  return [
    check(`(${countSql(to)}) = (${countSql(from)})`, MISSING),
    ...equalRowsSql(compared, 'true').map((sql) => check(`(${sql}) = (${countSql(from)})`, OTHER_VALUES)),
    ...(others === null ? [] : [check(`NOT EXISTS (${others})`, OTHER_VALUES)]),
  ];
}

function checkOfKeys({ sql, error }: NonNullable<CopyPlan['nullKeys']>): readonly Step[] {
  return [
    { kind: 'read', sql },
    { kind: 'check', condition: `(${sql}) = 0`, error: (read) => error(Number(read(sql)[0])) },
  ];
}

/** @throws AppError of the first step that fails */
function runSteps(connection: Connection, steps: readonly Step[]): Read {
  const outcomes = connection.runInTransaction!(steps.map(boundSql), false);
  const read: Read = (sql) => {
    const outcome = outcomes[steps.findIndex((step) => step.kind === 'read' && step.sql === sql)];
    if (outcome?.kind !== 'ran' || outcome.row === null) throw new Error('A statement that was run has no row.');
    return outcome.row;
  };
  outcomes.forEach((outcome, at) => {
    const step = steps[at]!;
    if (outcome.kind === 'failed') throw step.kind === 'check' ? step.error(read) : outcome.error;
  });
  return read;
}

function boundSql(step: Step): BoundSql {
  return step.kind === 'check' ? unless(step.condition) : { sql: step.sql, params: [] };
}

// The interim table of a rebuild: it has the columns of the table, and nothing else, and holds the rows while the table is created anew.

/** Copies the rows of the table, compares them, and drops it. Nothing that refers to it is touched. @throws AppError as {@link copyRows} */
function* copyToInterim(work: Work, before: TableShape, interim: string): Generator<Pause, void> {
  const plain = withoutRules(before, interim);
  work.run(interimSql(plain));
  const sources = before.columns.map(({ name }) => name);
  yield* copyRows(work, { table: before.name, before, after: plain, sources });
  const count = sequenceToInterimSql(work.connection, before.name, interim);
  // The count itself is kept by whoever drops the table.
  if (count !== null) work.sql.push(count);
  work.run(`DROP TABLE main.${quoteName(before.name)}`);
}

/** Types and the kind of table stay, so that values and keys are stored as they were. A generated column keeps its values. */
function withoutRules(before: TableShape, name: string): TableShape {
  return { ...before, name, columns: before.columns.map((column) => ({ ...column, generated: 'no' })) };
}

function interimSql({ name, columns, rowidColumn, withoutRowid, strict, key }: TableShape): string {
  const parts = columns.map((column) => {
    const type = column.declaredType === '' ? '' : ` ${column.declaredType}`;
    return `${quoteName(column.name)}${type}${column.name === rowidColumn ? ' PRIMARY KEY' : ''}`;
  });
  if (withoutRowid && key.kind === 'primary-key') {
    const of = key.columns.map(
      (column) => `${quoteName(column.name)} COLLATE ${quoteName(column.collation)}${column.descending ? ' DESC' : ''}`,
    );
    parts.push(`PRIMARY KEY (${of.join(', ')})`);
  }
  const options = [withoutRowid && 'WITHOUT ROWID', strict && 'STRICT'].filter(Boolean).join(', ');
  return `CREATE TABLE main.${quoteName(name)} (${parts.join(', ')})${options && ` ${options}`}`;
}

// Preserves what SQLite stores about a table beside its rows: the AUTOINCREMENT counter and the statistics.

const SEQUENCES = 'main.sqlite_sequence';

/**
 * Call before a table is dropped. Returns what restores its count, if it still counts, under the name it has then; null if it does not
 * count now.
 */
function keepSequence(connection: Connection, table: string): ((name: string) => void) | null {
  if (!counts(connection, table)) return null;
  const rows = connection.all(`SELECT rowid, seq FROM ${SEQUENCES} WHERE name = ? ORDER BY rowid`, [table]);
  return (name) => {
    if (!counts(connection, name)) return;
    // Filling it has begun a count, even with no rows.
    connection.run(`DELETE FROM ${SEQUENCES} WHERE name = ?`, [name]);
    for (const [rowid, seq] of rows)
      connection.run(`INSERT INTO ${SEQUENCES} (rowid, name, seq) VALUES (?, ?, ?)`, [rowid!, name, seq!]);
  };
}

/** The statement that keeps the count under another name while the table is dropped; null if it does not count. */
function sequenceToInterimSql(connection: Connection, table: string, interim: string): string | null {
  return counts(connection, table) ? renameCountSql(table, interim) : null;
}

/** Statements after {@link sequenceToInterimSql} that give the count back to a table that counts, or forget it. */
function sequenceBackSql({
  table,
  interim,
  counts: goesOn,
}: {
  readonly table: string;
  readonly interim: string;
  readonly counts: boolean;
}): readonly string[] {
  return goesOn ? [forgetCountSql(table), renameCountSql(interim, table)] : [forgetCountSql(interim)];
}

/** SQL for display that does the same as {@link keepSequence} while the interim table still exists. */
function sequenceSql(connection: Connection, table: string, interim: string): readonly string[] {
  if (!counts(connection, table)) return [];
  return sequenceBackSql({ table, interim, counts: true });
}

const forgetCountSql = (name: string): string => `DELETE FROM ${SEQUENCES} WHERE name = ${sqlLiteral(name)}`;
const renameCountSql = (from: string, to: string): string =>
  `UPDATE ${SEQUENCES} SET name = ${sqlLiteral(to)} WHERE name = ${sqlLiteral(from)}`;

function counts(connection: Connection, table: string): boolean {
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [
    table,
  ]);
  return row !== null && isAutoincrement(row[0] as string);
}

/** Statistics are kept by the names of tables and indexes, so they apply to the new ones; those of dropped indexes are removed. */
function settleStatistics(connection: Connection, table: string): void {
  const all = statisticsOf(connection);
  for (const statistics of all) connection.run(forgetDroppedSql(statistics, table));
  // Reads them again: an index that was just made knows none.
  if (all.length > 0) connection.run('ANALYZE main.sqlite_schema');
}

/** Statements that keep the statistics under another name while the table is dropped, give them back, and forget those of dropped indexes. */
function statisticsSql(connection: Connection, table: string, interim: string) {
  const all = statisticsOf(connection);
  const rename = (from: string, to: string): readonly string[] =>
    all.map((one) => `UPDATE main.${one} SET tbl = ${sqlLiteral(to)} WHERE tbl = ${sqlLiteral(from)} COLLATE NOCASE`);
  return {
    toInterim: rename(table, interim),
    back: rename(interim, table),
    settle: all.map((one) => forgetDroppedSql(one, table)),
  };
}

const statisticsOf = (connection: Connection): readonly string[] =>
  ['sqlite_stat1', 'sqlite_stat4'].filter((name) => hasTable(connection, name));

const forgetDroppedSql = (statistics: string, table: string): string =>
  `DELETE FROM main.${statistics} WHERE tbl = ${sqlLiteral(table)} COLLATE NOCASE AND idx IS NOT NULL AND idx <> tbl
   AND idx NOT IN (SELECT name FROM main.sqlite_schema WHERE type = 'index' AND tbl_name = ${sqlLiteral(table)} COLLATE NOCASE)`;

function hasTable(connection: Connection, name: string): boolean {
  return connection.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name]) !== null;
}
