// A Parquet file as the decoder expects it: its metadata, and runs of its rows by column.
import { parquetMetadataAsync, parquetSchema } from 'hyparquet/src/metadata.js';
import { getPhysicalColumns, isMapLike } from 'hyparquet/src/schema.js';
import type { AsyncBuffer, FileMetaData, RowGroup, SchemaTree } from 'hyparquet/src/types.js';
import { AppError } from '#shared/protocol/errors.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { sizeText, type ReadingLimits } from '../reading-limits.ts';
import { forgiven, startOf } from './forgiven.ts';
import { forPeople, tooBig, unreadable } from './parquet-errors.ts';
import { plainElement } from './parquet-values.ts';
import { isVariant } from './parquet-variant.ts';

/** Decoded values take several times as much. */
const SLICE_BYTES = 16 << 20;
const MAX_SLICE_ROWS = 1 << 15;
const MAX_LEVELS = 100;
const MAX_GROUP_ROWS = 1 << 27;

export interface ParquetFile {
  readonly file: AsyncBuffer;
  /** Columns that are not nested have lost their meaning here: see `plainElement`. */
  readonly metadata: FileMetaData;
  readonly columns: readonly SchemaTree[];
  /** Names of the columns as the file has them. */
  readonly names: readonly string[];
}

/** Rows that are read together. */
export interface RowRange {
  readonly group: number;
  /** Its first row. */
  readonly groupStart: number;
  readonly start: number;
  readonly end: number;
}

/** @throws AppError `invalid`, `unavailable` */
export async function openParquetFile(source: ByteSource, limits: ReadingLimits): Promise<ParquetFile> {
  const file = asyncBuffer(source, limits);
  const stored = await forPeople(async () => {
    const tail = String.fromCharCode(...new Uint8Array(await file.slice(Math.max(0, file.byteLength - 4))));
    if (tail === 'PARE') throw AppError.unavailable('The file is encrypted. Save it without encryption and try again.');
    if (tail !== 'PAR1')
      throw AppError.invalid(
        'The end of the file is missing, and with it the description of its columns. Download or copy the file again.',
      );
    await checkFooter(file, limits);
    return await parquetMetadataAsync(file, { geoparquet: false });
  });
  return await forPeople(() => {
    const metadata = forgiven(stored, file.byteLength);
    checkDepth(metadata);
    const tree = parquetSchema(metadata);
    checkGroups(metadata, tree, file.byteLength);
    const columns = tree.children;
    const flat = new Set(columns.filter(isFlat).map(({ element }) => element));
    const inNested = new Set(columns.filter((tree) => !isFlat(tree)).flatMap(plainParts));
    const schema = metadata.schema.map((element) =>
      flat.has(element) || inNested.has(element) ? plainElement(element) : element,
    );
    // Elements in which others are nested keep their names.
    const isPlain = columns.length === metadata.schema.length - 1;
    const names = isPlain ? stored.schema.slice(1).map(({ name }) => name) : columns.map(({ element }) => element.name);
    return Promise.resolve({ file, metadata: { ...metadata, schema }, columns, names });
  });
}

/**
 * The decoder starts to read all columns of a row group at once: what it finds out about the group after that leaves promises behind that reject unheard.
 * @throws AppError `invalid`
 */
function checkGroups({ row_groups: groups }: FileMetaData, tree: SchemaTree, fileBytes: number): void {
  const leaves = new Set(getPhysicalColumns(tree));
  for (const { columns, num_rows: rows } of groups) {
    if (rows < 0 || rows > MAX_GROUP_ROWS) throw unreadable(`a row group claims ${rows} rows`);
    const paths = new Set(columns.map(({ meta_data: meta }) => meta?.path_in_schema.join('.') ?? ''));
    const isComplete =
      paths.size === columns.length && paths.size === leaves.size && [...paths].every((path) => leaves.has(path));
    if (!isComplete) throw unreadable('its row groups do not have the columns it says');
    for (const column of columns) {
      const start = startOf(column);
      const end = start + Number(column.meta_data!.total_compressed_size);
      if (!(start >= 0 && end >= start && end <= fileBytes)) throw unreadable('it names places outside the file');
    }
  }
}

/** The decoder calls itself for each level, and keeps the path of each column: of thousands of levels, these take all memory. */
function checkDepth({ schema }: FileMetaData): void {
  /** Elements that are left at each level. */
  const left: number[] = [];
  for (const { num_children: children = 0 } of schema) {
    while (left.at(-1) === 0) left.pop();
    if (left.length > 0) left[left.length - 1]!--;
    if (children > 0) left.push(children);
    if (left.length > MAX_LEVELS) throw unreadable(`its columns are nested deeper than ${MAX_LEVELS} levels`);
  }
}

export const isFlat = ({ element, children }: SchemaTree): boolean =>
  children.length === 0 && element.repetition_type !== 'REPEATED';

/**
 * Parts of a nested column whose values the decoder would change: leaves, Variants, and maps, of which objects would keep one value for each
 * key, and put numbers first.
 */
function plainParts(tree: SchemaTree): readonly SchemaTree['element'][] {
  if (tree.children.length > 0)
    return [...(isVariant(tree) || isMapLike(tree) ? [tree.element] : []), ...tree.children.flatMap(plainParts)];
  const { converted_type: converted, logical_type: logical } = tree.element;
  return converted !== undefined || logical !== undefined ? [tree.element] : [];
}

/** Row groups are too large to be decoded at once, but those with nested columns must be. */
export function* rowRanges({ metadata, columns }: ParquetFile): Generator<RowRange, undefined> {
  const canSlice = columns.every(isFlat);
  let start = 0;
  for (const [number, group] of metadata.row_groups.entries()) {
    const rows = Number(group.num_rows);
    const step = canSlice ? sliceRows(group) : rows;
    for (let from = 0; from < rows; from += step)
      yield { group: number, groupStart: start, start: start + from, end: start + Math.min(rows, from + step) };
    start += rows;
  }
  return undefined;
}

function sliceRows({ num_rows: rows, total_byte_size: bytes }: RowGroup): number {
  const perSlice = Math.min(MAX_SLICE_ROWS, Math.ceil((SLICE_BYTES * Number(rows)) / Math.max(1, Number(bytes))));
  return Math.max(1, perSlice);
}

function asyncBuffer(source: ByteSource, { pagesBytes }: ReadingLimits): AsyncBuffer {
  const { sizeBytes } = source;
  return {
    byteLength: sizeBytes,
    slice: async (start, end = sizeBytes) => {
      const length = end - start;
      if (!(start >= 0 && length >= 0 && end <= sizeBytes)) throw unreadable('it names places outside the file');
      if (length > pagesBytes) throw tooBig(`it has a part of more than ${sizeText(pagesBytes)}`);
      const bytes = await source.read(start, length);
      if (bytes.length < length) throw unreadable('it is shorter than it was');
      // Node's buffers are parts of larger ones, and so are their slices.
      return bytes.buffer.byteLength === length ? (bytes.buffer as ArrayBuffer) : new Uint8Array(bytes).buffer;
    },
  };
}

// Walks over the footer of a Parquet file before it is decoded: a byte of it can claim a structure, which takes a hundred times as much memory.
// It is written in Thrift's compact protocol (github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).

/** Length of the footer, and the mark at the end. */
const TAIL_BYTES = 8;
/** Footers have some ten levels. */
const MAX_DEPTH = 32;
const [STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12];

/** @throws AppError `too-big`; Error where there is no footer */
async function checkFooter(
  file: AsyncBuffer,
  { describingBytes, footerValues }: Pick<ReadingLimits, 'describingBytes' | 'footerValues'>,
): Promise<void> {
  const end = file.byteLength - TAIL_BYTES;
  if (end < 0) throw new Error('it is too short');
  const length = new DataView(await file.slice(end, end + 4)).getUint32(0, true);
  if (length > end) throw new Error('its footer is longer than the file');
  if (length > describingBytes) throw tooBig(`its footer is larger than ${sizeText(describingBytes)}`);
  new Footer(new Uint8Array(await file.slice(end - length, end)), footerValues).walk();
}

class Footer {
  readonly #bytes: Uint8Array;
  readonly #most: number;
  #at = 0;
  #values = 0;

  constructor(bytes: Uint8Array, most: number) {
    this.#bytes = bytes;
    this.#most = most;
  }

  walk(): void {
    this.#struct(0);
  }

  #struct(depth: number): void {
    if (depth > MAX_DEPTH) throw damaged();
    for (;;) {
      const byte = this.#byte();
      const type = byte & 0x0f;
      if (type === STOP) return;
      // The number of the field follows where it does not fit.
      if (byte >> 4 === 0) this.#varint();
      if (type !== TRUE && type !== FALSE) this.#value(type, depth);
      this.#count(1);
    }
  }

  #value(type: number, depth: number): void {
    switch (type) {
      case TRUE:
      case FALSE:
      case BYTE:
        return this.#skip(1);
      case I16:
      case I32:
      case I64:
        return void this.#varint();
      case DOUBLE:
        return this.#skip(8);
      case BINARY:
        return this.#skip(this.#varint());
      case STRUCT:
        return this.#struct(depth + 1);
      case LIST: {
        const head = this.#byte();
        const length = head >> 4 === 15 ? this.#varint() : head >> 4;
        this.#count(length);
        for (let at = 0; at < length; at++) this.#value(head & 0x0f, depth + 1);
        return;
      }
      default:
        throw damaged();
    }
  }

  #count(values: number): void {
    this.#values += values;
    if (this.#values > this.#most)
      throw tooBig(`its footer has more than ${this.#most.toLocaleString('en-US')} values`);
  }

  #skip(length: number): void {
    this.#at += length;
    if (this.#at > this.#bytes.length) throw damaged();
  }

  #byte(): number {
    if (this.#at >= this.#bytes.length) throw damaged();
    return this.#bytes[this.#at++]!;
  }

  /** A number of 64 bits, which is not needed, is only about right. */
  #varint(): number {
    let result = 0;
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      const byte = this.#byte();
      result += (byte & 0x7f) * factor;
      if (byte < 0x80) return result;
    }
    throw damaged();
  }
}

const damaged = (): Error => new Error('its footer is damaged');
