// Caches how tables lay out their rows for the hooks, which see columns by number and must not run queries.
import type { Connection } from './engine.ts';
import { findTable, shadowNames } from './table-list.ts';
import type { LoggedShape } from './row-log/row-log.ts';

export interface TableLayout {
  readonly columns: readonly string[];
  /** Indexes of generated columns: their values follow from others, and virtual ones are not stored. */
  readonly generated: readonly number[];
  /** Indexes of the key columns in the order of the key; null for a table with row ids. */
  readonly primaryKey: readonly number[] | null;
  /** SQLite's own tables and those of virtual tables: their changes are logged but not published. */
  readonly isInternal: boolean;
  /** How its rows are logged; null when they cannot be, because columns use all names of the row id. */
  readonly row: RowLayout | null;
}

export interface RowLayout {
  readonly shape: LoggedShape;
  /** Column numbers in the table, by index in the log. */
  readonly columns: readonly number[];
  /** Column numbers in the table without the row id column. */
  readonly valueColumns: readonly number[];
  /** Indexes in the log by column number; -1 for columns without a value of their own there. */
  readonly logIndexes: Int16Array;
  readonly primaryKey: readonly number[] | null;
  /** Indexes in the log, as `LoggedTable.declaredKey`; empty when there is none. */
  readonly declaredKey: readonly number[];
  readonly isAutoincrement: boolean;
}

type ColumnRow = readonly [name: string, pk: number, hidden: number];

const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];

export class TableLayouts {
  readonly #connection: Connection;
  /** Null for views and virtual tables, which have no layout of their own. */
  readonly #known = new Map<string, TableLayout | null>();
  readonly #virtual = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  forget(): void {
    this.#known.clear();
    this.#virtual.clear();
  }

  /** Call before a statement that writes to `tables` takes its first step. */
  learn(tables: readonly string[]): void {
    for (const table of tables) {
      if (this.#known.has(table)) continue;
      this.#known.set(table, this.#read(table));
    }
  }

  of(table: string): TableLayout | null {
    return this.#known.get(table) ?? null;
  }

  /** Known only for tables that have been learned. */
  isVirtual(table: string): boolean {
    return this.#virtual.has(table);
  }

  #read(table: string): TableLayout | null {
    try {
      const found = findTable(this.#connection, table);
      if (found?.kind === 'virtual') {
        this.#virtual.add(table);
        this.learn(this.#shadowsOf(table));
      }
      if (found?.kind !== 'table' && found?.kind !== 'shadow') return null;
      const isInternal = found.kind === 'shadow' || table.startsWith('sqlite_');
      return this.#layoutOf(table, found.withoutRowid, isInternal);
    } catch {
      // Stopped or damaged: without a layout, the whole table counts as changed.
      return null;
    }
  }

  #layoutOf(table: string, isWithoutRowid: boolean, isInternal: boolean): TableLayout {
    const sql = "SELECT name, pk, hidden FROM temp.pragma_table_xinfo(?, 'main') ORDER BY cid";
    const rows = this.#connection.all(sql, [table]) as readonly ColumnRow[];
    const numbers = rows.map((_, number) => number);
    const key = numbers.filter((number) => rows[number]![1] > 0).sort((a, b) => rows[a]![1] - rows[b]![1]);
    const primaryKey = isWithoutRowid ? key : null;
    const alias = !isWithoutRowid && key.length === 1 && this.#isRowid(table) ? key[0]! : null;
    return {
      columns: rows.map(([name]) => name),
      generated: numbers.filter((number) => rows[number]![2] > 1),
      primaryKey,
      isInternal,
      row: rowLayoutOf(table, rows, {
        primaryKey,
        alias,
        // The rows of SQLite's own tables are not shown, or only through the columns of a virtual table.
        declaredKey: isInternal || primaryKey !== null || alias !== null ? [] : key,
        isAutoincrement: alias !== null && this.#mentionsAutoincrement(table),
      }),
    };
  }

  /** A primary key of one column is the row id itself unless it has an index. */
  #isRowid(table: string): boolean {
    return (
      this.#connection.one("SELECT 1 FROM temp.pragma_index_list(?, 'main') WHERE origin = 'pk'", [table]) === null
    );
  }

  /** Also true for tables with the word only in a comment, which does no harm. */
  #mentionsAutoincrement(table: string): boolean {
    const sql = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE '%autoincrement%'";
    return this.#connection.one(sql, [table]) !== null;
  }

  #shadowsOf(table: string): readonly string[] {
    const prefix = `${table.toLowerCase()}_`;
    return shadowNames(this.#connection).filter((name) => name.toLowerCase().startsWith(prefix));
  }
}

/** Keyed by column number. */
interface Keys {
  readonly primaryKey: readonly number[] | null;
  /** The column that is the row id. */
  readonly alias: number | null;
  readonly declaredKey: readonly number[];
  readonly isAutoincrement: boolean;
}

function rowLayoutOf(
  table: string,
  rows: readonly ColumnRow[],
  { primaryKey, alias, declaredKey: keyColumns, isAutoincrement }: Keys,
): RowLayout | null {
  const columns = rows.flatMap(([, , hidden], number) => (hidden === 0 ? [number] : []));
  const taken = new Set(rows.map(([name]) => name.toLowerCase()));
  const rowidName = alias === null ? ROWID_NAMES.find((name) => !taken.has(name)) : rows[alias]![0];
  if (primaryKey === null && rowidName === undefined) return null;
  const logIndexes = new Int16Array(rows.length).fill(-1);
  for (const [index, column] of columns.entries()) if (column !== alias) logIndexes[column] = index;
  const declaredKey = keyColumns.map((column) => columns.indexOf(column));
  return {
    shape: {
      name: table,
      columns: columns.map((column) => rows[column]![0]),
      key:
        primaryKey === null
          ? { kind: 'rowid', name: rowidName!, columnIndex: alias === null ? null : columns.indexOf(alias) }
          : { kind: 'primary-key', columns: primaryKey.map((column) => rows[column]![0]) },
      ...(declaredKey.length > 0 && { declaredKey }),
    },
    columns,
    valueColumns: columns.filter((column) => column !== alias),
    logIndexes,
    primaryKey,
    declaredKey,
    isAutoincrement,
  };
}
