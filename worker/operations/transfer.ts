// Operations that bring tables of a file of SQL, or of another SQLite file, into a database.
import type { TransferOperations } from '#shared/protocol/transfer.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import type { OperationContext } from '../library/context.ts';
import type { OperationSession } from '../sessions/session.ts';
import { historyIfAny } from '../history/histories.ts';
import { copyWhole, emptyMark } from '../transfer/copy-whole.ts';
import { existingTables } from '../transfer/existing-tables.ts';
import { moveTables } from '../transfer/move.ts';
import { openSource } from '../transfer/open-source.ts';
import { closeSource, keepSource, sourceOf } from '../transfer/opened-sources.ts';
import type { ScratchStore } from '../transfer/scratch.ts';

/** Requirements of these operations besides an open database. */
export interface TransferSession extends OperationSession {
  readonly library: Pick<OperationContext, 'files' | 'histories' | 'monitor' | 'clock'>;
  readonly scratchStore: ScratchStore;
}

export const transferHandlers: Handlers<Omit<TransferOperations, 'transfer.keep'>, TransferSession> = {
  async 'transfer.open'({ source, name, dialect, encoding, into }, call) {
    const { library, window, scratchStore } = call.session;
    const existing =
      into === undefined
        ? []
        : await reading(call, into, 'Reading the tables', ({ connection }) => existingTables(connection));
    const opened = await openSource(library, scratchStore, window, { source, name, dialect, encoding, existing }, call);
    return { id: keepSource(window, opened), ...opened.contents };
  },

  async 'transfer.move'({ database: id, id: openedId, plan, title: told, withoutUndo = false }, context) {
    const { window } = context.session;
    const database = context.session.database(id);
    const opened = sourceOf(window, openedId);
    const { connection: source, contents } = opened;
    const started = performance.now();
    await context.session.library.histories.reserve();
    const title = told ?? `Import ${contents.fileName}`;
    const chosen = new Set(plan.tables.map(({ name }) => name));
    const totalRows = contents.objects.reduce((sum, { name, rows }) => sum + (chosen.has(name) ? (rows ?? 0) : 0), 0);
    source.useCache(true);
    try {
      const moved = await writing(context, id, { title, withoutUndo }, function* (turn) {
        const mark = emptyMark(turn.connection, opened, plan);
        if (mark === null)
          return yield* moveTables(turn, { source, plan, totalRows, report: progressReporter(context.emit) });
        historyIfAny(database)?.keepWayBack();
        return copyWhole(turn.connection, opened, mark);
      });
      // What was said when the file was read is not said again.
      const notes = moved.notes.filter((note) => !contents.notes.includes(note));
      return { ...moved, notes, timeMs: performance.now() - started };
    } finally {
      source.useCache(false);
    }
  },

  'transfer.close': ({ id }, { session }) => closeSource(session.window, id),
};
