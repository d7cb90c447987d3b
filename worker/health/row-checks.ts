// Values that do not fit their column's type, and invalid UTF-8: found by reading every row, a slice of row ids at a time.
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Mend } from '#shared/protocol/health.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import type { Column } from '#shared/protocol/schema.ts';
import type { Pause } from '../sessions/session.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import { quoteName } from '../sql/quote.ts';
import { Findings, plainTables } from './findings.ts';
import type { Scan } from '../readers/scan.ts';

/** One statement of the native engine cannot be stopped: this many rows take some 10 ms. */
const SLICE_ROWS = 10_000;
const CLASSES: readonly Exclude<StorageClass, 'null'>[] = ['integer', 'real', 'text', 'blob'];
/** Longer texts are skipped: they would have to be copied. */
const MAX_TEXT_BYTES = 1_000_000;

/** A count over rows: an expression that is 1 where a row counts. */
interface Counted {
  readonly column: Column;
  readonly storage: Exclude<StorageClass, 'null'>;
  readonly sql: string;
}

export function* checkValues(scan: Scan): Generator<Pause, Findings> {
  return yield* eachTable(scan, 'Comparing values with their types', function* (findings, shape) {
    // SQLite has checked each value of a STRICT table.
    if (shape.strict) return;
    const counted = shape.columns.flatMap((column) =>
      CLASSES.filter((storage) => isOddStorage(column.declaredType, storage)).map((storage): Counted => ({
        column,
        storage,
        sql: `typeof(${quoteName(column.name)}) = '${storage}'`,
      })),
    );
    const counts = yield* countRows(
      scan,
      shape,
      counted.map(({ sql }) => sql),
    );
    counted.forEach(({ column, storage, sql }, at) => {
      const rows = counts[at]!;
      if (rows === 0) return;
      findings.add(
        {
          kind: 'other-type',
          table: shape.name,
          column: column.name,
          declaredType: column.declaredType,
          storage,
          rows,
        },
        sql,
        storage === 'blob' && isText(column) ? [asText(shape, column, sql)] : [],
      );
    });
  });
}

const isText = ({ declaredType, generated }: Column): boolean =>
  generated === 'no' && /char|clob|text/i.test(declaredType);

/** The bytes stay as they are. */
const asText = ({ name }: TableShape, column: Column, where: string): Mend => ({
  does: 'to-text',
  sql: `UPDATE main.${quoteName(name)} SET ${quoteName(column.name)} = CAST(${quoteName(column.name)} AS TEXT) WHERE ${where}`,
});

export function* checkText(scan: Scan): Generator<Pause, Findings> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const isUtf8 = (bytes: Uint8Array): boolean => {
    try {
      decoder.decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  return yield* eachTable(scan, 'Looking for text that is not UTF-8', function* (findings, shape) {
    for (const { name } of shape.columns) {
      const column = quoteName(name);
      // GLOB reads characters, even invalid ones: everything above 127 is more than ASCII.
      const where = `typeof(${column}) = 'text' AND octet_length(${column}) <= ${MAX_TEXT_BYTES} AND ${column} GLOB '*[^' || char(1) || '-' || char(127) || ']*'`;
      let rows = 0;
      yield* eachSlice(scan, shape, {
        select: `CAST(${column} AS BLOB)`,
        where,
        take: (values) => {
          if (!isUtf8(values[0] as Uint8Array)) rows++;
        },
      });
      if (rows > 0) findings.add({ kind: 'not-utf8', table: shape.name, column: name, rows });
    }
  });
}

type TableCheck = (findings: Findings, shape: TableShape) => Generator<Pause, void>;

function* eachTable(scan: Scan, phase: string, check: TableCheck): Generator<Pause, Findings> {
  const findings = new Findings();
  const tables = plainTables(scan.connection);
  for (const [done, table] of tables.entries()) {
    scan.tell({ phase: `${phase}: ${table}`, done, total: tables.length, unit: 'steps' });
    try {
      yield* check(findings, describeTable(scan.connection, table));
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'stopped') throw error;
      findings.add({ kind: 'unreadable', table, message: whatHappened(known) });
    }
    yield* scan.pause();
  }
  return findings;
}

/** Counts, for each condition, the rows for which it is true. */
function* countRows(scan: Scan, shape: TableShape, conditions: readonly string[]): Generator<Pause, readonly number[]> {
  const counts = conditions.map(() => 0);
  if (conditions.length === 0) return counts;
  const add = (values: readonly Value[]): void => values.forEach((value, at) => (counts[at]! += Number(value)));
  if (shape.key.kind === 'rowid') {
    const sums = conditions.map((sql) => `sum(${sql})`).join(', ');
    yield* eachSlice(scan, shape, { select: sums, where: 'true', take: add });
  } else {
    const flags = conditions.map((sql) => `(${sql})`).join(', ');
    // Passes only rows in which something counts.
    yield* eachSlice(scan, shape, { select: flags, where: conditions.join(' OR '), take: add });
  }
  return counts;
}

interface Slices {
  readonly select: string;
  readonly where: string;
  readonly take: (values: readonly Value[]) => void;
}

/** Reads in slices of row ids where there are any: a statement that returns no rows for a long time could not be stopped. */
function* eachSlice(scan: Scan, shape: TableShape, { select, where, take }: Slices): Generator<Pause, void> {
  const { connection } = scan;
  const table = `main.${quoteName(shape.name)}`;
  if (shape.key.kind !== 'rowid') {
    yield* scan.rows(`SELECT ${select} FROM ${table} WHERE ${where}`, [], (row) =>
      take(Array.from({ length: row.columnCount }, (_, at) => row.value(at))),
    );
    return;
  }
  const rowid = quoteName(shape.key.name);
  const total = estimateRows(connection, shape.name, shape.key.name)?.count ?? null;
  const sql = `SELECT ${select} FROM ${table} WHERE ${rowid} BETWEEN ? AND ? AND (${where})`;
  const rangeAfter = (condition: string, params: readonly Value[]): readonly Value[] =>
    connection.one(
      `SELECT min(k), max(k) FROM (SELECT ${rowid} AS k FROM ${table} ${condition} ORDER BY 1 LIMIT ${SLICE_ROWS})`,
      params,
    )!;
  let done = 0;
  for (let range = rangeAfter('', []); range[0] !== null; range = rangeAfter(`WHERE ${rowid} > ?`, [range[1]!])) {
    yield* scan.rows(sql, range, (row) => take(Array.from({ length: row.columnCount }, (_, at) => row.value(at))));
    done += SLICE_ROWS;
    scan.tell({ phase: `Reading ${shape.name}`, done: Math.min(done, total ?? done), total, unit: 'rows' });
  }
}

const NUMBER_WORDS = /num|dec|bool|money|currency/i;

/**
 * Storage classes that do not belong into a column of a declared type: SQLite's rules of affinity
 * (sqlite.org/datatype3.html#determination_of_column_affinity), and common meanings of words that SQLite makes NUMERIC: dates, JSON and
 * UUIDs are text there, which is fine.
 */
function isOddStorage(declaredType: string, storage: StorageClass): boolean {
  const type = declaredType.toUpperCase();
  if (type.includes('INT')) return storage !== 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return storage === 'blob';
  if (type === '' || type.includes('BLOB')) return false;
  if (/REAL|FLOA|DOUB/.test(type) || NUMBER_WORDS.test(type)) return storage === 'text' || storage === 'blob';
  return false;
}
