// Merges a library copy with its source: finds out what changed on which side, and makes the source's changes here as one step.
import { fail, AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { SourceFileInfo } from '#shared/protocol/files.ts';
import type { MergeChoices, MergePlan, MergeQuestion, MergeReply } from '#shared/protocol/source.ts';
import type { Connection } from '../../engines/engine.ts';
import { historyIfAny } from '../../history/histories.ts';
import type { History } from '../../history/history.ts';
import type { Way } from '../../history/known-marks.ts';
import { putMergeBaseRows, shortWay, walk, type ShortWay } from '../../history/past-rows.ts';
import { watchWork } from '../../history/undo-redo.ts';
import type { OpenDatabase } from '../../sessions/database-session.ts';
import { detachedFrom, type Turn, type WindowSession, type Pause } from '../../sessions/session.ts';
import type { Baseline } from '../baselines.ts';
import type { LibraryContext } from '../context.ts';
import { baselineOf } from '../import.ts';
import { runLongWork, type ProgressCall, type LongWork } from '../long-work.ts';
import { beginFile } from '../new-file.ts';
import { baselineNow, afterStep } from '../source/baseline.ts';
import { openSourceCopy, sourceLocationId } from '../source/source-copy.ts';
import { MergeFile } from './merge-file.ts';
import { movedOn, OpenMerge, type Applied, type MergeParts } from './open-merge.ts';
import { planRows, type Base } from './plan-rows.ts';

interface ApplyRequest {
  readonly database: DatabaseId;
  readonly choices: MergeChoices;
  readonly withoutUndo: boolean;
}

/** One merge per window and database. */
const open = new WeakMap<WindowSession, Map<DatabaseId, { readonly merge: OpenMerge; readonly forget: () => void }>>();

export async function beginMerge(
  context: LibraryContext,
  window: WindowSession,
  id: DatabaseId,
  call: ProgressCall,
): Promise<MergePlan> {
  endMerge(window, id);
  const { name } = context.catalogue.entry(id);
  const locationId = sourceLocationId(context, id);
  const owned = context.databases.of(window, id);
  const title = `Merge ${name} with its source`;
  const merge = await runLongWork(context, { window, databaseName: name, title }, call, async (work) => {
    const copy = await openSourceCopy(context, locationId, work);
    return planMerge(context, { window, id, title }, copy, work).catch((error: unknown) => {
      copy.close();
      throw error;
    });
  });
  endMerge(window, id); // begun twice at once
  if (!owned.windows.has(window)) {
    merge.parts.dispose();
    fail('disconnected', 'The database was closed. Nothing was merged.');
  }
  const stay = owned.onLeave(window, () => endMerge(window, id));
  const letRest = owned.keepOpenWhile(() => true);
  const forget = (): void => [stay, letRest].forEach((end) => end());
  open.set(window, (open.get(window) ?? new Map()).set(id, { merge, forget }));
  return merge.plan;
}

export function endMerge(window: WindowSession, id: DatabaseId): void {
  const held = open.get(window)?.get(id);
  if (!held) return;
  open.get(window)!.delete(id);
  held.forget();
  held.merge.parts.dispose();
}

export function mergeQuestions(
  { databases }: LibraryContext,
  window: WindowSession,
  { database: id, start, count }: { readonly database: DatabaseId; readonly start: number; readonly count: number },
): Promise<readonly MergeQuestion[]> {
  const merge = mergeOf(window, id);
  return databases.of(window, id).enqueue({
    window,
    kind: 'read',
    title: 'Reading rows to merge',
    body: ({ connection }) => merge.questions(connection, start, count),
  });
}

export async function applyMerge(
  context: LibraryContext,
  window: WindowSession,
  { database: id, choices, withoutUndo }: ApplyRequest,
  call: ProgressCall & { readonly onCancel: (listener: () => void) => void },
): Promise<MergeReply> {
  const merge = mergeOf(window, id);
  const database = context.databases.of(window, id);
  const title = `Merge from ${merge.parts.fileName}`;
  await context.histories.reserve();
  const outcome = await database.enqueue({
    window,
    kind: 'write',
    title,
    withoutUndo,
    call: call.id,
    onCancel: call.onCancel,
    body: (turn) => applyInTurn(context, database, merge, choices, turn, call),
  });
  if (outcome === 'refused') return { applied: false, plan: merge.plan };
  endMerge(window, id);
  return outcome;
}

function applyInTurn(
  context: LibraryContext,
  database: OpenDatabase,
  merge: OpenMerge,
  choices: MergeChoices,
  turn: Turn,
  call: ProgressCall,
): Extract<MergeReply, { applied: true }> | 'refused' {
  const { connection } = turn;
  const history = historyIfAny(database);
  const before = baselineNow(context, database.id);
  const rows = merge.plan.taken.reduce((sum, counts) => sum + counts.inserted + counts.updated + counts.deleted, 0);
  const watch = watchWork(turn, 'Merging', rows, (progress) => void call.emit(progress).catch(() => undefined));
  const applied = merge.apply(connection, choices, watch);
  if (applied === 'refused') return 'refused';
  const mark = connection.commitMark;
  noteMerged(context, { database, history, merge, choices, applied, before, turn, mark });
  const { rowsChanged, later } = applied;
  return { applied: true, step: rowsChanged > 0 ? stepAt(history, mark) : 0, rowsChanged, later };
}

function stepAt(history: History | null, mark: string): number {
  try {
    return history?.past.marks.known(mark)?.id ?? 0;
  } catch {
    return 0;
  }
}

function mergeOf(window: WindowSession, id: DatabaseId): OpenMerge {
  const held = open.get(window)?.get(id);
  if (held) return held.merge;
  fail('not-found', 'This merge is over. Start it again; nothing was changed.');
}

// Records a merge's result: since when both sides are the same, and where they still differ.

interface Merged {
  readonly database: OpenDatabase;
  readonly history: History | null;
  readonly merge: OpenMerge;
  readonly choices: MergeChoices;
  readonly applied: Applied;
  readonly before: Baseline | null;
  readonly turn: Turn;
  readonly mark: string;
}

/**
 * The source counts as merged when nothing of it was left out or put off: then saving to it overwrites nothing unseen. Otherwise the file
 * stays one that has changed, and only the rows that were decided are not asked about again.
 */
function noteMerged(context: LibraryContext, merged: Merged): void {
  const { database, history, merge, choices, applied, before, turn, mark } = merged;
  const { planned, print, why } = merge.parts;
  const isWhole = planned.isWhole && applied.later === 0;
  // Rows that were not known before and are put off now remain unknown.
  if (!isWhole && (before === null || (why !== null && applied.later > 0))) return;
  const isSame = isWhole && applied.ahead === 0 && planned.isSameSchema;
  if (!isSame) keepDifferences(context, history, merge, choices, applied, turn, mark);
  const unmerged = planned.left.map((name) => name.toLowerCase());
  const baseline: Baseline = {
    source: isWhole ? print : before!.source,
    copyMark: mark,
    atMs: isSame ? Date.now() : (before?.atMs ?? Date.now()),
    ...(!isSame && { ahead: true as const }),
    ...(unmerged.length > 0 && { unmerged }),
  };
  const stepMark = applied.rowsChanged > 0 ? mark : null;
  context.catalogue.baselines.put(database.id, afterStep(baseline, history, stepMark, before));
}

/** Without these differences, the next merge asks about every row that differs. */
function keepDifferences(
  context: LibraryContext,
  history: History | null,
  merge: OpenMerge,
  choices: MergeChoices,
  { added }: Applied,
  { connection }: Turn,
  mark: string,
): void {
  try {
    const rows = merge.differing(choices, connection, added);
    history?.timeline.marks.putBase(mark, upTo(context.histories.limits.stepBytes, rows));
  } catch {
    // The merge is done; exceeding the limit, or a full disk, is no reason to report a failure.
  }
}

function* upTo(maxBytes: number, rows: Iterable<Uint8Array>): Generator<Uint8Array> {
  let sizeBytes = 0;
  for (const bytes of rows) {
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) throw new Error('This is more than the history keeps of one step.');
    yield bytes;
  }
}

// Finds out what a merge with the source involves: what changed on which side, and what the user has to decide.

interface Task {
  readonly window: WindowSession;
  readonly id: DatabaseId;
  readonly title: string;
}

interface SourceCopy {
  readonly file: string;
  readonly info: SourceFileInfo;
  readonly close: () => void;
}

/** The copy is closed with the merge. */
async function planMerge(
  context: LibraryContext,
  { window, id, title }: Task,
  { file: copy, info, close }: SourceCopy,
  work: LongWork,
): Promise<OpenMerge> {
  const { engine, pool, catalogue, databases } = context;
  const print = (await baselineOf(context, info, ''))?.source;
  if (!print) throw changedMeanwhile(info.fileName);
  const scratch = `/merge-${crypto.randomUUID()}.sqlite3`;
  await beginFile(context, scratch);
  await context.histories.reserve();
  const opened: { close(): void }[] = [];
  const dispose = (): void => {
    for (const each of opened.splice(0).reverse()) each.close();
    pool.remove(scratch);
    catalogue.forgetFile(scratch);
    close();
  };
  const detached = detachedFrom(window);
  const database = databases.join(detached, id);
  try {
    const theirs = engine.open(copy, { durability: 'full', isOfOthers: true });
    opened.push(theirs);
    theirs.onProgress(() => work.tick());
    const file = new MergeFile(engine.open(scratch, { durability: 'balanced', create: true, untrusted: false }));
    opened.push(file);
    const parts = await database.enqueue({
      window: detached,
      kind: 'read',
      pausesReading: true,
      title,
      *body(turn): Generator<Pause, Omit<MergeParts, 'dispose'>> {
        const mark = turn.connection.commitMark;
        const found = yield* planInTurns(context, database, { turn, file, theirs, work });
        if (turn.connection.commitMark !== mark) throw movedOn();
        return { file, theirs, print, fileName: info.fileName, mark, ...found };
      },
    });
    theirs.onProgress(null);
    return new OpenMerge({ ...parts, dispose });
  } catch (error) {
    dispose();
    throw error;
  } finally {
    databases.leave(detached, id);
  }
}

interface Planning {
  readonly turn: Turn;
  readonly file: MergeFile;
  readonly theirs: Connection;
  readonly work: LongWork;
}

function* planInTurns(
  context: LibraryContext,
  database: OpenDatabase,
  { turn, file, theirs, work }: Planning,
): Generator<Pause, Pick<MergeParts, 'planned' | 'why'>> {
  const { connection } = turn;
  const mark = connection.commitMark;
  let [phase, done] = ['Reading the history', 0];
  turn.measureBy(() => ({ phase, done, total: null, unit: 'rows' }));
  const pace = function* (pause: Pause): Generator<Pause, void> {
    if (turn.stopRequested || work.stopRequested) fail('stopped', 'The merge was stopped. Nothing was changed.');
    if (performance.now() < turn.deadlineMs) return;
    turn.pauseUntil(work.report({ phase, done, total: null, unit: 'rows' }).catch(() => undefined));
    yield pause;
    if (connection.commitMark !== mark) throw movedOn();
  };
  const found = baseOf(context, database, connection, file);
  try {
    for (const rows of found.walk()) {
      done += rows;
      yield* pace('between');
    }
    [phase, done] = ['Comparing', 0];
    const steps = planRows(file, connection, theirs, found.base);
    try {
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return { planned: step.value, why: found.why };
        done += step.value.rows;
        yield* pace(step.value.readsMine ? 'reading' : 'between');
      }
    } finally {
      steps.return(undefined as never);
    }
  } finally {
    found.close();
  }
}

function changedMeanwhile(fileName: string): AppError {
  return AppError.conflict(`“${fileName}” was changed while it was being read. Nothing was merged: try again.`);
}

interface FoundBase {
  /** Null: it is not known, and `why` says why. */
  readonly base: Base | null;
  readonly why: string | null;
  /** Writes the rows that were changed since into the file; reports how many now and then. Run this first. */
  walk(): Generator<number, void>;
  close(): void;
}

const ROWS_A_STEP = 64;

/** State of a copy and its source when they were the same, as far as the copy's history leads back there. */
function baseOf(context: LibraryContext, database: OpenDatabase, mine: Connection, file: MergeFile): FoundBase {
  const baseline = baselineNow(context, database.id);
  const history = historyIfAny(database);
  const found = baseline && history && wayTo(history, baseline.copyMark);
  if (!found) return unknown(whyNot(baseline, history));
  const copy = found.short.copy === null ? null : context.engine.open(found.short.copy, { durability: 'full' });
  return {
    base: { copy, unknown: new Set(baseline.unmerged) },
    why: null,
    *walk() {
      for (const _pause of walk(history, found.way, found.short, copy ?? mine, file)) yield ROWS_A_STEP;
      putMergeBaseRows(history.past.store.mergeBases.rowsAt(baseline.copyMark), file);
    },
    close() {
      if (!copy) return;
      copy.close();
      history.past.files.removeLog(found.short.copy!);
    },
  };
}

function wayTo(history: History, mark: string): { readonly way: Way; readonly short: ShortWay } | null {
  try {
    const way = history.timeline.marks.wayTo(mark);
    const short = way && shortWay(history, way);
    return short && { way, short };
  } catch {
    return null; // nothing is kept at the moment, or the history is damaged
  }
}

function unknown(why: string): FoundBase {
  return {
    base: null,
    why,
    *walk() {
      // There are no steps to walk.
    },
    close: () => undefined,
  };
}

function whyNot(baseline: Baseline | null, history: History | null): string {
  if (!baseline) return 'Sidelite can’t tell when this copy and the file were last the same.';
  return history?.state.why ?? 'The history of this copy does not reach back to when both were the same.';
}
