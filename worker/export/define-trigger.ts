// Creates a trigger where tables that it uses may be missing: one that would make statements fail is left out.
import { AppError, toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import type { SchemaObject } from './rows-head.ts';

/**
 * SQLite compiles a trigger with the statements that fire it (sqlite.org/lang_createtrigger.html): such a statement may fail only as it did
 * before.
 * @throws AppError why the trigger was not created
 */
export function defineTrigger(connection: Connection, { name, table, sql }: Omit<SchemaObject, 'type'>): void {
  const before = failuresOfWriting(connection, table);
  connection.run(sql);
  const broken = failuresOfWriting(connection, table).find((failure, at) => failure !== null && failure !== before[at]);
  if (broken === undefined || broken === null) return;
  connection.run(`DROP TRIGGER main.${quoteName(name)}`);
  throw AppError.sql(broken);
}

/** The errors of an INSERT, an UPDATE of every column and a DELETE; null for a statement that works. */
function failuresOfWriting(connection: Connection, table: string): readonly (string | null)[] {
  const quoted = `main.${quoteName(table)}`;
  const columns = connection
    .all('SELECT name FROM temp.pragma_table_xinfo(?) WHERE hidden = 0', [table])
    .map(([column]) => quoteName(String(column)));
  return [
    `INSERT INTO ${quoted} (${columns.join(', ')}) VALUES (${columns.map(() => 'NULL').join(', ')})`,
    `UPDATE ${quoted} SET ${columns.map((column) => `${column} = NULL`).join(', ')}`,
    `DELETE FROM ${quoted}`,
  ].map((sql) => {
    try {
      connection.check(sql);
      return null;
    } catch (thrown) {
      return whatHappened(toAppError(thrown));
    }
  });
}
