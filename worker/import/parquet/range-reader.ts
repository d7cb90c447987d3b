// Values of the rows of a Parquet file, a range of rows at a time, from the first to the last.
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { parquetSchema } from 'hyparquet/src/metadata.js';
import { parquetRead } from 'hyparquet/src/read.js';
import { getTreePath } from 'hyparquet/src/schema.js';
import type { ColumnDecoder, Compressors, SchemaTree, AsyncBuffer } from 'hyparquet/src/types.js';
import { parquetHeader } from 'hyparquet/src/column.js';
import { Decompress } from 'fzstd';
import { compressors } from 'hyparquet-compressors';
import { ColumnPages } from './column-pages.ts';
import type { PageRun } from './page-values.ts';
import { PageMemory } from './page-memory.ts';
import { startOf } from './forgiven.ts';
import { sizeText, type ReadingLimits } from '../reading-limits.ts';
import { forPeople, tooBig } from './parquet-errors.ts';
import { isFlat, type ParquetFile, type RowRange } from './parquet-file.ts';
import { dayText, timestampText } from './parquet-times.ts';

/** Bytes that are read ahead: of all columns together, and of one. */
const AHEAD_BYTES = 16 << 20;
const MOST_AHEAD_BYTES = 2 << 20;
const LEAST_AHEAD_BYTES = 64 << 10;

export class RangeReader {
  readonly #file: ParquetFile;
  /** The columns of `metadata`, whose meaning is removed. */
  readonly #tree: SchemaTree;
  readonly #nested: readonly string[];
  #group = -1;
  #pages: readonly (ColumnPages | null)[] = [];
  readonly #limits: ReadingLimits;
  readonly #memory: PageMemory;
  readonly #compressors: Compressors;

  constructor(file: ParquetFile, limits: ReadingLimits) {
    this.#file = file;
    this.#limits = limits;
    this.#memory = new PageMemory(limits.pagesBytes);
    this.#compressors = boundedCompressors(limits);
    this.#tree = parquetSchema(file.metadata);
    this.#nested = file.columns.filter((column) => !isFlat(column)).map(({ element }) => element.name);
  }

  /** By column, the pages with these rows, which follow those of earlier ranges. @throws AppError `invalid`, and what the source throws */
  read(range: RowRange): Promise<readonly (readonly PageRun[])[]> {
    return forPeople(async () => {
      if (range.group !== this.#group) this.#begin(range.group);
      const nested = this.#nested.length === 0 ? null : await this.#readNested(range);
      const start = range.start - range.groupStart;
      const end = range.end - range.groupStart;
      const taken = await Promise.allSettled(
        this.#pages.map(
          (pages, at) => pages?.take(start, end) ?? Promise.resolve(nested!.get(this.#file.columns[at]!.element.name)!),
        ),
      );
      return taken.map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason;
        return outcome.value;
      });
    });
  }

  #begin(group: number): void {
    const { file, metadata, columns } = this.#file;
    const windowBytes = Math.min(MOST_AHEAD_BYTES, Math.max(LEAST_AHEAD_BYTES, AHEAD_BYTES / columns.length));
    this.#group = group;
    for (const pages of this.#pages) pages?.close();
    this.#pages = columns.map((column) => {
      if (!isFlat(column)) return null;
      const path = [column.element.name];
      const chunk = metadata.row_groups[group]!.columns.find(
        ({ meta_data: meta }) => meta!.path_in_schema.length === 1 && meta!.path_in_schema[0] === path[0],
      )!;
      const schemaPath = getTreePath(this.#tree, path);
      const { type, codec, total_compressed_size: size } = chunk.meta_data!;
      const decoder: ColumnDecoder = {
        pathInSchema: path,
        type,
        element: schemaPath.at(-1)!.element,
        schemaPath,
        codec,
        compressors: this.#compressors,
        parsers: { ...DEFAULT_PARSERS, ...parsers },
        utf8: false,
      };
      const from = startOf(chunk);
      const { pageBytes } = this.#limits;
      const rows = Number(metadata.row_groups[group]!.num_rows);
      return new ColumnPages({
        ...{ file, decoder, from, to: from + Number(size), rows, windowBytes, pageBytes },
        memory: this.#memory,
      });
    });
  }

  /**
   * The decoder reads all of a nested column in a row group at once, so what its pages claim to hold is added up before.
   * @throws AppError `too-big`
   */
  async #checkNested(): Promise<void> {
    const { file, metadata } = this.#file;
    const { nestedValues, pagesBytes, pageBytes } = this.#limits;
    let values = 0;
    let bytes = 0;
    for (const chunk of metadata.row_groups[this.#group]!.columns) {
      const { path_in_schema: path, total_compressed_size: size } = chunk.meta_data!;
      if (!this.#nested.includes(path[0]!)) continue;
      for await (const page of claimedPages(file, startOf(chunk), startOf(chunk) + Number(size))) {
        if (page.bytes > pageBytes) throw new Error(`a page claims ${page.bytes} bytes`);
        values += page.values;
        bytes += page.bytes;
        if (values > nestedValues || bytes > pagesBytes)
          throw tooBig(
            `a row group has more than ${nestedValues.toLocaleString('en-US')} values, or ${sizeText(pagesBytes)}, in columns of lists and structures`,
          );
      }
    }
  }

  /** A range of a file with nested columns is a whole row group. */
  async #readNested({ start, end, groupStart }: RowRange): Promise<ReadonlyMap<string, readonly PageRun[]>> {
    const { file, metadata } = this.#file;
    await this.#checkNested();
    const values = new Map<string, unknown[]>(this.#nested.map((name) => [name, []]));
    await parquetRead({
      file,
      metadata,
      columns: [...this.#nested],
      rowStart: start,
      rowEnd: end,
      utf8: false,
      geoparquet: false,
      useOffsetIndex: end - start < Number(metadata.num_rows),
      compressors: this.#compressors,
      parsers,
      onChunk: ({ columnName, columnData, rowStart }) => {
        const column = values.get(columnName);
        if (!column) return;
        // A chunk may hold rows before and after the requested ones.
        for (let at = Math.max(0, start - rowStart); at < columnData.length && rowStart + at < end; at++)
          column[rowStart + at - start] = columnData[at];
      },
    });
    return new Map(
      Array.from(values, ([name, column]) => {
        const first = start - groupStart;
        return [name, [{ start: first, end: first + column.length, values: column, fields: null, numbers: null }]];
      }),
    );
  }
}

/** Used only for keys of maps, and Variants. */
const parsers = {
  timestampFromMilliseconds: (units: bigint) => timestampText(units, 'MILLIS', false) ?? units,
  timestampFromMicroseconds: (units: bigint) => timestampText(units, 'MICROS', false) ?? units,
  // Values of INT96, which have no other meaning, too.
  timestampFromNanoseconds: (units: bigint) => units,
  dateFromDays: (days: number) => dayText(days) ?? days,
  jsonFromBytes: (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
};

/** Headers have some dozens of bytes, and the least and the largest value of their page. */
const HEADER_BYTES = 1 << 12;

interface ClaimedPage {
  readonly values: number;
  readonly bytes: number;
}

/** @param end of the column in the file @throws Error where a header cannot be read */
async function* claimedPages(file: AsyncBuffer, start: number, end: number): AsyncGenerator<ClaimedPage, void> {
  // As the decoder does: a page has more than a byte.
  for (let at = start; at < end - 1;) {
    const header = await headerAt(file, at, end);
    const { data_page_header: old, data_page_header_v2: page, dictionary_page_header: dictionary } = header.page;
    const values = (old ?? page ?? dictionary)?.num_values ?? 0;
    const { compressed_page_size: size, uncompressed_page_size: bytes } = header.page;
    if (!(size >= 0 && bytes >= 0 && values >= 0)) throw new Error('a page claims less than nothing');
    yield { values, bytes };
    at += header.length + size;
  }
}

async function headerAt(file: AsyncBuffer, at: number, end: number) {
  for (let wanted = HEADER_BYTES; ; wanted *= 8) {
    const until = Math.min(end, at + wanted);
    const reader = { view: new DataView(await file.slice(at, until)), offset: 0 };
    try {
      return { page: parquetHeader(reader), length: reader.offset };
    } catch (error) {
      if (until === end || wanted > 1 << 20) throw error;
    }
  }
}

// Decompressors of pages that never make more than the page is said to have: what compressed data says of itself is not believed.

type Decompressor = (input: Uint8Array, length: number) => Uint8Array;

/** The other ones take the memory they are to fill (see `build/bounded-parquet.ts`). */
const OWN: Readonly<Record<string, Decompressor>> = { ZSTD: zstd };

/** @throws Error where the data has more or less than it is said to have */
function boundedCompressors({ pageBytes }: Pick<ReadingLimits, 'pageBytes'>): Compressors {
  return Object.fromEntries(
    Object.entries(compressors).map(([codec, decompress]) => [
      codec,
      (input: Uint8Array, length: number): Uint8Array => {
        // This is the empty dictionary of a column without values: LZ4 fails on it.
        if (length === 0) return new Uint8Array();
        if (!(length > 0 && length <= pageBytes)) throw new Error(`a page claims ${length} bytes`);
        return (OWN[codec] ?? decompress)(input, length);
      },
    ]),
  );
}

/** A frame needs no larger window than its page, but some writers do not know the size of a page beforehand. */
const LARGE_WINDOW = 32 << 20;

/** A block at a time: a frame may say nothing of its size, or something else. */
function zstd(input: Uint8Array, length: number): Uint8Array {
  if (windowOf(input) > Math.max(length, LARGE_WINDOW))
    throw new Error('a page needs too much memory to be decompressed');
  const output = new Uint8Array(length);
  let filled = 0;
  const stream = new Decompress((block) => {
    if (filled + block.length > length) throw new Error(`a page has more than the ${length} bytes it says`);
    output.set(block, filled);
    filled += block.length;
  });
  stream.push(input, true);
  if (filled < length) throw new Error(`a page has ${filled} bytes and says ${length}`);
  return output;
}

/** What a frame says it needs (RFC 8878, section 3.1.1.1): its window, or all of its content. */
function windowOf(input: Uint8Array): number {
  const descriptor = input[4] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  if (!isSingle) {
    const window = input[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [1, 2, 4, 8][descriptor >> 6]!;
  let size = sizeBytes === 2 ? 256 : 0;
  for (let at = 0; at < sizeBytes; at++) size += (input[5 + dictionaryBytes + at] ?? 0) * 256 ** at;
  return size;
}
