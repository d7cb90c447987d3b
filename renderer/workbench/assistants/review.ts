// What an assistant proposes, in the hands of a person: the SQL runs in a transaction that stays open while its rows are shown, so what is kept
// is what was shown. Only one proposal is reviewed at a time.
import { AppError, toAppError, type DatabaseId, type DryRunReply, type ErrorCode } from '#shared/protocol/index.ts';
import type { ProposedChange } from '#shared/assistants.ts';
import { leadingKeyword, splitStatements } from '#shared/split-statements.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { ensureOpen, notifyFailure } from '../../state/databases.ts';
import { dismissTopic, notify } from '../../state/store.ts';
import { discardTransaction, holdEditsUntil } from '../text/dry-run.ts';
import { isAsked, useAssistants, waitingIn, type Review, type WaitingHere } from './assistants.ts';

const [TOPIC, KEPT] = ['assistant proposals', 'kept proposals'];
const TAKEN_BACK =
  'This is no longer offered: its assistant has taken it back or is gone, or the file was closed. Nothing was changed.';
const UNKNOWN = 'Whether the change was written is not known: look at the rows.';
const NEW_ROWS =
  'The transaction was rolled back before you decided, so this is a new dry run. Look at the rows again.';
/** Codes of a failure to commit after which there is no transaction. */
const GONE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['conflict', 'disconnected', 'not-found']);
const ROWS_ONLY: ReadonlySet<string> = new Set('SELECT WITH VALUES INSERT REPLACE UPDATE DELETE'.split(' '));

/** For each session, the tables in which a person lets it change rows, as `database table`. */
const allowed = new Map<number, Set<string>>();
/** Proposals that a notice was shown for, or that were tried without one. */
const noticed = new Set<string>();
let controller = new AbortController();
/** The last proposal that is kept, or tried, without a question. */
let unasked: Promise<unknown> = Promise.resolve();

/** Tells a person of what waits, and keeps what they have allowed. Call once. */
export function startReviews(): void {
  useAssistants.subscribe((state, before) => {
    if (state.sessions === before.sessions) return;
    const waiting = waitingIn(state);
    const known = new Set(state.sessions.flatMap(({ proposals }) => proposals.map(({ id }) => id)));
    for (const id of noticed) if (!known.has(id)) noticed.delete(id);
    const last = waiting.filter(({ id }) => !noticed.has(id)).at(-1);
    for (const one of waiting) {
      if (noticed.has(one.id)) continue;
      noticed.add(one.id);
      if (!allowed.has(one.session)) continue;
      unasked = unasked.then(() => keepIfAllowed(one));
      holdEditsUntil(one.database, unasked);
    }
    if (last && !allowed.has(last.session)) tellOf(last);
    if (waiting.length === 0) dismissTopic(TOPIC);
    const { review } = state;
    if (review !== null && !isAsked(state, review.proposal.id)) takeBack(review);
  });
}

function tellOf({ session, fileName }: WaitingHere): void {
  const who = useAssistants.getState().sessions.find(({ id }) => id === session)?.client ?? '';
  const text = `${who} proposes a change to “${visibleName(fileName)}”. Nothing is written unless you keep it.`;
  notify({ tone: 'info', topic: TOPIC, text, action: { label: 'Review', run: () => void reviewNext() } });
}

/** Shows the oldest proposal, and what it would change. */
export async function reviewNext(): Promise<void> {
  const state = useAssistants.getState();
  const proposal = waitingIn(state)[0];
  if (state.review !== null || proposal === undefined) return;
  await unasked;
  const change = await shell.assistants.read(proposal.id).catch(() => null);
  if (useAssistants.getState().review !== null) return;
  if (change === null) return notify({ tone: 'info', topic: TOPIC, text: TAKEN_BACK });
  dismissTopic(TOPIC);
  await show({ proposal, change, phase: 'running', reply: null, said: null });
}

/** The file is free for others at once, and not when the person closes the dialog. */
function takeBack(review: Review): void {
  if (review.phase === 'finishing' || review.phase === 'failed') return;
  controller.abort();
  if (review.phase === 'open') discardTransaction(review.proposal.database);
  put({ ...review, phase: 'failed', reply: null, said: TAKEN_BACK });
}

/** Leaves the proposal waiting, and takes back what was tried. */
export function closeReview(): void {
  const { review } = useAssistants.getState();
  if (review === null) return;
  controller.abort();
  if (review.phase === 'open') discardTransaction(review.proposal.database);
  useAssistants.setState({ review: null });
}

export async function discardReview(): Promise<void> {
  const { review } = useAssistants.getState();
  if (review === null) return;
  closeReview();
  // What is no longer offered has been said, and may have been written.
  if (await shell.assistants.settle(review.proposal.id, 'discarded').catch(notifyFailure))
    notify({ tone: 'info', text: 'Nothing was changed.' });
}

/** @param andLater keeps later changes of this session to rows of the same tables without a question */
export async function keepReview(andLater: boolean): Promise<void> {
  const { review } = useAssistants.getState();
  if (review?.phase !== 'open') return;
  const { proposal, change, reply } = review;
  put({ ...review, phase: 'finishing' });
  const error = await commit(proposal);
  // After a failed COMMIT the transaction is still open (sqlite.org/lang_transaction.html).
  const isOpen = error !== null && !GONE.has(error.code);
  if (error === null) {
    if (andLater && reply) allow(proposal, reply);
    notify({ tone: 'success', text: `What ${change.client} proposed was kept.` });
  }
  // The person may have closed the dialog meanwhile.
  if (useAssistants.getState().review?.proposal.id !== proposal.id) {
    if (isOpen) discardTransaction(proposal.database);
  } else if (error === null) useAssistants.setState({ review: null });
  else if (error.code !== 'not-found') put({ ...review, phase: isOpen ? 'open' : 'failed', said: error.message });
  else await show({ ...review, phase: 'running', reply: null, said: NEW_ROWS });
}

/** Runs the proposal, and shows what it would change. */
async function show(review: Review): Promise<void> {
  controller = new AbortController();
  const { signal } = controller;
  useAssistants.setState({ review });
  const tried = await tryChange(review.proposal.database, review.change, signal).then(
    (reply) => ({ ...review, phase: 'open', reply }) as const,
    (thrown: unknown) => ({ ...review, phase: 'failed', said: toAppError(thrown).message }) as const,
  );
  // The person has left it meanwhile.
  if (!signal.aborted) put(tried);
  else if (tried.phase === 'open') discardTransaction(review.proposal.database);
}

const put = (review: Review): void => useAssistants.setState({ review });

async function tryChange(database: DatabaseId, change: ProposedChange, signal?: AbortSignal): Promise<DryRunReply> {
  await ensureOpen(database);
  const params = { database, sql: change.sql, title: titleOf(change), proposed: true };
  return client.call('dryRun.start', params, signal ? { signal } : {});
}

/** How the history names the step. */
const titleOf = ({ client: who, sql }: ProposedChange): string =>
  visibleName(`${who}: ${sql.slice(0, 400).replace(/\s+/g, ' ').trim()}`);

/** Commits the open transaction of the proposal. Returns why that failed. */
async function commit({ id, database }: WaitingHere): Promise<AppError | null> {
  try {
    if (!(await shell.assistants.settle(id, 'keeping'))) {
      discardTransaction(database);
      return AppError.conflict(TAKEN_BACK);
    }
    await client.call('dryRun.finish', { database, keep: true });
    await shell.assistants.settle(id, 'kept').catch(notifyFailure);
    return null;
  } catch (thrown) {
    const error = toAppError(thrown);
    const isUnknown = error.code === 'disconnected';
    await shell.assistants.settle(id, isUnknown ? 'unknown' : 'waiting').catch(notifyFailure);
    return isUnknown ? AppError.disconnected(UNKNOWN) : error;
  }
}

const placeOf = (database: DatabaseId, table: string): string => `${database} ${table}`;

function allow({ session, database }: WaitingHere, { tables }: DryRunReply): void {
  const places = allowed.get(session) ?? new Set();
  for (const { table } of tables) places.add(placeOf(database, table));
  allowed.set(session, places);
}

/** Whether only rows of known tables changed: what a later permission can be about. */
export const changesOnlyRows = (sql: string, { tables, rows, schema }: DryRunReply): boolean =>
  !schema &&
  tables.length > 0 &&
  tables.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0) === rows &&
  splitStatements(sql).every(({ from }) => ROWS_ONLY.has(leadingKeyword(sql, from)));

/** A proposal that does more, or cannot be tried now, waits for the person. */
async function keepIfAllowed(proposal: WaitingHere): Promise<void> {
  const { id, session, database } = proposal;
  const change = await shell.assistants.read(id).catch(() => null);
  if (change === null) return;
  const places = allowed.get(session) ?? new Set();
  try {
    if (useAssistants.getState().review !== null) return tellOf(proposal);
    const reply = await tryChange(database, change);
    const isAllowed =
      changesOnlyRows(change.sql, reply) && reply.tables.every(({ table }) => places.has(placeOf(database, table)));
    const error = isAllowed ? await commit(proposal) : null;
    if (isAllowed && error === null)
      return notify({ tone: 'info', topic: KEPT, text: `What ${change.client} proposed was kept without asking, as you have allowed.` }); // prettier-ignore
    if (error?.code === 'disconnected') return notifyFailure(error);
    if (error === null || !GONE.has(error.code)) discardTransaction(database);
  } catch {
    // The review says why.
  }
  tellOf(proposal);
}
