// Collations that the columns of a table declare. No PRAGMA reports them, only the text of the table.
import { foldName } from '#shared/ddl/names.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import { applyEdits } from '#shared/ddl/text-edits.ts';
import { isKnownCollation } from '../engines/table-list.ts';
import type { Connection } from '../engines/engine.ts';

/** By lower-case column, as written. */
export function declaredCollations(connection: Connection, table: string): ReadonlyMap<string, string> {
  const row = connection.one(
    "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE AND sql LIKE '%collate%'",
    [table],
  );
  const model = typeof row?.[0] === 'string' ? parseTable(row[0]) : null;
  const columns = model && 'columns' in model ? model.columns : [];
  return new Map(
    columns.flatMap(({ name, constraints }) => {
      const collate = constraints.filter(({ kind }) => kind === 'collate').at(-1);
      return collate?.kind === 'collate' ? [[foldName(name.name), collate.collation.name] as const] : [];
    }),
  );
}

/** Folded names of the tables that may declare collations. */
export const collatedTables = (connection: Connection): ReadonlySet<string> =>
  new Set(
    connection
      .all("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%collate%'")
      .map(([name]) => foldName(name as string)),
  );

/** The text of a table whose columns do without the collations that SQLite does not have; null if there are none. */
export function withoutUnknownCollations(sql: string): string | null {
  const model = parseTable(sql);
  const edits = (model.understood ? model.columns : [])
    .flatMap(({ constraints }) => constraints)
    .flatMap((constraint) =>
      constraint.kind === 'collate' && !isKnownCollation(constraint.collation.name)
        ? [{ ...constraint.span, text: '' }]
        : [],
    );
  return edits.length === 0 ? null : applyEdits(sql, edits);
}

/** Only those that SQLite does not have here: it can read such columns, but not compare their values as declared. */
export function unknownCollations(connection: Connection, table: string): ReadonlyMap<string, string> {
  return new Map([...declaredCollations(connection, table)].filter(([, collation]) => !isKnownCollation(collation)));
}
