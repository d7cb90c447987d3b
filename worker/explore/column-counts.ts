// Values of a column while its rows are read: counted value by value, up to a limit.
import { MAX_DISTINCT, MAX_TOP_VALUES } from '#shared/protocol/explore.ts';
import type { ColumnProfile, HistogramBucket, ValueCount } from '#shared/protocol/explore.ts';
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import { compareStored } from './compare-stored.ts';
import { firstOf } from './first-of.ts';

const BUCKETS = 20;

/** Rows that have the same value, or one row. */
export interface CountedRows {
  readonly storage: StorageClass;
  /** Cut if `isCut`. */
  readonly value: Value;
  readonly isCut: boolean;
  readonly rows: number;
  /** Lengths of the values in these rows; null for NULL and numbers. */
  readonly lengths: { readonly least: number; readonly greatest: number; readonly total: number } | null;
}

export class ColumnCounts {
  readonly #values = new Map<string | number | bigint, { value: Value; rows: number }>();
  readonly #classes = { null: 0, integer: 0, real: 0, text: 0, blob: 0 };
  #isExact = true;
  #least: Value = null;
  #greatest: Value = null;
  #numbers = 0;
  #sum = 0;
  #lengths: { least: number; greatest: number; total: number; rows: number } | null = null;

  add({ storage, value, isCut, rows, lengths }: CountedRows): void {
    this.#classes[storage] += rows;
    if (storage !== 'null') {
      if (this.#least === null || compareStored(value, this.#least) < 0) this.#least = value;
      if (this.#greatest === null || compareStored(value, this.#greatest) > 0) this.#greatest = value;
    }
    if (storage === 'integer' || storage === 'real') {
      this.#numbers += rows;
      this.#sum += numberOf(value)! * rows;
    }
    if (lengths) this.#addLengths(lengths, rows);
    if (isCut) this.#isExact = false;
    else this.#count(storage, value, rows);
  }

  get rows(): number {
    const { null: nulls, integer, real, text, blob } = this.#classes;
    return nulls + integer + real + text + blob;
  }

  /** @param isComplete whether all rows have been added: the histogram needs them */
  profile(isComplete: boolean): ColumnProfile {
    const lengths = this.#lengths;
    const distinct = this.#values.size - (this.#classes.null > 0 ? 1 : 0);
    return {
      rows: this.rows,
      classes: { ...this.#classes },
      distinct: { count: distinct, isExact: this.#isExact },
      top: firstOf(this.#values.values(), MAX_TOP_VALUES, byFrequency).map(({ value, rows }) => ({ value, rows })),
      least: this.#least,
      greatest: this.#greatest,
      mean: this.#numbers === 0 ? null : this.#sum / this.#numbers,
      lengths: lengths && { least: lengths.least, greatest: lengths.greatest, mean: lengths.total / lengths.rows },
      histogram: isComplete && this.#values.size < MAX_DISTINCT ? this.#histogram() : [],
    };
  }

  #count(storage: StorageClass, value: Value, rows: number): void {
    const key = keyOf(storage, value);
    const known = this.#values.get(key);
    if (known) known.rows += rows;
    else if (this.#values.size < MAX_DISTINCT) this.#values.set(key, { value, rows });
    else this.#isExact = false;
  }

  #addLengths({ least, greatest, total }: NonNullable<CountedRows['lengths']>, rows: number): void {
    const known = this.#lengths;
    if (!known) this.#lengths = { least, greatest, total, rows };
    else {
      known.least = Math.min(known.least, least);
      known.greatest = Math.max(known.greatest, greatest);
      known.total += total;
      known.rows += rows;
    }
  }

  #histogram(): readonly HistogramBucket[] {
    const numbers: { readonly at: number; readonly rows: number }[] = [];
    let [low, high] = [Infinity, -Infinity];
    for (const { value, rows } of this.#values.values()) {
      const at = numberOf(value);
      if (at === null || !Number.isFinite(at)) continue;
      numbers.push({ at, rows });
      low = Math.min(low, at);
      high = Math.max(high, at);
    }
    // Halved first: the distance of two finite numbers need not be finite.
    const width = (high / 2 - low / 2) / (BUCKETS / 2);
    if (!(low < high) || width === 0) return [];
    const counts = Array.from({ length: BUCKETS }, () => 0);
    for (const { at, rows } of numbers) {
      const bucket = Math.min(BUCKETS - 1, Math.floor((at / 2 - low / 2) / (width / 2)));
      counts[bucket] = counts[bucket]! + rows;
    }
    const edge = (index: number): number => (index === BUCKETS ? high : low + width * index);
    return counts.map((rows, index) => ({ from: edge(index), to: edge(index + 1), rows }));
  }
}

/** Frequent values first, and values of the same number of rows in SQLite's order. */
const byFrequency = (a: ValueCount, b: ValueCount): number => b.rows - a.rows || compareStored(a.value, b.value);

function numberOf(value: Value): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  return isReal(value) ? value.real : null;
}

/** Different for different values of one storage class, and for those of different classes. */
function keyOf(storage: StorageClass, value: Value): string | number | bigint {
  if (storage === 'integer') return value as number | bigint;
  if (value instanceof Uint8Array) return `b${String(value)}`;
  if (isRawText(value)) return `x${String(value.textBytes)}`;
  if (isReal(value)) return `r${value.real}`;
  return storage === 'text' ? `t${value as string}` : `${storage[0]}${String(value)}`;
}
