// Files as some writers made them: what other readers forgive is forgiven here.
import { parquetMetadata } from 'hyparquet';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import type { FileMetaData } from 'hyparquet/src/types.js';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { forgiven } from './forgiven.ts';

const BUFFER = parquetWriteBuffer({
  columnData: [
    { name: 'a', data: [1, 2, 3], type: 'INT32' },
    { name: 'b', data: ['x', 'y', 'x'], type: 'STRING' },
  ],
});
const METADATA = parquetMetadata(BUFFER);
const read = (change: Partial<FileMetaData>): FileMetaData => forgiven({ ...METADATA, ...change }, BUFFER.byteLength);
const chunksOf = ({ row_groups: [group] }: FileMetaData) => group!.columns.map(({ meta_data: meta }) => meta!);

test('what is as it should be stays so', () => {
  expect(read({})).toEqual(METADATA);
});

test('the root of the columns is not repeated', () => {
  const [root, ...others] = METADATA.schema;
  expect(read({ schema: [{ ...root!, repetition_type: 'REPEATED' }, ...others] })).toEqual(METADATA);
});

test('columns with one name get names of their own', () => {
  const [root, a, b] = METADATA.schema;
  const [group] = METADATA.row_groups;
  const columns = group!.columns.map((column) => ({
    ...column,
    meta_data: { ...column.meta_data!, path_in_schema: ['a'] },
  }));
  const found = read({ schema: [root!, a!, { ...b!, name: 'a' }], row_groups: [{ ...group!, columns }] });
  expect(found.schema.map(({ name }) => name).slice(1)).toEqual(['a', 'a_2']);
  expect(chunksOf(found).map(({ path_in_schema: path }) => path)).toEqual([['a'], ['a_2']]);
});

test('a chunk of an old writer reaches as far as the next one, of any other as far as it says', () => {
  const sizes = (metadata: FileMetaData) => chunksOf(metadata).map(({ total_compressed_size: size }) => Number(size));
  const [group] = METADATA.row_groups;
  const columns = group!.columns.map((column) => ({
    ...column,
    meta_data: { ...column.meta_data!, total_compressed_size: 5n },
  }));
  const short = { row_groups: [{ ...group!, columns }] };
  expect(sizes(read({ ...short, created_by: 'parquet-mr version 1.12.3' }))).toEqual([5, 5]);
  for (const writer of ['impala version 1.2-INTERNAL (build a462)', 'parquet-mr version 1.0.0'])
    expect(sizes(read({ ...short, created_by: writer }))).toEqual(sizes(METADATA));
});

test('bits that mean no value may be missing', () => {
  // Eight values of five bits, of which three are there: 1, 2, 31.
  const bits = 1 | (2 << 5) | (31 << 10);
  const view = new DataView(Uint8Array.of((1 << 1) | 1, bits & 255, bits >> 8).buffer);
  const values = new Int32Array(3);
  readRleBitPackedHybrid({ view, offset: 0 }, 5, values, 3);
  expect([...values]).toEqual([1, 2, 31]);
});
