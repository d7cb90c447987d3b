// Operations that explore the rows of tables.
import { fail } from '#shared/protocol/errors.ts';
import type { ColumnProfileChunk, ExploreOperations, ParentSearchChunk } from '#shared/protocol/explore.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { profileColumn } from '../explore/column-profile.ts';
import { HitReporter } from '../explore/hit-reporter.ts';
import { parentNames } from '../explore/parent-names.ts';
import { searchParents } from '../explore/search-parents.ts';
import { searchTables } from '../explore/search-tables.ts';
import { Scan } from '../readers/scan.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import type { OperationSession } from '../sessions/session.ts';

export const exploreHandlers: Handlers<ExploreOperations, OperationSession> = {
  'search.run'({ database, text }, { session, id: call, onCancel, emit }) {
    if (text === '') fail('invalid', 'There is no text to search for.');
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      pausesReading: true,
      title: 'Searching all tables',
      call,
      onCancel,
      *body(turn) {
        const startedMs = performance.now();
        const hits = new HitReporter(emit);
        const scan = new Scan(turn, (progress) => hits.tell(progress));
        try {
          const tables = yield* searchTables(scan, text, (hit) => hits.add(hit));
          turn.pauseUntil(hits.sent());
          yield 'between';
          return { tables, timeMs: performance.now() - startedMs };
        } finally {
          scan.end();
        }
      },
    });
  },

  'column.profile'(params, { session, id: call, onCancel, emit }) {
    return session.database(params.database).enqueue({
      window: session.window,
      kind: 'read',
      pausesReading: true,
      title: `Counting the values of ${params.column}`,
      call,
      onCancel,
      *body(turn) {
        const scan = new Scan(turn, () => undefined);
        try {
          return yield* profileColumn(scan, params, progressReporter<ColumnProfileChunk>(emit));
        } finally {
          scan.end();
        }
      },
    });
  },

  'parent.search'(params, { session, id: call, onCancel, emit }) {
    return session.database(params.database).enqueue({
      window: session.window,
      kind: 'read',
      pausesReading: true,
      title: `Searching ${params.table}`,
      call,
      onCancel,
      *body(turn) {
        const scan = new Scan(turn, () => undefined);
        try {
          return yield* searchParents(scan, params, progressReporter<ParentSearchChunk>(emit));
        } finally {
          scan.end();
        }
      },
    });
  },

  'parent.names'(params, { session, id: call, onCancel }) {
    return session.database(params.database).enqueue({
      window: session.window,
      kind: 'read',
      pausesReading: true,
      title: `Reading names from ${params.reference.table}`,
      call,
      onCancel,
      *body(turn) {
        const scan = new Scan(turn, () => undefined);
        try {
          return yield* parentNames(scan, params);
        } finally {
          scan.end();
        }
      },
    });
  },
};
