// Rows of a view that its INSTEAD OF triggers can change: they are identified by the keys of the tables that they come from.
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import { describeTable, keyNames, type RowKeyShape, type TableShape } from './table-shape.ts';

/**
 * As `describeTable`. The key of a view is the columns in which it shows complete keys of its tables; it is read and changed by them, but
 * not paged, because they may repeat.
 */
export function describeEditable(connection: Connection, name: string): TableShape {
  const shape = describeTable(connection, name);
  if (shape.kind !== 'view' || connection.isMetered === true || !hasTriggers(connection, shape.name)) return shape;
  return { ...shape, key: keyOfView(connection, shape) };
}

/** Only INSTEAD OF triggers belong to views. */
const hasTriggers = (connection: Connection, view: string): boolean =>
  connection.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE LIMIT 1", [
    view,
  ]) !== null;

function keyOfView(connection: Connection, { name, columns }: TableShape): RowKeyShape {
  const origins = originsOf(connection, name);
  const shown = (table: string, column: string): string | null => {
    const at = origins.findIndex((origin) => origin?.table === table && origin.column === column);
    return columns[at]?.name ?? null;
  };
  const tables = new Set(origins.flatMap((origin) => (origin === null ? [] : [origin.table])));
  const key = [...tables].flatMap((table) => {
    const names = keyOfTable(describeTable(connection, table)).map((column) => shown(table, column));
    return names.length > 0 && names.every((column) => column !== null) ? names : [];
  });
  if (key.length > 0)
    return {
      kind: 'primary-key',
      columns: key.map((column) => ({ name: column, descending: false, collation: 'BINARY' })),
    };
  return {
    kind: 'none',
    why: 'This view has triggers for changes, but does not show the key of any of its tables, so its rows cannot be identified for editing.',
  };
}

/** As SQLite names the columns of a result: the row id by its INTEGER PRIMARY KEY if there is one. */
const keyOfTable = ({ key, rowidColumn }: TableShape): readonly string[] =>
  key.kind === 'rowid' ? [rowidColumn ?? 'rowid'] : keyNames(key);

function originsOf(connection: Connection, view: string) {
  const statement = connection.prepare(`SELECT * FROM main.${quoteName(view)} LIMIT 0`);
  try {
    return statement.columns.map(({ origin }) => origin);
  } finally {
    statement.finalize();
  }
}
