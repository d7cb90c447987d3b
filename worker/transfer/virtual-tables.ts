// Virtual tables whose content follows as rows of the tables that they keep it in.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { findTable, shadowNames } from '../engines/table-list.ts';
import { quoteName } from '../sql/quote.ts';
import { ofStatement } from './statement-faults.ts';

/** Makes the table and empties the tables it keeps its content in, because their rows follow as they were. Returns why it cannot be made. */
export function recreateVirtualTable(connection: Connection, name: string, sql: string): string | null {
  try {
    connection.run('SAVEPOINT sidelite_virtual');
    connection.run(sql);
    const made = findTable(connection, name);
    if (made?.kind !== 'virtual' || made.name !== name)
      throw AppError.invalid('Its SQL defines a table with a different name.');
    for (const shadow of shadowsOf(connection, name)) connection.run(`DELETE FROM main.${quoteName(shadow)}`);
    connection.run('RELEASE sidelite_virtual');
    return null;
  } catch (error) {
    const problem = ofStatement(error);
    connection.run('ROLLBACK TO sidelite_virtual');
    connection.run('RELEASE sidelite_virtual');
    return whatHappened(problem);
  }
}

function shadowsOf(connection: Connection, virtualTable: string): readonly string[] {
  return shadowNames(connection).filter((name) => name.startsWith(`${virtualTable}_`));
}
