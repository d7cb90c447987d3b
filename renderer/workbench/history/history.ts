// Undo and redo of data changes: undoes and redoes steps, and tells the user which.
import { toAppError, capabilitiesOf } from '#shared/protocol/index.ts';
import type { ApplyReply, ConflictChoices, DatabaseId, HistoryStep, StepId } from '#shared/protocol/index.ts';
import { stepWords } from './step-words.ts';
import { plural } from '../../ui/format.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { isStepMeant } from './foreign-steps.ts';
import { hasHeldStep, heldOf, isHolding, stepHeld } from '../held/held-store.ts';
import { readHistory } from './history-state.ts';
import { runJob, type JobOptions } from '../jobs.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import type { RevealedRow } from '../../state/slices/history.ts';
import { openHistory } from '../tabs/history.ts';
import { isTableTab, type TableTab } from '../tabs/table.ts';
import { shell } from '../../connection/shell.ts';
import { activateTab, activeTab, askConflicts, notify, useStore } from '../../state/store.ts';

/** Only one message about history is shown at a time: the newest. */
const TOPIC = 'history';
/** This window's step is at most this many steps behind those other windows committed while it waited for the answer. */
const NEWEST_STEPS = 20;

/** Whether a change made now could be undone, so that the user need not be asked first. */
export const isUndoable = (database: DatabaseId): boolean =>
  useStore.getState().histories[database]?.why === null || heldOf(database)?.isOn === true;

export type Direction = 'undo' | 'redo';

/** While a key is held down, each press waits for the previous one: the last message shown is about the last step. */
let presses: Promise<unknown> = Promise.resolve();
let newestPress = 0;

/** Undoes or redoes the last step, and tells the user which one it was, or why not. Returns whether a step was undone or redone. */
export const stepBackOrForth = (direction: Direction, database: DatabaseId): Promise<boolean> =>
  press((isNewest, askedAtMs) => takeStep(direction, database, askedAtMs, isNewest));

function press<T>(work: (isNewest: () => boolean, askedAtMs: number) => Promise<T>): Promise<T> {
  const number = ++newestPress;
  const askedAtMs = performance.now();
  const done = presses.then(() => work(() => number === newestPress, askedAtMs));
  presses = done.catch(() => undefined);
  return done;
}

/** Databases in which this window undid a step of the history after the last held change: Redo begins there. */
const undoneInHistory = new Set<DatabaseId>();

let declinedAtMs = 0;

/**
 * Undo and Redo of the menu: held changes come first, as the ones made last. Which change is next is known when the previous press has
 * ended.
 */
export function undoOrRedo(direction: Direction, database: DatabaseId): void {
  press(async (isNewest, askedAtMs) => {
    const isHeld = (direction === 'undo' || !undoneInHistory.has(database)) && (await hasHeldStep(direction, database));
    if (!isHeld) {
      // A person who decides against a step also decides against the presses that waited behind the question.
      if (askedAtMs < declinedAtMs) return;
      if (!(await isStepMeant(direction, database))) return void (declinedAtMs = performance.now());
    }
    if (isHeld || direction === 'redo') undoneInHistory.delete(database);
    else undoneInHistory.add(database);
    if (isHeld) await stepHeld(direction, database);
    else await takeStep(direction, database, askedAtMs, isNewest);
  }).catch(notifyFailure);
}

async function takeStep(
  direction: Direction,
  database: DatabaseId,
  askedAtMs: number,
  isNewest: () => boolean,
): Promise<boolean> {
  const known = useStore.getState().histories[database]?.[direction];
  const title = `${direction === 'undo' ? 'Undoing' : 'Redoing'}${known ? ` ${known.title}` : ''}`;
  try {
    const step = await runJob(title, (options) => client.call(`history.${direction}`, { database }, options));
    const [did, other] = direction === 'undo' ? ['Undid', 'redo' as const] : ['Redid', 'undo' as const];
    notify({
      tone: 'success',
      topic: TOPIC,
      text: `${did}${capabilitiesOf(database).history ? '' : ', as a new edit'}: ${await describeStep(step)}${step.why ? `. ${step.why}` : ''}`,
      action: { label: other === 'redo' ? 'Redo' : 'Undo', run: () => void stepBackOrForth(other, database) },
      ...(step.sql !== null && { secondAction: { label: 'Show history', run: () => void openHistory(database) } }),
    });
    if (isNewest()) await revealStep(database, step, askedAtMs);
    return true;
  } catch (thrown) {
    tellHistoryFailure(thrown, database);
    return false;
  }
}

/** “Edit Title in Album, 1 row, by Window 2”. */
async function describeStep(step: HistoryStep): Promise<string> {
  const { windowTitle } = step;
  const own = await shell.windowInfo();
  // oxlint-disable-next-line sidelite/text-decisions -- who did it is said in words, unless that says nothing new
  const isOther = windowTitle !== '' && windowTitle !== own.windowTitle;
  return isOther ? `${stepWords(step)}, by ${windowTitle}` : stepWords(step);
}

/** Shows the error of a history request. Having nothing to undo, or no history, is not an error. */
export function tellHistoryFailure(thrown: unknown, database: DatabaseId): void {
  const { code, message } = toAppError(thrown);
  const action = { label: 'Show history', run: () => void openHistory(database) };
  if (code === 'not-found' || code === 'unavailable') {
    // Older steps can be undone one by one in the history tab.
    const hasMore = useStore.getState().histories[database]?.undoEnd != null;
    notify({ tone: 'info', topic: TOPIC, text: message, ...(hasMore && { action }) });
  } else if (code === 'conflict' || code === 'not-undoable') {
    notify({ tone: 'warning', topic: TOPIC, text: message, action });
  } else notifyFailure(thrown);
}

/** Shows what this window has just done, with a button that undoes just that, whatever other windows did in the meantime. */
export async function offerUndo(database: DatabaseId, text: string): Promise<void> {
  if (await isHolding(database)) return;
  const step = isUndoable(database) ? await newestOwnStep(database) : null;
  const action = { label: 'Undo', run: () => void undoStep(database, step!) };
  notify({ tone: 'success', topic: TOPIC, text, ...(step && { action }) });
}

/** This window's newest step, if the history still has it, and what was done last did not go into a copy of the file. */
export async function newestOwnStep(database: DatabaseId): Promise<HistoryStep | null> {
  if (useStore.getState().openDatabases[database]?.asksBeforeWriting) return null;
  try {
    const { windowTitle } = await shell.windowInfo();
    const { steps } = await client.call('history.list', { database, before: null, limit: NEWEST_STEPS });
    // oxlint-disable-next-line sidelite/text-decisions -- the history knows windows by nothing else: no id of theirs outlives them
    return steps.find((step) => step.windowTitle === windowTitle && step.state === 'done') ?? null;
  } catch {
    return null;
  }
}

/**
 * Undoes just that step, whatever other windows did in the meantime. Returns whether it did; if not, the user has been told why. Which step
 * is the newest is asked of the engine: what the window knows may be older than the step that it has just undone.
 */
export async function undoStep(database: DatabaseId, step: HistoryStep): Promise<boolean> {
  await readHistory(database);
  const isNewest = useStore.getState().histories[database]?.undo?.step === step.id;
  return isNewest ? await stepBackOrForth('undo', database) : await revertStep(database, step);
}

/** Undoes one step at any position; for rows that have changed since, the user decides about each. Returns whether the step was undone. */
export function revertStep(database: DatabaseId, step: HistoryStep): Promise<boolean> {
  return applyWithAnswers(
    database,
    `Undoing only ${step.title}`,
    `Undid only: ${stepWords(step)}`,
    (choices, options) =>
      client.call('history.revert', { database, step: step.id, ...(choices && { choices }) }, options),
  );
}

/** Shows what has just been applied, with a button that undoes the last step. */
export function tellApplied(database: DatabaseId, text: string, rowsChanged: number): void {
  const action = { label: 'Undo', run: () => void stepBackOrForth('undo', database) };
  notify({ tone: 'success', topic: TOPIC, text, ...(rowsChanged > 0 && { action }) });
}

/** Applies a change; asks the user about its conflicts and applies it again with the answers, until it succeeds or the user gives up. Returns whether it succeeded. */
export async function applyWithAnswers(
  database: DatabaseId,
  title: string,
  done: string,
  apply: (choices: ConflictChoices | null, options: JobOptions) => Promise<ApplyReply>,
): Promise<boolean> {
  let choices: ConflictChoices | null = null;
  try {
    for (;;) {
      const given: ConflictChoices | null = choices;
      const reply = await runJob(title, (options) => apply(given, options));
      if (reply.applied) {
        const skipped = reply.skipped > 0 ? `, ${plural(reply.skipped, 'row')} left unchanged` : '';
        const text = `${done} (${plural(reply.rowsChanged, 'row')} changed${skipped}).`;
        tellApplied(database, text, reply.rowsChanged);
        return true;
      }
      choices = await askConflicts({ title, conflicts: reply.conflicts, total: reply.total });
      if (choices) continue;
      notify({ tone: 'info', topic: TOPIC, text: 'Nothing was changed.' });
      return false;
    }
  } catch (thrown) {
    tellHistoryFailure(thrown, database);
    return false;
  }
}

/** If a table tab is active and a changed table is open, activates its tab and scrolls to the first changed row. */
async function revealStep(
  database: DatabaseId,
  { id, tables }: Pick<HistoryStep, 'id' | 'tables'>,
  askedAtMs: number,
): Promise<void> {
  const { tabs } = useStore.getState();
  const names = new Set(tables.map(({ table }) => table));
  const isOfStep = (tab: Tab | null): tab is TableTab =>
    isTableTab(tab) && tab.database === database && names.has(tab.table);
  const front = activeTab(useStore.getState());
  const target = isOfStep(front) ? front : tabs.find(isOfStep);
  if (!isTableTab(front) || !target) return;
  const row = await firstRow(database, id, target.table);
  activateTab(target.id);
  if (row) useStore.setState({ revealedRow: { database, table: target.table, askedAtMs, ...row } });
}

async function firstRow(
  database: DatabaseId,
  step: StepId,
  table: string,
): Promise<Pick<RevealedRow, 'key' | 'column'> | null> {
  try {
    const { rows } = await client.call('history.rows', { database, step, start: 0, count: NEWEST_STEPS });
    const row = rows.find((candidate) => candidate.table === table);
    if (!row) return null;
    const columnIndex = row.kind === 'updated' ? row.before!.findIndex((value) => value !== undefined) : -1;
    return { key: row.key, column: row.columns[columnIndex] ?? null };
  } catch {
    return null; // a snapshot has no rows to show
  }
}
