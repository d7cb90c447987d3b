// Tables and columns a query reads, to tell whether changes can affect its result.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, TableRead } from '../engines/engine.ts';
import { findTable } from '../engines/table-list.ts';
import type { TableChanges, TransactionChanges } from '../engines/transaction-changes.ts';
import { schemasBesideMain, spanOf, type RowidSpan } from './query-program.ts';

/** Null: any column. Empty: only the existence of rows. */
type Columns = ReadonlySet<string> | null;
/** Reads by lower-case table name. Null: it is unknown what the query reads, so any commit counts. */
type Reads = ReadonlyMap<string, Columns> | null;

/** Reads of one table or view. */
interface Resolved {
  readonly columns: Columns;
  readonly isTable: boolean;
}

/** Virtual tables that read nothing but their arguments. */
const WITHOUT_TABLES: ReadonlySet<string> = new Set(['json_each', 'json_tree', 'generate_series']);
/** Tables that show the schema: every schema change counts anyway. */
const OF_SCHEMA =
  /^(?:sqlite_(?:master|schema)|pragma_(?:table_x?info|table_list|index_list|index_x?info|foreign_key_list))$/;
/** Virtual tables that store their own rows; with `content` they show the rows of another table. */
const OWN_CONTENT = /\busing\s+(?:fts5|rtree|rtree_i32)\b(?![^]*\bcontent\s*=)/i;

export class ReadSet {
  readonly #connection: Connection;
  readonly #sql: string;
  /** Undefined until it is needed, and again after a schema change. */
  #reads: Reads | undefined = undefined;
  #tables: readonly string[] = [];
  /** The range of rows the query reads from its only table. */
  #span: RowidSpan | null = null;
  readonly #params: readonly Value[] | null;
  /** The query may read files that are attached. */
  #mayReadAttached = true;

  /** @param params when given, only changes between two row ids affect a query that reads only the rows between them */
  constructor(connection: Connection, sql: string, params: readonly Value[] | null = null) {
    this.#connection = connection;
    this.#sql = sql;
    this.#params = params;
  }

  /** Tables known by name; none before {@link learn}. */
  get tables(): readonly string[] {
    return this.#tables;
  }

  /** Determines the reads now, so that the next commit does not have to wait for that. */
  learn(): void {
    if (this.#reads !== undefined) return;
    const { reads, tables } = readsOf(this.#connection, this.#sql);
    this.#reads = reads;
    this.#tables = tables;
    const isOfOneTable = this.#reads?.size === 1 && this.#params;
    this.#mayReadAttached = this.#reads === null || readsBesideMain(this.#connection, this.#sql, this.#params ?? []);
    this.#span = isOfOneTable ? spanOf(this.#connection, this.#sql, isOfOneTable) : null;
  }

  touchedBy(changes: TransactionChanges): boolean {
    // Nothing is asked of the connection, which may be about to be closed.
    if (changes.attached === 'rows') return this.#reads === undefined || this.#mayReadAttached;
    if (changes.schema || changes.attached === 'schema') {
      // The query may mean something else after a schema change.
      this.#reads = undefined;
      return true;
    }
    if (changes.tables === null) return true;
    this.learn();
    if (!this.#reads) return true;
    for (const [table, change] of changes.tables) {
      const columns = this.#reads.get(table.toLowerCase());
      if (columns === undefined || !concerns(change, columns)) continue;
      if (this.#span === null || change.keys?.kind !== 'rowid' || holdsAny(this.#span, change.keys.rowids)) return true;
    }
    return false;
  }
}

/** True also if that cannot be told. */
function readsBesideMain(connection: Connection, sql: string, params: readonly Value[]): boolean {
  if ((connection.attached ?? []).length === 0) return false;
  try {
    return schemasBesideMain(connection, sql, params).size > 0;
  } catch {
    return true;
  }
}

function holdsAny({ low, high }: RowidSpan, rowids: BigInt64Array): boolean {
  return rowids.some((rowid) => (low === null || rowid >= low) && (high === null || rowid <= high));
}

function concerns(change: TableChanges, columns: Columns): boolean {
  if (change.inserted || change.deleted || change.moved) return true;
  if (columns === null || change.columns === null) return change.updated && columns?.size !== 0;
  for (const column of change.columns) if (columns.has(column)) return true;
  return false;
}

function readsOf(connection: Connection, sql: string): { readonly reads: Reads; readonly tables: readonly string[] } {
  try {
    const statement = connection.prepare(sql);
    const { reads } = statement;
    statement.finalize();
    const known = new Map<string, Columns>();
    const tables: string[] = [];
    let isKnown = true;
    for (const read of reads) {
      const resolved = resolve(connection, read);
      if (resolved === 'anything') isKnown = false;
      if (typeof resolved === 'string') continue;
      known.set(read.table.toLowerCase(), resolved.columns);
      if (resolved.isTable) tables.push(read.table);
    }
    return { reads: isKnown ? known : null, tables };
  } catch {
    return { reads: null, tables: [] };
  }
}

function resolve(connection: Connection, { table, columns }: TableRead): Resolved | 'anything' | 'nothing' {
  if (WITHOUT_TABLES.has(table) || OF_SCHEMA.test(table)) return 'nothing';
  // SQLite's own bookkeeping is not reported.
  if (table.startsWith('sqlite_')) return 'anything';
  const kind = findTable(connection, table)?.kind;
  if (kind === 'table') return { columns: withIndexes(connection, table, columns), isTable: true };
  if (kind === 'view') return { columns, isTable: false };
  return kind === 'virtual' && hasOwnContent(connection, table) ? { columns: null, isTable: false } : 'anything';
}

const hasOwnContent = (connection: Connection, table: string): boolean =>
  OWN_CONTENT.test(
    String(connection.one('SELECT sql FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [table])?.[0]),
  );

/**
 * An index that SQLite may use for the query decides the order of rows that compare equal, and with LIMIT which of them are returned: by
 * all its columns, including those the query does not name.
 */
function withIndexes(connection: Connection, table: string, columns: ReadonlySet<string>): Columns {
  if (columns.size === 0) return columns;
  const all = new Set(columns);
  const namesOf = (sql: string, name: string) => connection.all(sql, [name]).map(([value]) => value as string | null);
  const keys = new Set(['ROWID', ...namesOf("SELECT name FROM temp.pragma_table_xinfo(?, 'main') WHERE pk", table)]);
  // Every index holds the key.
  const servesAny = [...columns].every((column) => keys.has(column));
  for (const index of namesOf("SELECT name FROM temp.pragma_index_list(?, 'main')", table)) {
    const indexed = namesOf("SELECT name FROM temp.pragma_index_xinfo(?, 'main') WHERE key", index!);
    // An indexed expression, whose columns are unknown.
    if (indexed.includes(null)) return null;
    if (servesAny || indexed.some((name) => columns.has(name!))) for (const name of indexed) all.add(name!);
  }
  return all;
}
