// Writes a script that turns one database into another, after it has done so to a private copy of the first.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { DiffReply } from '#shared/protocol/diff.ts';
import { foldName, sameName } from '#shared/ddl/names.ts';
import { migrationChanges, migrationSteps } from '#shared/schema-diff/migration.ts';
import { SCRIPT_END, scriptHead, scriptStatement } from '#shared/schema-diff/migration-script.ts';
import { realChanges, type SchemaDifference } from '#shared/schema-diff/compare-schemas.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { ByteWriter } from '../export/byte-writer.ts';
import { holdSnapshot } from '../export/run-export.ts';
import { changeSchema } from '../schema-change/change.ts';
import { Work } from '../schema-change/work.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { assertKnown, type ComparedTable } from './compared-tables.ts';
import { diffTables, type RowsWriter } from './diff-tables.ts';
import { Output } from './output.ts';
import { notComparedSentences, type DiffJob } from './run-diff.ts';
import { schemaDifference } from './schema-changes.ts';
import type { Value } from '#shared/protocol/values.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { COUNTERS } from '../schema/row-order.ts';
import type { BlockRow } from './merge-rows.ts';
import { isSameIn } from './text-writer.ts';

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

// The statements that make the rows of one database those of another, kept in a scratch database, because there may be more than fit into memory.

/** What is deleted makes room for what is inserted; the counters come last, because inserting raises them. */
const PHASE = { delete: 0, update: 1, insert: 2, lowerCounter: 3, setCounter: 4 } as const;
const MAX_WAITING = 500;

class ScriptStatements implements RowsWriter {
  readonly #store: Connection;
  readonly #target: Connection;
  readonly #waiting: (readonly [number, string])[] = [];
  #table: ComparedTable | null = null;
  #unique: UniqueColumns = new Set();
  /** Names of the tables that they change. */
  readonly tables: string[] = [];

  /** @param target the database that they are for, with the schema that they need */
  constructor(store: Connection, target: Connection) {
    this.#store = store;
    this.#target = target;
    store.run('CREATE TABLE statements (id INTEGER PRIMARY KEY, phase INTEGER, sql TEXT)');
    store.run('CREATE INDEX by_phase ON statements (phase, id)');
  }

  /** Rows without a key are found by their row id. */
  more({ from, keys, isNullable }: ComparedTable): readonly string[] {
    return from?.key.kind === 'rowid' && (keys === 0 || isNullable) ? [quoteName(from.key.name)] : [];
  }

  begin(table: ComparedTable): void {
    this.#table = table;
    this.#unique = uniqueColumns(this.#target, table);
    this.tables.push(table.name);
  }

  row(before: BlockRow | null, after: BlockRow | null): void {
    if (before !== null && after !== null && !this.#mayMeet(before, after)) return this.#update(before, after);
    if (this.#table!.name === COUNTERS) return this.#counter((before ?? after)!, after);
    if (before !== null) this.#delete(before, PHASE.delete);
    if (after !== null) this.#insert(after, PHASE.insert);
  }

  end(): void {
    this.#flush();
  }

  /** All of them, in the order in which they work. */
  *all(): Generator<string> {
    const reading = this.#store.prepare('SELECT sql FROM statements ORDER BY phase, id');
    try {
      while (reading.step()) yield reading.value(0) as string;
    } finally {
      reading.finalize();
    }
  }

  get #name(): string {
    return quoteName(this.#table!.name);
  }

  /** A value that must be unique may still be that of another row that is changed later. */
  #mayMeet(before: BlockRow, after: BlockRow): boolean {
    if (this.#table!.name === COUNTERS || this.#unique === 'any') return true;
    return this.#table!.columns.some(
      (name, column) => (this.#unique as ReadonlySet<string>).has(name) && !isSameIn(before, after, column),
    );
  }

  /** By then, rows may have been inserted that made one. */
  #counter(any: BlockRow, after: BlockRow | null): void {
    this.#delete(any, PHASE.lowerCounter);
    if (after !== null) this.#insert(after, PHASE.setCounter);
  }

  #delete(row: BlockRow, phase: number): void {
    this.#add(phase, `DELETE FROM ${this.#name} WHERE ${this.#where(row)}`);
  }

  #update(before: BlockRow, after: BlockRow): void {
    const set = this.#table!.columns.flatMap((name, column) =>
      isSameIn(before, after, column)
        ? []
        : [`${quoteName(name)} = ${scriptLiteral(after.block.value(after.row, column))}`],
    );
    this.#add(PHASE.update, `UPDATE ${this.#name} SET ${set.join(', ')} WHERE ${this.#where(before)}`);
  }

  #insert({ block, row }: BlockRow, phase: number): void {
    const { columns } = this.#table!;
    const values = columns.map((_, column) => scriptLiteral(block.value(row, column)));
    this.#add(phase, `INSERT INTO ${this.#name} (${quoteNames(columns)}) VALUES (${values.join(', ')})`);
  }

  /** @throws AppError `unavailable` for a row that nothing names */
  #where({ block, row }: BlockRow): string {
    const { name, columns, keys, from } = this.#table!;
    const key = columns.slice(0, keys).map((column, at) => ({ column, value: block.value(row, at) }));
    if (keys > 0 && key.every(({ value }) => value !== null))
      return key.map(({ column, value }) => `${quoteName(column)} = ${scriptLiteral(value)}`).join(' AND ');
    if (from?.key.kind !== 'rowid')
      throw AppError.unavailable(
        `Rows of “${name}” cannot be named in a script: the table has no key, and its columns hide the row id. Nothing was written.`,
      );
    return `${quoteName(from.key.name)} = ${scriptLiteral(block.value(row, columns.length))}`;
  }

  #add(phase: number, sql: string): void {
    this.#waiting.push([phase, sql]);
    if (this.#waiting.length >= MAX_WAITING) this.#flush();
  }

  #flush(): void {
    this.#store.run('BEGIN');
    for (const statement of this.#waiting.splice(0))
      this.#store.run('INSERT INTO statements (phase, sql) VALUES (?, ?)', statement);
    this.#store.run('COMMIT');
  }
}

/** Columns in which no two rows have the same values; `any`: an expression, or a condition, may be part of it. */
type UniqueColumns = ReadonlySet<string> | 'any';

function uniqueColumns(connection: Connection, { name, columns }: ComparedTable): UniqueColumns {
  const rows = connection.all(
    `SELECT l.partial, x.name FROM temp.pragma_index_list(?, 'main') l, temp.pragma_index_xinfo(l.name) x WHERE l."unique" AND x.key`,
    [name],
  ) as readonly (readonly [number, string | null])[];
  if (rows.some(([partial, column]) => partial === 1 || column === null)) return 'any';
  // A generated column may be part of it.
  const own = rows.map(([, column]) => columns.find((other) => sameName(other, column!)));
  return own.includes(undefined) ? 'any' : new Set(own as string[]);
}

/** SQLite's shell drops a CR at the end of a line, even inside a text. */
function scriptLiteral(value: Value): string {
  if (typeof value !== 'string' || !value.includes('\r') || value.includes('\0')) return sqlLiteral(value);
  let mark = '\\r';
  for (let number = 0; value.includes(mark); number++) mark = `\\r${number}_`;
  return `replace(${sqlLiteral(value.replaceAll('\r', mark))}, '${mark}', char(13))`;
}
