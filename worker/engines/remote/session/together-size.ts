// Checks whether edits that are sent together are too large for a server: both the request and its reply are estimated before sending.
import type { Step, RemoteSql } from '../hrana/messages.ts';
import { megabytes, tooLarge } from '../runtime/server-error.ts';
import type { BoundSql } from '../../guarded-write.ts';
import type { RemoteStatement } from '../statements/remote-statement.ts';
import type { ServerSession } from './server-session.ts';

/**
 * `sqld` 0.24.32 takes requests of any size (140 MB were tried), but carries out one of this size in about 3 seconds, and ends a transaction of
 * more than 5 for whom others wait.
 */
export const MAX_SENT_BYTES = 16_000_000;
/** `sqld` sends at most 10 MB in one reply (`--max-response-size`), and keeps nothing of the edits otherwise. */
export const MAX_REPLY_BYTES = 9_500_000;

/** Bytes around the text and the values of a statement. */
const STEP_BYTES = 120;
/** Bytes for a result column: its name, its type, and around both and the value. */
const COLUMN_BYTES = 64;

/** Size of the result of a statement, as far as it is known before the statement runs. */
export interface Returned {
  /** The names of the columns. */
  readonly names: readonly string[];
  /** Largest size of the values. */
  readonly bytes: number;
}

export function sentBytes(steps: readonly Step[]): number {
  let bytes = 0;
  for (const { statement } of steps) {
    bytes += STEP_BYTES + Buffer.byteLength(statement.sql);
    for (const arg of statement.args) bytes += Buffer.byteLength(arg) + 1;
  }
  return bytes;
}

export function replyBytes(returned: readonly Returned[]): number {
  let sum = 0;
  for (const { names, bytes } of returned) {
    sum += bytes;
    for (const name of names) sum += COLUMN_BYTES + Buffer.byteLength(name);
  }
  return sum;
}

/** @throws AppError `refused`; nothing was sent then */
export function assertFits(edits: number, sent: number, reply: number): void {
  const what = edits === 1 ? 'This edit is' : `These ${edits.toLocaleString('en-US')} edits are`;
  if (sent > MAX_SENT_BYTES)
    throw tooLarge(
      `${what} ${megabytes(sent)} as one request, and at most ${megabytes(MAX_SENT_BYTES)} are sent to a server at once.`,
    );
  if (reply > MAX_REPLY_BYTES)
    throw tooLarge(
      `${what} too large to send at once: the server would answer with about ${megabytes(reply)}, and it sends at most 10 MB.`,
    );
}

// The statements of edits that are sent together: edits of many rows repeat a few, each of which is understood once.

export class KnownTexts {
  readonly #prepare: (sql: string) => RemoteStatement;
  readonly #session: Pick<ServerSession, 'bind'>;
  readonly #statements = new Map<string, RemoteStatement>();

  constructor(prepare: (sql: string) => RemoteStatement, session: Pick<ServerSession, 'bind'>) {
    this.#prepare = prepare;
    this.#session = session;
  }

  statement(sql: string): RemoteStatement {
    const known = this.#statements.get(sql) ?? this.#prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  readonly bind = ({ sql, params }: BoundSql): RemoteSql => this.#session.bind(this.statement(sql), params);
}
