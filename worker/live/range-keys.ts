// The keys of the rows a window watches, to tell whether a commit that names its touched rows can affect them.
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { RowKey } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { ChangedKeys } from '../engines/transaction-changes.ts';

export class RangeKeys {
  readonly #keys: ReadonlySet<string | bigint>;
  /** The row id of the last row; null when there is none. */
  readonly #last: bigint | null;

  private constructor(keys: ReadonlySet<string | bigint>, last: bigint | null) {
    this.#keys = keys;
    this.#last = last;
  }

  /** Null when the rows do not show their keys. */
  static of(rows: PackedRows, key: RowKey): RangeKeys | null {
    if (key.kind === 'none') return null;
    const cells = new PackedRowsReader(rows);
    const keys = new Set<string | bigint>();
    let last: bigint | null = null;
    for (let row = 0; row < rows.rowCount; row++) {
      if (key.kind === 'rowid') {
        const rowid = cells.value(row, key.columns[0]);
        if (typeof rowid !== 'number' && typeof rowid !== 'bigint') return null;
        keys.add((last = BigInt(rowid)));
      } else {
        // A long value is cut, and two keys might differ only in the part that is missing.
        if (key.columns.some((column) => cells.isPreview(row, column))) return null;
        keys.add(keyText(key.columns.map((column) => cells.value(row, column))));
      }
    }
    return new RangeKeys(keys, last);
  }

  holdAny(changed: ChangedKeys): boolean {
    if (changed.kind === 'rowid') return changed.rowids.some((rowid) => this.#keys.has(rowid));
    return changed.keys.some((key) => this.#keys.has(keyText(key)));
  }

  /** Whether all rows of the range come before every changed row. */
  allComeBefore(changed: ChangedKeys): boolean {
    const last = this.#last;
    return last !== null && changed.kind === 'rowid' && changed.rowids.every((rowid) => rowid > last);
  }
}

/** Different for different values, including values of different classes. */
function keyText(key: readonly Value[]): string {
  return JSON.stringify(key.map(partText));
}

function partText(value: Value): unknown {
  if (typeof value === 'bigint') return { big: String(value) };
  if (value instanceof Uint8Array) return { blob: Array.from(value) };
  if (value !== null && isReal(value)) return { real: String(value.real) };
  if (value !== null && isRawText(value)) return { text: Array.from(value.textBytes) };
  // JSON has no infinities.
  return typeof value === 'number' ? { number: String(value) } : value;
}
