// A schema in memory where ALTER statements are tried on a table like the one they are meant for, and one row of it.
import { SqlScanner } from '#shared/sql-scanner.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { ownedObjects } from './owned-objects.ts';

const SCRATCH = 'sidelite_scratch';

/** Call outside of transactions: SQLite attaches nothing inside one. */
export function withScratch<T>(connection: Connection, body: (schema: string) => T): T {
  connection.run(`ATTACH ':memory:' AS ${SCRATCH}`);
  try {
    // Its references do not exist here.
    connection.beginWithoutForeignKeys();
    return body(SCRATCH);
  } finally {
    if (!connection.autocommit) connection.run('ROLLBACK');
    connection.run(`DETACH ${SCRATCH}`);
  }
}

/** Copies the table with its indexes, and a row if there is one: much is allowed for empty tables only. @throws AppError */
export function copyInto(connection: Connection, schema: string, table: string): void {
  const [name, sql] = connection.one(
    "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
    [table],
  ) as [string, string];
  connection.run(inSchema(sql, schema));
  for (const object of ownedObjects(connection, name))
    if (object.kind === 'index') connection.run(inSchema(object.sql, schema));
  const columns = connection
    .all("SELECT name FROM temp.pragma_table_xinfo(?, 'main') WHERE hidden = 0", [name])
    .flat() as string[];
  const list = quoteNames(columns);
  connection.run(
    `INSERT INTO ${schema}.${quoteName(name)} (${list}) SELECT ${list} FROM main.${quoteName(name)} LIMIT 1`,
  );
}

/** A CREATE statement as SQLite stores it, for another schema. */
function inSchema(sql: string, schema: string): string {
  const scanner = new SqlScanner(sql, 0);
  do scanner.next();
  while (scanner.text.toUpperCase() !== 'TABLE' && scanner.text.toUpperCase() !== 'INDEX');
  scanner.next();
  return `${sql.slice(0, scanner.from)}${schema}.${quoteName(scanner.name)}${sql.slice(scanner.to)}`;
}
