// Known facts about the changes of the open transaction, exact across savepoints and failed statements. Shared by both engines. Facts about
// a table are only added, so a journal of the additions is enough to return to any earlier state.
import type { Value } from '#shared/protocol/values.ts';
import { changesOf, Fact } from './changed-table.ts';
import type { ChangedTable } from './changed-table.ts';
import type { TableChanges } from './transaction-changes.ts';
import type { RecordingMark } from './row-log/recording.ts';
import { TouchedRows } from './touched-rows.ts';

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
