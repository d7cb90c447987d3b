// A second table like one that is there: its definition under another name, and its rows if they are wanted.
import type { TableProof } from '#shared/protocol/schema-change.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { SqlScanner } from '#shared/sql-scanner.ts';
import { copyRows } from './copy-rows.ts';
import { assertRebuildable } from './rebuild.ts';
import type { Work } from './work.ts';

export function* duplicateTable(
  work: Work,
  { table, to, rows }: { readonly table: string; readonly to: string; readonly rows: boolean },
): Generator<Pause, TableProof | null> {
  const { connection } = work;
  const before = assertRebuildable(connection, table);
  const [sql] = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [before.name])!;
  work.run(renamed(sql as string, to));
  if (!rows) return null;
  const after = describeTable(connection, to);
  return yield* copyRows(work, { table: to, before, after, sources: after.columns.map(({ name }) => name) });
}

/** SQLite keeps `CREATE TABLE` and the bare name, whatever stood between them (sqlite.org/schematab.html). */
function renamed(sql: string, to: string): string {
  const scanner = new SqlScanner(sql, 0);
  for (let at = 0; at < 3; at++) scanner.next();
  return `${sql.slice(0, scanner.from)}${quoteName(to)}${sql.slice(scanner.to)}`;
}
