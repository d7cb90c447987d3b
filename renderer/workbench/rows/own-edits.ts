// Values this window has just stored and the grid has not received yet: they are shown, and the next edit of the same cell starts from them.
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { isRawText, isReal, storageClassOf, type Value } from '#shared/protocol/values.ts';

interface OwnEdit {
  /** Values that the cell had before, the oldest first: more than one if it was edited again before its row was read. */
  readonly replaced: readonly Value[];
  readonly after: Value;
  /** Counts the edits of these rows. */
  readonly number: number;
}

/** Rows that have been read, and how to find edits of them. */
export interface ReadRows {
  readonly rows: PackedRowsReader;
  readonly count: number;
  readonly hiddenColumns: number;
  keyOf(index: number): readonly Value[] | null;
}

export class OwnEdits {
  /** Edits by the name of their row, and then by column. */
  readonly #rows = new Map<string, Map<number, OwnEdit>>();
  readonly #onNoted: (() => void) | null;
  #noted = 0;
  /** The newest edit when the last patch came. */
  #notedAtPatch = 0;

  /** @param onNoted called after each edit that is noted */
  constructor(onNoted: (() => void) | null = null) {
    this.#onNoted = onNoted;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  note(key: readonly Value[], column: number, before: Value, after: Value): void {
    const name = keyName(key);
    const row = this.#rows.get(name) ?? new Map<number, OwnEdit>();
    const earlier = row.get(column);
    const replaced = [...(earlier && sameValue(earlier.after, before) ? earlier.replaced : []), before];
    this.#rows.set(name, row.set(column, { replaced, after, number: ++this.#noted }));
    this.#onNoted?.();
  }

  /** The newest edit. Rows whose reading begins now are not older than it. */
  get newest(): number {
    return this.#noted;
  }

  /** Updates have arrived: the painted values are at least as new. */
  forget(): void {
    this.#rows.clear();
  }

  /**
   * Ends the edits that the rows include: edits up to `newest`, and edits whose cell no longer has the replaced value.
   * @param newest {@link newest} when the reading began
   */
  read({ rows, count, hiddenColumns, keyOf }: ReadRows, newest: number): void {
    if (this.isEmpty) return;
    for (let index = 0; index < count; index++) {
      const key = keyOf(index);
      const row = key && this.#rows.get(keyName(key));
      if (!row) continue;
      this.#end(keyName(key), ({ number, replaced, after }, column) => {
        const value = rows.value(index, column + hiddenColumns);
        return number <= newest || sameValue(after, value) || !replaced.some((old) => sameValue(old, value));
      });
    }
  }

  /** A patch has come, which contains `changed`. Its rows may have been read before an edit, but never before the previous patch. */
  patched(changed: ReadRows): void {
    this.read(changed, 0);
    for (const name of [...this.#rows.keys()]) this.#end(name, ({ number }) => number <= this.#notedAtPatch);
    this.#notedAtPatch = this.#noted;
  }

  /** Returns the current value of a cell; the grid shows `painted`. */
  present(key: readonly Value[], column: number, painted: Value): Value {
    const edit = this.#rows.get(keyName(key))?.get(column);
    return edit?.replaced.some((old) => sameValue(old, painted)) ? edit.after : painted;
  }

  /** Columns of a row that were edited. @param name {@link keyName} of the row */
  columnsOf(name: string): readonly number[] {
    return [...(this.#rows.get(name)?.keys() ?? [])];
  }

  #end(name: string, isOver: (edit: OwnEdit, column: number) => boolean): void {
    const row = this.#rows.get(name);
    for (const [column, edit] of row ?? []) if (isOver(edit, column)) row!.delete(column);
    if (row?.size === 0) this.#rows.delete(name);
  }
}

/** A text that is the same for equal keys, and only for equal keys. */
export const keyName = (key: readonly Value[]): string => JSON.stringify(key.map(spelled));

export const sameValue = (a: Value, b: Value): boolean => spelled(a) === spelled(b);

/** Equal for equal values of one storage class. */
function spelled(value: Value): string {
  if (value === null) return 'null';
  if (isReal(value)) return `real ${value.real}`;
  if (isRawText(value)) return `raw ${String(value.textBytes)}`;
  return `${storageClassOf(value)} ${String(value)}`;
}
