// The shapes of many tables: what SQLite says about them is read in a few statements for hundreds, because to find one of them in its lists
// it goes through all.
import { foldName } from '#shared/ddl/names.ts';
import { groupBy } from '#shared/group-by.ts';
import type { Connection } from '../engines/engine.ts';
import { listTables, type ListedTable } from '../engines/table-list.ts';
import { schemaVersion } from './schema-objects.ts';
import { collatedTables, unknownCollations } from './declared-collations.ts';
import { COLUMN_PARTS, factsOf, FOREIGN_KEY_PARTS, noTable, shapeOf } from './table-shape.ts';
import type { ColumnRow, ForeignKeyRow, TableShape } from './table-shape.ts';

/** Tables that are read together: longer lists would be a long wait before the first table. */
const TOGETHER = 250;

/** Tables that store rows of their own; others can be broken, which would end a statement about all. */
const STORED = "s.type = 'table' AND s.rootpage > 0 AND s.name IN (SELECT value FROM temp.json_each(?))";

interface Part {
  readonly columns: ReadonlyMap<string, readonly ColumnRow[]>;
  readonly foreignKeys: ReadonlyMap<string, readonly ForeignKeyRow[]>;
  readonly primaryKeyIndexes: ReadonlyMap<string, readonly (readonly [string])[]>;
}

const NOTHING: Part = { columns: new Map(), foreignKeys: new Map(), primaryKeyIndexes: new Map() };

/** As {@link describeTable} describes them. Valid as long as the schema stays the same. */
export class TableShapes {
  readonly #connection: Connection;
  readonly #names: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #listed: ReadonlyMap<string, ListedTable>;
  readonly #collated: ReadonlySet<string>;
  readonly #version: number;
  /** The tables that were read together last. */
  #part = NOTHING;

  /** @param names in the order in which they will be asked for */
  constructor(connection: Connection, names: readonly string[]) {
    this.#connection = connection;
    this.#version = schemaVersion(connection);
    this.#names = names;
    this.#places = new Map(names.map((name, place) => [foldName(name), place]));
    this.#listed = new Map(listTables(connection).map((table) => [foldName(table.name), table]));
    this.#collated = collatedTables(connection);
  }

  /** Whether the schema is still the same; after a rollback, another one can have its version. */
  get areCurrent(): boolean {
    return schemaVersion(this.#connection) === this.#version;
  }

  /** @throws AppError `not-found`, or `sql` when a view or virtual table is broken */
  describe(table: string): TableShape {
    const key = foldName(table);
    const listed = this.#listed.get(key);
    if (listed === undefined) throw noTable(table);
    const place = this.#places.get(key);
    if (place !== undefined && listed.kind === 'table' && !this.#part.columns.has(key)) this.#part = this.#read(place);
    const columns = this.#part.columns.get(key);
    const connection = this.#connection;
    if (columns === undefined) return shapeOf(connection, factsOf(connection, listed));
    return shapeOf(connection, {
      listed,
      columns,
      foreignKeys: this.#part.foreignKeys.get(key) ?? [],
      unknownCollations: this.#collated.has(key) ? unknownCollations(connection, table) : NO_COLLATIONS,
      primaryKeyIndex: this.#part.primaryKeyIndexes.get(key)?.[0]![0] ?? null,
    });
  }

  #read(place: number): Part {
    const names = JSON.stringify(this.#names.slice(place, place + TOGETHER));
    const read = <Row>(parts: string, from: string, more: string): ReadonlyMap<string, readonly Row[]> => {
      const sql = `SELECT s.name, ${parts} FROM main.sqlite_schema s, ${from} WHERE ${STORED}${more}`;
      return byTable<Row>(this.#connection.all(sql, [names]));
    };
    return {
      columns: read(COLUMN_PARTS, 'temp.pragma_table_xinfo(s.name) c', ' AND c.hidden <> 1 ORDER BY s.rowid, c.cid'),
      foreignKeys: read(
        FOREIGN_KEY_PARTS,
        'temp.pragma_foreign_key_list(s.name) f',
        ' ORDER BY s.rowid, f.id DESC, f.seq',
      ),
      primaryKeyIndexes: read('i.name', 'temp.pragma_index_list(s.name) i', " AND i.origin = 'pk'"),
    };
  }
}

const NO_COLLATIONS: ReadonlyMap<string, string> = new Map();

/** Rows by the folded name in their first column. */
function byTable<Row>(rows: readonly (readonly unknown[])[]): ReadonlyMap<string, readonly Row[]> {
  const groups = groupBy(rows, ([name]) => name as string);
  return new Map([...groups].map(([name, all]) => [foldName(name), all.map(([, ...row]) => row as Row)]));
}
