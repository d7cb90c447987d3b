// Operations that change the schema of a database.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { SchemaChange, SchemaChangeOperations, SchemaChangeReport } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import { writing } from '../sessions/call-work.ts';
import { holdAsDryRun } from '../history/dry-run.ts';
import { historyIfAny } from '../history/histories.ts';
import type { OperationContext } from '../library/context.ts';
import { planChanges } from '../schema-change/plan.ts';
import { usesWithParts } from '../schema-change/uses.ts';
import { changeSchema, isClean } from '../schema-change/change.ts';
import { commitOnServer, schemaText, titleOf } from '../schema-change/commit.ts';
import { Work } from '../schema-change/work.ts';
import { type OperationSession, type Pause, newRun } from '../sessions/session.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';

type ReportedChange = Pick<SchemaChangeReport, 'broken' | 'brokenKeys' | 'integrity'>;

const MAX_NAMED = 5;

/** Requirements of these operations besides an open database. */
export interface SchemaChangeSession extends OperationSession {
  readonly library: Pick<OperationContext, 'histories'>;
}

export const schemaChangeHandlers: Handlers<SchemaChangeOperations, SchemaChangeSession> = {
  async 'schema.change'({ database: id, changes, keep = false, withoutUndo = false }, context) {
    const database = context.session.database(id);
    const title = titleOf(changes);
    // The statements tell the user more than a title; they are known once they have run.
    const sql: string[] = [];
    const origin = {
      title,
      run: newRun(),
      withoutUndo,
      get sql() {
        return sql.join(';\n') || null;
      },
    };
    // A step that changes the schema needs a copy of the state before. Rows that are deleted are logged.
    const keepsSchema = changes.every(({ kind }) => kind === 'empty-table');
    if (!withoutUndo && !keepsSchema) historyIfAny(database)?.assertCanUndo('DROP TABLE t');
    await context.session.library.histories.reserve();
    return writing(context, id, { title, origin }, function* (turn) {
      const work = new Work(turn, progressReporter(context.emit), { sql });
      // A server ends a transaction that waits for a user.
      if (turn.connection.isMetered === true) return yield* changeOnServer(work, changes);
      const report = yield* changeSchema(work, changes);
      if (keep && isClean(report)) turn.connection.run('COMMIT');
      else holdAsDryRun(database, context.session.window, origin);
      return { ...report, kept: turn.connection.autocommit };
    });
  },

  'schema.plan': ({ database: id, changes }, call) =>
    lookingOnly(id, call, 'Planning a schema change', (work) => planChanges(work, changes)),

  'schema.uses': ({ database: id, table, column }, call) =>
    lookingOnly(id, call, `Looking for what uses ${table}`, (work) => usesWithParts(work, table, column)),
};

function* changeOnServer(work: Work, changes: readonly SchemaChange[]): Generator<Pause, SchemaChangeReport> {
  const before = schemaText(work.connection);
  const report = yield* changeSchema(work, changes);
  if (!isClean(report)) throw undone(work.connection, report);
  commitOnServer(work, before);
  return { ...report, kept: true };
}

function undone(connection: Connection, { broken, brokenKeys, integrity }: ReportedChange): AppError {
  connection.run('ROLLBACK');
  const found = [
    ...broken.map(({ kind, name, message }) => `the ${kind} “${name}” (${message})`),
    ...brokenKeys.map(({ table }) => `foreign keys of “${table}”`),
    ...integrity,
  ];
  return AppError.refused(
    inParts(`Something would stop working: ${found.slice(0, MAX_NAMED).join(', ')}.`, 'Nothing was changed.'),
  );
}

/** Needs the turn of a write, although its trial is rolled back. */
function lookingOnly<T>(
  id: DatabaseId,
  call: CallContext<Progress, SchemaChangeSession>,
  title: string,
  body: (work: Work) => Generator<Pause, T>,
): Promise<T> {
  const database = call.session.database(id);
  const unrecorded = <R>(attempt: () => R): R => historyIfAny(database)?.unrecorded(attempt) ?? attempt();
  return writing(call, id, { title, tries: true }, (turn) =>
    body(new Work(turn, progressReporter(call.emit), { unrecorded })),
  );
}
