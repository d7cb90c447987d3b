// Whether the rows of an export are the ones that the user selected: they are selected by position, and others may have committed rows above.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { SeenRow } from '#shared/protocol/export.ts';
import type { Key } from '../readers/key-order.ts';
import { sameValue } from '../sql/same-value.ts';

/** Where the rows that the user sees must be among the ones that are read. */
export interface ReadPlaces {
  /** In any order. */
  readonly seen: readonly SeenRow[];
  /** Key of the last row, however many there are; null: it is not known. */
  readonly lastKey: Key | null;
}

export class SeenRows {
  readonly #seen: readonly SeenRow[];
  readonly #lastKey: Key | null;
  readonly #keyPlaces: readonly number[];
  #checked = 0;
  #isLast = false;

  /** @param keyPlaces the packed columns of the key, in its order */
  constructor({ seen, lastKey }: ReadPlaces, keyPlaces: readonly number[]) {
    this.#seen = [...seen].sort((a, b) => a.position - b.position);
    this.#lastKey = lastKey;
    this.#keyPlaces = keyPlaces;
  }

  /** @param start position of the first of these rows, which follow the ones checked before. @throws AppError `refused` */
  check(rows: PackedRows, start: number): void {
    if (rows.rowCount === 0) return;
    const reader = new PackedRowsReader(rows);
    while (this.#isNextBefore(start + rows.rowCount)) {
      const { position, key } = this.#seen[this.#checked]!;
      if (!this.#hasKey(reader, position - start, key)) throw elsewhere();
      this.#checked++;
    }
    if (this.#lastKey) this.#isLast = this.#hasKey(reader, rows.rowCount - 1, this.#lastKey);
  }

  /** Called after the last row. @throws AppError `refused` */
  end(): void {
    if (this.#checked < this.#seen.length || (this.#lastKey && !this.#isLast)) throw elsewhere();
  }

  #hasKey(reader: PackedRowsReader, row: number, key: Key): boolean {
    const places = this.#keyPlaces;
    return key.length === places.length && places.every((place, at) => sameValue(reader.value(row, place), key[at]!));
  }

  #isNextBefore(end: number): boolean {
    return this.#checked < this.#seen.length && this.#seen[this.#checked]!.position < end;
  }
}

const elsewhere = (): AppError =>
  AppError.refused(
    inParts(
      'Rows were added, removed, or moved just now, and the selected ones are elsewhere.',
      'Nothing was exported. Try again.',
    ),
  );
