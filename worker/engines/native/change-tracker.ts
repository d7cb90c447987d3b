// Keeps what the open transaction has changed, exact through savepoints and failed statements, told row by row by triggers.
// What is known about a table only grows, so a journal of its growth is enough to go back to any earlier state.
import type { Value } from '#shared/protocol/values.ts';
import type { TableChanges } from '../engine.ts';
import type { TableLayout } from '../table-layouts.ts';
import type { LogMark } from '../row-log/writer.ts';
import { changesOf, Fact } from '../changed-table.ts';
import type { ChangedTable } from '../changed-table.ts';
import { TouchedRows } from '../touched-rows.ts';
import type { RowRecorder } from './row-recorder.ts';

/** A state to go back to. */
export interface Mark {
  readonly facts: number;
  readonly tables: number;
  readonly rows: number;
  readonly schema: boolean;
  readonly anything: boolean;
  readonly log: LogMark | null;
}

/** As in the other engine, so that both publish the same: cells of updated rows told apart in one transaction. */
const MAX_COMPARED_CELLS = 50_000;
const MAX_KEY_BYTES = 1024;

export class ChangeTracker {
  readonly #byName = new Map<string, ChangedTable>();
  readonly #tables: ChangedTable[] = [];
  /** Each fact in the order it became known, and of which table. */
  readonly #journal: { readonly table: ChangedTable; readonly fact: number }[] = [];
  readonly #rows = new TouchedRows();
  readonly #savepoints: { readonly name: string; readonly mark: Mark }[] = [];
  readonly #layoutOf: (table: string) => TableLayout | null;
  readonly #recorder: RowRecorder;
  #last: ChangedTable | null = null;
  #comparedCells = 0;
  #schema = false;
  #anything = false;

  constructor(layoutOf: (table: string) => TableLayout | null, recorder: RowRecorder) {
    this.#layoutOf = layoutOf;
    this.#recorder = recorder;
  }

  get isEmpty(): boolean {
    return this.#journal.length === 0 && !this.#schema && !this.#anything;
  }

  get schemaChanged(): boolean {
    return this.#schema;
  }

  inserted(name: string, rowid: bigint): void {
    const table = this.#tableNamed(name);
    this.#learn(table, Fact.inserted);
    this.#noteRowid(table, rowid);
  }

  deleted(name: string, rowid: bigint): void {
    const table = this.#tableNamed(name);
    this.#learn(table, Fact.deleted);
    this.#noteRowid(table, rowid);
  }

  /** @param changed a bit for each column, 50 to a number */
  updated(name: string, before: bigint, after: bigint, changed: readonly number[]): void {
    const table = this.#tableNamed(name);
    const moved = before !== after;
    if (!this.#noteColumns(table, changed) && !moved) return;
    this.#learn(table, Fact.updated);
    this.#noteRowid(table, before);
    if (!moved) return;
    this.#learn(table, Fact.moved);
    this.#noteRowid(table, after);
  }

  insertedKey(name: string, key: readonly Value[]): void {
    const table = this.#tableNamed(name);
    this.#learn(table, Fact.inserted);
    this.#noteKey(table, key);
  }

  deletedKey(name: string, key: readonly Value[]): void {
    const table = this.#tableNamed(name);
    this.#learn(table, Fact.deleted);
    this.#noteKey(table, key);
  }

  updatedKey(name: string, before: readonly Value[], after: readonly Value[], changed: readonly number[]): void {
    const table = this.#tableNamed(name);
    if (!this.#noteColumns(table, changed)) return;
    const isKey = (place: number): boolean =>
      ((changed[Math.floor(place / MASK_BITS)] ?? 0) / 2 ** (place % MASK_BITS)) % 2 >= 1;
    const moved = table.facts[Fact.anyColumn] === 1 || table.layout?.primaryKey?.some(isKey) === true;
    this.#learn(table, Fact.updated);
    this.#noteKey(table, before);
    if (!moved) return;
    this.#learn(table, Fact.moved);
    this.#noteKey(table, after);
  }

  /** Nothing more is known than that it changed. */
  anyChange(name: string): void {
    const table = this.#tableNamed(name);
    for (let fact = 0; fact < Fact.firstColumn; fact++) this.#learn(table, fact);
  }

  /** Rows were deleted to make place, which ones is not known. */
  anyDeleted(name: string): void {
    const table = this.#tableNamed(name);
    this.#learn(table, Fact.deleted);
    this.#learn(table, Fact.anyRow);
  }

  defined(names: readonly string[]): void {
    for (const name of names) this.anyChange(name);
    this.#schema = true;
  }

  anythingChanged(): void {
    this.#schema = this.#anything = true;
  }

  /** What changed since `mark`, by name. */
  changedSince(mark: Mark): readonly string[] {
    return [...new Set(this.#journal.slice(mark.facts).map(({ table }) => table.name))];
  }

  mark(): Mark {
    return {
      facts: this.#journal.length,
      tables: this.#tables.length,
      rows: this.#rows.count,
      schema: this.#schema,
      anything: this.#anything,
      log: this.#recorder.mark(),
    };
  }

  hasGrown(mark: Mark): boolean {
    return this.#journal.length > mark.facts || this.#recorder.hasGrown(mark.log);
  }

  /** Forgets what came after `mark`. */
  goBack(mark: Mark): void {
    this.#last = null;
    this.#schema = mark.schema;
    this.#anything = mark.anything;
    for (const { table, fact } of this.#journal.splice(mark.facts)) table.facts[fact] = 0;
    for (const table of this.#tables.splice(mark.tables)) this.#byName.delete(table.name);
    this.#rows.goBack(mark.rows);
    this.#recorder.goBack(mark.log);
  }

  savepoint(name: string): void {
    this.#savepoints.push({ name: name.toLowerCase(), mark: this.mark() });
  }

  release(name: string): void {
    const place = this.#placeOf(name);
    if (place >= 0) this.#savepoints.length = place;
  }

  rollbackTo(name: string): void {
    const place = this.#placeOf(name);
    if (place < 0) return;
    this.goBack(this.#savepoints[place]!.mark);
    this.#savepoints.length = place + 1;
  }

  /** What was changed since the transaction began; and begins anew. */
  take(): { readonly tables: ReadonlyMap<string, TableChanges> | null; readonly schema: boolean } {
    const tables = new Map<string, TableChanges>();
    for (const table of this.#tables)
      if (table.facts.includes(1) && !table.name.startsWith('sqlite_'))
        tables.set(table.name, changesOf(table, this.#rows));
    const [schema, anything] = [this.#schema, this.#anything];
    this.clear();
    return anything ? { tables: null, schema: true } : { tables, schema };
  }

  clear(): void {
    this.#last = null;
    this.#byName.clear();
    this.#tables.length = 0;
    this.#journal.length = 0;
    this.#rows.goBack(0);
    this.#savepoints.length = 0;
    this.#comparedCells = 0;
    this.#schema = this.#anything = false;
    this.#recorder.clear();
  }

  #placeOf(name: string): number {
    let place = this.#savepoints.length - 1;
    while (place >= 0 && this.#savepoints[place]!.name !== name.toLowerCase()) place--;
    return place;
  }

  /** Whether any column gets another value. */
  #noteColumns(table: ChangedTable, changed: readonly number[]): boolean {
    const columns = table.layout?.columns.length ?? 0;
    if (this.#comparedCells >= MAX_COMPARED_CELLS || columns === 0) {
      this.#learn(table, Fact.anyColumn);
      return true;
    }
    this.#comparedCells += columns;
    let any = false;
    for (let chunk = 0; chunk < changed.length; chunk++) {
      let bits = changed[chunk]!;
      for (let place = chunk * MASK_BITS; bits > 0; place++) {
        if (bits % 2 === 1) {
          this.#learn(table, Fact.firstColumn + place);
          any = true;
        }
        bits = Math.floor(bits / 2);
      }
    }
    return any;
  }

  #noteRowid(table: ChangedTable, rowid: bigint): void {
    if (table.facts[Fact.anyRow] === 1) return;
    if (!this.#rows.addRowid(table.number, rowid)) this.#learn(table, Fact.anyRow);
  }

  #noteKey(table: ChangedTable, key: readonly Value[]): void {
    if (table.facts[Fact.anyRow] === 1) return;
    const bytes = key.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0),
      0,
    );
    if (bytes > MAX_KEY_BYTES || !this.#rows.addPrimaryKey(table.number, key)) this.#learn(table, Fact.anyRow);
  }

  #learn(table: ChangedTable, fact: number): void {
    if (table.facts[fact] === 1) return;
    table.facts[fact] = 1;
    this.#journal.push({ table, fact });
  }

  #tableNamed(name: string): ChangedTable {
    if (this.#last?.name === name) return this.#last;
    let table = this.#byName.get(name);
    if (table === undefined) {
      const known = this.#layoutOf(name);
      const layout = known?.isInternal === true ? null : known;
      const facts = new Uint8Array(Fact.firstColumn + (layout?.columns.length ?? 0));
      table = { number: this.#tables.length, name, layout, facts };
      this.#byName.set(name, table);
      this.#tables.push(table);
    }
    this.#last = table;
    return table;
  }
}

/** Bits of one number that tells which columns changed: a REAL carries 53 exactly. */
export const MASK_BITS = 50;
