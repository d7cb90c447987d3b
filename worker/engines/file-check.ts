// Runs SQLite's own check of a database.
import { quoteName } from '../sql/quote.ts';
import type { Connection } from './engine.ts';

/** The problems it finds; a single row “ok” means none (sqlite.org/pragma.html#pragma_integrity_check). */
export function checkFile(connection: Pick<Connection, 'all'>, kind: 'quick' | 'integrity'): readonly string[] {
  return found(connection, kind === 'quick' ? 'PRAGMA quick_check' : 'PRAGMA integrity_check');
}

/** The same check for one table and its indexes. */
export function checkTable(connection: Pick<Connection, 'all'>, table: string): readonly string[] {
  return found(connection, `PRAGMA main.quick_check(${quoteName(table)})`);
}

function found(connection: Pick<Connection, 'all'>, sql: string): readonly string[] {
  return connection
    .all(sql)
    .map(([finding]) => String(finding))
    .filter((finding) => finding !== 'ok');
}
