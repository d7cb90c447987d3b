// One write-ahead log between SQLite and the file system: knows which commit was the last, and when its header may be in the file.
//
// Invariants. All of a commit is written before SQLite continues. A new log begins in the file only with its first commit: until then a
// note in place of its header says which commit the database file has, so that no moment is without a mark. Before frames of an old log are
// overwritten its header is gone from the disk for certain, or SQLite could recover a part of it.
import { SHORT_READ, SYNC_NORMAL, type FileCalls } from './io-calls.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import { LogIo } from './log-io.ts';

// sqlite.org/fileformat2.html#walformat
const HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;

/** A commit frame that SQLite has begun to write but that is not counted yet. */
interface Commit {
  readonly frames: number;
  readonly offset: number;
  readonly mark: CommitMark;
}

export class LogFile {
  readonly #sqlite: Sqlite;
  readonly #io: LogIo;
  /** The beginning of the file. */
  #header: 'nothing' | 'note' | 'log' = 'nothing';
  /** Header of a new log; written together with its first commit. */
  #newHeader: Uint8Array | null = null;
  #pageBytes = 0;
  #mark: CommitMark | null = null;
  /** Frames up to the last commit. */
  #frames = 0;
  /** The first so many of them are in the database file, too: a checkpoint need not move them. */
  moved = 0;
  #inCheckpoint = false;
  #hasSkipped = false;
  #commit: Commit | null = null;
  /** Pages of this transaction were written a second time: SQLite recomputes the checksums of all frames behind them at the end. */
  #rewrites = false;
  #expectedPage = -1;

  /** @throws AppError `full` without memory for the buffers */
  constructor(sqlite: Sqlite, calls: FileCalls, file: Pointer) {
    this.#sqlite = sqlite;
    this.#io = new LogIo(sqlite, calls, file);
  }

  /** Call before anything else. Returns a result code; without success it must be closed. */
  open(): number {
    const header = this.#io.readOwn(0, HEADER_BYTES);
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

  get frames(): number {
    return this.#frames;
  }

  /** The log up to its last commit; 0 when all is in the database file. */
  get committedBytes(): number {
    return this.#frames === 0 ? 0 : this.#frameOffset(this.#frames);
  }

  /** SQLite has found so many frames, up to the last commit, when it opened the log. */
  recovered(frames: number): void {
    if (frames <= 0) return;
    const header = this.#io.readOwn(this.#frameOffset(frames - 1), FRAME_HEADER_BYTES);
    this.#frames = frames;
    this.#mark = typeof header === 'number' ? null : markInFrame(header);
  }

  /** SQLite counts the commit it has written. */
  committed(): number {
    const code = this.#commit === null ? 0 : this.#io.drain() || this.#beginInFile();
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
    this.#io.drop();
    this.#forgetTransaction();
    if (refused === null) return;
    this.#io.writeOwn(refused.offset, new Uint8Array(FRAME_HEADER_BYTES));
    if (this.#frames === 0 && this.#header === 'log') this.#retire();
  }

  write(source: Pointer, bytes: number, offset: number): number {
    if (offset === 0 && bytes === HEADER_BYTES) return this.#begin(source);
    const isFrameHeader = bytes === FRAME_HEADER_BYTES && this.#isAtFrame(offset);
    const completes = isFrameHeader ? this.#noteFrameHeader(source, offset) : this.#notePage(offset);
    const code = this.#io.write(source, bytes, offset);
    if (code !== 0 || !completes) return code;
    return this.#io.drain() || (this.#rewrites && !isFrameHeader ? 0 : this.#beginInFile());
  }

  read(target: Pointer, bytes: number, offset: number): number {
    if (this.#newHeader !== null && offset + bytes <= HEADER_BYTES) return this.#readNewHeader(target, bytes, offset);
    if (this.#inCheckpoint && offset < this.#frameOffset(this.moved)) {
      this.#hasSkipped = true;
      return 0;
    }
    return this.#io.read(target, bytes, offset, bytes === this.frameBytes && this.#isAtFrame(offset));
  }

  /** Reads `count` frames from {@link moved} on. */
  readFrames(target: Pointer, count: number): number {
    return this.#io.read(target, count * this.frameBytes, this.#frameOffset(this.moved), false);
  }

  /** Whether the page that was just asked for was not read, because it is in the database file. */
  takeSkipped(): boolean {
    const has = this.#hasSkipped;
    this.#hasSkipped = false;
    return has;
  }

  /** Checksums that are computed again go on from the one of the header, which is not in the file yet. */
  #readNewHeader(target: Pointer, bytes: number, offset: number): number {
    this.#sqlite.heap.bytes.set(this.#newHeader!.subarray(offset, offset + bytes), target);
    return 0;
  }

  /** From here on nothing is written to the log until {@link endCheckpoint}. */
  beginCheckpoint(): void {
    this.#inCheckpoint = true;
    this.#hasSkipped = false;
    this.#io.beginCheckpoint();
  }

  endCheckpoint(): void {
    this.#inCheckpoint = false;
    this.#io.endCheckpoint();
  }

  truncate(size: number): number {
    const code = this.#io.drain();
    if (code !== 0) return code;
    if (size > 0) return this.#io.truncate(size);
    this.#newHeader = null;
    return (this.#header === 'log' ? this.#retire() : 0) || this.#io.truncate(this.hasNote ? NOTE_BYTES : 0);
  }

  sync(flags: number): number {
    const code = this.#io.drain() || (this.#commit === null ? 0 : this.#beginInFile());
    return code || this.#io.flush(flags);
  }

  fileSize(out: Pointer): number {
    return this.#io.fileSize(out);
  }

  close(): number {
    return this.#io.close();
  }

  /** SQLite begins at the front again: everything of the old log is in the database file. */
  #begin(source: Pointer): number {
    const code = this.#io.drain() || (this.#header === 'log' ? this.#retire() : 0);
    if (code !== 0) return code;
    this.#newHeader = this.#sqlite.heap.bytes.slice(source, source + HEADER_BYTES);
    this.#learnPageSize(this.#newHeader);
    return 0;
  }

  /** The new header takes the place of the note. Not before all of the commit is there, and not with a chance to arrive alone. */
  #beginInFile(): number {
    if (this.#newHeader === null) return 0;
    const flushed = this.hasNote ? this.#io.flush(SYNC_NORMAL) : 0;
    if (flushed !== 0) return flushed;
    // This applies even when the write fails: it may have arrived.
    this.#header = 'log';
    const code = this.#io.writeOwn(0, this.#newHeader);
    if (code === 0) this.#newHeader = null;
    return code;
  }

  /** The log in the file is over: nothing of it may be recovered from now on. */
  #retire(): number {
    const code = this.#io.writeOwn(0, this.#mark === null ? new Uint8Array(NOTE_BYTES) : noteOf(this.#mark));
    if (code !== 0) return code;
    this.#header = this.#mark === null ? 'nothing' : 'note';
    this.#frames = this.moved = 0;
    return this.#io.flush(SYNC_NORMAL);
  }

  /** True when a commit is complete with it. */
  #noteFrameHeader(source: Pointer, offset: number): boolean {
    const header = this.#sqlite.heap.bytes.subarray(source, source + FRAME_HEADER_BYTES);
    this.#expectedPage = offset + FRAME_HEADER_BYTES;
    const isCommit = header[4] !== 0 || header[5] !== 0 || header[6] !== 0 || header[7] !== 0;
    if (!isCommit) return false;
    const isAgain = this.#commit?.offset === offset;
    const frames = (offset - HEADER_BYTES) / this.frameBytes + 1;
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

  #forgetTransaction(): void {
    this.#commit = null;
    this.#rewrites = false;
    this.#expectedPage = -1;
  }

  #learnPageSize(header: Uint8Array): void {
    this.#pageBytes = new DataView(header.buffer).getUint32(8);
  }

  get frameBytes(): number {
    return FRAME_HEADER_BYTES + this.#pageBytes;
  }

  #isAtFrame(offset: number): boolean {
    return (offset - HEADER_BYTES) % this.frameBytes === 0;
  }

  #frameOffset(frame: number): number {
    return HEADER_BYTES + frame * this.frameBytes;
  }
}

function markInFrame(header: Uint8Array): CommitMark {
  return header.slice(8, FRAME_HEADER_BYTES);
}

// The name of a committed state, as the log has it and as it survives an empty log.

/** Salts and running checksum of the log at a commit frame: the checksum covers every page written since the salts were chosen. */
type CommitMark = Uint8Array;

const MARK_BYTES = 16;
/** Same as the size of the log's own header, whose place the note takes. */
const NOTE_BYTES = 32;

/** Differs from the first bytes of any log: SQLite finds no log behind it and reads none (sqlite.org/fileformat2.html#walformat). */
const TAG = new TextEncoder().encode('sidelite');

/** Content of an empty log: which commit was the last that was moved from it into the file. */
function noteOf(mark: CommitMark): Uint8Array {
  const note = new Uint8Array(NOTE_BYTES);
  note.set(TAG);
  note.set(mark, TAG.length);
  note.set(checksum(mark), TAG.length + MARK_BYTES);
  return note;
}

/** Null for anything else. */
function markOf(note: Uint8Array): CommitMark | null {
  if (note.length < NOTE_BYTES) return null;
  const mark = note.slice(TAG.length, TAG.length + MARK_BYTES);
  const expected = noteOf(mark);
  return expected.every((byte, index) => byte === note[index]) ? mark : null;
}

export function logMark(mark: CommitMark): string {
  return `log ${toHex(mark)}`;
}

/**
 * Mark of a database of which no log says anything: change counter, page count, and the counter the page count was right for. In other
 * journal modes than WAL each commit counts; in WAL mode the file itself stays as it is until a log speaks for it.
 */
export function fileMark(header: Uint8Array): string {
  return `file ${toHex(header.subarray(24, 32))} ${toHex(header.subarray(92, 96))}`;
}

/** FNV-1a, twice over: a note is one sector, this only tells it from chance. */
function checksum(bytes: Uint8Array): Uint8Array {
  const sum = new DataView(new ArrayBuffer(8));
  for (const half of [0, 1]) {
    let hash = 0x811c9dc5 ^ half;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
    sum.setInt32(half * 4, hash);
  }
  return new Uint8Array(sum.buffer);
}

/** Asked for with each commit. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}
