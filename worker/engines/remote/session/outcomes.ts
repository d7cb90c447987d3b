// Outcomes of a reply, and what is unknown without one: whether something was saved, and whether the transaction is over.
import { AppError, inParts, toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import { TOKEN_PROBLEM, tokenProblemOf } from '#shared/protocol/remote.ts';
import type { StatementOutcome } from '../../guarded-write.ts';
import type { Outcome } from '../hrana/hrana-client.ts';
import { malformed } from '../hrana/malformed.ts';
import type { BatchResult } from '../hrana/messages.ts';
import { decodeExactly } from '../hrana/values.ts';
import { isLostConnection } from '../network/network-error.ts';
import { describeServerError, RESPONSE_TOO_LARGE } from '../runtime/server-error.ts';

export function batchOf(outcome: Outcome, steps: number, isRolledBack = false): BatchResult {
  if (!outcome.ok) throw describeServerError(outcome.error, isRolledBack);
  if (outcome.response.type !== 'batch') throw malformed('it answers another request');
  const { result } = outcome.response;
  if (result.step_results.length !== steps || result.step_errors.length !== steps)
    throw malformed('it answers another number of statements');
  return result;
}

export function statementOutcomes({
  step_results: results,
  step_errors: errors,
}: BatchResult): readonly StatementOutcome[] {
  return results.map((result, at) => {
    const error = errors[at];
    if (error) return { kind: 'failed', error: describeServerError(error) };
    return result === null ? { kind: 'not-reached' } : { kind: 'ran', row: firstRow(result.rows) };
  });
}

export function firstRow(rows: readonly (readonly unknown[])[] | undefined): readonly Value[] | null {
  return rows?.[0]?.map(decodeExactly) ?? null;
}

export function autocommitOf(outcome: Outcome): boolean {
  // The stream is gone, and with it the transaction.
  if (!outcome.ok || outcome.response.type !== 'get_autocommit') return true;
  return outcome.response.is_autocommit;
}

export const transactionEnded = (): AppError =>
  describeServerError({ message: 'interactive transaction ended', code: null }, true);

/** The server may have committed; callers that know the rows read them again. */
export function unknownOutcome(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const server = error.detail?.['server'];
  return new AppError({
    code: error.code === 'stopped' ? 'stopped' : 'unavailable',
    ...inParts(
      `It is unknown whether this was saved. ${error.code === 'stopped' ? 'It was stopped while the server was still working.' : error.message}`,
      'Check the rows before you repeat it.',
    ),
    detail: { kind: 'unknown-outcome', ...(server === RESPONSE_TOO_LARGE && { server }) },
  });
}

/** The server has received the request: an unreadable or refused answer does not tell what was saved. */
export function afterWriting<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { kind, server } = (error instanceof AppError && error.detail) || {};
    throw kind === 'malformed' || server === RESPONSE_TOO_LARGE ? unknownOutcome(error) : error;
  }
}

export const isUnknownOutcome = (error: unknown): error is AppError =>
  error instanceof AppError && error.detail?.['kind'] === 'unknown-outcome';

/** The request failed as a whole: its message does not say that the transaction ended with it. */
export function saysNothingOfTransaction(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  const { kind, status } = error.detail ?? {};
  return kind === 'malformed' || kind === 'status' || status === 413 || isLostConnection(error);
}

export function transactionLost(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const problem = tokenProblemOf(error);
  return new AppError({
    code: error.code === 'refused' ? 'refused' : 'unavailable',
    ...inParts(whatHappened(error), 'The open transaction was lost, and none of it was saved.'),
    detail: { kind: 'transaction-lost', ...(problem !== null && { [TOKEN_PROBLEM]: problem }) },
  });
}
