// Operations that explore the rows of tables.
import { fail } from '#shared/protocol/errors.ts';
import type { ColumnProfileChunk, ExploreOperations, ParentSearchChunk } from '#shared/protocol/explore.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { profileColumn } from '../explore/column-profile.ts';
import { HitReporter } from '../explore/hit-reporter.ts';
import { parentNames } from '../explore/parent-names.ts';
import { searchParents } from '../explore/search-parents.ts';
import { searchTables } from '../explore/search-tables.ts';
import { scanning } from '../readers/scan.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import type { OperationSession } from '../sessions/session.ts';

export const exploreHandlers: Handlers<ExploreOperations, OperationSession> = {
  'search.run'({ database, text }, context) {
    if (text === '') fail('invalid', 'There is no text to search for.');
    const hits = new HitReporter(context.emit);
    const report = (progress: Progress): void => hits.tell(progress);
    return scanning(context, database, { title: 'Searching all tables', report }, function* (scan, turn) {
      const startedMs = performance.now();
      const tables = yield* searchTables(scan, text, (hit) => hits.add(hit));
      turn.pauseUntil(hits.sent());
      yield 'between';
      return { tables, timeMs: performance.now() - startedMs };
    });
  },

  'column.profile': (params, context) =>
    scanning(context, params.database, { title: `Counting the values of ${params.column}` }, (scan) =>
      profileColumn(scan, params, progressReporter<ColumnProfileChunk>(context.emit)),
    ),

  'parent.search': (params, context) =>
    scanning(context, params.database, { title: `Searching ${params.table}` }, (scan) =>
      searchParents(scan, params, progressReporter<ParentSearchChunk>(context.emit)),
    ),

  'parent.names': (params, context) =>
    scanning(context, params.database, { title: `Reading names from ${params.reference.table}` }, (scan) =>
      parentNames(scan, params),
    ),
};
