// Many changes of rows as a few statements with the rows as parameters: sending and running them one by one would take minutes.
import { byName } from '#shared/by-name.ts';
import { AppError, type ParameterValues, type RowChange, type Value } from '#shared/protocol/index.ts';
import type { BulkStatement } from './cell-changes.ts';
import { jsonRow } from './json-values.ts';

interface ChangedTable {
  readonly table: string;
  readonly key: readonly string[];
  /** Default of a column into which nothing is pasted, as SQL. */
  defaultOf(column: string): string | null;
}

/** Rows are turned into text in slices, between which the window stays responsive. */
const ROWS_A_SLICE = 5000;
const ROWS = '"sidelite rows"';
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

interface Group {
  readonly kind: 'update' | 'insert' | 'delete';
  readonly columns: readonly string[];
  readonly rows: string[];
}

/** @throws AppError `refused` for values that cannot be passed like this */
export async function manyChanges(
  changes: readonly RowChange[],
  table: ChangedTable,
  pause: () => Promise<void>,
): Promise<BulkStatement> {
  const groups = new Map<string, Group>();
  for (const [at, change] of changes.entries()) {
    if (at % ROWS_A_SLICE === ROWS_A_SLICE - 1) await pause();
    if (change.kind === 'duplicate')
      throw AppError.refused('These are too many rows to duplicate at once. Nothing was changed. Select fewer rows.');
    const columns = change.kind === 'delete' ? [] : Object.keys(change.set);
    const name = [change.kind, ...columns].join('\0');
    const group = groups.get(name) ?? { kind: change.kind, columns, rows: [] };
    groups.set(name, group);
    group.rows.push(rowOf(change, columns));
  }
  const parameters = byName<Value>();
  const statements = [...groups.values()].map((group, at) => {
    const parameter = `:rows${at}`;
    parameters[parameter] = `[${group.rows.join(',')}]`;
    return statementOf(group, table, parameter);
  });
  return { sql: statements.join(';\n'), parameters: parameters satisfies ParameterValues };
}

function rowOf(change: Exclude<RowChange, { kind: 'duplicate' }>, columns: readonly string[]): string {
  const key = change.kind === 'insert' ? [] : change.key;
  const set = change.kind === 'delete' ? [] : columns.map((column) => change.set[column]!);
  const row = jsonRow([...key, ...set]);
  if (row !== null) return row;
  throw AppError.refused(
    'This many rows cannot be changed at once if they contain blobs or text that is not valid UTF-8. Nothing was changed. Select fewer rows.',
  );
}

function statementOf(
  { kind, columns, rows }: Group,
  { table, key, defaultOf }: ChangedTable,
  parameter: string,
): string {
  const name = `main.${quote(table)}`;
  const from = `temp.json_each(${parameter}) AS ${ROWS}`;
  const part = (at: number): string => `${ROWS}.value ->> ${at}`;
  const keys = key.map((each, at) => `${quote(table)}.${quote(each)} = ${part(at)}`).join(' AND ');
  switch (kind) {
    case 'update': {
      const set = columns.map((column, at) => `${quote(column)} = ${part(key.length + at)}`).join(', ');
      return `UPDATE ${name} SET ${set} FROM ${from} WHERE ${keys}`;
    }
    case 'delete':
      return `DELETE FROM ${name} WHERE (${key.map(quote).join(', ')}) IN (SELECT ${key.map((_, at) => part(at)).join(', ')} FROM ${from})`;
    case 'insert': {
      if (columns.length === 0) return rows.map(() => `INSERT INTO ${name} DEFAULT VALUES`).join(';\n');
      const values = columns.map((column, at) => withDefault(part(at), defaultOf(column)));
      // Without WHERE, `FROM … ON CONFLICT` and joins of an INSERT would be ambiguous (sqlite.org/lang_upsert.html).
      return `INSERT INTO ${name} (${columns.map(quote).join(', ')}) SELECT ${values.join(', ')} FROM ${from} WHERE true ORDER BY ${ROWS}.key`;
    }
  }
}

const withDefault = (value: string, sql: string | null): string =>
  sql === null ? value : `coalesce(${value}, (${sql}\n))`;
