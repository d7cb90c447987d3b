// An empty database in memory with the schema of the server's. It says what a statement means, its columns and what they come from, what
// it reads and writes, and where it is wrong, without asking the server; and it answers questions that are only about the schema, or the program that SQLite makes of a statement.
import { leadingWords } from '#shared/split-statements.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, TableRead } from '../../engine.ts';
import { SchemaMap } from '../../native/changes/schema-map.ts';
import { type NativeValue, ParameterList } from '../../native/statements/binding.ts';
import { Compiler } from '../../native/statements/compiler.ts';
import type { Database, DatabaseConstructor, PreparedStatement } from '../../native/runtime/load.ts';
import { ReadNames } from '../../native/statements/read-names.ts';
import { toValue, describeColumns } from '../../native/statements/row.ts';
import { readStatement, type StatementShape } from '../../native/statements/statement-shape.ts';
import { HeavyGuard } from '../../heavy-guard.ts';
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

/** A row of `sqlite_schema`, in the order of the server's. */
export interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

/** Properties of one statement. */
export interface Understood {
  readonly columns: readonly ResultColumn[];
  readonly readonly: boolean;
}

/** Tables and pragmas that return only the schema. */
const SCHEMA_ONLY =
  /^(?:sqlite_(?:schema|master)|pragma_(?:table_x?info|table_list|index_x?info|index_list|foreign_key_list|module_list|collation_list))$/i;
const SCHEMA_PRAGMAS: ReadonlySet<string> = new Set([
  'table_info', 'table_xinfo', 'table_list', 'index_info', 'index_xinfo', 'index_list', 'foreign_key_list',
]); // prettier-ignore

/**
 * Settings that SQLite counts as reading (`sqlite3_stmt_readonly`) although they can write: statistics, the journal. They can be called as
 * functions too.
 */
const ACTING_PRAGMA = /pragma_(?:optimize|journal_mode|auto_vacuum|incremental_vacuum|wal_checkpoint)/i;
const ACTING: ReadonlySet<string> = new Set(['auto_vacuum', 'page_size', 'encoding', 'writable_schema']);

/** Triggers, foreign keys to itself, and conflicts that remove the other row. */
const OTHER_ROWS = `SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = @table COLLATE NOCASE
  UNION ALL SELECT 1 FROM temp.pragma_foreign_key_list(@table) WHERE "table" = @table COLLATE NOCASE
  UNION ALL SELECT 1 FROM sqlite_schema WHERE name = @table COLLATE NOCASE AND (sql LIKE '%replace%' OR sql LIKE 'create virtual%')`;
const GENERATED = 'SELECT name FROM temp.pragma_table_xinfo(@table) WHERE hidden IN (2, 3)';

export class SchemaCopy {
  /** False when the copy does not understand part of the schema, so that the server must be asked about it. */
  readonly isComplete: boolean;
  readonly #db: Database;
  readonly #compiler: Compiler;
  readonly #heavyGuard = new HeavyGuard((sql) => this.#asConnection.all(sql));
  #reads: ReadNames | null = null;
  #map: SchemaMap | null = null;

  /** @param rows of the schema as the server sends them, which may be anything */
  constructor(constructor: DatabaseConstructor, rows: readonly SchemaRow[]) {
    this.#db = new constructor(':memory:', {});
    this.#compiler = new Compiler(this.#db, {
      refreshSchema: () => false,
      assertLight: (text) => this.#heavyGuard.assertLight(text),
      isEncrypted: false,
      holders: () => null,
    });
    this.#db.prepare('PRAGMA trusted_schema = OFF').run();
    this.isComplete = this.#build(rows);
    this.#heavyGuard.turnOn();
  }

  /** @throws AppError `sql` with the offset of the error, counted from the beginning of `sql` */
  understand(sql: string, shape: StatementShape): Understood {
    const prepared = this.#compiler.prepare(sql, shape);
    const columns = prepared.reader ? describeColumns(prepared) : [];
    return { columns, readonly: isReadOnly(prepared.readonly, sql.slice(shape.from, shape.to), shape) };
  }

  /** @throws as {@link understand} */
  check(sql: string, shape: StatementShape): void {
    this.#compiler.check(sql, shape);
  }

  /** Never fewer than the statement reads. */
  readsOf(sql: string): readonly TableRead[] {
    this.#reads ??= this.#makeReads();
    return this.#reads.readsOf(sql);
  }

  /** Tables that a write to `table` can change, through triggers and foreign keys too. Null: any. */
  writtenBy({ target, isWith }: StatementShape): readonly string[] | null {
    if (target === null || isWith) return null;
    this.#map ??= new SchemaMap(this.#asConnection, () => false);
    const table = this.#map.resolve(target);
    if (table === null) return null;
    const { tables, virtuals } = this.#map.reachOf(table);
    return [...tables, ...virtuals];
  }

  /** Whether a write to `table` changes only the rows that the statement names, and their generated columns; null if it may change others. */
  ownRowsOnly(table: string): { readonly generated: readonly string[] } | null {
    if (!this.isComplete || this.#db.prepare(OTHER_ROWS).get({ table }) !== undefined) return null;
    const generated = this.#db.prepare(GENERATED).raw(true).all({ table }) as readonly (readonly string[])[];
    return { generated: generated.map(([name]) => name!) };
  }

  /** Rows of a statement that reads nothing but the schema; null for any other statement. */
  answer(sql: string, shape: StatementShape, params: readonly Value[]): readonly (readonly Value[])[] | null {
    if (!this.isComplete || !this.#isAboutSchema(sql, shape)) return null;
    this.#heavyGuard.assertLightNames(sql, params);
    const prepared = this.#compiler.prepare(sql, shape).raw(true).safeIntegers(true);
    const rows = prepared.all(...new ParameterList(shape.parameters).toArguments(params)) as readonly NativeValue[][];
    return rows.map((row) => row.map(toValue));
  }

  close(): void {
    this.#db.close();
  }

  #makeReads(): ReadNames {
    // SQLite lists the table of a pragma as a module only once it was used.
    for (const name of SCHEMA_PRAGMAS) this.#db.prepare(`SELECT 1 FROM pragma_${name}`);
    return new ReadNames(this.#asConnection);
  }

  #isAboutSchema(sql: string, shape: StatementShape): boolean {
    if (shape.verb === 'explain') return !explainsPlan(sql.slice(shape.from, shape.to));
    if (shape.verb === 'pragma') return SCHEMA_PRAGMAS.has(shape.target?.name ?? '');
    if (shape.verb !== 'read') return false;
    const reads = this.readsOf(sql.slice(shape.from, shape.to));
    return reads.length > 0 && reads.every(({ table }) => SCHEMA_ONLY.test(table));
  }

  #build(all: readonly SchemaRow[]): boolean {
    const rows = runnable(all);
    let isComplete = rows.length === all.length;
    let hasStatistics = false;
    const shadows = rows
      .filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql ?? ''))
      .map(({ name }) => `${name}_`.toLowerCase());
    for (const { type, name, sql } of rows) {
      // SQLite makes them with the table: indexes of UNIQUE and of keys, and the counters of AUTOINCREMENT.
      if (sql === null || /^sqlite_(?!stat)/i.test(name)) continue;
      if (/^sqlite_stat/i.test(name)) {
        if (!hasStatistics) this.#tryRun('ANALYZE');
        hasStatistics = true;
        continue;
      }
      // Made by the module of their virtual table.
      const isShadow = type === 'table' && shadows.some((prefix) => name.toLowerCase().startsWith(prefix));
      if (isShadow && this.#exists(name)) continue;
      if (!definesOnly(sql, type, name) || !this.#tryRun(sql)) isComplete = false;
    }
    return isComplete;
  }

  #tryRun(sql: string): boolean {
    try {
      const shape = readStatement(sql);
      if (shape === null) return false;
      this.#compiler.prepare(sql, shape).run();
      return true;
    } catch {
      return false; // a module or a function that only the server has
    }
  }

  #exists(name: string): boolean {
    return this.#db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
  }

  readonly #asConnection = {
    all: (sql: string, params: readonly Value[] = []) =>
      (this.#db.prepare(sql).raw(true) as PreparedStatement).all(...params),
  } as Pick<Connection, 'all'>;
}

/** SQLite's answer for the copy need not hold for the server, whose tables have rows and statistics. */
function isReadOnly(said: boolean, text: string, { verb, target, hasValue }: StatementShape): boolean {
  if (verb === 'explain') return said || !/\bpragma/i.test(text);
  if (!said || verb === 'analyze' || verb === 'reindex' || verb === 'vacuum' || ACTING_PRAGMA.test(text)) return false;
  return verb !== 'pragma' || !(target?.name === 'optimize' || (hasValue && ACTING.has(target?.name ?? '')));
}

/**
 * `EXPLAIN QUERY PLAN` tells what the server's statistics make of a statement. The program that EXPLAIN lists is asked by Sidelite only for the
 * rows that can be among the result, and these are the same wherever it was compiled.
 */
const explainsPlan = (sql: string): boolean => leadingWords(sql, 0, 2)[1] === 'QUERY';

const DEFINITIONS =
  "SELECT sql, type, name FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";

/**
 * A server may send anything: only definitions are run, and definitions that this SQLite rejects are left out.
 * @throws AppError `too-big`
 */
export function copySchema(from: Connection, to: Connection): Connection {
  try {
    const rows = (from.all(DEFINITIONS) as readonly (readonly [string, string, string])[]).map(([sql, type, name]) => ({
      sql,
      type,
      name,
    }));
    if (runnable(rows).length < rows.length) throw tooLarge();
    for (const { sql, type, name } of rows) {
      try {
        if (definesOnly(sql, type, name)) to.run(sql);
      } catch {
        // The module is not available here, or the table belongs to a module that already made it.
      }
    }
    return to;
  } catch (error) {
    to.close();
    throw error;
  }
}

const tooLarge = (): AppError =>
  AppError.tooBig(
    inParts(
      'The schema of this server is too large to be copied to this computer, where changes of it are tried first.',
      'Nothing was changed. Statements in an SQL tab change it without that.',
    ),
  );

// What a server says that its objects are made of is a text by somebody else.

/** Each CREATE takes SQLite longer than the one before it: 5,000 tables take 0.8 s, and 16,000 take 20 s. */
const MOST_OBJECTS = 5000;
/** In tables with 2,000 columns they take 2.6 s. */
const MOST_CHARS = 8 << 20;

/** As many of the rows of a schema, from the first on, as SQLite can be made to run the definitions of while somebody waits. */
function runnable<T extends { readonly sql: string | null }>(rows: readonly T[]): readonly T[] {
  let [objects, chars] = [0, 0];
  const end = rows.findIndex(({ sql }) => {
    if (sql === null) return false;
    chars += sql.length;
    return ++objects > MOST_OBJECTS || chars > MOST_CHARS;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** Whether the text defines this object, and does nothing else, such as filling a table from an endless query. */
function definesOnly(sql: string, type: string, name: string): boolean {
  const shape = readStatement(sql);
  if (shape === null || shape.verb !== 'create' || shape.object !== type || shape.target === null) return false;
  if (shape.temporary || shape.target.schema !== null || shape.target.name.toLowerCase() !== name.toLowerCase())
    return false;
  if (shape.to !== sql.length && readStatement(sql, shape.to) !== null) return false;
  return type !== 'table' || !isFromQuery(sql);
}

/** `CREATE TABLE name AS SELECT …`: after the name, where an ordinary definition has its parenthesis. */
function isFromQuery(sql: string): boolean {
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end) {
    if (scanner.text === '(') return false;
    if (scanner.kind === Token.word && /^(?:AS|USING)$/i.test(scanner.text)) return /^AS$/i.test(scanner.text);
  }
  return false;
}
