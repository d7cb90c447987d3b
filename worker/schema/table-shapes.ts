// The shapes of all tables of a schema: what SQLite says about each is read in a few statements for all, because to find one of them in
// its lists it goes through all.
import { foldName } from '#shared/ddl/names.ts';
import type { Connection } from '../engines/engine.ts';
import { collatedTables, unknownCollations } from './declared-collations.ts';
import { COLUMN_PARTS, factsOf, FOREIGN_KEY_PARTS, noTable, shapeOf } from './table-shape.ts';
import type { ColumnRow, ForeignKeyRow, ListedTable, TableShape } from './table-shape.ts';

/** Tables that store rows of their own; others can be broken, which would end a statement about all. */
const STORED = "main.sqlite_schema s, %s WHERE s.type = 'table' AND s.rootpage > 0";

/** As {@link TableShape} describes them. Valid as long as the schema stays the same. */
export class TableShapes {
  readonly #connection: Connection;
  readonly #listed: ReadonlyMap<string, ListedTable>;
  readonly #columns: ReadonlyMap<string, readonly ColumnRow[]>;
  readonly #foreignKeys: ReadonlyMap<string, readonly ForeignKeyRow[]>;
  readonly #primaryKeyIndexes: ReadonlyMap<string, string>;
  readonly #collated: ReadonlySet<string>;

  constructor(connection: Connection) {
    this.#connection = connection;
    const all = <Row>(parts: string, from: string, more: string): ReadonlyMap<string, readonly Row[]> =>
      byTable<Row>(connection.all(`SELECT s.name, ${parts} FROM ${STORED.replace('%s', from)}${more}`));
    const listed = connection.all("SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'");
    this.#listed = new Map((listed as readonly ListedTable[]).map((row) => [foldName(row[0]), row]));
    this.#columns = all(COLUMN_PARTS, 'pragma_table_xinfo(s.name) c', ' AND c.hidden <> 1 ORDER BY s.rowid, c.cid');
    this.#foreignKeys = all(
      FOREIGN_KEY_PARTS,
      'pragma_foreign_key_list(s.name) f',
      ' ORDER BY s.rowid, f.id DESC, f.seq',
    );
    const indexes = all<[string]>('i.name', 'pragma_index_list(s.name) i', " AND i.origin = 'pk'");
    this.#primaryKeyIndexes = new Map([...indexes].map(([table, [row]]) => [table, row![0]]));
    this.#collated = collatedTables(connection);
  }

  /** @throws AppError `not-found`, or `sql` when a view or virtual table is broken */
  describe(table: string): TableShape {
    const key = foldName(table);
    const listed = this.#listed.get(key);
    if (listed === undefined) throw noTable(table);
    const columns = this.#columns.get(key);
    const connection = this.#connection;
    if (columns === undefined) return shapeOf(connection, factsOf(connection, listed));
    return shapeOf(connection, {
      listed,
      columns,
      foreignKeys: this.#foreignKeys.get(key) ?? [],
      unknownCollations: this.#collated.has(key) ? unknownCollations(connection, table) : NO_COLLATIONS,
      primaryKeyIndex: this.#primaryKeyIndexes.get(key) ?? null,
    });
  }
}

const NO_COLLATIONS: ReadonlyMap<string, string> = new Map();

/** Rows by the folded name in their first column. */
function byTable<Row>(rows: readonly (readonly unknown[])[]): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  let [last, rest]: [string | null, Row[]] = [null, []];
  for (const [name, ...row] of rows as readonly (readonly [string, ...unknown[]])[]) {
    if (name !== last) {
      const key = foldName(name);
      rest = found.get(key) ?? [];
      found.set(key, rest);
      last = name;
    }
    rest.push(row as Row);
  }
  return found;
}
