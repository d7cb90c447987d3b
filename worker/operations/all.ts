// Every operation of the worker: a missing handler does not compile.
import type { Operations } from '#shared/protocol/index.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { ClientSession } from './client-session.ts';
import { archivesElsewhere } from './archives.ts';
import { benchmarkHandlers } from './benchmark.ts';
import { cellHandlers } from './cell.ts';
import { chartHandlers } from './chart.ts';
import { compareHandlers } from './compare.ts';
import { diffHandlers } from './diff.ts';
import { editHandlers } from './edit.ts';
import { exploreHandlers } from './explore.ts';
import { exportHandlers } from './export.ts';
import { guardedHandlers } from './guarded.ts';
import { healthHandlers } from './health.ts';
import { heldHandlers } from './held.ts';
import { historyHandlers } from './history.ts';
import { importHandlers } from './import.ts';
import { importFileHandlers } from './import-files.ts';
import { newDatabaseImportHandlers } from './import-new.ts';
import { libraryHandlers } from './library.ts';
import { liveHandlers } from './live.ts';
import { mergeHandlers } from './merge.ts';
import { indexLabHandlers } from './index-lab.ts';
import { queryLogHandlers } from './query-log.ts';
import { publishElsewhere } from './publish.ts';
import { queryHandlers } from './query.ts';
import { resultComparisonHandlers } from './result-comparison.ts';
import { rowComparisonHandlers } from './row-comparison.ts';
import { rowsHandlers } from './rows.ts';
import { sampleRowsHandlers } from './sample-rows.ts';
import { savedQueryHandlers } from './saved-queries.ts';
import { schemaChangeHandlers } from './schema-change.ts';
import { schemaComparisonHandlers } from './schema-compare.ts';
import { schemaHandlers } from './schema.ts';
import { sessionHandlers } from './session.ts';
import { sourceHandlers } from './source.ts';
import { transferKeepHandlers } from './transfer-keep.ts';
import { transferHandlers } from './transfer.ts';

export const allHandlers: Handlers<Operations, ClientSession> = {
  ...sessionHandlers,
  ...libraryHandlers,
  ...schemaHandlers,
  ...schemaChangeHandlers,
  ...schemaComparisonHandlers,
  ...rowComparisonHandlers,
  ...rowsHandlers,
  ...chartHandlers,
  ...resultComparisonHandlers,
  ...sampleRowsHandlers,
  ...cellHandlers,
  ...editHandlers,
  ...queryHandlers,
  ...queryLogHandlers,
  ...savedQueryHandlers,
  ...heldHandlers,
  ...liveHandlers,
  ...guardedHandlers,
  ...healthHandlers,
  ...indexLabHandlers,
  ...exploreHandlers,
  ...historyHandlers,
  ...sourceHandlers,
  ...benchmarkHandlers,
  ...compareHandlers,
  ...diffHandlers,
  ...mergeHandlers,
  ...exportHandlers,
  ...importHandlers,
  ...newDatabaseImportHandlers,
  ...importFileHandlers,
  ...transferHandlers,
  ...transferKeepHandlers,
  // Only for databases on a server, which another process serves.
  'remote.keepTransaction': () => null,
  ...publishElsewhere,
  ...archivesElsewhere,
};
