// A single state of the database for everything that an export reads.
import type { Connection } from '../engines/engine.ts';

export const CHANGED_MEANWHILE =
  'Another client changed the database while it was read, so not all rows are from the same moment.';

/** A server holds no snapshot from one request to the next. Returns whether others have committed since. */
export function watchOthers(connection: Connection): () => boolean {
  if (connection.isMetered !== true) return () => false;
  const before = connection.dataVersion;
  return () => connection.dataVersion !== before;
}

/** A half-read statement keeps the snapshot for all others of its connection (sqlite.org/isolation.html). */
export function holdSnapshot(connection: Connection): () => void {
  const statement = connection.prepare('SELECT 1 FROM main.sqlite_schema UNION ALL VALUES (1), (2)');
  statement.step();
  return () => statement.finalize();
}
