// Learns from SQLite's authorizer what a statement reads and which schema objects it changes, and denies forbidden actions.
import { AppError } from '#shared/protocol/errors.ts';
import type { Control, DefinedObject, TableRead } from '../../engine.ts';
import { CHANGES_NOTHING, type PreparedKind, type StatementFacts } from './statement-facts.ts';
import { refusalOfPragma } from '../../pragma-list.ts';
import type { Heap } from '../runtime/heap.ts';
import { Operation, type Pointer } from '../runtime/raw.ts';
import type { TableNames } from '../changes/table-names.ts';

// Makes one value of a sequence of words, and returns the previous value when the words are the same again.

/** Statements of a script mostly do what the one before did: maps and sets of it would cost more than preparing it. */
export class Repeated<T> {
  readonly #make: (words: readonly string[]) => T;
  /** Words of the value, up to where the new ones differ. */
  #words: string[] = [];
  #count = 0;
  #isSame = true;
  #value: T;

  constructor(make: (words: readonly string[]) => T) {
    this.#make = make;
    this.#value = make([]);
  }

  begin(): void {
    this.#count = 0;
    // Words added before but never asked for have no value.
    if (!this.#isSame) this.#forget();
  }

  add(word: string): void {
    if (this.#isSame && this.#words[this.#count] !== word) {
      this.#isSame = false;
      this.#words.length = this.#count;
    }
    if (!this.#isSame) this.#words.push(word);
    this.#count++;
  }

  end(): T {
    if (this.#isSame && this.#count === this.#words.length) return this.#value;
    this.#words.length = this.#count;
    this.#isSame = true;
    this.#value = this.#make(this.#words);
    return this.#value;
  }

  #forget(): void {
    this.#words = [];
    this.#isSame = true;
    this.#value = this.#make([]);
  }
}

// SQLite's authorizer codes and PRAGMA names, and what they mean for what a statement may do.

/** Action codes (sqlite.org/c3ref/c_alter_table.html). */
const Action = {
  createTempTrigger: 5, dropTempTrigger: 14, pragma: 19, read: 20, transaction: 22, attach: 24, detach: 25,
  alterTable: 26, reindex: 27, function: 31, savepoint: 32,
} as const; // prettier-ignore

/** Codes that create one object of `main`. */
const CREATES: Readonly<Partial<Record<number, DefinedObject['kind']>>> = {
  1: 'index',
  2: 'table',
  7: 'trigger',
  8: 'view',
  29: 'virtual',
};

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

const ALLOW = 0;
const DENY = 1;
/** Makes SQLite prepare a PRAGMA as one that does nothing. */
const IGNORE = 2;

const NO_OTHER_FILES =
  "Other database files cannot be attached here, and VACUUM INTO cannot write one. Import the file into the library instead; ATTACH of ':memory:' works.";

export class Authorizer {
  readonly #heap: Heap;
  readonly #names: TableNames;
  /** PRAGMAs have no effect, to find errors in SQL that is not run. */
  #isChecking = false;
  /** If not null, only the actions that create one object are allowed, and the object is noted here. */
  #created: DefinedObject[] | null = null;
  #collecting = false;
  /** SQLite has called the authorizer since {@link begin}. */
  isAsked = false;
  #control: Control | null = null;
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

  /** Call before a prepare. SQLite also calls the authorizer during later automatic prepares, which are not collected. */
  begin(): void {
    this.#collecting = true;
    this.isAsked = false;
    this.#control = null;
    this.#reads.begin();
    this.#writes.begin();
    this.#updates.begin();
    // The caller gets this very object, so it is replaced, not cleared.
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

  end({ isExplain, isVacuum, isCreate }: PreparedKind): StatementFacts {
    this.#collecting = false;
    const reads = this.#reads.end();
    const writtenTables = this.#writes.end();
    const updatedColumns = this.#updates.end();
    if (isExplain) return { ...CHANGES_NOTHING, reads };
    // An existing object (IF NOT EXISTS), and a temporary trigger, is asked for once and not written.
    const writesSchema = this.#schemaInserts > (isCreate ? 1 : 0);
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
      control: isVacuum ? 'vacuum' : this.#control,
    };
  }

  /** Grows when SQLite prepares something on its own: what is known about the running statement may then be incomplete. */
  get latePrepares(): number {
    return this.#latePrepares;
  }

  /** Why the last denied statement was denied; returned once. */
  takeRefusal(): string | null {
    const refusal = this.#refusal;
    this.#refusal = null;
    return refusal;
  }

  /** Checks that the SQL prepared by `prepare` would create this object of `main`. All its other actions are denied. @throws AppError */
  assertDefines({ kind, name }: DefinedObject, prepare: () => void): void {
    const created: DefinedObject[] = [];
    this.#created = created;
    try {
      prepare();
    } finally {
      this.#created = null;
    }
    if (created.length === 1 && created[0]!.kind === kind && created[0]!.name === name) return;
    throw AppError.invalid('its definition creates something else');
  }

  /** No PRAGMA takes effect while `prepare` runs; some act when they are prepared. */
  checking(prepare: () => void): void {
    this.#isChecking = true;
    try {
      prepare();
    } finally {
      this.#isChecking = false;
    }
  }

  /** The callback itself. Must not call into SQLite. */
  decide(action: number, first: Pointer, second: Pointer, schema: Pointer): number {
    this.isAsked = true;
    if (this.#created !== null) return this.#decideDefinition(this.#created, action, first, schema);
    if (action === Action.read) this.#noteRead(first, second, schema);
    else if (action === Action.attach) return this.#decideAttach(first);
    else if (action === Action.pragma) return this.#decidePragma(first, second);
    else if (!this.#collecting) this.#latePrepares++;
    else if (action === Operation.insert || action === Operation.update || action === Operation.delete)
      this.#noteWrite(action, first, second, schema);
    else this.#noteOther(action, first, second, schema);
    return ALLOW;
  }

  #decideDefinition(created: DefinedObject[], action: number, first: Pointer, schema: Pointer): number {
    const kind = CREATES[action];
    if (kind !== undefined && this.#heap.text(schema) === 'main') {
      const name = this.#heap.text(first);
      // Indexes of keys, and the counts of AUTOINCREMENT, come along with a table. SQLite reserves these names, so no statement can create
      // such an object itself.
      if (!name.startsWith('sqlite_')) created.push({ kind, name });
      return ALLOW;
    }
    // The columns and functions of CHECK and of expressions, the filling of an index.
    if (action === Action.read || action === Action.function || action === Action.reindex) return ALLOW;
    const notesItself = action === Operation.insert || action === Operation.update;
    if (notesItself && this.#names.isMain(schema) && this.#heap.text(first) === 'sqlite_master') return ALLOW;
    this.#refusal = 'its definition would do something else';
    return DENY;
  }

  #noteRead(table: Pointer, column: Pointer, schema: Pointer): void {
    if (!this.#collecting) return;
    // SQLite calls this once per column, with the same address for the same table.
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
    const index = SCHEMA_CHANGES[action];
    if (action === Action.transaction) this.#control = 'transaction';
    else if (action === Action.detach) this.#control = 'attach';
    else if (action === Action.savepoint) {
      this.#control = 'savepoint';
      const operation = this.#heap.text(first) as 'BEGIN' | 'RELEASE' | 'ROLLBACK';
      this.#savepoint = { operation, name: this.#heap.text(second).toLowerCase() };
    } else if (action === Action.alterTable) {
      if (this.#heap.text(first) !== 'main') return;
      this.#alters = true;
      this.#noteDefined(this.#heap.text(second));
    } else if (action === Action.createTempTrigger || action === Action.dropTempTrigger) {
      this.#changesOthers = true;
    } else if (index !== undefined && this.#heap.text(schema) === 'main') {
      const table = this.#heap.text(index === 'first' ? first : second);
      // ANALYZE creates its statistics tables this way.
      if (!table.startsWith('sqlite_')) this.#noteDefined(table);
    }
  }

  #noteDefined(table: string): void {
    if (!this.#defines.includes(table)) this.#defines.push(table);
  }

  #decideAttach(file: Pointer): number {
    if (this.#collecting) this.#control = 'attach';
    const name = file === 0 ? null : this.#heap.text(file);
    if (name === '' || name === ':memory:') return ALLOW;
    this.#refusal = NO_OTHER_FILES;
    return DENY;
  }

  #decidePragma(name: Pointer, value: Pointer): number {
    const pragma = this.#heap.text(name).toLowerCase();
    if (this.#collecting) this.#notePragma(pragma, value !== 0);
    this.#refusal = refusalOfPragma(pragma, value === 0 ? null : this.#heap.text(value));
    if (this.#refusal !== null) return DENY;
    return this.#isChecking ? IGNORE : ALLOW;
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
