// Operations that compare the rows of two results.
import { fail } from '#shared/protocol/errors.ts';
import type { ComparedColumn, ResultComparisonOperations } from '#shared/protocol/result-comparison.ts';
import type { ReaderId } from '#shared/protocol/rows.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { compareResults, type FoundDifferences } from '../compare/result-differences.ts';
import type { OperationSession, WindowSession } from '../sessions/session.ts';
import { resultOf, checkRange } from './rows.ts';

const MAX_PAGE = 1000;

/** The last comparison of each first result. */
const found = new WeakMap<WindowSession, Map<ReaderId, FoundDifferences>>();

export const resultComparisonHandlers: Handlers<ResultComparisonOperations, OperationSession> = {
  async 'results.compare'({ reader, to, columns, key }, { session, id: call, onCancel }) {
    const [before, after] = [resultOf(session, reader), resultOf(session, to)];
    checkColumns(columns, key, before.rows.columnCount, after.rows.columnCount);
    const differences = await after.overRows('Comparing results', { call, onCancel }, (turn, rows) =>
      compareResults(turn, { before: before.rows, after: rows, columns, key }),
    );
    const own = found.get(session.window) ?? new Map<ReaderId, FoundDifferences>();
    found.set(session.window, own);
    for (const [id, each] of own) if (each.isGone) own.delete(id);
    own.set(reader, differences);
    return differences.counts;
  },

  'results.differences'({ reader, start, count }, { session }) {
    checkRange({ start, count });
    const differences = found.get(session.window)?.get(reader);
    if (differences) return differences.page(start, Math.min(count, MAX_PAGE));
    fail('not-found', 'These results have not been compared. Compare them again.');
  },
};

/** @throws AppError `invalid` */
function checkColumns(columns: readonly ComparedColumn[], key: readonly number[], before: number, after: number): void {
  const isIn = (place: number, count: number): boolean => Number.isInteger(place) && place >= 0 && place < count;
  const areThere = columns.every((column) => isIn(column.before, before) && isIn(column.after, after));
  if (columns.length > 0 && areThere && key.every((place) => isIn(place, columns.length))) return;
  fail('invalid', 'The results have no such columns in common. Choose other results.');
}
