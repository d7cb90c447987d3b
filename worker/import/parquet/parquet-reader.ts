// Reads a Parquet file as records, a run of rows at a time.
import { toAppError } from '#shared/protocol/errors.ts';
import { isListLike, isMapLike } from 'hyparquet/src/schema.js';
import type { SchemaElement, SchemaTree } from 'hyparquet/src/types.js';
import { BatchWriter } from '../../records/batch-writer.ts';
import {
  FIELD,
  type ByteSource,
  type RecordBatch,
  type RecordNotice,
  type RecordProblem,
  type RecordReader,
} from '../../records/record-batch.ts';
import { namesSentence, uniqueNames } from '../csv/column-names.ts';
import { READING_LIMITS, type ReadingLimits } from '../reading-limits.ts';
import { unreadable } from './parquet-errors.ts';
import { isFlat, openParquetFile, rowRanges, type ParquetFile, type RowRange } from './parquet-file.ts';
import type { PageRun } from './page-values.ts';
import {
  NO_VALUE,
  valueReader,
  type OddValue,
  type OddParts,
  type ParquetField,
  type ReadValue,
  leafJson,
} from './parquet-values.ts';
import { isVariant, variantWriter } from './parquet-variant.ts';
import { RangeReader } from './range-reader.ts';

/** SQLite's limit for a table (SQLITE_MAX_COLUMN in both engines). */
const MAX_COLUMNS = 2000;

const ODD_VALUES: Readonly<Record<OddValue, string>> = {
  infinite: 'holds infinite dates or times, which are kept as text',
  edge: 'holds the last or first moment that its type has, which some programs write for infinity',
  far: 'holds dates beyond the years 0 to 9999, which are kept as text with a sign before the year',
  stored: 'holds values that are not of its type, which are kept as they are stored',
  bytes: 'holds texts that are not valid UTF-8, whose bytes are kept as BLOBs',
  hex: 'holds texts that are not valid UTF-8, whose bytes are written as hexadecimal digits',
  nested: 'holds bytes within its values, which are written as hexadecimal digits',
  'no-variant': 'holds values that are no Variants, whose bytes are written as hexadecimal digits',
};

/** @throws AppError `invalid`, `unavailable`, `too-big` where nothing can be read. */
export async function openParquet(source: ByteSource, limits: ReadingLimits = READING_LIMITS): Promise<RecordReader> {
  const file = await openParquetFile(source, limits);
  if (file.columns.length === 0) throw unreadable('it has no columns');
  if (file.columns.length > MAX_COLUMNS)
    throw unreadable(`it has more than the ${MAX_COLUMNS} columns a table can have`);
  return new ParquetReader(file, source.sizeBytes, limits);
}

class ParquetReader implements RecordReader {
  readonly columns: readonly string[];
  readonly #values: RangeReader;
  readonly #ranges: Iterator<RowRange>;
  readonly #rows: number;
  readonly #sizeBytes: number;
  readonly #readers: readonly ReadValue[];
  readonly #writer = new BatchWriter();
  /** By column, the pages of the range that is being written. */
  #pages: readonly (readonly PageRun[])[] = [];
  /** By column, the page that is being written. */
  readonly #at: number[];
  #row = 0;
  #end = 0;
  /** First row of the row group. */
  #start = 0;
  #problems: RecordProblem[] = [];
  #notices: RecordNotice[] = [];
  /** Odd values that were told. */
  readonly #noted = new Set<string>();

  constructor(file: ParquetFile, sizeBytes: number, limits: ReadingLimits) {
    this.#values = new RangeReader(file, limits);
    this.#ranges = rowRanges(file);
    this.#rows = file.metadata.row_groups.reduce((sum, { num_rows: rows }) => sum + Number(rows), 0);
    this.#sizeBytes = sizeBytes;
    this.columns = uniqueNames(file.columns.map(({ element }) => element.name));
    const sentence = namesSentence(this.columns, file.names, 'file');
    if (sentence !== null) this.#notices.push({ line: 1, text: sentence });
    this.#readers = file.columns.map((tree) => (isFlat(tree) ? valueReader(tree.element) : nestedReader(tree)));
    this.#at = file.columns.map(() => 0);
  }

  get bytesRead(): number {
    return Math.floor((this.#sizeBytes * this.#row) / Math.max(1, this.#rows));
  }

  takeProblems(): readonly RecordProblem[] {
    return this.#problems.splice(0);
  }

  takeNotices(): readonly RecordNotice[] {
    return this.#notices.splice(0);
  }

  async next(): Promise<RecordBatch | null> {
    const writer = this.#writer;
    writer.clear();
    if (this.#row === this.#end) {
      const range = this.#ranges.next();
      if (range.done === true) return null;
      await this.#load(range.value);
    }
    while (this.#row < this.#end && !writer.isFull) this.#write(this.#row++);
    if (this.#row === this.#end) this.#pages = [];
    return writer.take();
  }

  /** Runs of rows do not depend on each other: a damaged one affects only itself. */
  async #load(range: RowRange): Promise<void> {
    this.#start = range.groupStart;
    this.#row = range.start;
    this.#end = range.end;
    try {
      this.#at.fill(0);
      this.#pages = await this.#values.read(range);
      const short = this.#pages.findIndex((pages) => (pages.at(-1)?.end ?? 0) < range.end - range.groupStart);
      if (short >= 0) throw unreadable(`“${this.columns[short]}” has fewer values than there are rows`);
    } catch (error) {
      const failure = toAppError(error);
      if (failure.code !== 'invalid') throw failure;
      this.#row = range.end;
      const rows = `${(range.start + 1).toLocaleString('en-US')} to ${range.end.toLocaleString('en-US')}`;
      this.#problems.push({
        line: range.start + 1,
        reason: `Rows ${rows} were left out. ${failure.message}`,
        text: '',
      });
    }
  }

  #write(row: number): void {
    const writer = this.#writer;
    const readers = this.#readers;
    writer.begin(row + 1);
    for (let column = 0; column < readers.length; column++) {
      const field = fieldOf(this.#pageOf(column, row - this.#start), row - this.#start, readers[column]!);
      const { kind, content } = field;
      if (field.odd !== undefined) this.#noteOdd(column, row, field);
      if (typeof content === 'string') {
        if (content === '' && kind !== FIELD.quoted) writer.bare(kind);
        else writer.text(kind, content);
      } else writer.field(kind, content);
    }
    writer.end();
  }

  /** @param row in its row group */
  #pageOf(column: number, row: number): PageRun {
    const pages = this.#pages[column]!;
    while (pages[this.#at[column]!]!.end <= row) this.#at[column]!++;
    return pages[this.#at[column]!]!;
  }

  /** Once for each column and kind. */
  #noteOdd(column: number, row: number, { kind, odd, content }: ParquetField): void {
    const name = this.columns[column]!;
    const key = `${odd} ${column}`;
    if (this.#noted.has(key)) return;
    this.#noted.add(key);
    const shown = typeof content === 'string' && kind !== FIELD.json ? ` (${content})` : '';
    this.#notices.push({ line: row + 1, text: `“${name}” ${ODD_VALUES[odd!]}${shown}, here and in all rows like it.` });
  }
}

function fieldOf({ start, numbers, values, fields }: PageRun, row: number, read: ReadValue): ParquetField {
  const number = numbers === null ? row - start : numbers[row - start]!;
  if (number < 0) return NO_VALUE;
  if (fields === null) return read(values[number]);
  return (fields[number] ??= read(values[number]));
}

// Values of nested columns (structs, lists, maps) as JSON, with the exact numbers their leaves have.

type ToJson = (value: unknown) => string;

function nestedReader(tree: SchemaTree): ReadValue {
  const odd: OddParts = {};
  const toJson = jsonWriter(tree, odd);
  return (value) => {
    if (isNothing(value)) return NO_VALUE;
    odd.last = undefined;
    const content = toJson(value);
    return odd.last === undefined ? { kind: FIELD.json, content } : { kind: FIELD.json, content, odd: odd.last };
  };
}

/** @param tree - the schema tree of the file, with the meaning of its elements. */
function jsonWriter(tree: SchemaTree, odd: OddParts): ToJson {
  if (tree.children.length === 0) return leaf(tree.element, odd);
  if (isVariant(tree)) {
    const variant = variantWriter(tree, odd);
    return (value) => (Array.isArray(value) ? list(value, variant) : variant(value));
  }
  if (isListLike(tree)) {
    const repeated = tree.children[0]!;
    const item = jsonWriter(repeated.children.length === 1 ? repeated.children[0]! : repeated, odd);
    return (value) => list(value, item);
  }
  if (isMapLike(tree)) {
    const map = mapWriter(tree.children[0]!, odd);
    return (value) => (Array.isArray(value) ? list(value, map) : map(value));
  }
  const children = tree.children.map((child) => ({ name: child.element.name, toJson: jsonWriter(child, odd) }));
  const struct: ToJson = (value) =>
    isNothing(value)
      ? 'null'
      : `{${children.map(({ name, toJson }) => `${JSON.stringify(name)}:${toJson((value as Fields)[name])}`).join(',')}}`;
  return (value) => (Array.isArray(value) ? list(value, struct) : struct(value));
}

const leaf = (element: SchemaElement, odd: OddParts): ToJson => {
  const one = leafJson(element, odd);
  return (value) => (Array.isArray(value) ? list(value, one) : one(value));
};

type Fields = Readonly<Record<string, unknown>>;

/** All entries of a map in their order, also those with the same key. @param entry with its key and its value */
function mapWriter({ element, children }: SchemaTree, odd: OddParts): ToJson {
  const [key, item] = children.map((child) => ({ name: child.element.name, toJson: jsonWriter(child, odd) }));
  const write = (entry: unknown): string => {
    const name = key!.toJson((entry as Fields)[key!.name]);
    return `${name.startsWith('"') ? name : JSON.stringify(name)}:${item!.toJson((entry as Fields)[item!.name])}`;
  };
  return (value) =>
    isNothing(value) ? 'null' : `{${((value as Fields)[element.name] as readonly unknown[]).map(write).join(',')}}`;
}

const isNothing = (value: unknown): boolean => value === null || value === undefined;

const list = (value: unknown, item: ToJson): string =>
  isNothing(value) ? 'null' : `[${Array.from(value as Iterable<unknown>, (one) => item(one)).join(',')}]`;
