// Changes FTS5 and R-Tree tables, which have no ALTER but RENAME: the old table gets an interim name, and the new one is filled from it, or from the table
// that has its text, in slices.
import { fullTextOf, type FullTextModel } from '#shared/ddl/full-text.ts';
import { sameName } from '#shared/ddl/names.ts';
import type { VirtualTableModel } from '#shared/ddl/object-models.ts';
import { parseObject } from '#shared/ddl/parse-object.ts';
import { columnsOfVirtual } from '#shared/ddl/virtual-columns.ts';
import { AppError, fail, inParts } from '#shared/protocol/errors.ts';
import type { IndexedRows, SchemaChange, SchemaStep, TableProof } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { findTable } from '../engines/table-list.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { freeName, renameToInterim } from './rebuild.ts';
import type { Work } from './work.ts';

type VirtualChange = Extract<SchemaChange, { kind: 'change-virtual' }>;

interface VirtualPlan {
  readonly before: VirtualTableModel;
  readonly after: VirtualTableModel;
  /** The columns of the new table with their former names; null: new. */
  readonly columns: readonly { readonly name: string; readonly from: string | null }[];
  readonly rows: number;
}

const FIRST_ROWS = 1000;

/** @throws AppError `not-found`, `invalid`; `unavailable` if there is nothing to fill it from */
export function planVirtual(connection: Connection, change: VirtualChange): SchemaStep {
  const { rows, after } = virtualPlan(connection, change);
  return { kind: 'rebuild', table: after.name.name, sql: change.sql, rows, bytes: null, timeMs: null };
}

function virtualPlan(connection: Connection, { table, sql, columns }: VirtualChange): VirtualPlan {
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [
    table,
  ]);
  if (row === null) fail('not-found', `There is no table “${table}”. Nothing was changed.`);
  const before = parseVirtual(row[0] as string);
  const after = parseVirtual(sql);
  const names = after && columnsOfVirtual(after);
  if (!before || !after || !names || family(before) !== family(after) || !sameName(before.name.name, after.name.name))
    throw invalid(`The new definition does not define “${table}” as a table of the same kind.`);
  if (names.length !== columns.length) throw invalid(`The columns of “${table}” are not those of its new definition.`);
  const rows = countRows(connection, before);
  const text = fullTextOf(before);
  // A table that keeps no text knows which rows have a word, but not which words they have.
  if (text?.content.kind === 'none' && fullTextOf(after)!.content.kind !== 'external' && rows > 0)
    fail(
      'unavailable',
      inParts(
        `“${table}” keeps no text, so its index cannot be filled again.`,
        'Nothing was changed. Fill a new table from where the text came from, or empty this one first.',
      ),
    );
  return { before, after, columns: names.map((name, at) => ({ name, from: columns[at]! })), rows };
}

function parseVirtual(sql: string): VirtualTableModel | null {
  const model = parseObject(sql);
  return model.understood && model.kind === 'virtual' ? model : null;
}

function family({ module }: VirtualTableModel): string {
  return module.name.toLowerCase().replace(/^rtree_i32$/, 'rtree');
}

/** `count(*)` of an FTS5 table reads all of its text. Another table may have a name that only the other family uses. */
function countRows(connection: Connection, model: VirtualTableModel): number {
  const { name } = model.name;
  for (const shadow of family(model) === 'fts5' ? ['_docsize', '_content'] : ['_rowid']) {
    if (findTable(connection, `${name}${shadow}`)?.kind === 'shadow')
      return Number(connection.one(`SELECT count(*) FROM main.${quoteName(`${name}${shadow}`)}`)![0]);
  }
  return Number(connection.one(`SELECT count(*) FROM main.${quoteName(name)}`)![0]);
}

/** @throws AppError, see {@link planVirtual} */
export function* changeVirtual(work: Work, change: VirtualChange): Generator<Pause, TableProof> {
  const { connection } = work;
  const plan = virtualPlan(connection, change);
  const { before, after, columns, rows } = plan;
  const interim = freeName(connection);
  renameToInterim(work, before.name.name, interim);
  work.run(change.sql);
  const name = after.name.name;
  const text = fullTextOf(after);
  if (text !== null) copySettings(connection, name, interim);
  const changed: readonly number[] =
    text?.content.kind === 'external' ? [] : yield* copyVirtual(work, { name, interim, plan });
  if (text?.content.kind === 'external') yield* fillFromContent(work, text);
  work.run(`DROP TABLE main.${quoteName(interim)}`);
  const keepsText = text?.content.kind !== 'external' && text?.content.kind !== 'none';
  return {
    table: name,
    rowsBefore: rows,
    rowsAfter: countRows(connection, after),
    rowids: 'kept',
    columns: columns.map((column, at) => ({
      ...column,
      values: column.from === null ? 'new' : !keepsText ? 'computed' : (changed[at] ?? 0) > 0 ? 'converted' : 'same',
      changed: changed[at] ?? 0,
    })),
  };
}

/** `rank`, `pgsz` and the like are stored in the table, not in its statement (sqlite.org/fts5.html#special_insert_commands). */
function copySettings(connection: Connection, name: string, interim: string): void {
  const table = quoteName(name);
  for (const row of connection.all(`SELECT k, v FROM main.${quoteName(`${interim}_config`)} WHERE k <> 'version'`))
    connection.run(`INSERT INTO main.${table} (${table}, rank) VALUES (?, ?)`, row);
}

/** Fills the index of a new table over another table's text. It stays empty, and this null, while there is no such table. */
export function* fillNew(work: Work, sql: string): Generator<Pause, IndexedRows | null> {
  const model = parseVirtual(sql);
  const text = model && fullTextOf(model);
  if (!text || text.content.kind !== 'external') return null;
  const content = text.content.table;
  const isThere = 'SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE';
  if (work.connection.one(isThere, [content]) === null) return null;
  const contentRows = yield* fillFromContent(work, text);
  return { table: model.name.name, content, contentRows, indexedRows: countRows(work.connection, model) };
}

/** Returns the number of rows. */
function* fillFromContent(work: Work, { statement, columns, content }: FullTextModel): Generator<Pause, number> {
  const { connection } = work;
  const name = statement.name.name;
  const index = `main.${quoteName(name)}`;
  if (content.kind !== 'external') return 0;
  const source = `main.${quoteName(content.table)}`;
  const rows = Number(connection.one(`SELECT count(*) FROM ${source}`)![0]);
  const isTable =
    connection.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [
      content.table,
    ]) !== null;
  if (!isTable) {
    // A view has no key to continue from.
    work.tell(`Filling ${name}`, 0, rows);
    yield* work.look();
    work.run(`INSERT INTO ${index} (${quoteName(name)}) VALUES ('rebuild')`);
    return rows;
  }
  const names = quoteNames(columns.map((column) => column.name));
  const rowid = quoteName(content.rowid);
  yield* inSlices(work, {
    phase: `Filling ${name}`,
    rows,
    keys: `SELECT ${rowid} FROM ${source} WHERE ${rowid} >= ?1 ORDER BY ${rowid} LIMIT 1 OFFSET ?2`,
    insert: `INSERT INTO ${index} (rowid, ${names}) SELECT ${rowid}, ${names} FROM ${source}`,
    id: rowid,
  });
  return rows;
}

interface VirtualCopy {
  readonly name: string;
  readonly interim: string;
  readonly plan: VirtualPlan;
}

/** Returns, for each column, how many values changed: coordinates that became integers. @throws AppError `conflict` for a lost row */
function* copyVirtual(work: Work, { name, interim, plan }: VirtualCopy): Generator<Pause, readonly number[]> {
  const { connection } = work;
  const isFullText = family(plan.after) === 'fts5';
  const kept = plan.columns.filter(({ from }) => from !== null);
  const [to, from] = [`main.${quoteName(name)}`, `main.${quoteName(interim)}`];
  const id = isFullText ? [{ name: 'rowid', from: 'rowid' }] : [];
  const all = [...id, ...kept.map((column) => ({ name: column.name, from: column.from! }))];
  // An R-Tree has no order of rows; a separate table has them by their row ids.
  const keys = isFullText ? from : `main.${quoteName(`${interim}_rowid`)}`;
  const source = isFullText ? `${from} AS o` : `${keys} AS k CROSS JOIN ${from} AS o ON o.rowid = k.rowid`;
  const rowId = isFullText ? 'o.rowid' : 'k.rowid';
  const changed = plan.columns.map(() => 0);
  const text = fullTextOf(plan.after);
  yield* inSlices(work, {
    phase: `Copying the rows of ${name}`,
    rows: plan.rows,
    keys: `SELECT rowid FROM ${keys} WHERE rowid >= ?1 ORDER BY rowid LIMIT 1 OFFSET ?2`,
    insert: `INSERT INTO ${to} (${quoteNames(all.map((column) => column.name))}) SELECT ${all.map((column) => `o.${quoteName(column.from)}`).join(', ')} FROM ${source}`,
    id: rowId,
    after: (bounds) => {
      if (text?.content.kind === 'none') return;
      plan.columns.forEach((column, at) => {
        if (column.from === null) return;
        const compare = `SELECT count(*) FROM ${source} WHERE ${rowId} BETWEEN ?1 AND ?2 AND o.${quoteName(column.from)} IS NOT (SELECT n.${quoteName(column.name)} FROM ${to} AS n WHERE n.rowid = o.rowid)`;
        changed[at]! += Number(connection.one(compare, bounds)![0]);
      });
    },
  });
  const lost = changed.findIndex((count) => count > 0);
  if (isFullText && lost >= 0) throw conflict(name, `values of “${plan.columns[lost]!.name}” were not the same`);
  if (countRows(connection, plan.after) !== plan.rows) throw conflict(name, 'not every row was there once');
  return changed;
}

interface Slices {
  readonly phase: string;
  readonly rows: number;
  /** Finds the row id of the row that is ?2 rows after the one with ?1. */
  readonly keys: string;
  /** Statement for all rows: what users see, and a script runs. */
  readonly insert: string;
  /** Row id expression: `insert` runs for one slice of these after the other. */
  readonly id: string;
  readonly after?: (bounds: readonly [bigint, bigint]) => void;
}

const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;

function* inSlices(work: Work, { phase, rows, keys, insert, id, after }: Slices): Generator<Pause, void> {
  const { connection } = work;
  work.sql.push(insert);
  let done = 0;
  for (let start = LEAST; ;) {
    work.tell(phase, done, rows);
    yield* work.look();
    const last = connection.one(keys, [start, FIRST_ROWS - 1]);
    const end = last === null ? GREATEST : BigInt(last[0] as number | bigint);
    done += connection.run(`${insert} WHERE ${id} BETWEEN ?1 AND ?2`, [start, end]);
    after?.([start, end]);
    if (end === GREATEST) return;
    start = end + 1n;
  }
}

function conflict(table: string, what: string): AppError {
  return AppError.conflict(inParts(`After the rows of “${table}” were copied, ${what}.`, 'Nothing was changed.'));
}

function invalid(what: string): AppError {
  return AppError.invalid(inParts(what, 'Nothing was changed.'));
}
