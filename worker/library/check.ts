// Integrity checks in steps, so that others get their turn and Stop works.
import { quoteName } from '../sql/quote.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause } from '../sessions/session.ts';

export type CheckKind = 'quick' | 'integrity';

/** SQLite stops at 100 messages by itself; more than this says nothing new. */
const MAX_MESSAGES = 100;

/**
 * Up to this size SQLite checks the file in one statement. Beyond, table by table (each with its indexes), which leaves
 * out only the list of free pages: one statement over gigabytes would hold up every window.
 */
const WHOLE_FILE_BYTES = 128 * 1024 * 1024;

/** Answers the messages of SQLite; none when all is well. `onTable` hears the progress. */
export function* checkDatabase(
  connection: Connection,
  kind: CheckKind,
  onTable: (done: number, total: number) => void = () => undefined,
): Generator<Pause, readonly string[], undefined> {
  const pragma = kind === 'quick' ? 'quick_check' : 'integrity_check';
  if (connection.fileSizeBytes <= WHOLE_FILE_BYTES) return messagesOf(connection, `PRAGMA ${pragma}`);
  const tables = connection
    .all("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .map(([name]) => String(name));
  tables.unshift('sqlite_schema');
  const messages: string[] = [];
  for (const [index, table] of tables.entries()) {
    onTable(index, tables.length);
    messages.push(...messagesOf(connection, `PRAGMA ${pragma}(${quoteName(table)})`));
    if (messages.length >= MAX_MESSAGES) break;
    yield 'between';
  }
  return messages.slice(0, MAX_MESSAGES);
}

function messagesOf(connection: Connection, sql: string): string[] {
  return connection
    .all(sql)
    .map(([message]) => String(message))
    .filter((message) => message !== 'ok');
}
