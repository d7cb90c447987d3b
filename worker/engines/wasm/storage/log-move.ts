// Moves the frames of a log into the database file a piece at a time, where a checkpoint would take seconds without a pause. SQLite makes
// its checkpoint afterwards all the same, and need not read or write these frames again (checkpoint.ts).
//
// The order is that of a checkpoint: the log is flushed first, and the file when everything has been written. Until SQLite counts the frames
// as moved it reads their pages from the log, so what is in the file by then does not matter, also not after a crash.
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import { SYNC_NORMAL } from './io-calls.ts';
import type { FileCalls } from './io-calls.ts';
import { JoinedWrites } from './joined-writes.ts';
import { FRAME_HEADER_BYTES } from './log-file.ts';
import type { LogFile } from './log-file.ts';

/** Read at once. At least one frame of the largest page. */
const READ_BYTES = 256 << 10;

export class LogMove {
  readonly #sqlite: Sqlite;
  readonly #calls: FileCalls;
  readonly #file: Pointer;
  readonly #log: LogFile;
  readonly #writes: JoinedWrites;
  readonly #buffer: Pointer;

  /** @param file of the database @throws AppError `full` without memory for its buffers */
  constructor(sqlite: Sqlite, calls: FileCalls, { file, log }: { readonly file: Pointer; readonly log: LogFile }) {
    this.#sqlite = sqlite;
    this.#calls = calls;
    this.#file = file;
    this.#log = log;
    this.#writes = new JoinedWrites(sqlite, calls, file);
    try {
      this.#buffer = sqlite.heap.allocate(READ_BYTES);
    } catch (error) {
      this.#writes.free();
      throw error;
    }
  }

  /**
   * @param untilMs `performance.now()` at which it should pause
   * @returns whether there is more to move, or a result code when it failed
   */
  step(untilMs: number): { readonly isMore: boolean; readonly code: number } {
    let code = this.#log.moved === 0 ? this.#log.sync(SYNC_NORMAL) : 0;
    while (code === 0 && this.#log.moved < this.#log.frames) {
      code = this.#moveSome();
      if (performance.now() >= untilMs) break;
    }
    const isMore = code === 0 && this.#log.moved < this.#log.frames;
    return { isMore, code: code || (isMore ? 0 : this.#calls.sync(this.#file, SYNC_NORMAL)) };
  }

  free(): void {
    this.#writes.free();
    this.#sqlite.heap.free(this.#buffer);
  }

  /** A page that is there more than once is written more than once: its last frame is the last to be written. */
  #moveSome(): number {
    const log = this.#log;
    const { frameBytes } = log;
    const pageBytes = frameBytes - FRAME_HEADER_BYTES;
    const count = Math.min(Math.floor(READ_BYTES / frameBytes), log.frames - log.moved);
    let code = log.readFrames(this.#buffer, count);
    for (let frame = 0; code === 0 && frame < count; frame++) {
      const header = this.#buffer + frame * frameBytes;
      const page = this.#sqlite.heap.view.getUint32(header);
      code = this.#writes.add(header + FRAME_HEADER_BYTES, pageBytes, (page - 1) * pageBytes);
    }
    code ||= this.#writes.drain();
    if (code === 0) log.moved += count;
    return code;
  }
}
