// Operations that look through the rows of tables.
import type { ColumnProfileChunk, ExploreOperations } from '#shared/protocol/explore.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { profileColumn } from '../explore/column-profile.ts';
import { Scan } from '../readers/scan.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import type { OperationSession } from '../sessions/session.ts';

export const exploreHandlers: Handlers<ExploreOperations, OperationSession> = {
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
};
