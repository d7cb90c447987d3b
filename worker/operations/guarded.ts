// Operations for a client that is trusted with less than a person.
import type { GuardedOperations } from '#shared/protocol/guarded.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { assertProposable } from '../history/proposed-sql.ts';
import { tryStatement } from '../history/tried-statement.ts';
import type { ScratchDatabase } from '../library/scratch.ts';
import { guardedRows } from '../query/guarded-query.ts';
import { guardedTables } from '../query/guarded-schema.ts';
import { copyWhole } from '../schema-compare/try-changes.ts';
import { reading } from '../sessions/call-work.ts';
import type { OperationSession } from '../sessions/session.ts';
import type { ScratchStore } from '../transfer/scratch.ts';

interface GuardedSession extends OperationSession {
  readonly scratchStore: ScratchStore;
  scratch(): Promise<ScratchDatabase>;
}

/** A copy of more would take longer than a client waits. */
const MOST_COPIED_BYTES = 512 << 20;

export const guardedHandlers: Handlers<GuardedOperations, GuardedSession> = {
  'guarded.schema': ({ database, rules, table, detailed }, call) =>
    reading(call, database, 'Reading the schema', ({ connection }) =>
      guardedTables(connection, { rules, table, detailed }),
    ),

  async 'guarded.query'({ database, rules, ...query }, call) {
    const blank = rules === null ? null : await call.session.scratch();
    try {
      return await reading(call, database, 'Running a query', ({ connection }) =>
        guardedRows(connection, query, rules && blank && { rules, blank: blank.connection }),
      );
    } finally {
      blank?.dispose();
    }
  },

  async 'guarded.try'({ database: id, sql, maxRows }, call) {
    assertProposable(sql);
    const scratch = await call.session.scratchStore.make();
    try {
      return await reading(call, id, { title: 'Trying a statement', pausesReading: true }, function* (turn) {
        if (turn.connection.fileSizeBytes > MOST_COPIED_BYTES)
          throw AppError.tooBig('The database is larger than 512 MB, the most that is copied to try a statement.');
        yield* copyWhole(turn, scratch);
        const copy = scratch.open({ durability: 'balanced' });
        try {
          return yield* tryStatement(copy, () => turn.stopRequested, { sql, maxRows });
        } finally {
          copy.close();
        }
      });
    } finally {
      scratch.remove();
    }
  },
};
