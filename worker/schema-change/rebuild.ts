// Rebuilds a table from its text, with its rows, inside a transaction without foreign keys: the old table gets
// an interim name, or its rows go to an interim table, the new table is created word for word, and nothing else in the schema is touched.
import { AppError, fail, inParts } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { copyToInterim } from './interim-table.ts';
import { copyRows, countCopied } from './copy-rows.ts';
import { ownedObjects } from './owned-objects.ts';
import { keepSequence, sequenceSql, settleStatistics } from './kept-counts.ts';
import { rebuildTogether } from './rebuild-together.ts';
import type { Rebuilt } from './rebuild-together.ts';
import type { Work } from './work.ts';

export interface TableChange {
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
