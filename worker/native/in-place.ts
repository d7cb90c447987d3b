// The operations on files in place: reading, editing and SQL are those of the library; operations that only a library supports are refused
// with a sentence.
import { AppError } from '#shared/protocol/errors.ts';
import type {
  BenchmarkOperations,
  CompareOperations,
  HeldOperations,
  LibraryOperations,
  Operations,
  QueryLogOperations,
  SavedQueryOperations,
  SessionOperations,
  SourceOperations,
} from '#shared/protocol/index.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { sharedCompareHandlers } from '../compare/handlers.ts';
import { checkFile } from '../engines/file-check.ts';
import { cellHandlers } from '../operations/cell.ts';
import { chartHandlers } from '../operations/chart.ts';
import { editHandlers } from '../operations/edit.ts';
import { exploreHandlers } from '../operations/explore.ts';
import { exportHandlers } from '../operations/export.ts';
import { healthHandlers } from '../operations/health.ts';
import { indexLabHandlers } from '../operations/index-lab.ts';
import { historyHandlers } from '../operations/history.ts';
import { importHandlers } from '../operations/import.ts';
import type { InPlaceSession } from './in-place-session.ts';
import { liveHandlers } from '../operations/live.ts';
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

const refuse = (message: string) => (): never => {
  throw new AppError({ code: 'unavailable', message });
};
const libraryOnly = refuse('Only databases in the library can do this. Import a copy of the file first.');

const sessionInPlace: Handlers<SessionOperations, InPlaceSession> = {
  'session.begin'({ windowTitle }, { session }) {
    session.window.introduce(windowTitle);
    return null;
  },
  'database.open': async ({ database }, { session, id }) => (await session.open(database, id)).state,
  'database.close'({ database }, { session }) {
    session.close(database);
    return null;
  },
  async 'session.show'({ databases }, { session }) {
    await session.show(databases);
    return null;
  },
  async 'database.check'({ database: id, kind }, { session, id: call, onCancel }) {
    return session.database(id).enqueue({
      window: session.window,
      kind: 'read',
      title: kind === 'quick' ? 'Quick check' : 'Integrity check',
      call,
      onCancel,
      // Runs in one call: other programs may write, and SQLite holds its own view of the file as long as it lasts.
      body: ({ connection }) => checkFile(connection, kind),
    });
  },
  'state.get': libraryOnly,
  'state.put': libraryOnly,
};

const libraryInPlace: Handlers<LibraryOperations, InPlaceSession> = {
  'library.list': libraryOnly,
  'library.create': libraryOnly,
  'library.createSample': libraryOnly,
  'library.import': libraryOnly,
  'library.salvage': libraryOnly,
  'library.rename': libraryOnly,
  'library.duplicate': libraryOnly,
  'library.delete': libraryOnly,
  'library.addFile': libraryOnly,
  'library.keepDurability': libraryOnly,
  'library.removeFile': libraryOnly,
  'library.export': (params, context) => context.session.exportFile(params, context),
  'library.setDurability': ({ database, durability }, { session }) => session.setDurability(database, durability),
};

const sourceInPlace: Handlers<SourceOperations, InPlaceSession> = {
  // A file in place is its own source.
  'source.state': () => null,
  'source.keepMine': libraryOnly,
  'source.compare': libraryOnly,
  'source.reload': libraryOnly,
  'source.save': libraryOnly,
  'source.merge': libraryOnly,
  'source.mergeQuestions': libraryOnly,
  'source.mergeApply': libraryOnly,
  'source.mergeEnd': libraryOnly,
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
};

const compareInPlace: Handlers<CompareOperations, InPlaceSession> = {
  ...sharedCompareHandlers,
  'compare.copyOut': libraryOnly,
  'compare.copyIn': libraryOnly,
  'compare.snapshot': libraryOnly,
  'compare.emptyComparisonCopy': libraryOnly,
  async 'compare.openComparisonCopy'({ database, history = false }, { session, id: call }) {
    await session.openComparisonCopy(database, call, history);
    return null;
  },
  'compare.closeComparisonCopy'({ database }, { session }) {
    session.closeComparisonCopy(database);
    return null;
  },
};

const benchmarkInPlace: Handlers<BenchmarkOperations, InPlaceSession> = {
  'benchmark.list': libraryOnly,
  'benchmark.read': libraryOnly,
  'benchmark.save': libraryOnly,
  'benchmark.rename': libraryOnly,
  'benchmark.delete': libraryOnly,
  'benchmark.import': libraryOnly,
  'benchmark.databaseFile': ({ database }, { session, ...call }) => session.readFile(database, call),
};

const queryLogInPlace: Handlers<QueryLogOperations, InPlaceSession> = {
  'queryLog.begin': libraryOnly,
  'queryLog.end': libraryOnly,
  'queryLog.list': libraryOnly,
  'queryLog.read': libraryOnly,
  'queryLog.parameters': libraryOnly,
  'queryLog.delete': libraryOnly,
  'queryLog.clear': libraryOnly,
  'queryLog.setLimit': libraryOnly,
  'queryLog.summary': libraryOnly,
};

const savedQueriesInPlace: Handlers<SavedQueryOperations, InPlaceSession> = {
  'savedQuery.list': libraryOnly,
  'savedQuery.put': libraryOnly,
  'savedQuery.change': libraryOnly,
  'savedQuery.delete': libraryOnly,
};

const heldInPlace: Handlers<HeldOperations, InPlaceSession> = {
  'held.read': libraryOnly,
  'held.turn': libraryOnly,
  'held.add': libraryOnly,
  'held.rename': libraryOnly,
  'held.undo': libraryOnly,
  'held.redo': libraryOnly,
  'held.saving': libraryOnly,
  'held.unsure': libraryOnly,
  'held.clear': libraryOnly,
};

export const inPlaceHandlers: Handlers<Operations, InPlaceSession> = {
  ...sessionInPlace,
  ...libraryInPlace,
  ...sourceInPlace,
  ...benchmarkInPlace,
  ...queryLogInPlace,
  ...savedQueriesInPlace,
  ...heldInPlace,
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
  ...compareInPlace,
  ...exportHandlers,
  ...healthHandlers,
  ...indexLabHandlers,
  ...exploreHandlers,
  ...historyHandlers,
  ...importHandlers,
  'import.previewNew': libraryOnly,
  'import.keepFile': libraryOnly,
  'import.reopenFile': libraryOnly,
  'import.forgetFile': libraryOnly,
  ...transferHandlers,
  'transfer.keep': libraryOnly,
  'remote.allowWriting': libraryOnly,
  'remote.keepTransaction': libraryOnly,
  ...publishElsewhere,
};
