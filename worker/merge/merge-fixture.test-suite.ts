// For tests: three databases made by SQL, merged by the native engine, and read by another SQLite.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { MergeOptions } from '#shared/protocol/merge.ts';
import type { Connection } from '../engines/engine.ts';
import { databaseOf, native, temporaryFolder } from '../export/export-fixture.test-suite.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';
import { runMerge } from './run-merge.ts';
import type { MergeResult } from './run-merge.ts';

const OPTIONS: MergeOptions = {
  choices: { all: null, tables: {} },
  form: 'text',
  limit: 20,
  names: ['base.db', 'ours.db', 'theirs.db'],
};

export interface MergedDatabase extends MergeResult {
  /** Reads the result with Node's SQLite. */
  rows(sql: string): readonly unknown[][];
}

/** @param base SQL of the base; `ours` and `theirs` run after it, in the other two */
export function mergeOf(
  base: string,
  ours: string,
  theirs: string,
  options: Partial<MergeOptions> = {},
): MergedDatabase {
  return mergeScripts([base, base + ours, base + theirs], options);
}

/** @param scripts each makes one of the three */
export function mergeScripts(
  scripts: readonly [base: string, ours: string, theirs: string],
  options: Partial<MergeOptions> = {},
): MergedDatabase {
  const [base, copy, theirs] = scripts.map((sql) => databaseOf(native, sql)) as [Connection, Connection, Connection];
  const body = runMerge(
    undisturbedTurn(base),
    {
      base,
      theirs,
      copy,
      *privateCopy(of) {
        const location = join(temporaryFolder(), 'copy.db');
        copyFileSync(of.location, location);
        yield 'reading';
        const connection = native.open(location, { durability: 'balanced' });
        onTestFinished(() => connection.close());
        return connection;
      },
      store: databaseOf(native, ''),
      scratch: () => databaseOf(native, ''),
    },
    { options: { ...OPTIONS, ...options }, report: () => Promise.resolve() },
  );
  let step = body.next();
  while (!step.done) step = body.next();
  return { ...step.value, rows: (sql) => readWith(copy.location, sql) };
}

function readWith(path: string, sql: string): readonly unknown[][] {
  const db = new DatabaseSync(path);
  try {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all() as unknown as unknown[][];
  } finally {
    db.close();
  }
}
