// Failure of a batch of D1 in which a guarded write has changed no row.
import type { RemoteSql, ServerError } from '../hrana/messages.ts';

/** A check after a write found that no row was changed; D1 has undone the batch. */
export class MissedWrite extends Error {
  readonly at: number;

  constructor(at: number) {
    super(`write ${at}`);
    this.at = at;
  }
}

const MISSED = /^bad JSON path: 'sidelite missed (\d+)'/;

/**
 * A statement that fails unless the statement before it has changed a row, with an error that names the write: D1 does not say where a batch
 * failed.
 */
export const checkOf = (at: number): RemoteSql => ({
  sql: `SELECT CASE WHEN changes() = 1 THEN 1 ELSE json_extract('{}', 'sidelite missed ${at}') END AS x`,
  args: [],
  wantRows: true,
});

/** Null for another error. */
export function missedWriteOf({ message }: ServerError): MissedWrite | null {
  // oxlint-disable-next-line sidelite/text-decisions -- the text of the check, which the server repeats
  const missed = MISSED.exec(message);
  return missed && new MissedWrite(Number(missed[1]));
}
