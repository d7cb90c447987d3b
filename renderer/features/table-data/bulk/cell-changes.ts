// Changes of many cells as one UPDATE: the SQL of each. The rows come as a parameter, so that their number does not matter.
import type { ParameterValues, Value } from '#shared/protocol/index.ts';
import type { TextSwitches } from '../../../workbench/find/text-search.ts';
import { typedValue, type Affinity } from '../../../workbench/cells/typed-value.ts';

export type CellChange =
  /** All cells get what the text means in their column. */
  | { readonly kind: 'value'; readonly text: string }
  /** `value` refers to the cell. */
  | { readonly kind: 'expression'; readonly sql: string }
  | ({ readonly kind: 'replace'; readonly find: string; readonly replacement: string } & TextSwitches)
  | { readonly kind: 'series'; readonly start: Value; readonly step: Value }
  | { readonly kind: 'null' }
  | { readonly kind: 'default' }
  | { readonly kind: 'swap' }
  | { readonly kind: 'swap-rows' }
  /** All rows get the values of the first. */
  | { readonly kind: 'fill' };

export interface ChangedCells {
  readonly table: string;
  /** Names of the columns that identify a row: the row ID, or the primary key. */
  readonly key: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly defaultSql: string | null;
    readonly affinity: Affinity;
  }[];
  /** Keys of the rows in their order, from {@link keysJson}; null for all rows of the table. */
  readonly keys: string | null;
}

export interface BulkStatement {
  readonly sql: string;
  readonly parameters: ParameterValues;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** Alias of the rows in the parameter; no column has this name. */
const ROWS = '"sidelite rows"';
/** Alias of the other one of two rows. */
const OTHER = '"sidelite other"';

export function changeStatement(change: CellChange, cells: ChangedCells): BulkStatement {
  const table = quote(cells.table);
  const assignments = assignmentsOf(change, cells).join(', ');
  const keys: ParameterValues = cells.keys === null ? {} : { ':keys': cells.keys };
  const parameters = { ...keys, ...parametersOf(change, cells) };
  if (change.kind === 'series' || change.kind === 'fill')
    return {
      sql: `UPDATE main.${table} SET ${assignments} FROM temp.json_each(:keys) AS ${ROWS} WHERE ${joined(cells)}`,
      parameters,
    };
  if (change.kind === 'swap-rows') return { sql: swapRowsSql(cells), parameters };
  const conditions = [
    ...(cells.keys === null ? [] : [listed(cells)]),
    ...(change.kind === 'replace'
      ? [`(${cells.columns.map(({ name }) => matches(quote(name), change)).join(' OR ')})`]
      : []),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return { sql: `UPDATE main.${table} SET ${assignments}${where}`, parameters };
}

function assignmentsOf(change: CellChange, cells: ChangedCells): readonly string[] {
  const { columns } = cells;
  if (change.kind === 'swap') {
    const [one, other] = [quote(columns[0]!.name), quote(columns[1]!.name)];
    return [`${one} = ${other}`, `${other} = ${one}`];
  }
  return columns.map((column) => `${quote(column.name)} = ${newValue(change, column, cells)}`);
}

function newValue(
  change: Exclude<CellChange, { kind: 'swap' }>,
  column: ChangedCells['columns'][number],
  cells: ChangedCells,
): string {
  const name = quote(column.name);
  switch (change.kind) {
    case 'expression':
      // The line break ends a comment at the end of the user's text.
      return `(SELECT (${change.sql}\n) FROM (SELECT ${name} AS value))`;
    case 'replace':
      return `CASE WHEN ${matches(name, change)} THEN ${replaced(name, change, column.affinity)} ELSE ${name} END`;
    case 'value':
      return `:value${cells.columns.indexOf(column)}`;
    case 'series':
      return `:start + :step * ${ROWS}.key`;
    case 'null':
      return 'NULL';
    case 'default':
      return column.defaultSql === null ? 'NULL' : `(${column.defaultSql}\n)`;
    case 'swap-rows':
      return `${OTHER}.${name}`;
    case 'fill':
      return `(SELECT ${name} FROM main.${quote(cells.table)} WHERE ${firstRow(cells)})`;
  }
}

type Replace = Extract<CellChange, { kind: 'replace' }>;

/**
 * A part is replaced only in text; a whole cell may also be a number, compared as text. No collation of the column counts, and neither `%`
 * nor `*` means anything; `lower` changes the letters of ASCII alone (sqlite.org/lang_corefunc.html#lower).
 */
function matches(name: string, { isWholeCell, matchCase }: Replace): string {
  if (!isWholeCell)
    return `(typeof(${name}) = 'text' AND ${matchCase ? `instr(${name}, :find)` : `instr(lower(${name}), lower(:find))`} > 0)`;
  const text = `CAST(${name} AS TEXT)`;
  return `(typeof(${name}) <> 'blob' AND ${matchCase ? `${text} COLLATE BINARY = :find` : `lower(${text}) = lower(:find)`})`;
}

/** In a column that converts nothing, a number becomes what the replacement would be if it were typed over it. */
function replaced(name: string, { isWholeCell, matchCase }: Replace, affinity: Affinity): string {
  if (!isWholeCell) return `${matchCase ? 'replace' : 'replace_nocase'}(${name}, :find, :replacement)`;
  return affinity === 'blob' ? `iif(typeof(${name}) = 'text', :replacement, :number)` : ':replacement';
}

function parametersOf(change: CellChange, { columns }: ChangedCells): ParameterValues {
  if (change.kind === 'value')
    return Object.fromEntries(
      columns.map(({ affinity }, at) => [`:value${at}`, typedValue(change.text, affinity, 'null')]),
    );
  if (change.kind === 'replace') {
    const { find, replacement, isWholeCell } = change;
    const hasNumber = isWholeCell && columns.some(({ affinity }) => affinity === 'blob');
    const number = hasNumber ? { ':number': typedValue(replacement, 'blob', 'integer') } : {};
    return { ':find': find, ':replacement': replacement, ...number };
  }
  return change.kind === 'series' ? { ':start': change.start, ':step': change.step } : {};
}

const part = (rows: string, at: number): string => `${rows}.value ->> ${at}`;

function listed({ key }: ChangedCells): string {
  const names = key.map(quote).join(', ');
  const values = key.map((_, at) => part(ROWS, at)).join(', ');
  return `(${names}) IN (SELECT ${values} FROM temp.json_each(:keys) AS ${ROWS})`;
}

const joined = ({ key, table }: ChangedCells): string =>
  key.map((name, at) => `${quote(table)}.${quote(name)} = ${part(ROWS, at)}`).join(' AND ');

/** SQLite reads both rows before it writes either: the join in FROM is complete before the update begins (sqlite.org/lang_update.html). */
function swapRowsSql(cells: ChangedCells): string {
  const table = quote(cells.table);
  const isOther = cells.key.map(
    (name, at) => `${OTHER}.${quote(name)} = :keys ->> ('$[' || (1 - ${ROWS}.key) || '][${at}]')`,
  );
  return `UPDATE main.${table} SET ${assignmentsOf({ kind: 'swap-rows' }, cells).join(', ')} FROM temp.json_each(:keys) AS ${ROWS}, main.${table} AS ${OTHER} WHERE ${joined(cells)} AND ${isOther.join(' AND ')}`;
}

const firstRow = ({ key }: ChangedCells): string =>
  key.map((name, at) => `${quote(name)} = :keys ->> '$[0][${at}]'`).join(' AND ');
