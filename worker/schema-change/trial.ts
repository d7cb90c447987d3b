// Tries statements that create views, triggers and virtual tables, to report beforehand what would not compile.
import { parseObject } from '#shared/ddl/parse-object.ts';
import type { BrokenObject, SchemaChange } from '#shared/protocol/schema-change.ts';
import type { Pause } from '../sessions/session.ts';
import { failures, newlyFailed } from './compiles.ts';
import { changeObject, create, keepViewTriggers } from './recreate.ts';
import type { Work } from './work.ts';

/** Runs in a transaction that is rolled back. @throws AppError if SQLite rejects one of the statements */
export function* brokenBy(work: Work, changes: readonly SchemaChange[]): Generator<Pause, readonly BrokenObject[]> {
  const { connection } = work;
  if (changes.length === 0 || !changes.every(readsNoRows)) return [];
  work.tell('Compiling what depends on it');
  yield* work.look();
  return work.try(function* () {
    connection.beginWithoutForeignKeys();
    try {
      const before = yield* failures(work);
      const putTriggersBack = keepViewTriggers(work, changes);
      for (const change of changes) {
        if (change.kind === 'create') create(work, change.sql);
        else if (change.kind === 'change-object') changeObject(work, change);
      }
      putTriggersBack();
      return newlyFailed(before, yield* failures(work), changes);
    } finally {
      if (!connection.autocommit) connection.run('ROLLBACK');
    }
  });
}

/** Excludes changes that would build an index. */
function readsNoRows(change: SchemaChange): boolean {
  if (change.kind === 'change-object') return change.object !== 'index';
  if (change.kind !== 'create') return false;
  const model = parseObject(change.sql);
  return model.understood && model.kind !== 'index';
}
