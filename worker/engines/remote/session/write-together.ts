// Several guarded writes as one batch: BEGIN IMMEDIATE, each write with a step behind it that fails if no row was changed, then COMMIT if
// nothing failed, otherwise a look at the row as it is now, and ROLLBACK. One round trip instead of one for each of them.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { unless, type BoundSql, type GuardedOutcome, type GuardedWrite } from '../../guarded-write.ts';
import type { BatchResult, RemoteSql, Step } from '../hrana/messages.ts';
import { isAway } from '../network/network-error.ts';
import { describeServerError, RESPONSE_TOO_LARGE, tooLarge } from '../runtime/server-error.ts';
import { KnownTexts, assertFits, replyBytes, sentBytes, type Returned } from './together-size.ts';
import { firstRow, isUnknownOutcome } from './outcomes.ts';
import type { ServerSession, TogetherParts } from './server-session.ts';

const FAIL_UNLESS_CHANGED = `${unless('changes() = 1').sql} AS x`;
/** How long to wait for a server that does not answer before the outcome of a write stays unknown. */
const TIMEOUT_MS = 10_000;
const AGAIN_EVERY_MS = 100;

interface Parts extends TogetherParts {
  readonly session: BatchSession;
}

interface BatchSession extends Pick<ServerSession, 'bind'> {
  /** Runs all steps in one transaction. Call it only outside of another. */
  runTogether(steps: readonly Step[]): BatchResult;
  /** Same as {@link runTogether}, for steps that commit nothing. */
  tryTogether(steps: readonly Step[]): BatchResult;
}

/** @throws AppError; nothing was changed then, or `detail.kind` is `unknown-outcome` */
export function writeTogether(parts: Parts, writes: readonly GuardedWrite[]): GuardedOutcome {
  const { session, mayWrite } = parts;
  const known = new KnownTexts(parts.prepare, session);
  const steps = stepsOf(writes, known.bind);
  assertFits(writes.length, sentBytes(steps.steps), replyBytes(returnedBy(writes, known)));
  mayWrite();
  try {
    return outcomeOf(session.runTogether(steps.steps), steps);
  } catch (error) {
    if (!isUnknownOutcome(error) || error.code === 'stopped') throw error;
    const isSaved = readAgain(parts, known, writes);
    if (isSaved === null) throw error;
    if (isSaved) {
      const unread = writes.map(() => null);
      return { kind: 'done', rows: unread, before: unread };
    }
    if (error.detail?.['server'] === RESPONSE_TOO_LARGE)
      throw tooLarge('The server would have had to answer with more than it sends at once.');
    throw AppError.unavailable(
      inParts(
        'The connection to the server was lost. Sidelite read the rows again: this was not saved.',
        'Nothing was changed.',
      ),
      { detail: { kind: 'not-saved' } },
    );
  }
}

function returnedBy(writes: readonly GuardedWrite[], known: KnownTexts): readonly Returned[] {
  const names = ({ sql }: BoundSql): readonly string[] => known.statement(sql).columns.map(({ name }) => name);
  return writes.flatMap(({ before, write, returnsBytes: bytes = 0 }) => [
    { names: names(write), bytes },
    ...(before ? [{ names: names(before), bytes: 0 }] : []),
  ]);
}

interface Steps {
  readonly steps: readonly Step[];
  /** Indexes of the steps of each write. */
  readonly stepIndexes: readonly StepIndexes[];
  readonly commit: number;
}

interface StepIndexes {
  readonly before: number | null;
  readonly write: number;
  readonly check: number;
  readonly look: number;
}

/**
 * Steps of each write: what is read before it, the write, the check, and the look at the row.
 * @param first run before the writes
 */
function stepsOf(
  writes: readonly GuardedWrite[],
  bind: (sql: BoundSql) => RemoteSql,
  first: readonly RemoteSql[] = [],
): Steps {
  const steps: Step[] = first.map((statement) => ({ statement }));
  const add = (statement: RemoteSql, type: 'ok' | 'error', step: number | null): number =>
    steps.push({ statement, ...(step !== null && { condition: { type, step } as const }) }) - 1;
  let last: number | null = null;
  const made = writes.map(({ before, write }) => {
    const read = before ? add(bind(before), 'ok', last) : null;
    const wrote = add(bind(write), 'ok', read ?? last);
    const check = add({ sql: FAIL_UNLESS_CHANGED, args: [], wantRows: false }, 'ok', wrote);
    last = check;
    return { before: read, write: wrote, check };
  });
  const stepIndexes = made.map((place, at) => {
    const look: BoundSql = writes[at]!.now ?? { sql: 'SELECT 1 WHERE 0', params: [] };
    return { ...place, look: add(bind(look), 'error', place.check) };
  });
  return { steps, stepIndexes, commit: add({ sql: 'COMMIT', args: [], wantRows: false }, 'ok', last) };
}

function outcomeOf(
  { step_results: results, step_errors: errors }: BatchResult,
  { stepIndexes, commit }: Steps,
): GuardedOutcome {
  const rowAt = (step: number | null) => (step === null ? null : firstRow(results[step]?.rows));
  for (const [at, { before, write, check, look }] of stepIndexes.entries()) {
    const error = (before === null ? null : errors[before]) ?? errors[write];
    if (error) throw describeServerError(error);
    if (!errors[check]) continue;
    const failed = errors[look];
    if (failed) throw describeServerError(failed);
    return { kind: 'missed', at, now: rowAt(look) };
  }
  const error = errors[commit];
  if (error) throw describeServerError(error);
  // Neither failed nor done: the transaction was over before it could be.
  if (!results[commit])
    throw AppError.locked(
      inParts('Someone else is writing to this database.', 'Nothing was changed. Try again in a moment.'),
    );
  return {
    kind: 'done',
    rows: stepIndexes.map(({ write }) => rowAt(write)),
    before: stepIndexes.map(({ before }) => rowAt(before)),
  };
}

/**
 * Whether the writes were made; null when it is unknown. They are one transaction, so one tells for all. It is checked in a transaction
 * that writes, which has to wait for the lost one if the server is still at it, and which is rolled back. A row that neither holds what was
 * written nor takes it now was changed by someone else in the meantime, or by a trigger.
 */
function readAgain({ session, look }: Parts, { bind }: KnownTexts, writes: readonly GuardedWrite[]): boolean | null {
  const one = writes.find(({ after }) => after !== null);
  if (!one?.after) return null;
  const { steps, stepIndexes, commit } = stepsOf([one], bind, [bind(one.after)]);
  const word = new Int32Array(new SharedArrayBuffer(4));
  for (const endMs = performance.now() + TIMEOUT_MS; performance.now() < endMs;) {
    try {
      const { step_results: results, step_errors: errors } = session.tryTogether(steps.slice(0, commit));
      if (errors[0]) return null;
      if (results[0]!.rows.length > 0) return true;
      return stepIndexes.every(({ check }) => results[check] && !errors[check]) ? false : null;
    } catch (error) {
      if (!isAway(error) && !isLocked(error)) return null;
    }
    Atomics.wait(word, 0, 0, AGAIN_EVERY_MS);
    look();
  }
  return null;
}

const isLocked = (error: unknown): boolean => error instanceof AppError && error.code === 'locked';
