// The rows of one table as a grid shows them: stored rows with their held values, or with values just stored that have not come back yet,
// and rows to be added.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { DatabaseId, ReaderInfo, Value } from '#shared/protocol/index.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import type { UnsavedMark, UnsavedRows } from '../../grid/unsaved-rows.ts';
import { keyName, type OwnEdits } from '../rows/own-edits.ts';
import { writeValue } from '../rows/write-value.ts';
import type { HeldRow, HeldTable } from './held-changes.ts';
import { useHeld, type Held } from './held-store.ts';

interface HeldSource {
  readonly database: DatabaseId;
  readonly table: string;
  readonly info: ReaderInfo;
  /** Edits whose rows have not come back yet; null where rows come back before the edit is answered. */
  readonly ownEdits: OwnEdits | null;
  storedKeyOf(rows: PackedRowsReader, index: number): readonly Value[] | null;
}

interface Origin {
  /** The stored row; null for a row to be added. */
  readonly stored: CachedRow | null;
  readonly held: HeldRow | null;
  /** Id of a row to be added; otherwise null. */
  readonly id: string | null;
  /** Columns of a row to be added that have a value. */
  readonly set: Readonly<Record<string, Value>> | null;
  readonly name: string;
}

export class HeldRows implements UnsavedRows {
  readonly #source: HeldSource;
  readonly #stop: () => void;
  #held: Held | null = null;
  #table: HeldTable | null = null;
  #added: readonly CachedRow[] = [];
  #shown = new WeakMap<PackedRowsReader, Map<number, CachedRow>>();
  /** Origins by the reader of the row that is shown. */
  readonly #origins = new WeakMap<PackedRowsReader, Origin>();

  /** @param onChange other values are shown from now on */
  constructor(source: HeldSource, onChange: () => void) {
    this.#source = source;
    this.#take(useHeld.getState());
    this.#stop = useHeld.subscribe((state) => this.#take(state) && onChange());
  }

  close(): void {
    this.#stop();
  }

  get added(): readonly CachedRow[] {
    return this.#added;
  }

  shown(row: CachedRow): CachedRow {
    const { ownEdits } = this.#source;
    if ((this.#table?.rows.size ?? 0) === 0 && (ownEdits?.isEmpty ?? true)) return row;
    const known = this.#shown.get(row.rows);
    const before = known?.get(row.index);
    if (before) return before;
    const key = this.#source.storedKeyOf(row.rows, row.index);
    const name = key === null ? '' : keyName(key);
    const held = this.#table?.rows.get(name);
    const shown = held ? this.#withHeld(row, held, name) : this.#withOwn(row, key, name);
    if (known) known.set(row.index, shown);
    else this.#shown.set(row.rows, new Map([[row.index, shown]]));
    return shown;
  }

  /** An edit was noted, or edits were forgotten. */
  ownEditsChanged(): void {
    this.#shown = new WeakMap();
  }

  markOf({ rows }: CachedRow, column: number): UnsavedMark | null {
    const origin = this.#origins.get(rows);
    if (!origin) return null;
    if (origin.id !== null) return 'added';
    if (origin.held === null) return null;
    if (origin.held.isDeleted) return 'deleted';
    const { name } = this.#source.info.columns[column + this.#source.info.hiddenColumns]!;
    if (!origin.held.cells.has(name)) return null;
    const state = this.#held?.states.get(`${this.#source.table}\0row ${origin.name}`);
    return state?.kind === 'conflict' && Object.hasOwn(state.current, name) ? 'conflict' : 'changed';
  }

  isUnset({ rows }: CachedRow, column: number): boolean {
    const set = this.#origins.get(rows)?.set;
    return (
      set != null && !Object.hasOwn(set, this.#source.info.columns[column + this.#source.info.hiddenColumns]!.name)
    );
  }

  /** The stored row behind a row that is shown; null for a row to be added. */
  storedOf(rows: PackedRowsReader, index: number): CachedRow | null {
    const origin = this.#origins.get(rows);
    return origin ? origin.stored : { rows, index };
  }

  /** Id of a row to be added; null for a stored one. */
  idOf(rows: PackedRowsReader): string | null {
    return this.#origins.get(rows)?.id ?? null;
  }

  isDeleted(rows: PackedRowsReader): boolean {
    return this.#origins.get(rows)?.held?.isDeleted ?? false;
  }

  #take(state: Readonly<Record<DatabaseId, Held>>): boolean {
    const { database, table } = this.#source;
    const held = state[database] ?? null;
    if (held === this.#held) return false;
    const before = this.#table;
    const areStatesSame = held?.states === this.#held?.states;
    this.#held = held;
    this.#table = held?.tables.get(table) ?? null;
    if (this.#table === before) return !areStatesSame && before !== null;
    this.#shown = new WeakMap();
    this.#added = [...(this.#table?.added ?? [])].map(([id, set]) => this.#addedRow(id, set));
    return true;
  }

  /** Columns of the key stay as they are painted: the row is still known by them. */
  #withOwn(row: CachedRow, key: readonly Value[] | null, name: string): CachedRow {
    const { ownEdits, info } = this.#source;
    const keyColumns: readonly number[] = info.key.columns;
    const edited = new Map<number, Value>();
    if (key === null || ownEdits === null) return row;
    for (const column of ownEdits.columnsOf(name)) {
      const packed = column + info.hiddenColumns;
      if (keyColumns.includes(packed) || row.rows.isPreview(row.index, packed)) continue;
      const painted = row.rows.value(row.index, packed);
      const value = ownEdits.present(key, column, painted);
      if (value !== painted) edited.set(packed, value);
    }
    if (edited.size === 0) return row;
    return this.#written({ stored: row, held: null, id: null, set: null, name }, (writer, packed) => {
      const value = edited.get(packed);
      if (value === undefined) writer.copy(row.rows, row.index, packed);
      else writeValue(writer, value);
    });
  }

  #withHeld(row: CachedRow, held: HeldRow, name: string): CachedRow {
    const { columns, hiddenColumns } = this.#source.info;
    return this.#written({ stored: row, held, id: null, set: null, name }, (writer, packed) => {
      const cell = packed < hiddenColumns ? undefined : held.cells.get(columns[packed]!.name);
      if (cell && !held.isDeleted) writeValue(writer, cell.value);
      else writer.copy(row.rows, row.index, packed);
    });
  }

  #addedRow(id: string, set: Readonly<Record<string, Value>>): CachedRow {
    const { columns, hiddenColumns } = this.#source.info;
    return this.#written({ stored: null, held: null, id, set, name: '' }, (writer, packed) => {
      const { name } = columns[packed]!;
      writeValue(writer, packed >= hiddenColumns && Object.hasOwn(set, name) ? set[name]! : null);
    });
  }

  #written(origin: Origin, write: (writer: PackedRowsWriter, packed: number) => void): CachedRow {
    const count = this.#source.info.columns.length;
    const writer = new PackedRowsWriter(count, { expectedRows: 1, previewBytes: Infinity });
    for (let packed = 0; packed < count; packed++) write(writer, packed);
    const rows = new PackedRowsReader(writer.finish());
    this.#origins.set(rows, origin);
    return { rows, index: 0 };
  }
}
