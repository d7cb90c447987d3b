// Proves a merge: compared with the base, the result has every change of `ours` and every planned change of `theirs`, and no other.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { checkFile } from '../engines/file-check.ts';

/**
 * Rows with a key: the planned row where one was taken, otherwise that of `ours`. Rows without one: how many more or fewer there are than in
 * the base.
 */
const EXPECTED = `
  SELECT t."table", t.key, r.row AS after, NULL AS count FROM changes t JOIN rows r ON r."table" = t."table" AND r.key = t.key AND r.state = 'take'
    WHERE t.side = 'theirs' AND t.count IS NULL AND r.row IS NOT t.before
  UNION ALL
  SELECT o."table", o.key, o.after, NULL FROM changes o WHERE o.side = 'ours' AND o.count IS NULL
    AND NOT EXISTS (SELECT 1 FROM rows r WHERE r."table" = o."table" AND r.key = o.key AND r.state = 'take')
  UNION ALL
  SELECT "table", key, NULL, sum(count) FROM (
    SELECT "table", key, count FROM changes WHERE side = 'ours' AND count IS NOT NULL
    UNION ALL
    SELECT t."table", t.key, CASE WHEN t.count < 0 THEN -min(-t.count, max(0, coalesce(o.count, 0) - t.count)) ELSE min(t.count, max(0, t.count - coalesce(o.count, 0))) END
      FROM changes t LEFT JOIN changes o ON o.side = 'ours' AND o."table" = t."table" AND o.key = t.key
      WHERE t.side = 'theirs' AND t.count IS NOT NULL
    UNION ALL
    SELECT r."table", r.key, -1 FROM rows r JOIN changes t ON t.side = 'theirs' AND t."table" = r."table" AND t.key = r.key AND t.count IS NOT NULL
      WHERE r.state = 'ask' AND r.kind = 'inserted'
  ) GROUP BY 1, 2 HAVING sum(count) <> 0`;

const MERGED = `SELECT "table", key, after, count FROM changes WHERE side = 'merged' AND (count IS NULL OR count <> 0)`;

/** @param store has the changes of all sides and the plan @throws AppError `unavailable` */
export function assertMerged(store: Connection): void {
  store.run('CREATE INDEX IF NOT EXISTS by_key ON rows ("table", key)');
  for (const sql of [`${EXPECTED} EXCEPT ${MERGED}`, `${MERGED} EXCEPT SELECT * FROM (${EXPECTED})`]) {
    const row = store.one(`SELECT * FROM (${sql}) LIMIT 1`);
    if (row === null) continue;
    const table = String(row[0]).split('\0')[0];
    throw AppError.unavailable(
      `Rows of “${table}” would not be exactly what both sides make together: SQLite stores them in another way. Nothing was written.`,
    );
  }
}

/** @throws AppError `corrupt` */
export function assertWhole(copy: Connection): void {
  const { messages } = checkFile(copy, 'integrity');
  if (messages.length === 0) return;
  throw AppError.corrupt(`SQLite’s check of the merged database failed: ${messages[0]}. Nothing was written.`);
}
