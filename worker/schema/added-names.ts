// What the extensions of a connection add, as completion needs it.
import type { AddedNames, AddedTable } from '#shared/extensions.ts';
import type { Connection } from '../engines/engine.ts';

/** Value of `hidden` in PRAGMA table_xinfo for a hidden column. */
const HIDDEN = 1;

export function addedNames(connection: Connection): AddedNames {
  const extensions = connection.extensions ?? [];
  return {
    functions: extensions.flatMap(({ added }) => added),
    tables: extensions.flatMap(({ state }) => state.modules.flatMap((name) => tableOf(connection, name) ?? [])),
  };
}

/** Null for a module whose tables have to be created first. */
function tableOf(connection: Connection, name: string): AddedTable | null {
  const rows = connection.all('SELECT name, hidden FROM temp.pragma_table_xinfo(?)', [name]);
  if (rows.length === 0) return null;
  const named = (isHidden: boolean): readonly string[] =>
    rows.filter(([, hidden]) => (Number(hidden) === HIDDEN) === isHidden).map(([column]) => String(column));
  return { name, columns: named(false), parameters: named(true) };
}
