// Operations that explore the rows of tables.
import { fail } from '#shared/protocol/errors.ts';
import type { ColumnProfileChunk, ExploreOperations, ParentSearchChunk } from '#shared/protocol/explore.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading } from '../sessions/call-work.ts';
import { profileColumn } from '../explore/column-profile.ts';
import { HitReporter } from '../explore/hit-reporter.ts';
import { parentNames } from '../explore/parent-names.ts';
import { searchParents } from '../explore/search-parents.ts';
import { searchTables } from '../explore/search-tables.ts';
import { Scan } from '../readers/scan.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import type { OperationSession } from '../sessions/session.ts';

export const exploreHandlers: Handlers<ExploreOperations, OperationSession> = {
  'search.run'({ database, text }, context) {
    if (text === '') fail('invalid', 'There is no text to search for.');
    return reading(context, database, { title: 'Searching all tables', pausesReading: true }, function* (turn) {
      const startedMs = performance.now();
      const hits = new HitReporter(context.emit);
      const scan = new Scan(turn, (progress) => hits.tell(progress));
      try {
        const tables = yield* searchTables(scan, text, (hit) => hits.add(hit));
        turn.pauseUntil(hits.sent());
        yield 'between';
        return { tables, timeMs: performance.now() - startedMs };
      } finally {
        scan.end();
      }
    });
  },

  'column.profile': (params, context) =>
    reading(
      context,
      params.database,
      { title: `Counting the values of ${params.column}`, pausesReading: true },
      function* (turn) {
        const scan = new Scan(turn, () => undefined);
        try {
          return yield* profileColumn(scan, params, progressReporter<ColumnProfileChunk>(context.emit));
        } finally {
          scan.end();
        }
      },
    ),

  'parent.search': (params, context) =>
    reading(context, params.database, { title: `Searching ${params.table}`, pausesReading: true }, function* (turn) {
      const scan = new Scan(turn, () => undefined);
      try {
        return yield* searchParents(scan, params, progressReporter<ParentSearchChunk>(context.emit));
      } finally {
        scan.end();
      }
    }),

  'parent.names': (params, context) =>
    reading(
      context,
      params.database,
      { title: `Reading names from ${params.reference.table}`, pausesReading: true },
      function* (turn) {
        const scan = new Scan(turn, () => undefined);
        try {
          return yield* parentNames(scan, params);
        } finally {
          scan.end();
        }
      },
    ),
};
