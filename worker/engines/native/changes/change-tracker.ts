// Tracks what the open transaction has changed, as triggers report it row by row.
import type { Value } from '#shared/protocol/values.ts';
import type { TableLayout } from '../../table-layouts.ts';
import { Fact, MAX_COMPARED_CELLS, noFacts, TransactionFacts } from '../../transaction-facts.ts';
import type { ChangedTable, RollbackPoint } from '../../transaction-facts.ts';
import type { RowRecorder } from './row-recorder.ts';

const MAX_KEY_BYTES = 1024;

export class ChangeTracker {
  readonly #facts: TransactionFacts<ChangedTable>;
  readonly #recorder: RowRecorder;
  #last: ChangedTable | null = null;
  #comparedCells = 0;

  constructor(layoutOf: (table: string) => TableLayout | null, recorder: RowRecorder) {
    this.#recorder = recorder;
    this.#facts = new TransactionFacts(recorder, (name, number) => {
      const known = layoutOf(name);
      const layout = known?.isInternal === true ? null : known;
      return { number, name, layout, facts: noFacts(layout) };
    });
  }

  get isEmpty(): boolean {
    return this.#facts.isEmpty;
  }

  /** Anything may have changed, so triggers no longer have to report rows. */
  get isAnything(): boolean {
    return this.#facts.anything;
  }

  get schemaChanged(): boolean {
    return this.#facts.schema;
  }

  inserted(name: string, rowid: bigint): void {
    const table = this.#tableNamed(name);
    this.#facts.learn(table, Fact.inserted);
    this.#noteRowid(table, rowid);
  }

  deleted(name: string, rowid: bigint): void {
    const table = this.#tableNamed(name);
    this.#facts.learn(table, Fact.deleted);
    this.#noteRowid(table, rowid);
  }

  /** @param changed one bit per column, 50 in each number */
  updated(name: string, before: bigint, after: bigint, changed: readonly number[]): void {
    const table = this.#tableNamed(name);
    const moved = before !== after;
    if (!this.#noteColumns(table, changed) && !moved) return;
    this.#facts.learn(table, Fact.updated);
    this.#noteRowid(table, before);
    if (!moved) return;
    this.#facts.learn(table, Fact.moved);
    this.#noteRowid(table, after);
  }

  insertedKey(name: string, key: readonly Value[]): void {
    const table = this.#tableNamed(name);
    this.#facts.learn(table, Fact.inserted);
    this.#noteKey(table, key);
  }

  deletedKey(name: string, key: readonly Value[]): void {
    const table = this.#tableNamed(name);
    this.#facts.learn(table, Fact.deleted);
    this.#noteKey(table, key);
  }

  updatedKey(name: string, before: readonly Value[], after: readonly Value[], changed: readonly number[]): void {
    const table = this.#tableNamed(name);
    if (!this.#noteColumns(table, changed)) return;
    const isKey = (index: number): boolean =>
      ((changed[Math.floor(index / MASK_BITS)] ?? 0) / 2 ** (index % MASK_BITS)) % 2 >= 1;
    const moved = table.facts[Fact.anyColumn] === 1 || table.layout?.primaryKey?.some(isKey) === true;
    this.#facts.learn(table, Fact.updated);
    this.#noteKey(table, before);
    if (!moved) return;
    this.#facts.learn(table, Fact.moved);
    this.#noteKey(table, after);
  }

  /** Notes only that the table has changed. */
  anyChange(name: string): void {
    this.#facts.learnAll(this.#tableNamed(name));
  }

  /** Rows were deleted by REPLACE, but it is unknown which. */
  anyDeleted(name: string): void {
    const table = this.#tableNamed(name);
    this.#facts.learn(table, Fact.deleted);
    this.#facts.learn(table, Fact.anyRow);
  }

  defined(names: readonly string[]): void {
    for (const name of names) this.anyChange(name);
    this.#facts.schema = true;
  }

  anythingChanged(): void {
    this.#facts.schema = this.#facts.anything = true;
  }

  /** Names of the tables that changed since `mark`. */
  changedSince(mark: RollbackPoint): readonly string[] {
    return this.#facts.namesSince(mark);
  }

  mark(): RollbackPoint {
    return this.#facts.mark();
  }

  hasGrown(mark: RollbackPoint): boolean {
    return this.#facts.namesSince(mark).length > 0 || this.#recorder.hasGrown(mark.log);
  }

  /** Forgets everything after `mark`. */
  goBack(mark: RollbackPoint): void {
    this.#last = null;
    this.#facts.goBack(mark);
  }

  savepoint(name: string): void {
    this.#facts.savepoint(name);
  }

  release(name: string): void {
    this.#facts.release(name);
  }

  rollbackTo(name: string): void {
    this.#last = null;
    this.#facts.rollbackTo(name);
  }

  /** Returns the changes since the transaction began, and starts over. */
  take(): TransactionFacts<ChangedTable>['changes'] {
    const { changes } = this.#facts;
    this.clear();
    return changes;
  }

  clear(): void {
    this.#last = null;
    this.#comparedCells = 0;
    this.#facts.clear();
    this.#recorder.clear();
  }

  /** Whether any column changes. */
  #noteColumns(table: ChangedTable, changed: readonly number[]): boolean {
    const columns = table.layout?.columns.length ?? 0;
    if (this.#comparedCells >= MAX_COMPARED_CELLS || columns === 0) {
      this.#facts.learn(table, Fact.anyColumn);
      return true;
    }
    this.#comparedCells += columns;
    let any = false;
    for (let chunk = 0; chunk < changed.length; chunk++) {
      let bits = changed[chunk]!;
      for (let index = chunk * MASK_BITS; bits > 0; index++) {
        if (bits % 2 === 1) {
          this.#facts.learn(table, Fact.firstColumn + index);
          any = true;
        }
        bits = Math.floor(bits / 2);
      }
    }
    return any;
  }

  #noteRowid(table: ChangedTable, rowid: bigint): void {
    if (table.facts[Fact.anyRow] === 0) this.#facts.rowid(table, rowid);
  }

  #noteKey(table: ChangedTable, key: readonly Value[]): void {
    if (table.facts[Fact.anyRow] === 1) return;
    const bytes = key.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0),
      0,
    );
    this.#facts.primaryKey(table, bytes > MAX_KEY_BYTES ? null : key);
  }

  #tableNamed(name: string): ChangedTable {
    if (this.#last?.name !== name) this.#last = this.#facts.table(name);
    return this.#last;
  }
}

/** Bits per number of changed columns: a REAL holds 53 exactly. */
export const MASK_BITS = 50;
