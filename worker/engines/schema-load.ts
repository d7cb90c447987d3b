// Refuses files whose schema SQLite could not load within the time that their length lets one expect. SQLite loads it in one call, which
// prepares every definition and reads the statistics of ANALYZE. Nothing ends that call natively, nor where it prepares in wasm.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { joined } from '../records/bytes.ts';

/** What a comparison of two names takes in native SQLite, in nanoseconds: of two columns, constraints, and objects; wasm takes two to four times as long. */
const [COLUMN_NS, UNIQUE_NS, OBJECT_NS] = [0.7, 13, 130];
/** SQLite's hash tables have no more chains than that. */
const CHAINS = 64;
const MOST_COLUMNS = 2000;
/** A list of fewer columns or constraints takes no time. */
const SHORT_LIST = 100;
/** No user can create such a name: of these tables SQLite and Sidelite read all rows. */
const IS_OF_SQLITE = /^sqlite_/i;
const DEFINES_TABLE = /^create\s+table\b/i;
const IS_STATISTICS = /^sqlite_stat/i;
const DEFINES_STATISTICS = /^create\s+table\b[^]*sqlite_stat/i;
const [COMMA, PARENTHESIS] = [0x2c, 0x28];

export interface LoadLimits {
  /** How long native SQLite may take. */
  readonly mostMs: number;
  /** With `writable_schema`, SQLite does not compare the name of a table with its definition. */
  readonly namesMayLie: boolean;
}

/**
 * Call before SQLite has loaded the schema, while nobody writes to the file.
 * @throws AppError `corrupt`, `invalid`
 */
export function assertLoads(file: FileBytes, { mostMs, namesMayLie }: LoadLimits): void {
  const pages = new TreePages(file);
  if (pages.header === null) return;
  const decoder = new TextDecoder(['utf-8', 'utf-8', 'utf-16le', 'utf-16be'][pages.header.getUint8(59) & 3]);
  const statistics: number[] = [];
  let [objects, ns] = [0, 0];
  for (const record of pages.payloads(1)) {
    const [, name, , root, sql] = fieldsOf(record);
    objects++;
    if (!(name instanceof Uint8Array)) continue;
    const text = sql instanceof Uint8Array ? sql : new Uint8Array();
    ns += comparingNs(text, decoder);
    const named = decoder.decode(name.subarray(0, 64));
    if (IS_OF_SQLITE.test(named) && text.length > 0) {
      if (!DEFINES_TABLE.test(decoder.decode(text.subarray(0, 64)))) throw noTable(named);
      if (counted(text, PARENTHESIS) > 1) throw computed(named);
    }
    if (!IS_STATISTICS.test(named) && !(namesMayLie && DEFINES_STATISTICS.test(decoder.decode(text)))) continue;
    if (counted(text, PARENTHESIS) > 1) throw computed(named);
    statistics.push(root instanceof Uint8Array ? Number(decoder.decode(root)) : Number(root));
  }
  ns += (objects ** 2 / 2 / CHAINS) * OBJECT_NS;
  if (ns / 1e6 > mostMs) throw tooLarge();
  for (const root of statistics) for (const _ of pages.payloads(root));
}

/** SQLite compares each column of a table with all others, and each UNIQUE. */
function comparingNs(sql: Uint8Array, decoder: TextDecoder): number {
  const parts = sql.length < SHORT_LIST ? 0 : counted(sql, COMMA);
  if (parts < SHORT_LIST) return 0;
  const uniques = decoder.decode(sql).match(/unique/gi)?.length ?? 0;
  return (Math.min(parts, MOST_COLUMNS) ** 2 / 2) * COLUMN_NS + (uniques ** 2 / 2) * UNIQUE_NS;
}

function counted(bytes: Uint8Array, sought: number): number {
  let count = 0;
  for (const byte of bytes) if (byte === sought) count++;
  return count;
}

const noTable = (name: string): AppError =>
  AppError.invalid(
    inParts(
      `“${name}” in this file is not a table as SQLite makes it, and reading it may take forever.`,
      'The file was not opened, and nothing was changed.',
    ),
  );

const computed = (name: string): AppError =>
  AppError.invalid(
    inParts(
      `The columns of the table “${name}” in this file are computed, which SQLite itself never does, and reading them may take forever.`,
      'The file was not opened, and nothing was changed.',
    ),
  );

const tooLarge = (): AppError =>
  AppError.invalid(
    inParts(
      'This file has so many tables, columns, or constraints that SQLite would take too long to load its schema.',
      'The file was not opened, and nothing was changed.',
    ),
  );

// The B-trees of a file as bytes (sqlite.org/fileformat2.html), read without SQLite. Pages that are not what they should be are left out,
// because SQLite reports them; those that would keep SQLite busy for longer than the file is long are refused.

/** A file and its WAL: fewer bytes where they end. */
interface FileBytes {
  read(offset: number, length: number): Uint8Array;
  readWal(offset: number, length: number): Uint8Array;
}

interface Cell {
  readonly child: number | null;
  readonly payloadBytes: number;
  readonly from: number;
  readonly localBytes: number;
  readonly to: number;
}

const FILE_HEADER_BYTES = 100;
const Kind = { interiorIndex: 2, interiorTable: 5, leafIndex: 10, leafTable: 13 } as const;

class TreePages {
  /** Null if the file is no database. */
  readonly header: DataView | null;
  readonly #file: FileBytes;
  readonly #pageBytes: number;
  readonly #usableBytes: number;
  readonly #frames: WalFrames | null;
  readonly #seen = new Set<number>();

  constructor(file: FileBytes) {
    this.#file = file;
    this.#frames = committedFrames((offset, length) => file.readWal(offset, length));
    this.#pageBytes = this.#frames?.pageBytes ?? pageSize(viewOf(file.read(16, 2)));
    const first = isPageSize(this.#pageBytes) ? this.#read(1) : null;
    this.header = first && viewOf(first.subarray(0, FILE_HEADER_BYTES));
    this.#usableBytes = this.#pageBytes - (this.header?.getUint8(20) ?? 0);
  }

  /**
   * Contents of the cells of a tree, in no order. A page that was read before ends it.
   * @throws AppError `corrupt`
   */
  *payloads(root: number): Generator<Uint8Array> {
    const pending = [root];
    for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
      const page = this.#visit(number);
      if (page === null) continue;
      const view = viewOf(page);
      const at = number === 1 ? FILE_HEADER_BYTES : 0;
      const kind = view.getUint8(at);
      const isInterior = kind === Kind.interiorTable || kind === Kind.interiorIndex;
      if (!isInterior && kind !== Kind.leafTable && kind !== Kind.leafIndex) continue;
      if (isInterior) pending.push(view.getUint32(at + 8));
      const from = at + (isInterior ? 12 : 8);
      let usedBytes = 0;
      for (let place = from; place < Math.min(page.length - 1, from + 2 * view.getUint16(at + 3)); place += 2) {
        const cell = this.#cellAt(view, view.getUint16(place), kind);
        if (cell === null) break;
        usedBytes += cell.to - view.getUint16(place);
        if (usedBytes > this.#pageBytes) throw readAgain();
        if (cell.child !== null) pending.push(cell.child);
        if (kind !== Kind.interiorTable) yield this.#payload(page, view, cell);
      }
    }
  }

  /** Null where the page ends within the cell. */
  #cellAt(view: DataView, offset: number, kind: number): Cell | null {
    const isInterior = kind === Kind.interiorTable || kind === Kind.interiorIndex;
    if (offset + 4 > view.byteLength) return null;
    const child = isInterior ? view.getUint32(offset) : null;
    const size = varintAt(view, offset + (isInterior ? 4 : 0));
    if (kind === Kind.interiorTable) return { child, payloadBytes: 0, from: size.to, localBytes: 0, to: size.to };
    const from = kind === Kind.leafTable ? varintAt(view, size.to).to : size.to;
    const localBytes = this.#localBytes(size.value, kind);
    const to = from + localBytes + (localBytes < size.value ? 4 : 0);
    return to > view.byteLength ? null : { child, payloadBytes: size.value, from, localBytes, to };
  }

  /** How much of the content is on the page itself. */
  #localBytes(payloadBytes: number, kind: number): number {
    const usable = this.#usableBytes;
    const most = kind === Kind.leafTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
    if (payloadBytes <= most) return payloadBytes;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const local = least + ((payloadBytes - least) % (usable - 4));
    return local <= most ? local : least;
  }

  #payload(page: Uint8Array, view: DataView, { payloadBytes, from, localBytes }: Cell): Uint8Array {
    const local = page.subarray(from, from + localBytes);
    if (localBytes === payloadBytes) return local;
    const parts = [local];
    // Its length is only believed as far as there are pages.
    let left = payloadBytes - localBytes;
    for (let next = view.getUint32(from + localBytes); next !== 0 && left > 0;) {
      const overflow = this.#visit(next);
      if (overflow === null) break;
      parts.push(overflow.subarray(4, 4 + Math.min(left, this.#usableBytes - 4)));
      left -= this.#usableBytes - 4;
      next = viewOf(overflow).getUint32(0);
    }
    return joined(parts);
  }

  #visit(number: number): Uint8Array | null {
    if (this.#seen.has(number)) throw readAgain();
    const page = this.#read(number);
    if (page !== null) this.#seen.add(number);
    return page;
  }

  /** Null where the file ends. */
  #read(number: number): Uint8Array | null {
    if (number === 0) return null;
    const inWal = this.#frames?.offsets.get(number);
    const page =
      inWal === undefined
        ? this.#file.read((number - 1) * this.#pageBytes, this.#pageBytes)
        : this.#file.readWal(inWal, this.#pageBytes);
    return page.length < this.#pageBytes ? null : page;
  }
}

/** The values of a record as bytes: those of numbers are big-endian. Null for what is in the type alone. */
function fieldsOf(record: Uint8Array): readonly (Uint8Array | number | null)[] {
  const view = viewOf(record);
  const fields: (Uint8Array | number | null)[] = [];
  const header = varintAt(view, 0);
  for (let [at, from] = [header.to, header.value]; at < header.value && at < record.length;) {
    const type = varintAt(view, at);
    at = type.to;
    const length = type.value < 12 ? NUMBER_BYTES[type.value]! : Math.floor((type.value - 12) / 2);
    const bytes = record.subarray(from, from + length);
    if (type.value >= 12) fields.push(bytes);
    else if (type.value === 8 || type.value === 9) fields.push(type.value - 8);
    else fields.push(type.value === 0 ? null : bytes.reduce((sum, byte) => sum * 256 + byte, 0));
    from += length;
  }
  return fields;
}

const NUMBER_BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0];

/** Infinite where the bytes end too soon. */
function varintAt(view: DataView, from: number): { readonly value: number; readonly to: number } {
  let value = 0;
  for (let at = from; at < view.byteLength; at++) {
    const byte = view.getUint8(at);
    if (at - from === 8) return { value: value * 256 + byte, to: at + 1 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, to: at + 1 };
  }
  return { value: Infinity, to: Infinity };
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function pageSize(view: DataView): number {
  const size = view.byteLength < 2 ? 0 : view.getUint16(0);
  return size === 1 ? 65_536 : size;
}

/** The same error as where SQLite finds it. */
const readAgain = (): AppError =>
  AppError.corrupt('The database file is damaged: SQLite would have to read the same page of it again and again.');

// Where the pages of the last commit are in a WAL, told as SQLite tells it when it recovers one (sqlite.org/fileformat2.html#walformat).

interface WalFrames {
  readonly pageBytes: number;
  /** Offset of the newest version by page. */
  readonly offsets: ReadonlyMap<number, number>;
}

const [HEADER_BYTES, FRAME_HEADER_BYTES] = [32, 24];
const MAGIC = 0x377f0682;

/**
 * Null if nothing in it is committed.
 * @param read fewer bytes where the file ends
 */
export function committedFrames(read: (offset: number, length: number) => Uint8Array): WalFrames | null {
  const header = viewOf(read(0, HEADER_BYTES));
  if (header.byteLength < HEADER_BYTES || header.getUint32(0) >>> 1 !== MAGIC >>> 1) return null;
  const sum = new Checksum((header.getUint32(0) & 1) === 0);
  sum.add(header, 0, FRAME_HEADER_BYTES);
  const pageBytes = header.getUint32(8);
  if (!sum.equals(header, 24) || !isPageSize(pageBytes)) return null;
  const [offsets, open] = [new Map<number, number>(), new Map<number, number>()];
  for (let at = HEADER_BYTES; ; at += FRAME_HEADER_BYTES + pageBytes) {
    const frame = viewOf(read(at, FRAME_HEADER_BYTES + pageBytes));
    if (frame.byteLength < FRAME_HEADER_BYTES + pageBytes || !isSame(frame, 8, header, 16)) break;
    sum.add(frame, 0, 8);
    sum.add(frame, FRAME_HEADER_BYTES, pageBytes);
    if (!sum.equals(frame, 16) || frame.getUint32(0) === 0) break;
    open.set(frame.getUint32(0), at + FRAME_HEADER_BYTES);
    if (frame.getUint32(4) === 0) continue;
    for (const [page, offset] of open) offsets.set(page, offset);
    open.clear();
  }
  return offsets.size === 0 ? null : { pageBytes, offsets };
}

class Checksum {
  readonly #isLittleEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isLittleEndian: boolean) {
    this.#isLittleEndian = isLittleEndian;
  }

  add(view: DataView, from: number, length: number): void {
    let [first, second] = [this.#first, this.#second];
    for (let at = from; at < from + length; at += 8) {
      first = (first + view.getInt32(at, this.#isLittleEndian) + second) | 0;
      second = (second + view.getInt32(at + 4, this.#isLittleEndian) + first) | 0;
    }
    this.#first = first;
    this.#second = second;
  }

  equals(view: DataView, at: number): boolean {
    return view.getInt32(at) === this.#first && view.getInt32(at + 4) === this.#second;
  }
}

/** SQLite passes over a WAL with any other, and over all frames from the first one without a page. */
const isPageSize = (bytes: number): boolean => bytes >= 512 && bytes <= 65_536 && Number.isInteger(Math.log2(bytes));

const isSame = (a: DataView, atA: number, b: DataView, atB: number): boolean =>
  a.getUint32(atA) === b.getUint32(atB) && a.getUint32(atA + 4) === b.getUint32(atB + 4);
