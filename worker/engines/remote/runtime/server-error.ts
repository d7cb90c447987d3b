// Turns errors of a server into errors a person can read. It names SQLite's codes in words, mostly without their extension, so the
// kind of constraint is read from SQLite's message.
/* oxlint-disable sidelite/text-decisions -- the server's and SQLite's own messages */
import { AppError, inParts, type ErrorCode } from '#shared/protocol/errors.ts';
import { TOKEN_PROBLEM, type TokenProblem } from '#shared/protocol/remote.ts';
import { describeConstraint } from '../../constraint-error.ts';
import { resultCodes } from '../../native/runtime/result-codes.ts';
import { describeSql, shortMessage } from '../../sql-message.ts';
import type { ServerError } from '../hrana/messages.ts';
import type { TokenState } from '../hrana/token.ts';
import { ServerRefusal } from '../network/checked-reply.ts';
import { GATEWAY_STATUS } from '../network/network-error.ts';

const CONSTRAINTS: readonly (readonly [RegExp, number])[] = [
  [/^UNIQUE constraint failed/, 2067],
  [/^NOT NULL constraint failed/, 1299],
  [/^CHECK constraint failed/, 275],
  [/^FOREIGN KEY constraint failed/, 787],
  [/^cannot store /, 3091],
];
const Constraint = { plain: 19, trigger: 1811 } as const;

/** Text that servers put before and after SQLite's message. */
const AROUND = /^(?:SQLite (?:input )?error: |SQL string could not be parsed: )+|(?: \(at offset \d+\))$/g;
const OFFSET = /\(at offset (\d+)\)$/;

const KEPT = 'Nothing was changed.';
const ROLLED_BACK = 'The open transaction was rolled back.';

interface Known {
  readonly code: ErrorCode;
  readonly what: string;
  readonly last: string;
}

/** The server's code for a reply that it does not send: it has stopped before the end. */
export const RESPONSE_TOO_LARGE = 'RESPONSE_TOO_LARGE';

const KNOWN: Readonly<Record<string, Known>> = {
  SQLITE_BUSY: {
    code: 'locked',
    what: 'Someone else is writing to this database.',
    last: 'Nothing was changed. Try again in a moment.',
  },
  SQLITE_LOCKED: {
    code: 'locked',
    what: 'Someone else is writing to this database.',
    last: 'Nothing was changed. Try again in a moment.',
  },
  SQLITE_READONLY: { code: 'unavailable', what: 'This database is read-only.', last: KEPT },
  SQLITE_AUTH: { code: 'unavailable', what: 'The server does not allow this.', last: KEPT },
  SQLITE_TOOBIG: { code: 'too-big', what: 'A value is larger than the server accepts.', last: KEPT },
  ARGS_INVALID: { code: 'too-big', what: 'A value is larger than the server accepts.', last: KEPT },
  SQLITE_FULL: { code: 'full', what: 'The disk of the server is full.', last: KEPT },
  SQLITE_CORRUPT: { code: 'corrupt', what: 'The database on the server is damaged.', last: KEPT },
  STREAM_EXPIRED: {
    code: 'unavailable',
    what: 'The server ended the connection because it was idle for several seconds.',
    last: ROLLED_BACK,
  },
  TRANSACTION_TIMEOUT: {
    code: 'unavailable',
    what: 'The server ends transactions after a few seconds, and this one took longer.',
    last: ROLLED_BACK,
  },
  TRANSACTION_BUSY: {
    code: 'locked',
    what: 'Someone else is writing to this database.',
    last: 'Nothing was changed. Try again in a moment.',
  },
  [RESPONSE_TOO_LARGE]: {
    code: 'too-big',
    what: 'The response is larger than the server can send.',
    last: 'Read fewer rows at a time.',
  },
  SQL_NO_STATEMENT: { code: 'sql', what: 'There is no statement here.', last: '' },
  SQL_MANY_STATEMENTS: { code: 'sql', what: 'Only one statement is allowed here.', last: '' },
};

/** @param isRolledBack the failure ended the open transaction */
export function describeServerError({ message, code }: ServerError, isRolledBack = false): AppError {
  const last = isRolledBack ? ROLLED_BACK : KEPT;
  const text = message.replace(AROUND, '');
  const detail = { server: code ?? '', ...(code === RESPONSE_TOO_LARGE && { sent: true }) };
  if (/interactive transaction|transaction timed-?out|transaction timeout/i.test(message))
    return known(KNOWN['TRANSACTION_TIMEOUT']!, detail);
  if (code?.startsWith('SQLITE_CONSTRAINT') === true) return constraint(text, code, last);
  const sentence = KNOWN[Object.hasOwn(KNOWN, code ?? '') ? code! : ''];
  if (sentence !== undefined) return known(isRolledBack ? { ...sentence, last } : sentence, detail);
  const extended = resultCodes.get(code ?? '') ?? 1;
  const offset = Number(OFFSET.exec(message)?.[1] ?? -1);
  const { message: told, detail: names } = describeSql(shortMessage(text));
  return new AppError({
    code: 'sql',
    ...(isRolledBack ? inParts(told, last) : { message: told }),
    sqlite: { result: extended & 0xff, extended, offset },
    detail: { ...names, ...detail },
  });
}

const known = ({ code, what, last }: Known, detail: Readonly<Record<string, string | boolean>>): AppError =>
  new AppError({ code, ...(last === '' ? { message: what } : inParts(what, last)), detail });

function constraint(text: string, code: string, last: string): AppError {
  const told = CONSTRAINTS.find(([pattern]) => pattern.test(text))?.[1] ?? resultCodes.get(code) ?? Constraint.plain;
  // RAISE in a trigger: SQLite's message is the author's.
  const extended = told === Constraint.plain && !text.includes('constraint failed') ? Constraint.trigger : told;
  const { text: what, detail } = describeConstraint(extended, text);
  return AppError.constraint(inParts(what, last), { sqlite: { result: 19, extended, offset: -1 }, detail });
}

interface TokenRefusal {
  readonly kind: TokenProblem;
  readonly what: string;
  readonly last: string;
}

const REJECTED: Readonly<Record<TokenState, TokenRefusal>> = {
  missing: { kind: 'missing', what: 'The server requires a token.', last: 'Edit the connection to enter one.' },
  expired: { kind: 'expired', what: 'The token has expired.', last: 'Edit the connection to enter a new one.' },
  present: {
    kind: 'rejected',
    what: 'The server does not accept the token. It may be incomplete, replaced, or for a different database.',
    last: 'Edit the connection to enter another one.',
  },
};
const FORBIDDEN: TokenRefusal = {
  kind: 'forbids',
  what: 'The token does not allow this. It may be for reading only.',
  last: 'Edit the connection to enter another token, or to mark it as read-only.',
};

/** Describes the refusal of a request that the server did not carry out. Anything but a {@link ServerRefusal} is returned as it is. */
export function describeRefusal(thrown: unknown): unknown {
  if (!(thrown instanceof ServerRefusal)) return thrown;
  const { status, error, token } = thrown;
  const detail = { kind: 'status', status, sent: status >= 500, isNotUnicode: /invalid utf-?8/i.test(error.message) };
  const problem = status === 401 ? REJECTED[token] : status === 403 ? FORBIDDEN : null;
  if (problem !== null) {
    const { what, last, kind } = problem;
    const about = { ...detail, [TOKEN_PROBLEM]: kind };
    return AppError.refused(inParts(what, `${KEPT} ${last}`), { detail: about });
  }
  if (status === 404) {
    const orToken = token === 'missing' ? '' : ', or the token is for a different one';
    return AppError.notFound(`There is no libSQL database at this address${orToken}.`, { detail });
  }
  if (status === 413)
    return tooLarge(
      `The server, or a proxy in front of it, does not accept a request of ${megabytes(thrown.sentBytes)}.`,
      detail,
    );
  if (status === 429)
    return AppError.unavailable('The server is receiving too many requests. Try again in a moment.', { detail });
  if (error.code !== null && error.code !== undefined && error.code !== '')
    return describeServerError(error, error.code === 'STREAM_EXPIRED');
  if (GATEWAY_STATUS.includes(status))
    return AppError.unavailable(
      `The server, or a proxy in front of it, is not available at the moment (HTTP ${status}).`,
      { detail },
    );
  if (/\bbaton\b/i.test(error.message))
    return AppError.unavailable('The server no longer knows the transaction. It may have been restarted.', { detail });
  const told = error.message === '' ? '' : ` (${describeSql(error.message.slice(0, 300)).message.replace(/[.]$/, '')})`;
  return AppError.unavailable(`The server reported an internal error${told}.`, { detail });
}

// Edits that are too large to be sent to a server at once, in words.

/** @param what the sentence that says what is too large, and for what */
export const tooLarge = (what: string, detail: Readonly<Record<string, string | number | boolean>> = {}): AppError =>
  AppError.refused(
    inParts(
      what,
      'Nothing was changed. Change fewer rows at a time; new rows can also be imported, which sends them in parts.',
    ),
    { detail: { kind: 'too-large', ...detail } },
  );

/** Formats bytes as SI megabytes, the unit in which servers state their limits. */
export const megabytes = (bytes: number): string =>
  `${(bytes / 1e6).toLocaleString('en-US', { maximumFractionDigits: bytes < 1e7 ? 1 : 0 })} MB`;
