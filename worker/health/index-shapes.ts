// The indexes of all tables, as far as needed to compare them, and those that do nothing another one does not do as well.
import type { Pause } from '../sessions/session.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { listTables } from '../engines/table-list.ts';
import type { Scan } from '../readers/scan.ts';

export interface TableIndexes {
  readonly shapes: readonly IndexShape[];
  /** Key columns by index; null for expressions. */
  readonly columnsOf: ReadonlyMap<string, readonly (string | null)[]>;
  readonly hasPrimaryKey: boolean;
  /** The INTEGER PRIMARY KEY column. */
  readonly rowidColumn: string | null;
  /** The key of {@link IndexColumn} that an index on it has. */
  readonly rowidKey: string | null;
}

interface Building {
  readonly shapes: (IndexShape & { readonly columns: IndexColumn[] })[];
  readonly columnsOf: Map<string, (string | null)[]>;
  hasPrimaryKey: boolean;
  rowidColumn: string | null;
  rowidKey: string | null;
}

const KEYS = `SELECT t.value, (SELECT count(*) FROM temp.pragma_table_info(t.value, 'main') c WHERE c.pk > 0),
    (SELECT min(c.name) FROM temp.pragma_table_info(t.value, 'main') c WHERE c.pk > 0),
    EXISTS (SELECT 1 FROM temp.pragma_index_list(t.value, 'main') i WHERE i.origin = 'pk')
  FROM temp.json_each(?) t`;

const INDEXES = `SELECT m.tbl_name, i.name, i."unique", i.origin, i.partial, m.sql
  FROM main.sqlite_schema m JOIN temp.pragma_index_list(m.tbl_name, 'main') i ON i.name = m.name WHERE m.type = 'index'`;

const COLUMNS = `SELECT m.tbl_name, m.name, x.cid, x.name, x."desc", x.coll
  FROM main.sqlite_schema m JOIN temp.pragma_index_xinfo(m.name, 'main') x WHERE m.type = 'index' AND x."key" = 1 ORDER BY m.rowid, x.seqno`;

/** Indexes by table, including tables without any. */
export function* readIndexes(scan: Scan): Generator<Pause, ReadonlyMap<string, TableIndexes>> {
  const found = new Map<string, Building>();
  const byIndex = new Map<string, IndexShape & { readonly columns: IndexColumn[] }>();
  const texts = new Map<string, string>();
  const tables = listTables(scan.connection).filter(({ kind, name }) => kind === 'table' && !/^sqlite_/i.test(name));
  const withoutRowid = new Set(tables.flatMap((table) => (table.withoutRowid ? [table.name] : [])));
  yield* scan.rows(KEYS, [JSON.stringify(tables.map(({ name }) => name))], (row) => {
    const name = row.value(0) as string;
    const [keys, first, hasKeyIndex] = [1, 2, 3].map((at) => row.value(at));
    // A lone INTEGER primary key is the row id exactly when SQLite made no index for it (sqlite.org/lang_createtable.html#rowid).
    const isRowid = !withoutRowid.has(name) && keys === 1 && hasKeyIndex === 0;
    found.set(name, {
      shapes: [],
      columnsOf: new Map(),
      hasPrimaryKey: Number(keys) > 0,
      rowidColumn: isRowid ? (first as string) : null,
      rowidKey: isRowid ? keyOf(first as string, 'BINARY') : null,
    });
  });
  yield* scan.rows(INDEXES, [], (row) => {
    const [table, name, unique, origin, partial, sql] = [0, 1, 2, 3, 4, 5].map((at) => row.value(at));
    const shape = {
      name: name as string,
      unique: unique === 1,
      isAutomatic: origin !== 'c',
      where: partial === 1 ? textAfter(String(sql), 'WHERE') : null,
      columns: [],
    };
    byIndex.set(shape.name, shape);
    texts.set(shape.name, String(sql));
    const own = found.get(table as string);
    own?.shapes.push(shape);
    own?.columnsOf.set(shape.name, []);
  });
  yield* scan.rows(COLUMNS, [], (row) => {
    const [table, name, cid, column, descending, collation] = [0, 1, 2, 3, 4, 5].map((at) => row.value(at));
    const shape = byIndex.get(name as string);
    // SQLite does not report an expression's text: two are considered equal only where both indexes are written exactly alike.
    const key =
      cid === -2
        ? `expression ${shape?.columns.length} ${textAfter(texts.get(name as string) ?? '', 'ON')}`
        : keyOf(String(column), String(collation));
    shape?.columns.push({ key, descending: descending === 1 });
    found
      .get(table as string)
      ?.columnsOf.get(name as string)
      ?.push(cid === -2 ? null : (column as string));
  });
  return found;
}

const keyOf = (column: string, collation: string): string =>
  `column ${collation.toUpperCase()} ${column.toLowerCase()}`;

/** The rest of a statement after the first `word` outside parentheses. */
function textAfter(sql: string, word: string): string {
  const scanner = new SqlScanner(sql);
  let depth = 0;
  while (scanner.next() !== Token.end) {
    const text = sql.slice(scanner.from, scanner.to);
    if (text === '(') depth++;
    else if (text === ')') depth--;
    else if (depth === 0 && text.toUpperCase() === word) return sql.slice(scanner.to).trim();
  }
  return sql;
}

/** A column in an index, or a stand-in for it where only its name counts. */
interface IndexColumn {
  /** Names a column and its collation, or an expression: equal exactly when they are the same. */
  readonly key: string;
  readonly descending: boolean;
}

export interface IndexShape {
  readonly name: string;
  readonly unique: boolean;
  /** Made by SQLite for a PRIMARY KEY or UNIQUE: it cannot be dropped. */
  readonly isAutomatic: boolean;
  /** WHERE clause as written; null: all rows are in it. */
  readonly where: string | null;
  /** Key columns, in order. */
  readonly columns: readonly IndexColumn[];
}

interface Redundant {
  readonly index: IndexShape;
  readonly covering: IndexShape;
  /** Neither has more columns than the other. */
  readonly isSame: boolean;
}

/** Each index that could be dropped, with one that stays and does its work. Both are indexes of one table. */
export function redundantIndexes(indexes: readonly IndexShape[]): readonly Redundant[] {
  const dropped = new Set<IndexShape>();
  const found: Redundant[] = [];
  // Indexes with more columns come first, so that those covering others are known to stay; of two equal ones the older one stays.
  for (const index of [...indexes].reverse().sort((a, b) => b.columns.length - a.columns.length)) {
    if (index.isAutomatic) continue;
    const covering = indexes
      .filter((other) => other !== index && !dropped.has(other) && doesAll(other, index))
      .sort((a, b) => a.columns.length - b.columns.length || Number(b.isAutomatic) - Number(a.isAutomatic))[0];
    if (!covering) continue;
    dropped.add(index);
    found.push({ index, covering, isSame: covering.columns.length === index.columns.length });
  }
  return found;
}

/** Whether `other` finds and sorts everything that `index` does, and rejects every row that it rejects. */
export function doesAll(other: IndexShape, index: IndexShape): boolean {
  if (other.where !== index.where) return false;
  if (index.unique && !(other.unique && other.columns.every(({ key }) => index.columns.some((own) => own.key === key))))
    return false;
  if (index.columns.length > other.columns.length) return false;
  // SQLite reads an index from either end (sqlite.org/queryplanner.html), so all directions may be reversed.
  return [false, true].some((turned) =>
    index.columns.every(({ key, descending }, at) => {
      const own = other.columns[at]!;
      return own.key === key && own.descending === (turned ? !descending : descending);
    }),
  );
}
