// The values of a page of a flat column, decoded a range of rows at a time: what a page claims to have takes no memory before it is asked for.
import { convert } from 'hyparquet/src/convert.js';
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from 'hyparquet/src/delta.js';
import { byteStreamSplit } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';
import type { ColumnDecoder, DataReader, DecodedArray } from 'hyparquet/src/types.js';
import { HybridRuns } from './hybrid-runs.ts';
import type { PageMemory } from './page-memory.ts';
import type { ParquetField } from './parquet-values.ts';

/** Values that several rows may have. */
export interface SharedValues {
  readonly values: DecodedArray;
  /** Each field once a row has asked for it; null where each row has a value of its own. */
  readonly fields: (ParquetField | undefined)[] | null;
}

/** Rows of a page. */
export interface PageRun extends SharedValues {
  /** Rows are counted from the beginning of the row group. */
  readonly start: number;
  readonly end: number;
  /** The number of each row's value, -1 for NULL; null where each row has the next value. */
  readonly numbers: Int32Array | null;
}

/** A page as it is described, decompressed. */
export interface DescribedPage {
  readonly encoding: string;
  readonly count: number;
  /** Null where all rows have a value. */
  readonly levels: HybridRuns | null;
  readonly bytes: Uint8Array;
  /** Where its values begin. */
  readonly from: number;
}

/** What an array of bytes takes besides its bytes, and a number. */
export const VIEW_BYTES = 96;
export const NUMBER_BYTES = 8;
const TRUTHS: SharedValues = { values: [false, true], fields: [undefined, undefined] as (ParquetField | undefined)[] };

/** Reads so many next values. */
type NextValues = (count: number) => { readonly found: DecodedArray; readonly shared: SharedValues | null };

export class PageValues {
  readonly #page: DescribedPage;
  readonly #next: NextValues;

  /** @throws Error of the decoder; AppError `too-big` */
  constructor(page: DescribedPage, decoder: ColumnDecoder, dictionary: SharedValues | null, memory: PageMemory) {
    this.#page = page;
    this.#next = nextValues(page, decoder, dictionary, memory);
  }

  /** The next rows. @param start in the row group */
  read(start: number, end: number): PageRun {
    const rows = end - start;
    const levels = this.#page.levels === null ? null : new Uint8Array(rows);
    let present = rows;
    if (levels !== null) {
      this.#page.levels!.read(levels, 0, rows);
      present = 0;
      for (let row = 0; row < rows; row++) present += levels[row] === 1 ? 1 : 0;
    }
    const { found, shared } = this.#next(present);
    if (found.length !== present) throw new Error(`a page has ${found.length} values and says ${present}`);
    return {
      start,
      end,
      values: shared?.values ?? found,
      fields: shared?.fields ?? null,
      numbers: numbersOf(levels, shared === null ? null : found, rows),
    };
  }
}

/** @param found numbers of values that rows share; null where each has its own */
function numbersOf(levels: Uint8Array | null, found: DecodedArray | null, rows: number): Int32Array | null {
  if (levels === null) return found as Int32Array | null;
  const numbers = new Int32Array(rows);
  let next = 0;
  for (let row = 0; row < rows; row++) {
    if (levels[row] !== 1) numbers[row] = -1;
    else {
      numbers[row] = found === null ? next : (found[next] as number);
      next++;
    }
  }
  return numbers;
}

function nextValues(
  { encoding, count, bytes, from }: DescribedPage,
  decoder: ColumnDecoder,
  dictionary: SharedValues | null,
  memory: PageMemory,
): NextValues {
  const { type, element } = decoder;
  const reader: DataReader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: from };
  if (encoding.endsWith('_DICTIONARY')) {
    if (!dictionary) throw new Error('a page needs a dictionary, and there is none before it');
    // A page without a value may have nothing at all.
    return from < bytes.length
      ? numbered(new HybridRuns(bytes, from + 1, bytes[from]!, count), dictionary)
      : none(dictionary);
  }
  if (encoding === 'RLE' && type === 'BOOLEAN') return numbered(new HybridRuns(bytes, from + 4, 1, count), TRUTHS);
  if (encoding === 'PLAIN' && type === 'BOOLEAN') return numbered(HybridRuns.ofBits(bytes, from, 1, count), TRUTHS);
  if (encoding === 'PLAIN')
    return (wanted) => {
      const found = convert(readPlain(reader, type, wanted, element.type_length), decoder);
      // The bytes after a page belong to another one.
      if (reader.offset > bytes.length) throw new Error('a page ends before its values do');
      return { found, shared: null };
    };
  return decodedAtOnce(reader, { encoding, count }, decoder, memory);
}

const none =
  (shared: SharedValues): NextValues =>
  () => ({ found: [], shared });

function numbered(runs: HybridRuns, shared: SharedValues): NextValues {
  const { length } = shared.values;
  return (wanted) => {
    const found = new Int32Array(wanted);
    runs.read(found, 0, wanted);
    for (let at = 0; at < wanted; at++)
      if (found[at]! < 0 || found[at]! >= length) throw new Error('a value is not in the dictionary');
    return { found, shared };
  };
}

/** Differences cannot be decoded from their middle. The values take memory for as long as the page is used. */
function decodedAtOnce(
  reader: DataReader,
  page: Pick<DescribedPage, 'encoding' | 'count'>,
  decoder: ColumnDecoder,
  memory: PageMemory,
): NextValues {
  let all: DecodedArray | null = null;
  let at = 0;
  return (wanted) => {
    if (wanted === 0) return { found: [], shared: null };
    all ??= convert(decoded(reader, page, decoder, memory), decoder);
    const found = all.slice(at, at + wanted) as DecodedArray;
    at += wanted;
    return { found, shared: null };
  };
}

function decoded(
  reader: DataReader,
  { encoding, count: claimed }: Pick<DescribedPage, 'encoding' | 'count'>,
  { type, element }: ColumnDecoder,
  memory: PageMemory,
): DecodedArray {
  const { offset, view } = reader;
  const again = (): DataReader => ({ view, offset });
  switch (encoding) {
    case 'BYTE_STREAM_SPLIT': {
      const width = { INT32: 4, FLOAT: 4, INT64: 8, DOUBLE: 8 }[type as string] ?? element.type_length ?? 0;
      const count = Math.min(claimed, Math.floor((view.byteLength - offset) / Math.max(1, width)));
      memory.take(count * (width + (type === 'FIXED_LEN_BYTE_ARRAY' ? VIEW_BYTES : 0)));
      return byteStreamSplit(reader, count, type, element.type_length);
    }
    case 'DELTA_BINARY_PACKED': {
      const count = saidCount(again(), claimed);
      memory.take(count * NUMBER_BYTES);
      const values = type === 'INT32' ? new Int32Array(count) : new BigInt64Array(count);
      deltaBinaryUnpack(reader, count, values);
      return values;
    }
    case 'DELTA_LENGTH_BYTE_ARRAY': {
      const count = saidCount(again(), claimed);
      memory.take(count * (VIEW_BYTES + NUMBER_BYTES));
      const values: Uint8Array[] = Array.from({ length: count });
      deltaLengthByteArray(reader, count, values);
      return values;
    }
    case 'DELTA_BYTE_ARRAY': {
      const count = saidCount(again(), claimed);
      memory.take(count * (VIEW_BYTES + 2 * NUMBER_BYTES));
      memory.take(prefixBytes(again(), count));
      const values: Uint8Array[] = Array.from({ length: count });
      deltaByteArray(reader, count, values);
      return values;
    }
    default:
      throw new Error(`a page is written in a way that is not known (${encoding})`);
  }
}

/** Bytes that values take over from the ones before them, which are in memory again. */
function prefixBytes(reader: DataReader, count: number): number {
  const prefixes = new Int32Array(count);
  deltaBinaryUnpack(reader, count, prefixes);
  let sum = 0;
  for (const prefix of prefixes) sum += prefix;
  return sum;
}

/** How many values differences say they are of: rows without a value have none. */
function saidCount(reader: DataReader, most: number): number {
  for (let number = 0; number < 2; number++) varint(reader);
  return Math.min(most, varint(reader));
}

function varint(reader: DataReader): number {
  let result = 0;
  for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
    const byte = reader.view.getUint8(reader.offset++);
    result += (byte & 0x7f) * factor;
    if (byte < 0x80) return result;
  }
  throw new Error('a number of a page is too long');
}
