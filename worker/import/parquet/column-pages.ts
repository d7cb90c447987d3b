// The pages of a flat column in a row group, from the first to the last: each is read and decompressed once, whichever ranges of rows it belongs
// to.
import { parquetHeader } from 'hyparquet/src/column.js';
import { convert } from 'hyparquet/src/convert.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { getMaxDefinitionLevel } from 'hyparquet/src/schema.js';
import type { AsyncBuffer, ColumnDecoder, PageHeader } from 'hyparquet/src/types.js';
import { HybridRuns } from './hybrid-runs.ts';
import type { PageMemory } from './page-memory.ts';
import {
  NUMBER_BYTES,
  PageValues,
  VIEW_BYTES,
  type DescribedPage,
  type PageRun,
  type SharedValues,
} from './page-values.ts';

/** Values of a dictionary whose fields are kept, and the memory of one field. */
const MOST_FIELDS = 1 << 14;
const FIELD_BYTES = 136;
const LENGTH_BYTES = 4;
const PASSED_ROWS = 1 << 15;
/** Headers have some dozens of bytes, and the least and the largest value of their page. */
const HEADER_BYTES = 1 << 10;
const MAX_HEADER_BYTES = 16 << 20;

interface ColumnPlace {
  readonly file: AsyncBuffer;
  readonly decoder: ColumnDecoder;
  /** Where in the file its first page begins, and its last one ends. */
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** Bytes that are read at a time. */
  readonly windowBytes: number;
  /** Most bytes of a page, and the memory of the pages of all columns. */
  readonly pageBytes: number;
  readonly memory: PageMemory;
}

export class ColumnPages {
  readonly #place: ColumnPlace;
  #view = new DataView(new ArrayBuffer(0));
  /** In the view. */
  #offset = 0;
  /** Where in the file the view ends. */
  #position: number;
  #dictionary: SharedValues | null = null;
  /** The page that is being read, and where in the row group it begins, is read to, and ends. */
  #page: PageValues | null = null;
  #read = 0;
  #pageMemory: PageMemory;
  #dictionaryMemory: PageMemory;
  /** Memory of pages that are read to their end: the rows that were taken last are still used. */
  #passed: PageMemory[] = [];
  /** Rows of the pages that were passed. */
  #rows = 0;
  /** Rows before `end` cannot be read, or not told apart. */
  #failure: { readonly end: number; readonly error: unknown } | null = null;

  constructor(place: ColumnPlace) {
    this.#place = place;
    this.#position = place.from;
    this.#pageMemory = place.memory.part();
    this.#dictionaryMemory = place.memory.part();
  }

  /** The pages are not used any more. */
  close(): void {
    this.#page = this.#dictionary = null;
    for (const memory of [...this.#passed, this.#pageMemory, this.#dictionaryMemory]) memory.giveBack();
  }

  /** Memory for what comes after what has this memory. */
  #after(memory: PageMemory): PageMemory {
    this.#passed.push(memory);
    return this.#place.memory.part();
  }

  /**
   * The pages with these rows, which follow all that were taken before, and are no longer used. Fewer where the column ends.
   * @throws what the decoder throws, for each range that a damaged page belongs to, and what the source throws
   */
  async take(start: number, end: number): Promise<readonly PageRun[]> {
    if (this.#failure !== null && start < this.#failure.end) throw this.#failure.error;
    for (const memory of this.#passed.splice(0)) memory.giveBack();
    const runs: PageRun[] = [];
    let failedEnd = this.#rows;
    try {
      if (this.#page !== null && this.#rows > start) runs.push(this.#take(start, end));
      failedEnd = Infinity;
      while (this.#rows < end) {
        this.#page = null;
        this.#pageMemory = this.#after(this.#pageMemory);
        const header = await this.#header();
        if (header === null) break;
        const bytes = await this.#bytesOf(header.compressed_page_size);
        if (header.type === 'DICTIONARY_PAGE') {
          this.#dictionaryMemory = this.#after(this.#dictionaryMemory);
          this.#dictionary = this.#readDictionary(header, bytes);
          continue;
        }
        this.#read = this.#rows;
        const count = valuesOf(header);
        if (this.#rows + count > this.#place.rows) throw new Error(`a page claims ${count} values`);
        failedEnd = this.#rows += count;
        if (this.#rows > start) {
          this.#page = this.#open(header, bytes);
          runs.push(this.#take(start, end));
        }
        failedEnd = Infinity;
      }
    } catch (error) {
      this.#page = null;
      this.#failure = { end: failedEnd, error };
      throw error;
    }
    return runs;
  }

  /** The rows of the page that are in this range. */
  #take(start: number, end: number): PageRun {
    const page = this.#page!;
    // A range that another column cannot give may have been passed.
    for (let next = 0; this.#read < start; this.#read = next) {
      next = Math.min(start, this.#read + PASSED_ROWS);
      page.read(this.#read, next);
    }
    const from = this.#read;
    this.#read = Math.min(end, this.#rows);
    return page.read(from, this.#read);
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

  async #bytesOf(size: number): Promise<Uint8Array> {
    const left = this.#view.byteLength - this.#offset + this.#place.to - this.#position;
    if (!(size >= 0 && size <= left)) throw new Error('a page reaches beyond its column');
    if (size > this.#place.pageBytes) throw new Error(`a page has ${size} bytes`);
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

  #readDictionary(header: PageHeader, compressed: Uint8Array): SharedValues {
    const { decoder } = this.#place;
    const count = valuesOf(header);
    const bytes = this.#decompressed(header, compressed, this.#dictionaryMemory);
    const isText = decoder.type === 'BYTE_ARRAY' || decoder.type === 'FIXED_LEN_BYTE_ARRAY';
    // In a larger dictionary, few values are there often enough.
    const keepsFields = count <= MOST_FIELDS;
    this.#dictionaryMemory.take(count * ((isText ? VIEW_BYTES : NUMBER_BYTES) + (keepsFields ? FIELD_BYTES : 0)));
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
    const values = convert(readPlain(reader, decoder.type, count, decoder.element.type_length), decoder);
    if (reader.offset > bytes.length) throw new Error('a dictionary ends before its values do');
    return { values, fields: keepsFields ? Array.from<undefined>({ length: count }) : null };
  }

  #open(header: PageHeader, bytes: Uint8Array): PageValues {
    const { decoder } = this.#place;
    const isNullable = getMaxDefinitionLevel(decoder.schemaPath) > 0;
    return new PageValues(
      header.data_page_header
        ? this.#described(header, bytes, isNullable)
        : this.#describedAsVersion2(header, bytes, isNullable),
      decoder,
      this.#dictionary,
      this.#pageMemory,
    );
  }

  #described(header: PageHeader, compressed: Uint8Array, isNullable: boolean): DescribedPage {
    const { encoding, num_values: count } = header.data_page_header!;
    const bytes = this.#decompressed(header, compressed, this.#pageMemory);
    if (!isNullable) return { encoding, count, levels: null, bytes, from: 0 };
    const from = LENGTH_BYTES + uint32(bytes, 0);
    if (from > bytes.length) throw new Error('a page ends before its levels do');
    const levels = new HybridRuns(bytes.subarray(0, from), LENGTH_BYTES, 1, count);
    return { encoding, count, levels, bytes, from };
  }

  /** Its levels are never compressed. */
  #describedAsVersion2(header: PageHeader, page: Uint8Array, isNullable: boolean): DescribedPage {
    const {
      encoding,
      num_values: count,
      repetition_levels_byte_length: repeated,
      definition_levels_byte_length: defined,
      is_compressed: isCompressed,
    } = header.data_page_header_v2!;
    const from = repeated + defined;
    if (!(repeated >= 0 && defined >= 0 && from <= page.length)) throw new Error('a page ends before its levels do');
    const size = Number(header.uncompressed_page_size) - from;
    const values = page.subarray(from);
    const bytes =
      isCompressed === false
        ? values
        : this.#decompressed({ ...header, uncompressed_page_size: size }, values, this.#pageMemory);
    const levels = isNullable ? new HybridRuns(page.subarray(0, from), repeated, 1, count) : null;
    return { encoding, count, levels, bytes, from: 0 };
  }

  #decompressed({ uncompressed_page_size: size }: PageHeader, bytes: Uint8Array, memory: PageMemory): Uint8Array {
    const { codec, compressors } = this.#place.decoder;
    memory.take(Math.max(0, Number(size)));
    return decompressPage(bytes, Number(size), codec, compressors);
  }
}

const uint32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);

function valuesOf(header: PageHeader): number {
  const { type, data_page_header: old, data_page_header_v2: page, dictionary_page_header: dictionary } = header;
  const described =
    type === 'DATA_PAGE' ? old : type === 'DATA_PAGE_V2' ? page : type === 'DICTIONARY_PAGE' && dictionary;
  if (!described)
    throw new Error(`a page of ${type === undefined ? 'an unknown type' : `type ${type}`} cannot be read`);
  const { num_values: count } = described;
  if (!(count >= 0)) throw new Error(`a page claims ${count} values`);
  return count;
}
