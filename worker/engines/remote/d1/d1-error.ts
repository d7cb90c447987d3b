// Turns D1's error messages into errors a person can read.
/* oxlint-disable sidelite/text-decisions -- D1's and SQLite's own messages */
import { AppError } from '#shared/protocol/errors.ts';
import { describeSql } from '../../sql-message.ts';
import type { ServerError, RemoteSql } from '../hrana/messages.ts';
import { ServerRefusal } from '../network/checked-reply.ts';
import { describeRefusal, describeServerError } from '../runtime/server-error.ts';
import { columnsChanged } from '../statements/remote-rows.ts';
import { D1Refusal } from './d1-client.ts';

/** Cloudflare's numbers for token errors, which come with the status of a bad request. */
const OF_TOKEN: ReadonlySet<string> = new Set(['1000', '6003', '6111', '9106', '9109', '10000', '10001']);

interface Described {
  readonly error: unknown;
  /** Someone else has changed what the schema copy was made from. */
  readonly isOtherSchema: boolean;
}

const plainly = (error: unknown): Described => ({ error, isOtherSchema: false });

/** Anything but a refusal of D1 is returned as it is. */
export function describeD1Error(thrown: unknown): Described {
  if (thrown instanceof D1Refusal) return describeRefused(thrown.error);
  if (!(thrown instanceof ServerRefusal)) return plainly(thrown);
  const { status, error, sentBytes, token } = thrown;
  const of = (otherStatus: number, code: string | null): Described =>
    plainly(describeRefusal(new ServerRefusal(otherStatus, { message: error.message, code }, { sentBytes, token })));
  if (status === 400) return OF_TOKEN.has(error.code ?? '') ? of(401, null) : describeRefused(error);
  if (status !== 404) return of(status, null);
  return plainly(
    AppError.notFound('There is no D1 database at this address, or the token is for another account.', {
      detail: { kind: 'status', status },
    }),
  );
}

/** Messages of D1 itself, before it runs anything. */
const REFUSED_AT_ONCE = /^(?:To execute a transaction|Wrong number of parameter|SQL code did not contain)/;
const OTHER_SCHEMA = /^no such |^table \S+ has (?:\d+ values|no column)/;
const OTHER_COLUMNS = /^table sidelite_cells has \d+ values/;

function describeRefused(error: ServerError): Described {
  const { message, code } = error;
  const missed = missedWriteOf(error);
  if (missed !== null) return plainly(missed);
  if (code === '' && !REFUSED_AT_ONCE.test(message)) return plainly(unexplained(message));
  const isOtherSchema = OTHER_SCHEMA.test(message);
  if (OTHER_COLUMNS.test(message)) return { error: columnsChanged(), isOtherSchema };
  const told = message.startsWith('not authorized') ? { message, code: 'SQLITE_AUTH' } : error;
  return { error: describeServerError(told), isOtherSchema };
}

/** The error is neither SQLite's nor known: whether the statement was carried out is unknown, too. */
const unexplained = (message: string): AppError =>
  AppError.unavailable(
    `D1 reported an error of its own (${describeSql(message.slice(0, 300)).message.replace(/[.]$/, '')}).`,
    { detail: { kind: 'status', sent: true } },
  );

// Failure of a batch of D1 in which a guarded write has changed no row.

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
function missedWriteOf({ message }: ServerError): MissedWrite | null {
  // oxlint-disable-next-line sidelite/text-decisions -- the text of the check, which the server repeats
  const missed = MISSED.exec(message);
  return missed && new MissedWrite(Number(missed[1]));
}
