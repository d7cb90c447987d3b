// Learns from SQLite's authorizer what a statement reads and which schema objects it changes, and refuses what must not be.
import type { TableRead } from '../engine.ts';
import type { Heap } from './heap.ts';
import { Operation } from './raw.ts';
import type { Pointer } from './raw.ts';
import { Repeated } from './repeated.ts';
import type { TableNames } from './table-names.ts';

/** Action codes (sqlite.org/c3ref/c_alter_table.html). */
const Action = {
  createTempTrigger: 5,
  dropTempTrigger: 14,
  pragma: 19,
  read: 20,
  attach: 24,
  alterTable: 26,
  savepoint: 32,
} as const;

/** Codes that create or drop something outside `temp`: the position of the table's name among the arguments. */
const SCHEMA_CHANGES: Readonly<Partial<Record<number, 'first' | 'second'>>> = {
  1: 'second', // CREATE INDEX
  2: 'first', // CREATE TABLE
  7: 'second', // CREATE TRIGGER
  8: 'first', // CREATE VIEW
  10: 'second', // DROP INDEX
  11: 'first', // DROP TABLE
  16: 'second', // DROP TRIGGER
  17: 'first', // DROP VIEW
  29: 'first', // CREATE VIRTUAL TABLE
  30: 'first', // DROP VIRTUAL TABLE
};

const ALLOW = 0;
const DENY = 1;

const NO_OTHER_FILES =
  "Other database files cannot be attached here, and VACUUM INTO cannot write one. Import the file into the library instead; ATTACH of ':memory:' works.";

/** What one prepared statement does besides reading and writing rows. */
export interface StatementFacts {
  /** From tables and views of `main` and from virtual tables. */
  readonly reads: readonly TableRead[];
  /** Tables of `main` whose rows it, its triggers or its cascades write, but for the schema's own; shadow tables are not among them. */
  readonly writtenTables: readonly string[];
  /** Columns that its UPDATEs set, by table, in triggers and cascades too; the row id is `ROWID` unless its column was named. */
  readonly updatedColumns: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tables of `main` whose definition, or an index or trigger of which, it changes; empty for most statements. */
  readonly definedTables: readonly string[];
  /** It gives a table another name: the authorizer is not told which. */
  readonly renames: boolean;
  readonly savepoint: { readonly operation: 'BEGIN' | 'RELEASE' | 'ROLLBACK'; readonly name: string } | null;
  /** It changes what rows do not tell: the schema of `main`, the header of the file. */
  readonly isBeyondRows: boolean;
  /** Rows may get other row ids, and no hook tells. */
  readonly isVacuum: boolean;
  /** Other statements may come to write to other tables: by a TEMP trigger, by a setting. */
  readonly changesOthers: boolean;
}

/** First words of statements that the authorizer alone does not tell apart. */
export type Verb = 'create' | 'vacuum' | 'explain' | null;

const CHANGES_NOTHING: Omit<StatementFacts, 'reads'> = {
  writtenTables: [],
  updatedColumns: new Map(),
  definedTables: [],
  renames: false,
  savepoint: null,
  isBeyondRows: false,
  isVacuum: false,
  changesOthers: false,
};

/** Written to the file when a value is given. `page_size` only counts for the next VACUUM. */
const FILE_PRAGMAS: ReadonlySet<string> = new Set([
  'application_id',
  'auto_vacuum',
  'journal_mode',
  'schema_version',
  'user_version',
]);

/** Decide about what else a statement writes. */
const DECIDING_PRAGMAS: ReadonlySet<string> = new Set(['foreign_keys', 'recursive_triggers']);

/** Process-wide settings: one database's script must not starve the others. */
const REFUSED_PRAGMAS: ReadonlySet<string> = new Set([
  'hard_heap_limit',
  'soft_heap_limit',
  'temp_store_directory',
  'data_store_directory',
]);

export class Authorizer {
  readonly #heap: Heap;
  readonly #names: TableNames;
  #collecting = false;
  readonly #reads = new Repeated(tableReads);
  readonly #writes = new Repeated<readonly string[]>((names) => [...new Set(names)]);
  readonly #updates = new Repeated<StatementFacts['updatedColumns']>(columnsByTable);
  #latePrepares = 0;
  #defines: string[] = [];
  #alters = false;
  #renames = false;
  #changesOthers = false;
  #schemaInserts = 0;
  #isBeyondRows = false;
  #savepoint: StatementFacts['savepoint'] = null;
  #lastRead: Pointer = 0;
  #lastReadTable: string | null = null;
  #refusal: string | null = null;

  constructor(heap: Heap, names: TableNames) {
    this.#heap = heap;
    this.#names = names;
  }

  /** Before a prepare. SQLite also asks during later automatic prepares; those answers are not collected. */
  begin(): void {
    this.#collecting = true;
    this.#reads.begin();
    this.#writes.begin();
    this.#updates.begin();
    // Handed out as it is, so not emptied.
    if (this.#defines.length > 0) this.#defines = [];
    this.#alters = false;
    this.#renames = false;
    this.#changesOthers = false;
    this.#schemaInserts = 0;
    this.#isBeyondRows = false;
    this.#savepoint = null;
    this.#lastRead = 0;
    this.#lastReadTable = null;
  }

  /** @param verb the first word of the statement, as far as it matters */
  end(verb: Verb): StatementFacts {
    this.#collecting = false;
    const reads = this.#reads.end();
    const writtenTables = this.#writes.end();
    const updatedColumns = this.#updates.end();
    if (verb === 'explain') return { ...CHANGES_NOTHING, reads };
    // What is there already (IF NOT EXISTS), and a temporary trigger, is asked for once and not written.
    const writesSchema = this.#schemaInserts > (verb === 'create' ? 1 : 0);
    const isVacuum = verb === 'vacuum';
    return {
      reads,
      writtenTables,
      updatedColumns,
      definedTables: this.#defines.length > 0 ? this.#defines : CHANGES_NOTHING.definedTables,
      renames: this.#renames,
      savepoint: this.#savepoint,
      isBeyondRows: this.#isBeyondRows || writesSchema || isVacuum,
      isVacuum,
      changesOthers: this.#changesOthers,
    };
  }

  /** Grows when SQLite prepares something by itself: what was learned of the running statement may not be all then. */
  get latePrepares(): number {
    return this.#latePrepares;
  }

  /** Why the last denied statement was denied. Asked once. */
  takeRefusal(): string | null {
    const refusal = this.#refusal;
    this.#refusal = null;
    return refusal;
  }

  /** The callback itself. Must not call into SQLite. */
  decide(action: number, first: Pointer, second: Pointer, schema: Pointer): number {
    if (action === Action.read) this.#noteRead(first, second, schema);
    else if (action === Action.attach) return this.#decideAttach(first);
    else if (action === Action.pragma) return this.#decidePragma(first, second);
    else if (!this.#collecting) this.#latePrepares++;
    else if (action === Operation.insert || action === Operation.update || action === Operation.delete)
      this.#noteWrite(action, first, second, schema);
    else this.#noteOther(action, first, second, schema);
    return ALLOW;
  }

  #noteRead(table: Pointer, column: Pointer, schema: Pointer): void {
    if (!this.#collecting) return;
    // One call a column, with the same address for the same table.
    if (table !== this.#lastRead) {
      this.#lastRead = table;
      this.#lastReadTable = this.#tableRead(table, schema);
    }
    if (this.#lastReadTable === null) return;
    this.#reads.add(this.#lastReadTable);
    // `count(*)` names no column.
    this.#reads.add(this.#heap.text(column));
  }

  /** Null for tables that are not in `main`. */
  #tableRead(table: Pointer, schema: Pointer): string | null {
    // `count(*)` names no schema.
    return schema === 0 || this.#names.isMain(schema) ? this.#heap.text(table) : null;
  }

  #noteWrite(action: number, table: Pointer, column: Pointer, schema: Pointer): void {
    if (!this.#names.isMain(schema)) return;
    const name = this.#names.at(table);
    if (name !== 'sqlite_master') {
      this.#writes.add(name);
      if (action !== Operation.update) return;
      this.#updates.add(name);
      this.#updates.add(this.#heap.text(column));
      return;
    }
    if (action === Operation.insert) this.#schemaInserts++;
    else this.#isBeyondRows = true;
    if (this.#alters && this.#heap.text(column) === 'name') this.#renames = true;
  }

  #noteOther(action: number, first: Pointer, second: Pointer, schema: Pointer): void {
    const place = SCHEMA_CHANGES[action];
    if (action === Action.savepoint) {
      const operation = this.#heap.text(first) as 'BEGIN' | 'RELEASE' | 'ROLLBACK';
      this.#savepoint = { operation, name: this.#heap.text(second).toLowerCase() };
    } else if (action === Action.alterTable) {
      if (this.#heap.text(first) !== 'main') return;
      this.#alters = true;
      this.#noteDefined(this.#heap.text(second));
    } else if (action === Action.createTempTrigger || action === Action.dropTempTrigger) {
      this.#changesOthers = true;
    } else if (place !== undefined && this.#heap.text(schema) === 'main') {
      const table = this.#heap.text(place === 'first' ? first : second);
      // ANALYZE makes its statistics tables this way.
      if (!table.startsWith('sqlite_')) this.#noteDefined(table);
    }
  }

  #noteDefined(table: string): void {
    if (!this.#defines.includes(table)) this.#defines.push(table);
  }

  #decideAttach(file: Pointer): number {
    const name = file === 0 ? null : this.#heap.text(file);
    if (name === '' || name === ':memory:') return ALLOW;
    this.#refusal = NO_OTHER_FILES;
    return DENY;
  }

  #decidePragma(name: Pointer, value: Pointer): number {
    const pragma = this.#heap.text(name).toLowerCase();
    if (this.#collecting) this.#notePragma(pragma, value !== 0);
    if (value === 0 || !REFUSED_PRAGMAS.has(pragma)) return ALLOW;
    this.#refusal = `PRAGMA ${pragma} would change every open database and is not available here.`;
    return DENY;
  }

  #notePragma(pragma: string, hasValue: boolean): void {
    if (hasValue && FILE_PRAGMAS.has(pragma)) this.#isBeyondRows = true;
    if (hasValue && DECIDING_PRAGMAS.has(pragma)) this.#changesOthers = true;
    // Runs ANALYZE inside.
    if (pragma === 'optimize') this.#writes.add('sqlite_stat1');
  }
}

/** `words`: table and column in turn; a column may be '' where only the table is known. */
function columnsByTable(words: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>();
  for (let at = 0; at < words.length; at += 2) {
    const table = words[at]!;
    let columns = tables.get(table);
    if (columns === undefined) tables.set(table, (columns = new Set()));
    if (words[at + 1] !== '') columns.add(words[at + 1]!);
  }
  return tables;
}

function tableReads(words: readonly string[]): readonly TableRead[] {
  return Array.from(columnsByTable(words), ([table, columns]) => ({ table, columns }));
}
