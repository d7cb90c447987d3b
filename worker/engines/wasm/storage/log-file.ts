// One write-ahead log between SQLite and the file system: joins neighboring writes, and knows which commit was the last.
//
// Invariants. All of a commit is written before SQLite continues. A new log begins in the file only with its first commit: until then a
// note in place of its header says which commit the database file has, so that no moment is without a mark. Before frames of an old log are
// overwritten its header is gone from the disk for certain, or SQLite could recover a part of it.
import { markOf, NOTE_BYTES, noteOf } from './commit-mark.ts';
import type { CommitMark } from './commit-mark.ts';
import { SHORT_READ, SYNC_NORMAL } from './io-calls.ts';
import type { FileCalls } from './io-calls.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';

// sqlite.org/fileformat2.html#walformat
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** A write costs the same up to about this size. At least one frame of the largest page. */
const BUFFER_BYTES = 128 << 10;

/** A commit frame that SQLite has begun to write but that is not counted yet. */
interface Commit {
  readonly frames: number;
  readonly offset: number;
  readonly mark: CommitMark;
}

export class LogFile {
  readonly #sqlite: Sqlite;
  readonly #calls: FileCalls;
  readonly #file: Pointer;
  /** Gathered bytes, then room for {@link HEADER_BYTES} of our own. */
  readonly #buffer: Pointer;
  #bufferedAt = 0;
  #buffered = 0;
  /** The beginning of the file. */
  #header: 'nothing' | 'note' | 'log' = 'nothing';
  /** Header of a new log; written together with its first commit. */
  #newHeader: Uint8Array | null = null;
  #pageBytes = 0;
  #mark: CommitMark | null = null;
  /** Frames up to the last commit. */
  #frames = 0;
  #commit: Commit | null = null;
  /** Pages of this transaction were written a second time: SQLite recomputes the checksums of all frames behind them at the end. */
  #rewrites = false;
  #expectedPage = -1;
  #unflushed = true;

  /** @throws AppError `full` without memory for the buffer */
  constructor(sqlite: Sqlite, calls: FileCalls, file: Pointer) {
    this.#sqlite = sqlite;
    this.#calls = calls;
    this.#file = file;
    this.#buffer = sqlite.heap.allocate(BUFFER_BYTES + HEADER_BYTES);
  }

  /** Call before anything else. Returns a result code; without success it must be closed. */
  open(): number {
    const header = this.#readOwn(0, HEADER_BYTES);
    if (header === SHORT_READ) return 0;
    if (typeof header === 'number') return header;
    this.#mark = markOf(header);
    this.#header = this.#mark === null ? 'log' : 'note';
    this.#learnPageSize(header);
    return 0;
  }

  /** Null: no log has ever said. */
  get mark(): CommitMark | null {
    return this.#mark;
  }

  get hasNote(): boolean {
    return this.#header === 'note';
  }

  /** The log up to its last commit; 0 when all is in the database file. */
  get committedBytes(): number {
    return this.#frames === 0 ? 0 : this.#frameOffset(this.#frames);
  }

  /** SQLite has found so many frames, up to the last commit, when it opened the log. */
  recovered(frames: number): void {
    if (frames <= 0) return;
    const header = this.#readOwn(this.#frameOffset(frames - 1), FRAME_HEADER_BYTES);
    this.#frames = frames;
    this.#mark = typeof header === 'number' ? null : markInFrame(header);
  }

  /** SQLite counts the commit it has written. */
  committed(): number {
    const code = this.#commit === null ? 0 : this.#drain() || this.#beginInFile();
    if (this.#commit !== null) {
      this.#frames = this.#commit.frames;
      this.#mark = this.#commit.mark;
    }
    this.#forgetTransaction();
    return code;
  }

  /** SQLite has rolled back. A commit it gave up when everything was written must not come back after a crash. */
  rolledBack(): void {
    const refused = this.#commit;
    this.#buffered = 0;
    this.#forgetTransaction();
    if (refused === null) return;
    this.#writeOwn(refused.offset, new Uint8Array(FRAME_HEADER_BYTES));
    if (this.#frames === 0 && this.#header === 'log') this.#retire();
  }

  write(source: Pointer, bytes: number, offset: number): number {
    if (offset === 0 && bytes === HEADER_BYTES) return this.#begin(source);
    const isFrameHeader = bytes === FRAME_HEADER_BYTES && (offset - HEADER_BYTES) % this.#frameBytes === 0;
    const completes = isFrameHeader ? this.#noteFrameHeader(source, offset) : this.#notePage(offset);
    const code = this.#gather(source, bytes, offset);
    if (code !== 0 || !completes) return code;
    return this.#drain() || (this.#rewrites && !isFrameHeader ? 0 : this.#beginInFile());
  }

  read(target: Pointer, bytes: number, offset: number): number {
    const apart = offset + bytes <= this.#bufferedAt || offset >= this.#bufferedAt + this.#buffered;
    const code = apart ? 0 : this.#drain();
    return code || this.#calls.read(this.#file, target, bytes, BigInt(offset));
  }

  truncate(size: number): number {
    const code = this.#drain();
    if (code !== 0) return code;
    if (size > 0) return this.#truncateFile(size);
    this.#newHeader = null;
    return (this.#header === 'log' ? this.#retire() : 0) || this.#truncateFile(this.hasNote ? NOTE_BYTES : 0);
  }

  sync(flags: number): number {
    const code = this.#drain() || (this.#commit === null ? 0 : this.#beginInFile());
    return code || this.#flush(flags);
  }

  fileSize(out: Pointer): number {
    return this.#drain() || this.#calls.fileSize(this.#file, out);
  }

  close(): number {
    this.#drain();
    this.#sqlite.heap.free(this.#buffer);
    return this.#calls.close(this.#file);
  }

  /** SQLite begins at the front again: everything of the old log is in the database file. */
  #begin(source: Pointer): number {
    const code = this.#drain() || (this.#header === 'log' ? this.#retire() : 0);
    if (code !== 0) return code;
    this.#newHeader = this.#sqlite.heap.bytes.slice(source, source + HEADER_BYTES);
    this.#learnPageSize(this.#newHeader);
    return 0;
  }

  /** The new header takes the place of the note. Not before all of the commit is there, and not with a chance to arrive alone. */
  #beginInFile(): number {
    if (this.#newHeader === null) return 0;
    const flushed = this.hasNote ? this.#flush(SYNC_NORMAL) : 0;
    if (flushed !== 0) return flushed;
    // This applies even when the write fails: it may have arrived.
    this.#header = 'log';
    const code = this.#writeOwn(0, this.#newHeader);
    if (code === 0) this.#newHeader = null;
    return code;
  }

  /** The log in the file is over: nothing of it may be recovered from now on. */
  #retire(): number {
    const code = this.#writeOwn(0, this.#mark === null ? new Uint8Array(NOTE_BYTES) : noteOf(this.#mark));
    if (code !== 0) return code;
    this.#header = this.#mark === null ? 'nothing' : 'note';
    this.#frames = 0;
    return this.#flush(SYNC_NORMAL);
  }

  /** True when a commit is complete with it. */
  #noteFrameHeader(source: Pointer, offset: number): boolean {
    const header = this.#sqlite.heap.bytes.subarray(source, source + FRAME_HEADER_BYTES);
    this.#expectedPage = offset + FRAME_HEADER_BYTES;
    const isCommit = header[4] !== 0 || header[5] !== 0 || header[6] !== 0 || header[7] !== 0;
    if (!isCommit) return false;
    const isAgain = this.#commit?.offset === offset;
    const frames = (offset - HEADER_BYTES) / this.#frameBytes + 1;
    this.#commit = { frames, offset, mark: markInFrame(header) };
    return isAgain;
  }

  /** True when a commit is complete with it, but for {@link #rewrites}. */
  #notePage(offset: number): boolean {
    const follows = offset === this.#expectedPage;
    this.#expectedPage = -1;
    if (!follows) this.#rewrites = true;
    return follows && this.#commit?.offset === offset - FRAME_HEADER_BYTES;
  }

  #gather(source: Pointer, bytes: number, offset: number): number {
    const joins = offset === this.#bufferedAt + this.#buffered && this.#buffered + bytes <= BUFFER_BYTES;
    if (!joins) {
      const code = this.#drain();
      if (code !== 0) return code;
      this.#bufferedAt = offset;
    }
    this.#sqlite.heap.bytes.copyWithin(this.#buffer + this.#buffered, source, source + bytes);
    this.#buffered += bytes;
    return 0;
  }

  #drain(): number {
    if (this.#buffered === 0) return 0;
    const bytes = this.#buffered;
    // This applies after a failure, too: SQLite rolls back then, and its reads must not fail because of an earlier write.
    this.#buffered = 0;
    this.#unflushed = true;
    return this.#calls.write(this.#file, this.#buffer, bytes, BigInt(this.#bufferedAt));
  }

  #flush(flags: number): number {
    if (!this.#unflushed) return 0;
    const code = this.#calls.sync(this.#file, flags);
    this.#unflushed = code !== 0;
    return code;
  }

  #truncateFile(size: number): number {
    this.#unflushed = true;
    return this.#calls.truncate(this.#file, BigInt(size));
  }

  #forgetTransaction(): void {
    this.#commit = null;
    this.#rewrites = false;
    this.#expectedPage = -1;
  }

  #writeOwn(offset: number, bytes: Uint8Array): number {
    const own = this.#buffer + BUFFER_BYTES;
    this.#sqlite.heap.bytes.set(bytes, own);
    this.#unflushed = true;
    return this.#calls.write(this.#file, own, bytes.length, BigInt(offset));
  }

  /** Returns a result code on failure. */
  #readOwn(offset: number, bytes: number): Uint8Array | number {
    const own = this.#buffer + BUFFER_BYTES;
    const code = this.#calls.read(this.#file, own, bytes, BigInt(offset));
    return code === 0 ? this.#sqlite.heap.bytes.slice(own, own + bytes) : code;
  }

  #learnPageSize(header: Uint8Array): void {
    this.#pageBytes = new DataView(header.buffer).getUint32(8);
  }

  get #frameBytes(): number {
    return FRAME_HEADER_BYTES + this.#pageBytes;
  }

  #frameOffset(frame: number): number {
    return HEADER_BYTES + frame * this.#frameBytes;
  }
}

function markInFrame(header: Uint8Array): CommitMark {
  return header.slice(8, FRAME_HEADER_BYTES);
}
