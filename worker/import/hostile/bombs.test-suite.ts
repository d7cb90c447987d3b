// Files that are small, or cheap to make, and would take all memory or time of a reader that believed them.
import { brotliCompressSync, constants, deflateRawSync, zstdCompressSync } from 'node:zlib';
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { bytesSource } from '../read-all.test-suite.ts';
import { workbookEntries, zip, type MadeWorkbook } from '../xlsx/made-workbook.test-suite.ts';
import {
  CODEC,
  ENCODING,
  binary,
  i32,
  i64,
  joined,
  joinedAll,
  levels,
  list,
  madeParquet,
  run,
  structBytes,
  TYPE,
  varint,
  withFooter,
} from './made-parquet.test-suite.ts';

export interface Bomb {
  readonly name: string;
  readonly format: ImportFormatId;
  /** @param bytes about as many are in it, once it is unpacked */
  readonly source: (bytes: number) => ByteSource;
}

const MB = 1 << 20;

/** `piece` again and again, between a head and a tail: only what is asked for is made. */
export function endless(fileName: string, [head, piece, tail = '']: readonly string[], bytes: number): ByteSource {
  const [first, last] = [Buffer.from(head!), Buffer.from(tail)];
  const block = Buffer.from(piece!.repeat(Math.ceil(MB / piece!.length)).slice(0, MB - (MB % piece!.length)));
  const times = Math.ceil(bytes / block.length);
  const [begin, end] = [first.length, first.length + times * block.length];
  return {
    fileName,
    sizeBytes: end + last.length,
    read(offset, length) {
      const made = new Uint8Array(Math.max(0, Math.min(length, end + last.length - offset)));
      for (let at = 0; at < made.length;) {
        const place = offset + at;
        const [from, skip] =
          place < begin ? [first, place] : place >= end ? [last, place - end] : [block, (place - begin) % block.length];
        const part = from.subarray(skip, skip + made.length - at);
        made.set(part, at);
        at += part.length;
      }
      return Promise.resolve(made);
    },
  };
}

/** `piece` again and again, deflated, in as many bytes as a flush of each takes. */
function deflatedTimes([head, piece, tail = '']: readonly string[], bytes: number) {
  const flush = (text: string): Buffer => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const block = piece!.repeat(Math.ceil(MB / piece!.length));
  const times = Math.ceil(bytes / block.length);
  const packed = flush(block);
  return {
    packed: Buffer.concat([flush(head!), ...Array.from({ length: times }, () => packed), deflateRawSync(tail)]),
    sizeBytes: Buffer.byteLength(head!) + times * Buffer.byteLength(block) + Buffer.byteLength(tail),
  };
}

/** A workbook of which one part is longer than any would be. */
function workbookWith(part: string, pieces: readonly string[], bytes: number, made: Partial<MadeWorkbook> = {}) {
  const { packed, sizeBytes } = deflatedTimes(pieces, bytes);
  const others = workbookEntries({ rows: '<row><c><v>1</v></c></row>', ...made }).filter(({ name }) => name !== part);
  return bytesSource(zip([...others, { name: part, content: '', packed, lies: { sizeBytes } }]), 'bomb.xlsx');
}

const xlsx = (name: string, part: string, pieces: readonly string[], made?: Partial<MadeWorkbook>): Bomb => ({
  name: `xlsx: ${name}`,
  format: 'xlsx',
  source: (bytes) => workbookWith(part, pieces, bytes, made),
});

const text = (format: ImportFormatId, name: string, ...pieces: readonly string[]): Bomb => ({
  name: `${format}: ${name}`,
  format,
  source: (bytes) => endless(`bomb.${format}`, pieces, bytes),
});

const parquet = (name: string, make: (bytes: number) => Uint8Array): Bomb => ({
  name: `parquet: ${name}`,
  format: 'parquet',
  source: (bytes) => bytesSource(make(bytes), 'bomb.parquet'),
});

const SHEET = 'xl/worksheets/one.xml';
const STRINGS = 'xl/sharedStrings.xml';
const [OPEN_SHEET, CLOSE_SHEET] = ['<worksheet><sheetData>', '</sheetData></worksheet>'];

const WORKBOOKS: readonly Bomb[] = [
  xlsx('endless workbook', 'xl/workbook.xml', ['<workbook><sheets>', '<sheet name="a" r:id="r0"/>', '</sheets></workbook>']),
  xlsx('endless relationships', 'xl/_rels/workbook.xml.rels', ['<R>', '<Relationship Id="r0" Type="/worksheet" Target="x"/>', '</R>']),
  xlsx('endless styles', 'xl/styles.xml', ['<styleSheet><cellXfs>', '<xf/>', '</cellXfs></styleSheet>'], { formats: ['0'] }),
  xlsx('endless formats', 'xl/styles.xml', ['<styleSheet><numFmts>', '<numFmt numFmtId="1" formatCode="0"/>', '</numFmts></styleSheet>'], { formats: ['0'] }),
  xlsx('endless shared string', STRINGS, ['<sst><si><t>', 'x', '</t></si></sst>'], { strings: '' }),
  xlsx('endless shared strings', STRINGS, ['<sst>', '<si><t>x</t></si>', '</sst>'], { strings: '' }),
  xlsx('endless parts of a shared string', STRINGS, ['<sst><si>', '<r><t>x</t></r>', '</si></sst>'], { strings: '' }),
  xlsx('endless parts of a shared string without text', STRINGS, ['<sst><si>', '<r/>', '</si></sst>'], { strings: '' }),
  xlsx('endless comments among shared strings', STRINGS, ['<sst>', '<!---->', '</sst>'], { strings: '' }),
  xlsx('endless long comments among shared strings', STRINGS, ['<sst>', `<!--${'x'.repeat(MB)}-->`, '</sst>'], { strings: '' }),
  xlsx('endless attributes among shared strings', STRINGS, ['<sst>', `<si ${'a="" '.repeat(200)}/>`, '</sst>'], { strings: '' }),
  xlsx('endless empty shared strings', STRINGS, ['<sst>', '<si/>', '</sst>'], { strings: '' }),
  xlsx('endless white space', SHEET, [OPEN_SHEET, ' ', CLOSE_SHEET]),
  xlsx('endless comment', SHEET, [`${OPEN_SHEET}<!--`, 'x', `-->${CLOSE_SHEET}`]),
  xlsx('endless attribute', SHEET, [`${OPEN_SHEET}<row r="`, '1', `"/>${CLOSE_SHEET}`]),
  xlsx('endless attributes', SHEET, [`${OPEN_SHEET}<row `, 'a="1" ', `/>${CLOSE_SHEET}`]),
  xlsx('endless elements in each other', SHEET, [OPEN_SHEET, '<row>', CLOSE_SHEET]),
  xlsx('endless cell', SHEET, [`${OPEN_SHEET}<row><c t="str"><v>`, 'x', `</v></c></row>${CLOSE_SHEET}`]),
  xlsx('endless cell of parts', SHEET, [`${OPEN_SHEET}<row><c t="str"><v>`, 'x<b/>', `</v></c></row>${CLOSE_SHEET}`]),
  xlsx('endless row', SHEET, [`${OPEN_SHEET}<row>`, '<c><v>1</v></c>', `</row>${CLOSE_SHEET}`]),
  xlsx('endless row of long cells', SHEET, [`${OPEN_SHEET}<row>`, `<c t="str"><v>${'x'.repeat(1000)}</v></c>`, `</row>${CLOSE_SHEET}`]),
  xlsx('endless rows of shared strings', SHEET, [OPEN_SHEET, `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`, CLOSE_SHEET], { strings: `<si><t>${'x'.repeat(MB)}</t></si>` }),
  xlsx('endless merged cells', SHEET, ['<worksheet><sheetData/><mergeCells>', '<mergeCell ref="A1:B2"/>', '</mergeCells></worksheet>']),
  {
    name: 'xlsx: endless table of contents',
    format: 'xlsx',
    source: (bytes) => {
      const entries = workbookEntries({ rows: '<row><c><v>1</v></c></row>' });
      const more = Array.from({ length: Math.min(60_000, bytes / 50) }, (_, at) => ({ name: String(at), content: '', isStored: true }));
      return bytesSource(zip([...more, ...entries]), 'bomb.xlsx');
    },
  },
]; // prettier-ignore

const COLUMN_NAMES = Array.from({ length: 200 }, (_, at) => `"${'k'.repeat(900)}${at}":1`);

const TEXTS: readonly Bomb[] = [
  text('csv', 'endless field', 'a,b\n1,', 'x'),
  text('csv', 'endless row', 'a,b\n', '1,'),
  text('csv', 'endless row of nothing', 'a,b\n1', ','),
  text('csv', 'endless header', '', 'a,'),
  text('csv', 'endless lines of nothing', 'a,b\n1,2\n', '\n'),
  text('csv', 'endless comment', 'a,b\n1,2\n#', 'x'),
  text('csv', 'quote that is not closed', 'a,b\n1,"', 'x'),
  text('csv', 'quote that is not closed, over lines', 'a,b\n1,"', 'x,y\n'),
  text('csv', 'endless wide rows', `${'a,'.repeat(30_000)}\n`, `${','.repeat(30_000)}\n`),
  text('json', 'endless string', '[{"a":"', 'x'),
  text('json', 'endless key', '{"', 'x'),
  text('json', 'endless list in itself', '', '['),
  text('json', 'endless object in itself', '', '{"a":'),
  text('json', 'endless keys', '[{', '"a":1,'),
  text('json', 'endless number', '[', '1'),
  text('json', 'endless white space', '[', ' '),
  text('json', 'endless bad rows in one line', '[{"a":1}', ',{"a":}'),
  text('json', 'endless long names', '[', `{${COLUMN_NAMES.join(',')}},`),
  text('ndjson', 'endless line', '{"a":1}\n{"a":"', 'x'),
  text('ndjson', 'endless bad lines', '{"a":1}\n', `{"a":"${'x'.repeat(100_000)}"]\n`),
]; // prettier-ignore

/** A page of so many bytes, compressed by what `pack` makes of a megabyte of zeros. */
const zeros = (bytes: number): Uint8Array => new Uint8Array(bytes);
/** Bytes that a page of bombs says it has. */
const SAID = 1000;
const bombPage = (bytes: Uint8Array): readonly [{ readonly values: number; readonly bytes: Uint8Array; readonly uncompressedBytes: number }] => [
  { values: 1, bytes, uncompressedBytes: SAID },
]; // prettier-ignore

/** A frame of blocks, each a megabyte of one byte in four. */
const zstdOfRuns = (bytes: number, header: Uint8Array): Uint8Array => {
  const size = 1 << 20;
  const block = (isLast: number): Uint8Array => {
    const word = isLast | (1 << 1) | (size << 3);
    return Uint8Array.of(word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff, 0);
  };
  const blocks = Array.from({ length: Math.ceil(bytes / size) }, () => block(0));
  return joined(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd), header, ...blocks, block(1));
};

function gzipOf(bytes: number): Uint8Array {
  const { packed } = deflatedTimes(['', '\0'], bytes);
  return joined(Uint8Array.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 3), packed, new Uint8Array(8));
}

/** A literal, and copies of 64 bytes of it in three each. */
const snappyOf = (bytes: number): Uint8Array =>
  joinedAll([
    varint(bytes),
    Uint8Array.of(0, 0),
    ...Array.from({ length: Math.ceil(bytes / 64) }, () => Uint8Array.of(0xfe, 1, 0)),
  ]);

const lz4Of = (bytes: number): Uint8Array =>
  joined(Uint8Array.of(0x1f, 0, 1, 0), new Uint8Array(Math.ceil(bytes / 255)).fill(255), Uint8Array.of(0, 0x10, 0));

const column = (codec: number, bytes: Uint8Array) => [{ name: 't', codec, pages: bombPage(bytes) }];
/** The most values that a page may claim. */
const MOST_VALUES = 1 << 24;

const PARQUETS: readonly Bomb[] = [
  parquet('zstd of blocks that say nothing', (bytes) => madeParquet(column(CODEC.zstd, zstdOfRuns(bytes, Uint8Array.of(0x00, 0x50))), 1)),
  parquet('zstd that says what it holds', (bytes) => {
    const size = Uint8Array.of(...new Uint8Array(Uint32Array.of(bytes).buffer));
    return madeParquet(column(CODEC.zstd, zstdOfRuns(bytes, joined(Uint8Array.of(0xa0), size))), 1);
  }),
  parquet('zstd with a window of a gigabyte', () => madeParquet(column(CODEC.zstd, zstdOfRuns(0, Uint8Array.of(0x00, 0xa0))), 1)),
  parquet('zstd of zeros', (bytes) => madeParquet(column(CODEC.zstd, new Uint8Array(zstdCompressSync(zeros(Math.min(bytes, 512 * MB))))), 1)),
  parquet('gzip', (bytes) => madeParquet(column(CODEC.gzip, gzipOf(bytes)), 1)),
  parquet('snappy', (bytes) => madeParquet(column(CODEC.snappy, snappyOf(Math.min(bytes, 64 * MB))), 1)),
  parquet('brotli', (bytes) => madeParquet(column(CODEC.brotli, new Uint8Array(brotliCompressSync(zeros(Math.min(bytes, 256 * MB)), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }))), 1)),
  parquet('lz4', (bytes) => madeParquet(column(CODEC.lz4Raw, lz4Of(bytes)), 1)),
  ...(['snappy', 'gzip', 'brotli', 'zstd', 'lz4Raw'] as const).map((codec) =>
    parquet(`page of ${codec} that claims a gigabyte`, (bytes) =>
      madeParquet([{ name: 't', codec: CODEC[codec], pages: [{ values: 1, bytes: zeros(100), uncompressedBytes: Math.min(2 ** 31 - 1, bytes) }] }], 1)),
  ),
  parquet('runs of NULL in many columns', (bytes) =>
    madeParquet(
      Array.from({ length: 1000 }, (_, at) => ({ name: `c${at}`, isOptional: true, pages: [{ values: claimed(bytes), bytes: levels(claimed(bytes), 0) }] })),
      claimed(bytes),
    )),
  parquet('runs of one value of a dictionary in many columns', (bytes) =>
    madeParquet(
      Array.from({ length: 1000 }, (_, at) => ({
        name: `c${at}`,
        pages: [
          { values: 1, bytes: Uint8Array.of(1, 0, 0, 0, 0x78), isDictionary: true },
          { values: claimed(bytes), bytes: joined(Uint8Array.of(1), run(claimed(bytes), 0)), encoding: ENCODING.dictionary },
        ],
      })),
      claimed(bytes),
    )),
  parquet('dictionary of empty texts', (bytes) => {
    const values = Math.min(MOST_VALUES, Math.ceil(bytes / 64));
    const page = zeros(values * 4);
    const packed = new Uint8Array(zstdCompressSync(page));
    return madeParquet([{ name: 't', codec: CODEC.zstd, pages: [
      { values, bytes: packed, uncompressedBytes: page.length, isDictionary: true },
      { values: 1, bytes: new Uint8Array(zstdCompressSync(Uint8Array.of(1, 2, 0))), uncompressedBytes: 3, encoding: ENCODING.dictionary },
    ] }], 1);
  }),
  parquet('page of empty texts', (bytes) => {
    const values = Math.min(MOST_VALUES, Math.ceil(bytes / 64));
    const page = zeros(values * 4);
    const packed = new Uint8Array(zstdCompressSync(page));
    return madeParquet([{ name: 't', codec: CODEC.zstd, pages: [{ values, bytes: packed, uncompressedBytes: page.length }] }], values);
  }),
  parquet('differences that are zero in many columns', (bytes) => {
    const values = Math.min(MOST_VALUES, Math.ceil(bytes / 64));
    return madeParquet(Array.from({ length: 100 }, (_, at) => ({ name: `c${at}`, type: TYPE.int64, pages: [{ values, bytes: zeroDeltas(values), encoding: ENCODING.deltaBinary }] })), values);
  }),
  parquet('texts that repeat the one before', (bytes) => {
    const long = 1 << 16;
    const values = Math.ceil(bytes / long);
    // Prefixes: none, then all of the first; suffixes: the first, then nothing.
    const page = joined(deltas([0, long], values), deltas([long, 0], values), zeros(long));
    return madeParquet([{ name: 't', pages: [{ values, bytes: page, encoding: ENCODING.deltaByteArray }] }], values);
  }),
  parquet('row groups that claim rows', (bytes) => madeParquet([{ name: 't', pages: [] }], 2 ** 27, Math.min(20_000, Math.ceil(bytes / 50_000)))),
  parquet('footer of empty structures', (bytes) => {
    const count = Math.min(bytes, 200 * MB);
    const schema = joined(Uint8Array.of(0x29, 0xfc), varint(count), new Uint8Array(count), Uint8Array.of(0));
    return withFooter(new TextEncoder().encode('PAR1'), schema);
  }),
  parquet('footer of structures in each other', (bytes) =>
    withFooter(new TextEncoder().encode('PAR1'), new Uint8Array(Math.min(bytes, 100 * MB)).fill(0x1c))),
  parquet('footer of columns in each other', (bytes) => {
    const depth = Math.min(200_000, bytes / 50);
    const schema = Array.from({ length: depth }, () => structBytes([i32(3, 1), binary(4, 'a'), i32(5, 1)]));
    return withFooter(new TextEncoder().encode('PAR1'), structBytes([i32(1, 1), list(2, 12, [...schema, structBytes([i32(1, 1), binary(4, 'a')])]), i64(3, 1), list(4, 12, [])]));
  }),
]; // prettier-ignore

const claimed = (bytes: number): number => Math.min(MOST_VALUES, Math.ceil(bytes / 64));

/** DELTA_BINARY_PACKED: blocks of 128 values in 4 parts of width 0. */
function zeroDeltas(values: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(values / (1 << 20)) }, () => joined(varint(0), Uint8Array.of(0)));
  return joined(varint(1 << 20), varint(1), varint(values), varint(0), ...blocks);
}

/** `first`, then `rest` again and again. */
function deltas([first, rest]: readonly [number, number], values: number): Uint8Array {
  const step = rest - first;
  const signed = step < 0 ? -step * 2 - 1 : step * 2;
  // The first block has one value of its own; after it nothing changes.
  const blocks = Array.from({ length: Math.ceil(values / 128) }, () => joined(varint(0), Uint8Array.of(0)));
  return joinedAll([
    varint(1),
    varint(1),
    varint(values),
    varint(first * 2),
    varint(signed),
    Uint8Array.of(0),
    ...oneByOne(values, blocks),
  ]);
}

/** Blocks of one value: as long as the values are. */
const oneByOne = (values: number, blocks: readonly Uint8Array[]): readonly Uint8Array[] =>
  Array.from({ length: Math.max(0, values - 2) }, () => blocks[0]!);

const DUMPS: readonly Bomb[] = (['sqlite', 'mysql', 'postgres', 'tsql'] as const).flatMap(
  (dialect): readonly Bomb[] => {
    const begin = {
      sqlite: 'PRAGMA foreign_keys=OFF;\nCREATE TABLE t (a);\n',
      mysql: '-- MySQL dump 10\nCREATE TABLE `t` (`a` int) ENGINE=InnoDB;\n',
      postgres: '-- PostgreSQL database dump\nCREATE TABLE t (a integer);\n',
      tsql: 'SET ANSI_NULLS ON\nGO\nCREATE TABLE [dbo].[t] ([a] [int])\nGO\n',
    }[dialect];
    const dump = (name: string, head: string, piece: string): Bomb => ({
      ...text('sql', name, begin + head, piece),
      name: `${dialect} dump: ${name}`,
    });
    return [
    dump('endless statement', 'INSERT INTO t VALUES ', '(1),'),
    dump('endless statement of words', 'UPDATE t SET a = 1 ', '+ a '),
    dump('endless parentheses', 'INSERT INTO t VALUES ', '('),
    dump('endless text', "INSERT INTO t VALUES ('", 'x'),
    dump('endless name', 'CREATE TABLE "', 'x'),
    dump('endless comment', '/*', 'x'),
    dump('endless line comment', '-- ', 'x'),
    dump('endless white space', '', ' '),
    dump('endless semicolons', '', ';'),
    ...(dialect === 'postgres' ? [dump('endless line of COPY', 'COPY t (a) FROM stdin;\n', '1\t'), dump('endless bad lines of COPY', 'COPY t (a) FROM stdin;\n', '1\t2\n'), dump('endless dollars', 'SELECT $$', 'x')] : []),
  ]; // prettier-ignore
  },
);

export const READER_BOMBS: readonly Bomb[] = [...TEXTS, ...WORKBOOKS, ...PARQUETS];
export const DUMP_BOMBS = DUMPS;
