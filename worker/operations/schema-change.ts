// Operations that change the schema of a database.
import type { SchemaChangeOperations } from '#shared/protocol/schema-change.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { holdAsDryRun } from '../history/dry-run.ts';
import { historyIfAny } from '../history/histories.ts';
import type { LibraryContext } from '../library/context.ts';
import { changeSchema, isClean } from '../schema-change/change.ts';
import { titleOf } from '../schema-change/title.ts';
import { Work } from '../schema-change/work.ts';
import type { OperationSession } from '../sessions/session.ts';
import { newRun } from '../sessions/work-origin.ts';
import { reporter } from './reporter.ts';

/** What these need beside an open database. */
export interface SchemaChangeSession extends OperationSession {
  readonly library: Pick<LibraryContext, 'histories'>;
}

export const schemaChangeHandlers: Handlers<SchemaChangeOperations, SchemaChangeSession> = {
  async 'schema.change'(
    { database: id, changes, keep = false, withoutUndo = false },
    { session, id: call, onCancel, emit },
  ) {
    const database = session.database(id);
    const title = titleOf(changes);
    // For people the statements say more than a title does; they are known once they have been run.
    const sql: string[] = [];
    const origin = {
      title,
      run: newRun(),
      withoutUndo,
      get sql() {
        return sql.join(';\n') || null;
      },
    };
    // Whatever happens to rows, the schema changes: a step with a copy of what was before.
    if (!withoutUndo) historyIfAny(database)?.assertCanUndo('DROP TABLE t');
    await session.library.histories.reserve();
    return database.enqueue({
      window: session.window,
      kind: 'write',
      title,
      call,
      origin,
      onCancel,
      *body(turn) {
        const work = new Work(turn, reporter(emit), sql);
        const report = yield* changeSchema(work, changes);
        if (keep && isClean(report)) turn.connection.run('COMMIT');
        else holdAsDryRun(database, session.window, turn.connection, origin);
        return { ...report, kept: turn.connection.autocommit };
      },
    });
  },
};
