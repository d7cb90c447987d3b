// Where the pages of the last commit are in a WAL, told as SQLite tells it when it recovers one (sqlite.org/fileformat2.html#walformat).

export interface WalFrames {
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
export const isPageSize = (bytes: number): boolean =>
  bytes >= 512 && bytes <= 65_536 && Number.isInteger(Math.log2(bytes));

const isSame = (a: DataView, atA: number, b: DataView, atB: number): boolean =>
  a.getUint32(atA) === b.getUint32(atB) && a.getUint32(atA + 4) === b.getUint32(atB + 4);

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
