// Copies one open database over another, page by page, in one transaction (sqlite.org/backup.html).
import { AppError } from '#shared/protocol/errors.ts';
import { stillReading } from '../../still-reading.ts';
import type { Connection } from '../../engine.ts';
import { sqliteError } from '../runtime/errors.ts';
import type { Sqlite } from '../runtime/load.ts';
import { Result } from '../runtime/raw.ts';
import type { Pointer } from '../runtime/raw.ts';

/** Pages between two looks at the stop flag: some milliseconds. */
const PAGES_PER_STEP = 256;

interface Side extends Connection {
  readonly db: Pointer;
}

/**
 * @param stopped asked between steps, with how much is done
 * @throws AppError `stopped`, `full`, `io`, `unavailable`; nothing was changed then
 */
export function copyOver(sqlite: Sqlite, from: Side, to: Side, stopped: (share: number) => boolean): void {
  refuseOtherPageSize(from, to);
  const { raw, heap } = sqlite;
  const schema = heap.allocateText('main');
  const backup = raw.sqlite3_backup_init(to.db, schema.pointer, from.db, schema.pointer);
  heap.free(schema.pointer);
  if (backup === 0) {
    // The only reason of `sqlite3_backup_init` besides memory.
    throw stillReading();
  }
  let code = 0;
  let isStopped = false;
  while (code === 0 && !isStopped) {
    code = raw.sqlite3_backup_step(backup, PAGES_PER_STEP);
    const share = 1 - raw.sqlite3_backup_remaining(backup) / raw.sqlite3_backup_pagecount(backup);
    isStopped = code === 0 && stopped(share);
  }
  // Rolls back unless the last step has committed.
  const finished = raw.sqlite3_backup_finish(backup);
  if (isStopped) throw AppError.stopped('Stopped. Nothing was changed.');
  if (code !== Result.done) throw sqliteError(sqlite, to.db, finished || code);
}

/** SQLite can not change it in WAL mode. Copies of a database always have its own. */
function refuseOtherPageSize(from: Connection, to: Connection): void {
  const sizes = [from, to].map((side) => side.one('PRAGMA page_size')?.[0]);
  if (sizes[0] === sizes[1]) return;
  throw AppError.unavailable(
    `The copy has a page size of ${String(sizes[0])} bytes and this database one of ${String(sizes[1])}, so one cannot replace the other. Nothing was changed.`,
  );
}
