// What SQL would change in a database, tried in a copy that is thrown away.
import type { TriedStatement } from '#shared/protocol/guarded.ts';
import type { Connection } from '../engines/engine.ts';
import type { ChangeGuard } from '../engines/row-log/row-log.ts';
import type { Pause } from '../sessions/session.ts';
import { inTransaction } from './dry-run.ts';
import { DifferencePages } from './differences.ts';
import { countsOf, virtualTablesIn } from './virtual-tables.ts';

const MOST_LOG_BYTES = 64 << 20;

/** @param copy a private one @throws AppError as a dry run */
export function* tryStatement(
  copy: Connection,
  stopRequested: () => boolean,
  { sql, maxRows }: { readonly sql: string; readonly maxRows: number },
): Generator<Pause, TriedStatement> {
  let schema = false;
  const guard: ChangeGuard = {
    beforeSchemaChange: () => void (schema = true),
    overBudget: () => 'drop',
    covers: () => false,
  };
  // Changes are recorded only while somebody listens.
  copy.onCommit(() => undefined);
  copy.record({ budgetBytes: MOST_LOG_BYTES, guard });
  const before = copy.totalChanges;
  const turn = {
    connection: copy,
    get stopRequested() {
      return stopRequested();
    },
  };
  return yield* inTransaction(turn, { sql, parameters: undefined }, () => {
    const log = copy.openLog;
    const virtual = log === null ? {} : virtualTablesIn(copy, log.tables, null);
    const pages = log === null ? null : new DifferencePages(log, virtual);
    const tried = {
      tables: log === null ? [] : countsOf(log.tables, virtual),
      rows: pages?.page(0, maxRows).rows ?? null,
      total: pages?.total ?? copy.totalChanges - before,
      schema,
    };
    copy.run('ROLLBACK');
    return tried;
  });
}
