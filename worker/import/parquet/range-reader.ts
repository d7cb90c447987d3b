// Values of the rows of a Parquet file, a range of rows at a time, from the first to the last.
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { parquetSchema } from 'hyparquet/src/metadata.js';
import { parquetRead } from 'hyparquet/src/read.js';
import { getTreePath } from 'hyparquet/src/schema.js';
import type { ColumnDecoder, Compressors, SchemaTree } from 'hyparquet/src/types.js';
import { claimedPages } from './claimed-pages.ts';
import { ColumnPages } from './column-pages.ts';
import type { PageRun } from './page-values.ts';
import { PageMemory } from './page-memory.ts';
import { startOf } from './forgiven.ts';
import { boundedCompressors } from './bounded-compressors.ts';
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
  jsonFromBytes: (bytes: Uint8Array) => new TextDecoder().decode(bytes),
};
