// Parquet files for tests, written value by value, with whatever their pages and their footer claim.

type Field = readonly [id: number, type: number, content: Uint8Array];

const ENCODER = new TextEncoder();
export const joinedAll = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
export const joined = (...parts: readonly Uint8Array[]): Uint8Array => joinedAll(parts);

export function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt(value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

const zigzag = (value: number): Uint8Array => varint(BigInt(value) * 2n);

/** Fields of Thrift's compact protocol (github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). */
export const i32 = (id: number, value: number): Field => [id, 5, zigzag(value)];
export const i64 = (id: number, value: number): Field => [id, 6, zigzag(value)];
export const binary = (id: number, value: string): Field => {
  const bytes = ENCODER.encode(value);
  return [id, 8, joined(varint(bytes.length), bytes)];
};
export const list = (id: number, type: number, items: readonly Uint8Array[]): Field => [
  id,
  9,
  joinedAll([Uint8Array.of(0xf0 | type), varint(items.length), ...items]),
];
export const struct = (id: number, fields: readonly Field[]): Field => [id, 12, structBytes(fields)];

export function structBytes(fields: readonly Field[]): Uint8Array {
  let last = 0;
  const parts = fields.map(([id, type, content]) => {
    const head = Uint8Array.of(((id - last) << 4) | type);
    last = id;
    return joined(head, content);
  });
  return joined(...parts, Uint8Array.of(0));
}

export const CODEC = { plain: 0, snappy: 1, gzip: 2, brotli: 4, zstd: 6, lz4Raw: 7 } as const;
export const TYPE = { int32: 1, int64: 2, double: 5, byteArray: 6 } as const;
export const ENCODING = { plain: 0, rle: 3, deltaBinary: 5, deltaByteArray: 7, dictionary: 8 } as const;

export interface MadePage {
  readonly values: number;
  /** As in the file. */
  readonly bytes: Uint8Array;
  readonly uncompressedBytes?: number;
  readonly encoding?: number;
  readonly isDictionary?: boolean;
}

export interface MadeColumn {
  readonly name: string;
  readonly type?: number;
  readonly codec?: number;
  readonly isOptional?: boolean;
  readonly pages: readonly MadePage[];
}

function pageBytes({ values, bytes, uncompressedBytes, encoding = 0, isDictionary = false }: MadePage): Uint8Array {
  const content = isDictionary
    ? struct(7, [i32(1, values), i32(2, 0)])
    : struct(5, [i32(1, values), i32(2, encoding), i32(3, ENCODING.rle), i32(4, ENCODING.rle)]);
  const header = structBytes([
    i32(1, isDictionary ? 2 : 0),
    i32(2, uncompressedBytes ?? bytes.length),
    i32(3, bytes.length),
    content,
  ]);
  return joined(header, bytes);
}

const MAGIC = ENCODER.encode('PAR1');

/** @param rows of its only row group, as it claims */
export function madeParquet(columns: readonly MadeColumn[], rows: number, groups = 1): Uint8Array {
  const parts: Uint8Array[] = [MAGIC];
  let at = MAGIC.length;
  const chunks = columns.map(({ name, type = TYPE.byteArray, codec = 0, pages }) => {
    const written = pages.map(pageBytes);
    const size = written.reduce((sum, { length }) => sum + length, 0);
    const start = at;
    parts.push(...written);
    at += size;
    const dictionary = pages[0]?.isDictionary ? [i64(11, start)] : [];
    const first = pages[0]?.isDictionary ? start + written[0]!.length : start;
    const meta = struct(3, [
      i32(1, type),
      list(2, 5, [zigzag(0)]),
      list(3, 8, [joined(varint(name.length), ENCODER.encode(name))]),
      i32(4, codec),
      i64(5, rows),
      i64(6, size),
      i64(7, size),
      i64(9, first),
      ...dictionary,
    ]);
    return structBytes([i64(2, start), meta]);
  });
  const total = at;
  const group = structBytes([list(1, 12, chunks), i64(2, total), i64(3, rows)]);
  const elements = columns.map(({ name, type = TYPE.byteArray, isOptional = false }) =>
    structBytes([i32(1, type), i32(3, isOptional ? 1 : 0), binary(4, name)]),
  );
  const schema = [structBytes([binary(4, 'root'), i32(5, columns.length)]), ...elements];
  return withFooter(
    joined(...parts),
    structBytes([
      i32(1, 1),
      list(2, 12, schema),
      i64(3, rows * groups),
      list(
        4,
        12,
        Array.from({ length: groups }, () => group),
      ),
    ]),
  );
}

export function withFooter(content: Uint8Array, footer: Uint8Array): Uint8Array {
  return joined(content, footer, new Uint8Array(Uint32Array.of(footer.length).buffer), MAGIC);
}

/** A run of one value in the hybrid encoding of levels and numbers. */
export const run = (count: number, value: number, bitWidth = 1): Uint8Array => {
  const bytes = Array.from({ length: (bitWidth + 7) >> 3 }, (_, at) => (value >> (at * 8)) & 0xff);
  return joined(varint(count * 2), Uint8Array.from(bytes));
};

/** Levels of a page of version 1: with their length before them. */
export const levels = (count: number, value: number): Uint8Array => {
  const encoded = run(count, value);
  return joined(new Uint8Array(Uint32Array.of(encoded.length).buffer), encoded);
};
