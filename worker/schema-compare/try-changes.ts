// Tries changes of a schema on a private copy of a database: with all its rows, or with one row of each table.
import type { MigrationTrial } from '#shared/protocol/schema-comparison.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import type { Progress } from '#shared/protocol/library.ts';
import { copyCommitted } from '../compare/comparison-copies.ts';
import type { Connection } from '../engines/engine.ts';
import type { LongWork } from '../library/long-work.ts';
import { changeSchema } from '../schema-change/change.ts';
import { Work } from '../schema-change/work.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { attempt, type Scratch } from '../transfer/scratch.ts';

/** Writes the committed state of the database, as a read that pauses. */
export const copyWhole = (turn: Turn, scratch: Scratch): Generator<Pause, unknown> =>
  copyCommitted(turn, scratch, scratch.file);

/**
 * The schema with the first row of each table: what SQLite accepts often depends on whether a table is empty. Takes the rows that the
 * table in the copy accepts.
 */
export function sampleInto(connection: Connection, scratch: Connection): void {
  const { objects } = readSchemaText(connection);
  scratch.run('PRAGMA foreign_keys = OFF');
  for (const { kind, name, sql } of objects.filter(({ kind: each }) => each === 'table' || each === 'virtual')) {
    attempt(() => scratch.run(sql));
    if (kind === 'table') attempt(() => copyFirstRow(connection, scratch, name));
  }
  for (const kind of ['index', 'view', 'trigger'] as const)
    for (const { sql } of objects.filter((object) => object.kind === kind)) attempt(() => scratch.run(sql));
}

function copyFirstRow(connection: Connection, scratch: Connection, table: string): void {
  const columns = connection
    .all("SELECT name FROM temp.pragma_table_xinfo(?, 'main') WHERE hidden = 0", [table])
    .map(([name]) => name as string);
  const row = connection.one(`SELECT ${quoteNames(columns)} FROM main.${quoteName(table)} LIMIT 1`);
  if (row === null) return;
  const marks = columns.map(() => '?').join(', ');
  scratch.run(`INSERT INTO main.${quoteName(table)} (${quoteNames(columns)}) VALUES (${marks})`, row);
}

/** @throws AppError why the changes cannot be made, `stopped` */
export async function tryChanges(
  scratch: Connection,
  changes: readonly SchemaChange[],
  work: LongWork,
  nextTask: () => Promise<void>,
): Promise<MigrationTrial> {
  let progress: Progress = { phase: 'Trying the changes', done: 0, total: null, unit: 'rows' };
  const turn = {
    connection: scratch,
    deadlineMs: Infinity,
    get stopRequested() {
      return work.stopRequested;
    },
    measureBy: () => undefined,
  };
  scratch.onProgress(() => work.tick());
  try {
    const steps = changeSchema(new Work(turn, (told) => (progress = told)), changes);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        // Read inside the transaction, where the created objects are visible.
        const schema = readSchemaText(scratch);
        scratch.run('ROLLBACK');
        return { report: step.value, schema };
      }
      await work.report(progress);
      await nextTask();
    }
  } finally {
    scratch.onProgress(null);
  }
}
