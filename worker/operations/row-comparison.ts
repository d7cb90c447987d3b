// Operations that compare the rows of two databases of one engine.
import type { RowComparisonOperations } from '#shared/protocol/row-comparison.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { applyNetChanges } from '../history/apply-changes.ts';
import { historyOf } from '../history/histories.ts';
import { runLongWork } from '../library/long-work.ts';
import { paced } from '../library/source/compare-source.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import type { Scratch } from '../transfer/scratch.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import { changesOfComparison, endComparison, keepComparison, compareRowsOf } from '../schema-compare/row-comparison.ts';
import { copyNear, undoRemaining, type Remaining } from '../schema-compare/earlier-version.ts';
import { madeByComparison, patchOfComparison } from '../schema-compare/made-by-comparison.ts';
import { copyWhole } from '../schema-compare/try-changes.ts';
import type { TransferSession } from './transfer.ts';
import { writeWholeFile } from './whole-files.ts';

/** The copy contains nothing to undo. */
function* copyNow(turn: Turn, scratch: Scratch): Generator<Pause, Remaining> {
  yield* copyWhole(turn, scratch);
  return [];
}

export const rowComparisonHandlers: Handlers<RowComparisonOperations, TransferSession> = {
  async 'comparison.rows'({ database: id, to, toBefore, tables }, call) {
    const { library, window, scratchStore } = call.session;
    const [mine, other] = [call.session.database(id), call.session.database(to)];
    const title = `Comparison of ${mine.entry.name} with ${other.entry.name}`;
    return runLongWork(library, { window, databaseName: mine.entry.name, title }, call, async (work) => {
      const scratch = await scratchStore.make();
      const open: Connection[] = [];
      try {
        const copying = (turn: Turn): Generator<Pause, Remaining> =>
          toBefore === undefined ? copyNow(turn, scratch) : copyNear(historyOf(other), toBefore, turn, scratch);
        const remaining = await reading(call, to, { title, pausesReading: true }, copying);
        const theirs = scratch.open({ durability: 'balanced' });
        open.push(theirs);
        theirs.onProgress(() => work.tick());
        for (const _taken of undoRemaining(theirs, remaining)) {
          await work.report({ phase: 'Undoing later changes', done: 0, total: null, unit: 'rows' });
          await library.clock.nextTask();
        }
        const { comparison, collected } = await reading(call, id, { title, pausesReading: true }, (turn) =>
          paced(turn, work, compareRowsOf(turn.connection, theirs, tables)),
        );
        return { ...comparison, id: keepComparison(window, { database: id, collected }) };
      } finally {
        for (const connection of open) connection.close();
        scratch.remove();
      }
    });
  },

  'comparison.apply'({ database: id, id: comparison, rows, choices = null }, context) {
    const { window } = context.session;
    const database = context.session.database(id);
    const { changes } = changesOfComparison(window, id, comparison, rows);
    const title = 'Apply rows of another database';
    return writing(context, id, title, (turn) =>
      applyNetChanges(
        historyOf(database),
        turn,
        { changes, virtual: {}, choices, phase: 'Applying the differences' },
        progressReporter(context.emit),
      ),
    );
  },

  'comparison.changes'({ database: id, id: comparison, rows }, context) {
    const { window } = context.session;
    const { changes } = changesOfComparison(window, id, comparison, rows);
    return reading(context, id, 'Reading the differences', ({ connection }) => madeByComparison(connection, changes));
  },

  async 'comparison.save'({ database: id, id: comparison, rows, format, sink }, context) {
    const { window, library } = context.session;
    const collected = changesOfComparison(window, id, comparison, rows);
    const database = context.session.database(id);
    const title = { title: `Changes of ${database.entry.name}`, atMs: Date.now(), windowTitle: window.windowTitle };
    const { bytes, notes } = await reading(context, id, 'Exporting a patch', ({ connection }) =>
      patchOfComparison(connection, collected, format, title),
    );
    await writeWholeFile(library.files, sink, bytes);
    return { sizeBytes: bytes.length, notes };
  },

  'comparison.end': ({ id }, { session }) => endComparison(session.window, id),
};
