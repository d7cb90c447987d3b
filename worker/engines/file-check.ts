// SQLite's own check of a database.
import type { Connection } from './engine.ts';

/** What it finds; one row, “ok”, stands for nothing (sqlite.org/pragma.html#pragma_integrity_check). */
export function checkFile(connection: Pick<Connection, 'all'>, kind: 'quick' | 'integrity'): readonly string[] {
  return connection
    .all(kind === 'quick' ? 'PRAGMA quick_check' : 'PRAGMA integrity_check')
    .map(([found]) => String(found))
    .filter((found) => found !== 'ok');
}
