// Known facts about the changes of the open transaction, exact across savepoints and failed statements. Shared by both engines. Facts about
// a table are only added, so a journal of the additions is enough to return to any earlier state.
import type { Value } from '#shared/protocol/values.ts';
import type { TableChanges, ChangedKeys } from './transaction-changes.ts';
import type { RecordingMark } from './row-log/recording.ts';

/** Facts about a changed table. They are followed by one fact per column: an update changed its value. */
export const Fact = {
  inserted: 0,
  updated: 1,
  deleted: 2,
  moved: 3,
  anyColumn: 4,
  anyRow: 5,
  firstColumn: 6,
} as const;

/** How many cells of updated rows are compared in one transaction, which takes about 10 ms. After that every column counts as changed. */
export const MAX_COMPARED_CELLS = 50_000;

export interface ChangedTable {
  readonly number: number;
  readonly name: string;
  /** Null for a table without a layout of its own. */
  readonly layout: {
    readonly columns: readonly string[];
    readonly generated: readonly number[];
    readonly primaryKey: readonly number[] | null;
  } | null;
  /** Indexed by {@link Fact}: 1 if it is true. */
  readonly facts: Uint8Array;
}

/** Facts of a table of which nothing is known yet. */
export const noFacts = (layout: ChangedTable['layout']): Uint8Array =>
  new Uint8Array(Fact.firstColumn + (layout?.columns.length ?? 0));

function changesOf({ number, layout, facts }: ChangedTable, rows: TouchedRows): TableChanges {
  const columns = new Set<string>();
  for (const [index, name] of layout?.columns.entries() ?? []) {
    if (facts[Fact.firstColumn + index] === 1) columns.add(name);
  }
  if (columns.size > 0) for (const place of layout!.generated) columns.add(layout!.columns[place]!);
  const keys = layout?.primaryKey ? rows.primaryKeysOf(number) : rows.rowidsOf(number);
  return {
    inserted: facts[Fact.inserted] === 1,
    updated: facts[Fact.updated] === 1,
    deleted: facts[Fact.deleted] === 1,
    moved: facts[Fact.moved] === 1,
    columns: facts[Fact.anyColumn] === 1 ? null : columns,
    keys: facts[Fact.anyRow] === 1 ? null : keys,
  };
}

/** A state to return to. */
export interface RollbackPoint {
  readonly facts: number;
  readonly tables: number;
  readonly rows: number;
  readonly schema: boolean;
  readonly anything: boolean;
  log: RecordingMark | null;
}

/** The row log that is rolled back together with the facts. */
interface Log {
  mark(): RecordingMark | null;
  goBack(mark: RecordingMark | null): void;
}

export class TransactionFacts<T extends ChangedTable> {
  schema = false;
  /** More may have changed than the named tables: one was renamed, or the schema was written to directly. */
  anything = false;
  readonly #log: Log;
  readonly #makeTable: (name: string, number: number) => T;
  readonly #byName = new Map<string, T>();
  readonly #tables: T[] = [];
  /** Facts in the order they became known, each with its table. */
  readonly #journal: { readonly table: T; readonly fact: number }[] = [];
  readonly #rows = new TouchedRows();
  readonly #savepoints: { readonly name: string; readonly mark: RollbackPoint }[] = [];

  constructor(log: Log, makeTable: (name: string, number: number) => T) {
    this.#log = log;
    this.#makeTable = makeTable;
  }

  get isEmpty(): boolean {
    return this.#journal.length === 0 && !this.schema && !this.anything;
  }

  table(name: string): T {
    let table = this.#byName.get(name);
    if (table === undefined) {
      table = this.#makeTable(name, this.#tables.length);
      this.#byName.set(name, table);
      this.#tables.push(table);
    }
    return table;
  }

  learn(table: T, fact: number): void {
    if (table.facts[fact] === 1) return;
    table.facts[fact] = 1;
    this.#journal.push({ table, fact });
  }

  /** Notes only that the table has changed. */
  learnAll(table: T): void {
    for (let fact = 0; fact < Fact.firstColumn; fact++) this.learn(table, fact);
  }

  rowid(table: T, rowid: bigint): void {
    if (!this.#rows.addRowid(table.number, rowid)) this.learn(table, Fact.anyRow);
  }

  /** @param key null when it is too long to keep */
  primaryKey(table: T, key: readonly Value[] | null): void {
    if (key === null || !this.#rows.addPrimaryKey(table.number, key)) this.learn(table, Fact.anyRow);
  }

  mark(): RollbackPoint {
    return {
      facts: this.#journal.length,
      tables: this.#tables.length,
      rows: this.#rows.count,
      schema: this.schema,
      anything: this.anything,
      log: this.#log.mark(),
    };
  }

  /** Forgets everything after `mark`. */
  goBack(mark: RollbackPoint): void {
    this.schema = mark.schema;
    this.anything = mark.anything;
    for (const { table, fact } of this.#journal.splice(mark.facts)) table.facts[fact] = 0;
    for (const table of this.#tables.splice(mark.tables)) this.#byName.delete(table.name);
    this.#rows.goBack(mark.rows);
    this.#log.goBack(mark.log);
  }

  /** Tables with new facts since `mark`. */
  namesSince(mark: RollbackPoint): readonly string[] {
    return [...new Set(this.#journal.slice(mark.facts).map(({ table }) => table.name))];
  }

  savepoint(name: string): void {
    this.#savepoints.push({ name: name.toLowerCase(), mark: this.mark() });
  }

  release(name: string): void {
    const index = this.#indexOf(name);
    if (index >= 0) this.#savepoints.length = index;
  }

  /** False when there is no such savepoint. */
  rollbackTo(name: string): boolean {
    const index = this.#indexOf(name);
    if (index < 0) return false;
    this.goBack(this.#savepoints[index]!.mark);
    this.#savepoints.length = index + 1;
    return true;
  }

  /** All changes so far, without SQLite's own tables. */
  get changes(): { readonly tables: ReadonlyMap<string, TableChanges> | null; readonly schema: boolean } {
    if (this.anything) return { tables: null, schema: true };
    const tables = new Map<string, TableChanges>();
    for (const table of this.#tables)
      if (table.facts.includes(1) && !table.name.startsWith('sqlite_'))
        tables.set(table.name, changesOf(table, this.#rows));
    return { tables, schema: this.schema };
  }

  /** Ready for another transaction. */
  clear(): void {
    this.#byName.clear();
    this.#tables.length = 0;
    this.#journal.length = 0;
    this.#rows.goBack(0);
    this.#savepoints.length = 0;
    this.schema = this.anything = false;
  }

  #indexOf(name: string): number {
    const wanted = name.toLowerCase();
    let index = this.#savepoints.length - 1;
    while (index >= 0 && this.#savepoints[index]!.name !== wanted) index--;
    return index;
  }
}

// The rows that the open transaction has touched, in order, up to a limit.

/** A reader looks up each of them by key. Beyond this many, reading everything again is no slower. */
const MAX_TOUCHED_ROWS = 10_000;

class TouchedRows {
  #tables = new Uint32Array(256);
  #rowids = new BigInt64Array(256);
  /** Values by index in the log; only for rows of WITHOUT ROWID tables. */
  readonly #primaryKeys = new Map<number, readonly Value[]>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** False when there is no room left. */
  addRowid(table: number, rowid: bigint): boolean {
    const index = this.#count;
    if (index > 0 && this.#tables[index - 1] === table && this.#rowids[index - 1] === rowid) return true;
    if (index === MAX_TOUCHED_ROWS) return false;
    if (index === this.#tables.length) this.#grow();
    this.#tables[index] = table;
    this.#rowids[index] = rowid;
    this.#count++;
    return true;
  }

  /** False when there is no room left. */
  addPrimaryKey(table: number, key: readonly Value[]): boolean {
    const index = this.#count;
    if (index === MAX_TOUCHED_ROWS) return false;
    if (index === this.#tables.length) this.#grow();
    this.#tables[index] = table;
    this.#primaryKeys.set(index, key);
    this.#count++;
    return true;
  }

  /** Forgets what came after the first `count`. */
  goBack(count: number): void {
    for (const index of this.#primaryKeys.keys()) if (index >= count) this.#primaryKeys.delete(index);
    this.#count = count;
  }

  rowidsOf(table: number): ChangedKeys {
    const indexes = this.#indexesOf(table);
    const rowids = new BigInt64Array(indexes.length);
    for (let index = 0; index < indexes.length; index++) rowids[index] = this.#rowids[indexes[index]!]!;
    return { kind: 'rowid', rowids };
  }

  primaryKeysOf(table: number): ChangedKeys {
    return { kind: 'primary-key', keys: this.#indexesOf(table).map((index) => this.#primaryKeys.get(index)!) };
  }

  #indexesOf(table: number): number[] {
    const indexes: number[] = [];
    for (let index = 0; index < this.#count; index++) if (this.#tables[index] === table) indexes.push(index);
    return indexes;
  }

  #grow(): void {
    const length = Math.min(MAX_TOUCHED_ROWS, this.#tables.length * 4);
    const tables = new Uint32Array(length);
    const rowids = new BigInt64Array(length);
    tables.set(this.#tables);
    rowids.set(this.#rowids);
    this.#tables = tables;
    this.#rowids = rowids;
  }
}
