// The pages of a flat column in a row group, from the first to the last: each is read, decompressed and decoded once, whichever ranges of
// rows it belongs to.
import { parquetHeader } from 'hyparquet/src/column.js';
import { convert } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import type { AsyncBuffer, ColumnDecoder, DecodedArray, PageHeader } from 'hyparquet/src/types.js';
import type { ParquetField } from './parquet-values.ts';

/** Writers end a page at a megabyte, or at the end of its row group; of one value repeated, that may be millions. */
export const MOST_VALUES = 1 << 24;
/** Headers have some dozens of bytes, and the least and the largest value of their page. */
const HEADER_BYTES = 1 << 10;
const MAX_HEADER_BYTES = 16 << 20;

/** Values that several rows may have, each with its field once a row has asked for it. */
export interface PageValues {
  readonly values: DecodedArray;
  /** Null where each row has a value of its own. */
  readonly fields: (ParquetField | undefined)[] | null;
}

/** Rows of a page. */
export interface PageRun extends PageValues {
  /** Rows are counted from the beginning of the row group. */
  readonly start: number;
  readonly end: number;
  /** The number of each row's value, -1 for NULL; null where each row has the next value. */
  readonly numbers: Int32Array | null;
}

export interface ColumnPlace {
  readonly file: AsyncBuffer;
  readonly decoder: ColumnDecoder;
  /** Where in the file its first page begins, and its last one ends. */
  readonly from: number;
  readonly to: number;
  /** Bytes that are read at a time. */
  readonly windowBytes: number;
}

export class ColumnPages {
  readonly #place: ColumnPlace;
  #view = new DataView(new ArrayBuffer(0));
  /** In the view. */
  #offset = 0;
  /** Where in the file the view ends. */
  #position: number;
  #dictionary: PageValues | null = null;
  #last: PageRun | null = null;
  /** Rows of the pages that were passed. */
  #rows = 0;
  /** Rows before `end` cannot be read, or not told apart. */
  #failure: { readonly end: number; readonly error: unknown } | null = null;

  constructor(place: ColumnPlace) {
    this.#place = place;
    this.#position = place.from;
  }

  /**
   * The pages with these rows, which follow all that were taken before. Fewer where the column ends.
   * @throws what the decoder throws, for each range that a damaged page belongs to, and what the source throws
   */
  async take(start: number, end: number): Promise<readonly PageRun[]> {
    if (this.#failure !== null && start < this.#failure.end) throw this.#failure.error;
    const runs = this.#last !== null && this.#last.end > start ? [this.#last] : [];
    let failedEnd = Infinity;
    try {
      while (this.#rows < end) {
        const header = await this.#header();
        if (header === null) break;
        const bytes = await this.#page(header.compressed_page_size);
        if (header.type === 'DICTIONARY_PAGE') {
          this.#dictionary = this.#readDictionary(header, bytes);
          continue;
        }
        const first = this.#rows;
        failedEnd = this.#rows += valuesOf(header);
        if (this.#rows > start) runs.push((this.#last = this.#read(header, bytes, first)));
        failedEnd = Infinity;
      }
    } catch (error) {
      this.#failure = { end: failedEnd, error };
      throw error;
    }
    return runs;
  }

  /** Null at the end. */
  async #header(): Promise<PageHeader | null> {
    for (let wanted = HEADER_BYTES; ; wanted *= 4) {
      await this.#fill(wanted);
      const isAll = this.#position >= this.#place.to;
      // As the decoder does: a page has more than a byte.
      if (isAll && this.#offset >= this.#view.byteLength - 1) return null;
      const reader = { view: this.#view, offset: this.#offset };
      try {
        const header = parquetHeader(reader);
        this.#offset = reader.offset;
        return header;
      } catch (error) {
        if (isAll || wanted >= MAX_HEADER_BYTES) throw error;
      }
    }
  }

  async #page(size: number): Promise<Uint8Array> {
    const left = this.#view.byteLength - this.#offset + this.#place.to - this.#position;
    if (!(size >= 0 && size <= left)) throw new Error('a page reaches beyond its column');
    await this.#fill(size);
    const bytes = new Uint8Array(this.#view.buffer, this.#offset, size);
    this.#offset += size;
    return bytes;
  }

  /** Reads on until so many bytes are there, or all. */
  async #fill(wanted: number): Promise<void> {
    const { file, to, windowBytes } = this.#place;
    const left = this.#view.byteLength - this.#offset;
    if (left >= wanted || this.#position >= to) return;
    const end = Math.min(to, this.#position + Math.max(wanted - left, windowBytes));
    const more = new Uint8Array(await file.slice(this.#position, end));
    const bytes = left === 0 ? more : new Uint8Array(left + more.length);
    if (left > 0) {
      bytes.set(new Uint8Array(this.#view.buffer, this.#offset));
      bytes.set(more, left);
    }
    this.#view = new DataView(bytes.buffer);
    this.#offset = 0;
    this.#position = end;
  }

  #readDictionary(header: PageHeader, compressed: Uint8Array): PageValues {
    const { decoder } = this.#place;
    const count = valuesOf(header);
    const bytes = this.#decompressed(header, compressed);
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
    const values = convert(readPlain(reader, decoder.type, count, decoder.element.type_length), decoder);
    return { values, fields: Array.from<undefined>({ length: count }) };
  }

  #read(header: PageHeader, bytes: Uint8Array, start: number): PageRun {
    const { decoder } = this.#place;
    const old = header.data_page_header;
    const { definitionLevels, dataPage } = old
      ? readDataPage(this.#decompressed(header, bytes), old, decoder)
      : readDataPageV2(bytes, header, decoder);
    const levels = definitionLevels?.length ? definitionLevels : null;
    const encoding = (old ?? header.data_page_header_v2)!.encoding;
    const rows = { start, end: this.#rows };
    if (!encoding.endsWith('_DICTIONARY'))
      return { ...rows, values: convert(dataPage, decoder), fields: null, numbers: numbersOf(rows, levels, dataPage) };
    const dictionary = this.#dictionary;
    if (!dictionary) throw new Error('a page needs a dictionary, and there is none before it');
    return { ...rows, ...dictionary, numbers: numbersOf(rows, levels, dataPage, dictionary.values.length) };
  }

  #decompressed({ uncompressed_page_size: size }: PageHeader, bytes: Uint8Array): Uint8Array {
    const { codec, compressors } = this.#place.decoder;
    return decompressPage(bytes, Number(size), codec, compressors);
  }
}

/** A page believes itself, and a few bytes could so take all memory there is. */
function valuesOf(header: PageHeader): number {
  const { type, data_page_header: old, data_page_header_v2: page, dictionary_page_header: dictionary } = header;
  const described =
    type === 'DATA_PAGE' ? old : type === 'DATA_PAGE_V2' ? page : type === 'DICTIONARY_PAGE' && dictionary;
  if (!described) throw new Error(`a page of type ${type} cannot be read`);
  const { num_values: count } = described;
  if (!(count >= 0 && count <= MOST_VALUES)) throw new Error(`a page claims ${count} values`);
  return count;
}

/**
 * @param levels whether each row has a value; null if all have
 * @param found the values of those that have one, or the numbers of these values among `size`
 */
function numbersOf(
  { start, end }: Pick<PageRun, 'start' | 'end'>,
  levels: readonly number[] | null,
  found: DecodedArray,
  size?: number,
): Int32Array | null {
  const rows = end - start;
  let next = 0;
  const numbers = levels === null && size === undefined ? null : new Int32Array(rows);
  if (numbers === null) next = rows;
  else {
    for (let row = 0; row < rows; row++) {
      if (levels !== null && levels[row] !== 1) numbers[row] = -1;
      else {
        const number = size === undefined ? next : Number(found[next]);
        if (size !== undefined && !(number < size)) throw new Error('a value is not in the dictionary');
        numbers[row] = number;
        next++;
      }
    }
  }
  if (next !== found.length) throw new Error(`a page has ${found.length} values and says ${next}`);
  return numbers;
}
