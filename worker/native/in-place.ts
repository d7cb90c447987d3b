// The operations on files in place: reading, editing and SQL are those of the library; operations that only a library supports are refused
// with a sentence.
import { AppError } from '#shared/protocol/errors.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading } from '../sessions/call-work.ts';
import { sharedCompareHandlers } from '../compare/handlers.ts';
import { checkFile } from '../engines/file-check.ts';
import { archiveHandlers } from './archive/archive-operations.ts';
import { cellHandlers } from '../operations/cell.ts';
import { chartHandlers } from '../operations/chart.ts';
import { diffHandlers } from '../operations/diff.ts';
import { editHandlers } from '../operations/edit.ts';
import { exploreHandlers } from '../operations/explore.ts';
import { exportHandlers } from '../operations/export.ts';
import { guardedHandlers } from '../operations/guarded.ts';
import { healthHandlers } from '../operations/health.ts';
import { indexLabHandlers } from '../operations/index-lab.ts';
import { historyHandlers } from '../operations/history.ts';
import { importHandlers } from '../operations/import.ts';
import type { InPlaceSession } from './in-place-session.ts';
import { liveHandlers } from '../operations/live.ts';
import { mergeHandlers } from '../operations/merge.ts';
import { publishElsewhere } from '../operations/publish.ts';
import { queryHandlers } from '../operations/query.ts';
import { rowComparisonHandlers } from '../operations/row-comparison.ts';
import { resultComparisonHandlers } from '../operations/result-comparison.ts';
import { rowsHandlers } from '../operations/rows.ts';
import { sampleRowsHandlers } from '../operations/sample-rows.ts';
import { schemaChangeHandlers } from '../operations/schema-change.ts';
import { schemaComparisonHandlers } from '../operations/schema-compare.ts';
import { schemaHandlers } from '../operations/schema.ts';
import { transferHandlers } from '../operations/transfer.ts';

/** Operations of the library, and of databases that only the library or a server has. */
const REFUSED = [
  'state.get', 'state.put', 'standIn.try',
  'library.list', 'library.create', 'library.createSample', 'library.import', 'library.salvage', 'library.rename', 'library.duplicate',
  'library.delete', 'library.addFile', 'library.keepDurability', 'library.keepEditing', 'library.removeFile', 'library.forgetValues',
  'source.keepMine', 'source.compare', 'source.reload', 'source.save', 'source.merge', 'source.mergeQuestions', 'source.mergeApply', 'source.mergeEnd',
  'compare.copyOut', 'compare.copyIn', 'compare.snapshot', 'compare.emptyComparisonCopy',
  'benchmark.list', 'benchmark.read', 'benchmark.save', 'benchmark.rename', 'benchmark.delete', 'benchmark.import',
  'queryLog.begin', 'queryLog.end', 'queryLog.list', 'queryLog.read', 'queryLog.parameters', 'queryLog.delete', 'queryLog.clear', 'queryLog.setLimit', 'queryLog.summary',
  'savedQuery.list', 'savedQuery.put', 'savedQuery.change', 'savedQuery.delete',
  'held.read', 'held.turn', 'held.add', 'held.rename', 'held.undo', 'held.redo', 'held.saving', 'held.unsure', 'held.clear',
  'import.previewNew', 'import.keepFile', 'import.reopenFile', 'import.forgetFile', 'transfer.keep',
  'remote.keepTransaction',
] as const satisfies readonly (keyof Operations)[]; // prettier-ignore

function libraryOnly(): never {
  throw AppError.unavailable('Only databases in the library can do this. Import a copy of the file first.');
}

const refusing = Object.fromEntries(REFUSED.map((operation) => [operation, libraryOnly])) as Record<
  (typeof REFUSED)[number],
  typeof libraryOnly
>;

/** The compiler asks for each operation that is neither refused nor served. */
export const inPlaceHandlers: Handlers<Operations, InPlaceSession> = {
  ...refusing,
  ...schemaHandlers,
  ...sampleRowsHandlers,
  ...schemaChangeHandlers,
  ...schemaComparisonHandlers,
  ...rowComparisonHandlers,
  ...rowsHandlers,
  ...chartHandlers,
  ...resultComparisonHandlers,
  ...cellHandlers,
  ...editHandlers,
  ...queryHandlers,
  ...liveHandlers,
  ...sharedCompareHandlers,
  ...diffHandlers,
  ...mergeHandlers,
  ...exportHandlers,
  ...guardedHandlers,
  ...healthHandlers,
  ...indexLabHandlers,
  ...exploreHandlers,
  ...historyHandlers,
  ...importHandlers,
  ...transferHandlers,
  ...archiveHandlers,
  ...publishElsewhere,
  'session.begin': ({ windowTitle }, { session }) => session.window.introduce(windowTitle),
  'database.open': async ({ database, standIns }, { session, id }) =>
    (await session.open(database, id, standIns)).state,
  'database.allowWriting': ({ database, untilMs }, { session }) => session.database(database).allowWriting(untilMs > 0),
  'database.attach': ({ database, name, file }, { session }) => session.attach(database, name, file),
  'database.detach': ({ database, name }, { session }) => session.detach(database, name),
  'database.close': ({ database }, { session }) => session.close(database),
  'session.show': ({ databases }, { session }) => session.show(databases),
  // Runs in one call: other programs may write, and SQLite holds its own view of the file as long as it lasts.
  'database.check': ({ database: id, kind }, context) =>
    reading(context, id, kind === 'quick' ? 'Quick check' : 'Integrity check', ({ connection }) =>
      checkFile(connection, kind),
    ),
  'library.export': (params, context) => context.session.exportFile(params, context),
  'library.setDurability': ({ database, durability }, { session }) => session.setDurability(database, durability),
  // A file in place is its own source.
  'source.state': () => null,
  'database.file'({ database: id }, { session }) {
    const database = session.database(id);
    const walSizeBytes = session.walSizeOf(id);
    return {
      sizeBytes: database.entry.sizeBytes,
      walSizeBytes,
      ...database.checkpoints,
      // Other programs checkpoint too.
      checkpointed: walSizeBytes === 0,
      windows: [...new Set([...database.windows].map(({ windowTitle }) => windowTitle))].sort(),
    };
  },
  async 'compare.openComparisonCopy'({ database, history = false }, { session, id: call }) {
    await session.openComparisonCopy(database, call, history);
  },
  'compare.closeComparisonCopy': ({ database }, { session }) => session.closeComparisonCopy(database),
  'benchmark.databaseFile': ({ database }, { session, ...call }) => session.readFile(database, call),
};
