// Commits a schema change on a server. If the reply is lost, the schema is read again: it tells whether the change was saved.
// And the titles of schema changes, in the history and the status bar.
import { AppError, inParts, toAppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { Work } from './work.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { statementTitle } from '../sql/statement-title.ts';

/** How long to wait for a server that does not answer before the outcome stays unknown. */
const TIMEOUT_MS = 10_000;
const AGAIN_EVERY_MS = 100;

/** Definitions of a schema as one text. */
export function schemaText(connection: Connection): string {
  return JSON.stringify(connection.all('SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY 1, 2'));
}

/**
 * @param before {@link schemaText} outside the transaction
 * @throws AppError; nothing was changed then, or `detail.kind` is `unknown-outcome`
 */
export function commitOnServer({ connection, turn }: Work, before: string): void {
  const made = schemaText(connection);
  try {
    connection.run('COMMIT');
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.detail?.['kind'] !== 'unknown-outcome' || error.code === 'stopped' || made === before) throw thrown;
    const now = schemaAgain(connection, () => turn.stopRequested);
    if (now === made) return;
    if (now !== before) throw thrown;
    throw AppError.unavailable(
      inParts(
        'The connection to the server was lost. Sidelite read the schema again: the change was not saved.',
        'Everything is as it was before.',
      ),
      { detail: { kind: 'not-saved' } },
    );
  }
}

/** Read in a transaction that writes, which has to wait for the lost one if the server is still at it. Null if it cannot be read. */
function schemaAgain(connection: Connection, isStopped: () => boolean): string | null {
  const word = new Int32Array(new SharedArrayBuffer(4));
  for (const endMs = performance.now() + TIMEOUT_MS; performance.now() < endMs && !isStopped();) {
    try {
      connection.beginWithoutForeignKeys();
      try {
        return schemaText(connection);
      } finally {
        if (!connection.autocommit) connection.run('ROLLBACK');
      }
    } catch (error) {
      if (!['unavailable', 'locked'].includes(toAppError(error).code)) return null;
    }
    Atomics.wait(word, 0, 0, AGAIN_EVERY_MS);
  }
  return null;
}

export function titleOf(changes: readonly SchemaChange[]): string {
  const main = changes.find(({ kind }) => kind === 'change-table') ?? changes[0];
  return main === undefined ? 'Schema change' : titleOfOne(main);
}

function titleOfOne(change: SchemaChange): string {
  switch (change.kind) {
    case 'change-table':
    case 'change-virtual':
      return `Change table ${change.table}`;
    case 'rename-table':
      return `Rename table ${change.table} to ${change.to}`;
    case 'empty-table':
      return `Empty table ${change.table}`;
    case 'duplicate-table':
      return `Duplicate table ${change.table} as ${change.to}`;
    case 'change-object':
      return `Change ${change.object} ${change.name}`;
    case 'create':
      return statementTitle(change.sql);
    case 'set-number':
      return `Change ${change.name}`;
    case 'drop':
      return `Drop ${change.object} ${change.name}`;
  }
}
