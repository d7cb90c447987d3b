// Writes a script that turns one database into another, after it has done so to a private copy of the first.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { DiffReply } from '#shared/protocol/diff.ts';
import { foldName } from '#shared/ddl/names.ts';
import { migrationChanges, migrationSteps } from '#shared/schema-diff/migration.ts';
import { SCRIPT_END, scriptHead, scriptStatement } from '#shared/schema-diff/migration-script.ts';
import { realChanges } from '#shared/schema-diff/compare-schemas.ts';
import type { SchemaDifference } from '#shared/schema-diff/compare-schemas.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { ByteWriter } from '../export/byte-writer.ts';
import { holdSnapshot } from '../export/run-export.ts';
import { changeSchema } from '../schema-change/change.ts';
import { Work } from '../schema-change/work.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { assertKnown } from './compared-tables.ts';
import { diffTables } from './diff-tables.ts';
import type { RowsWriter } from './diff-tables.ts';
import { Output } from './output.ts';
import { notComparedSentences } from './run-diff.ts';
import type { DiffJob } from './run-diff.ts';
import { schemaDifference } from './schema-changes.ts';
import { ScriptStatements } from './script-statements.ts';

export interface ScriptDatabases {
  /** A private copy of the first. */
  readonly copy: Connection;
  readonly theirs: Connection;
  /** An empty private database. */
  readonly scratch: Connection;
}

const STATEMENTS_A_STEP = 64;
const NO_WRITER: RowsWriter = { begin: () => undefined, row: () => undefined, end: () => undefined };

/** @throws AppError `unavailable` where the copy would not become exactly like the second */
export function* runScript(turn: Turn, databases: ScriptDatabases, job: DiffJob): Generator<Pause, DiffReply> {
  const { copy, theirs, scratch } = databases;
  const { options } = job;
  const out = new ByteWriter();
  const output = new Output(turn, out, job.sink, job.report);
  const both = { mine: copy, theirs, scratch: () => scratch };
  const release = holdSnapshot(theirs);
  try {
    assertKnown(copy, theirs, options);
    const migration = yield* output.paced(migrate(copy, differenceOf(databases, options.tables), options.schemaOnly));
    const statements = new ScriptStatements(scratch, copy);
    if (options.schemaOnly) yield* output.paced(asNumbers(prove(databases, options.tables)));
    const found = options.schemaOnly ? null : yield* output.paced(diffTables(both, options, statements));
    const triggers = triggersOf(copy, statements.tables);
    yield* output.paced(tryRows(copy, statements, triggers));
    if (found !== null) {
      yield* output.paced(asNumbers(prove(databases, options.tables)));
      const after = yield* output.paced(diffTables(both, options, NO_WRITER));
      if (!after.isEqual) throw inexact('the rows would still differ');
    }
    const isEqual = migration.length === 0 && found?.isEqual !== false;
    if (!isEqual) {
      out.text(scriptHead(`Changes ${options.names.join(' to match ')}.`));
      for (const sql of migration) out.text(scriptStatement(sql));
      yield* output.paced(writeRows(out, statements, triggers));
      out.text(SCRIPT_END);
    }
    yield* output.flush();
    return { isEqual, notCompared: notComparedSentences(found?.notCompared ?? []) };
  } finally {
    release();
  }
}

const inexact = (why: string): AppError =>
  AppError.unavailable(`No script can be written that makes A exactly like B: ${why}. Nothing was written.`);

const differenceOf = ({ copy, theirs }: ScriptDatabases, tables: readonly string[] | null): SchemaDifference =>
  schemaDifference(readSchemaText(copy), readSchemaText(theirs), tables, true);

/**
 * Changes the schema of the copy. Returns the statements. Rows that do not fit the new definition of their table are none of the second
 * database, so the table is emptied before.
 */
function* migrate(copy: Connection, difference: SchemaDifference, keepsRows: boolean): Generator<number, Migration> {
  const chosen = new Set(migrationSteps(difference).map(({ id }) => id));
  const changes = migrationChanges(difference, chosen);
  if (changes.length === 0) return [];
  try {
    return yield* changed(copy, changes);
  } catch (error) {
    const emptied = changes.flatMap((change): SchemaChange[] =>
      change.kind === 'change-table' ? [{ kind: 'empty-table', table: change.table }] : [],
    );
    if (keepsRows || emptied.length === 0 || !isRefusal(error)) throw refused(error);
    return yield* refusing(changed(copy, [...emptied, ...changes]));
  }
}

type Migration = readonly string[];

function* refusing<T>(steps: Generator<number, T>): Generator<number, T> {
  try {
    return yield* steps;
  } catch (error) {
    throw refused(error);
  }
}

function* changed(copy: Connection, changes: readonly SchemaChange[]): Generator<number, Migration> {
  const turn = { connection: copy, deadlineMs: Infinity, stopRequested: false, measureBy: () => undefined };
  const work = new Work(turn, () => undefined);
  for (const steps = changeSchema(work, changes); !steps.next().done;) yield 0;
  copy.run('COMMIT');
  return work.sql;
}

/** A table whose text alone still differs means the same. @throws AppError `unavailable` */
function prove(databases: ScriptDatabases, tables: readonly string[] | null): void {
  const { objects, settings } = differenceOf(databases, tables);
  const left = objects
    .flatMap((object) => [object, ...object.children])
    .find(({ status, table }) => status !== 'same' && !(table !== null && realChanges(table).length === 0));
  if (left !== undefined) throw inexact(`the definition of “${left.name}” would still differ`);
  if (settings.length > 0) throw inexact(`${settings[0]!.name} would still differ`);
}

/** A step for what takes no time. */
function* asNumbers(_done: void): Generator<number, void> {
  yield 0;
}

interface TriggerText {
  readonly name: string;
  readonly sql: string;
}

/** They have done their work in the second database, and must not do it again. */
function triggersOf(copy: Connection, tables: readonly string[]): readonly TriggerText[] {
  const changed = new Set(tables.map(foldName));
  return copy
    .all("SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
    .flatMap(([name, table, sql]) => (changed.has(foldName(String(table))) ? [{ name: String(name), sql: String(sql) }] : [])); // prettier-ignore
}

function* rowStatements(statements: ScriptStatements, triggers: readonly TriggerText[]): Generator<string> {
  for (const { name } of triggers) yield `DROP TRIGGER ${quoteName(name)}`;
  yield* statements.all();
  for (const { sql } of triggers) yield sql;
}

/** Runs them on the copy. */
function* tryRows(
  copy: Connection,
  statements: ScriptStatements,
  triggers: readonly TriggerText[],
): Generator<number, void> {
  copy.beginWithoutForeignKeys();
  try {
    let ran = 0;
    for (const sql of rowStatements(statements, triggers)) {
      copy.run(sql);
      if (++ran % STATEMENTS_A_STEP === 0) yield 0;
    }
    copy.run('COMMIT');
  } catch (error) {
    throw refused(error);
  } finally {
    if (!copy.autocommit) copy.run('ROLLBACK');
  }
}

function* writeRows(
  out: ByteWriter,
  statements: ScriptStatements,
  triggers: readonly TriggerText[],
): Generator<number, void> {
  for (const sql of rowStatements(statements, triggers)) {
    out.text(scriptStatement(sql));
    yield 0;
  }
}

function refused(thrown: unknown): unknown {
  return isRefusal(thrown)
    ? inexact(`SQLite refuses a step of it (${whatHappened(thrown).replace(/\.$/, '')})`)
    : thrown;
}

const isRefusal = (thrown: unknown): thrown is AppError =>
  thrown instanceof AppError && ['sql', 'constraint', 'invalid'].includes(thrown.code);
