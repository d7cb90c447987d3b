// Operations that run the user's SQL.
import type { QueryOperations } from '#shared/protocol/query.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { historyIfAny } from '../history/histories.ts';
import { statementTitle } from '../sql/statement-title.ts';
import type { OperationSession } from '../sessions/session.ts';
import { checkSql } from '../query/check-sql.ts';
import { ChunkOutbox } from '../query/chunk-outbox.ts';
import { queryPlan } from '../query/query-plan.ts';
import { writtenBy } from '../query/written.ts';
import { QueryRun } from '../query/query-run.ts';

export const queryHandlers: Handlers<QueryOperations, OperationSession> = {
  async 'query.run'({ database: id, sql, parameters, withoutUndo = false, showsRows = false }, context) {
    const { window } = context.session;
    const database = context.session.database(id);
    if (!withoutUndo) historyIfAny(database)?.assertCanUndo(sql);
    const outbox = new ChunkOutbox(context.emit);
    const run = new QueryRun(
      database,
      window,
      { sql, ...(parameters && { parameters }), withoutUndo, showsRows },
      (event) => outbox.push(event),
    );
    const title = statementTitle(sql);
    const work = { title, continues: true, origin: run.origin };
    // The user is asked before anything of the text has run.
    const written = database.asksBeforeWriting
      ? await reading(context, id, 'Preparing statements', ({ connection }) => writtenBy(connection, sql))
      : null;
    const read = (from: number) =>
      reading(context, id, { title, continues: from > 0, pausesReading: true }, (turn) =>
        run.statements(turn, from, 'read'),
      );
    try {
      // Reading statements run beside a transaction of another window; from the first writing statement on, the work is a write.
      let next = run.beginsAsWrite || written === 'file' ? 0 : await read(0);
      // A file that waits for its first edit is closed to writes wherever another statement may have its turn.
      while (next !== null && written === 'temporary') {
        const from: number = next;
        next = await writing(context, id, { ...work, tries: true }, (turn) => run.statements(turn, from, 'temporary'));
        if (next !== null) next = await read(next);
      }
      const write = next;
      if (write !== null) await writing(context, id, work, (turn) => run.statements(turn, write, 'write'));
    } finally {
      await outbox.drained();
    }
    return run.reply;
  },

  'query.plan': ({ database, sql }, context) =>
    reading(context, database, 'Explaining a statement', ({ connection }) => queryPlan(connection, sql)),

  'query.check': ({ database, sql }, context) =>
    reading(context, database, 'Checking SQL', (turn) => checkSql(turn, sql)),
};
