// Operations that undo changes and show them.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { HistoryOperations } from '#shared/protocol/history.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { applyNetChanges, assertRevertable, revertStep } from '../history/apply-changes.ts';
import { assertDryRunnable, dryRunOrigin, dryRunRows, finishDryRun, startDryRun } from '../history/dry-run.ts';
import { historyIfAny, historyOf } from '../history/histories.ts';
import type { History } from '../history/history.ts';
import { exportPatch } from '../history/patch/export-patch.ts';
import { changesOfPatch } from '../history/patch/import-patch.ts';
import { assertProposable } from '../history/proposed-sql.ts';
import { redo, undo, undoTo, type Report } from '../history/undo-redo.ts';
import { letGo } from '../library/files.ts';
import type { OperationContext } from '../library/context.ts';
import type { OperationSession, Pause, Turn } from '../sessions/session.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import { tryUpdates } from '../history/try-updates.ts';
import { statementTitle } from '../sql/statement-title.ts';
import { readWholeFile, writeWholeFile } from './whole-files.ts';
import { ScriptOrigin } from '../query/script-origin.ts';

/** Requirements of these operations besides an open database. */
export interface HistorySession extends OperationSession {
  readonly library: Pick<OperationContext, 'files' | 'histories'>;
}

const PATCH_LIMIT = { what: 'a patch', bytes: 512 * 2 ** 20 };
const MAX_STEPS = 1000;
const MAX_ROWS = 1000;

export const historyHandlers: Handlers<HistoryOperations, HistorySession> = {
  'history.list'({ database, before, limit }, { session }) {
    const { past } = historyOf(session.database(database));
    const count = Math.min(Math.max(limit, 1), MAX_STEPS);
    const steps = past.list(before, count + 1);
    return { steps: steps.slice(0, count), more: steps.length > count };
  },

  'history.state'({ database }, { session }) {
    return historyOf(session.database(database)).state;
  },

  'history.rows'({ database, step, start, count }, { session }) {
    return historyOf(session.database(database)).rowsOf(step).page(start, Math.min(count, MAX_ROWS));
  },

  'history.undo': ({ database }, context) =>
    goThrough(database, context, ({ state }) => `Undo: ${state.undo?.title ?? 'nothing'}`, undo),

  'history.redo': ({ database }, context) =>
    goThrough(database, context, ({ state }) => `Redo of ${state.redo?.title ?? 'nothing'}`, redo),

  'history.undoTo'({ database, step }, context) {
    const titleOf = ({ timeline }: History): string => `Undo down to ${timeline.step(step).title}`;
    return goThrough(database, context, titleOf, function* (history, turn, report) {
      return { undone: yield* undoTo(history, turn, step, report) };
    });
  },

  'history.revert'({ database: id, step, choices = null }, context) {
    const history = historyOf(context.session.database(id));
    const title = `Undo: ${history.timeline.step(step).title}`;
    return writing(context, id, title, (turn) =>
      revertStep(history, turn, { step, choices }, progressReporter(context.emit)),
    );
  },

  'history.checkRevert'({ database: id, step }, context) {
    const database = context.session.database(id);
    return reading(context, id, 'Reading a step', ({ connection }) =>
      whyRefused(() => assertRevertable(historyOf(database), connection, step)),
    );
  },

  'history.clear'({ database: id }, context) {
    const database = context.session.database(id);
    return writing(context, id, { title: 'Clearing the history', tries: true }, () => {
      historyOf(database).clear();
      return null;
    });
  },

  'history.setLimits': ({ totalBytes, stepBytes }, { session }) =>
    session.library.histories.setLimits({ totalBytes, stepBytes }),

  async 'patch.export'({ database, step, format, sink }, context) {
    const history = historyOf(context.session.database(database));
    const patch = await reading(context, database, 'Exporting a patch', () =>
      exportPatch(history, history.timeline.step(step), format),
    );
    await writeWholeFile(context.session.library.files, sink, patch.bytes);
    return { sizeBytes: patch.bytes.length, notes: patch.notes };
  },

  async 'patch.apply'({ database: id, source, choices = null }, context) {
    const { session } = context;
    const history = historyOf(session.database(id));
    const { bytes, fileName } = await readWholeFile(session.library.files, source, PATCH_LIMIT);
    const title = `Apply patch ${fileName}`;
    const reply = await writing(context, id, title, (turn) => {
      const changes = changesOfPatch(turn.connection, bytes);
      const asked = { changes, virtual: {}, choices, phase: title };
      return applyNetChanges(history, turn, asked, progressReporter(context.emit));
    });
    // If there are conflicts, the window sends the request again with the choices.
    if (reply.applied) await letGo(session.library.files, source);
    return reply;
  },

  'dryRun.start'(
    { database: id, sql, parameters, title, withoutUndo = false, keep = false, proposed = false },
    context,
  ) {
    (proposed ? assertProposable : assertDryRunnable)(sql);
    const { session } = context;
    const database = session.database(id);
    const origin = new ScriptOrigin(sql, withoutUndo, title);
    const shown = keep ? origin.title : `Dry run of ${origin.title}`;
    return writing(context, id, { title: shown, origin }, (turn) =>
      startDryRun(database, session.window, turn, { sql, origin, parameters, keep }),
    );
  },

  'dryRun.updates'({ database: id, sql, parameters, table, columns, maxRows }, context) {
    assertDryRunnable(sql);
    const database = context.session.database(id);
    const whyNotRecorded = (): string | null => {
      const history = historyIfAny(database);
      return history ? history.state.why : 'Another process of Sidelite keeps the history of this file.';
    };
    const work = { title: `Dry run of ${statementTitle(sql)}`, origin: new ScriptOrigin(sql, true), tries: true };
    return writing(context, id, work, (turn) =>
      tryUpdates(turn, { sql, parameters, table, columns, maxRows, whyNotRecorded }),
    );
  },

  'dryRun.rows'({ database: id, start, count }, context) {
    const database = context.session.database(id);
    const range = { start, count: Math.min(count, MAX_ROWS) };
    return reading(context, id, 'Reading the rows of a dry run', ({ connection }) =>
      dryRunRows(database, context.session.window, connection, range),
    );
  },

  'dryRun.finish'({ database: id, keep }, context) {
    const { session } = context;
    const database = session.database(id);
    const origin = dryRunOrigin(database);
    const title = keep ? 'Keeping a dry run' : 'Discarding a dry run';
    return writing(context, id, { title, decides: true, ...(origin && { origin }) }, ({ connection }) =>
      finishDryRun(database, session.window, connection, keep),
    );
  },
};

/** Steps back or forth, with room for the copy that may be needed. */
async function goThrough<T>(
  id: DatabaseId,
  context: CallContext<Progress, HistorySession>,
  titleOf: (history: History) => string,
  body: (history: History, turn: Turn, report: Report) => Generator<Pause, T>,
): Promise<T> {
  const history = historyOf(context.session.database(id));
  const title = titleOf(history);
  await context.session.library.histories.reserve();
  return writing(context, id, title, (turn) => body(history, turn, progressReporter(context.emit)));
}

function whyRefused(attempt: () => void): { readonly why: string } | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { why: whatHappened(error) };
  }
}
