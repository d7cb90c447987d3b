// The progress handler of the native engine: better-sqlite3 is built without SQLite's, so it is called between two rows that are
// read, and from the triggers that report changed rows. Where rows come slowly (a generated column, a CHECK), the clock is read after each.
import { AppError } from '#shared/protocol/errors.ts';
import { ClockReads } from '../../clock-reads.ts';

/** Time between two calls of the handler. */
const CALL_EVERY_MS = 1;

export class Pulse {
  handler: (() => boolean) | null = null;
  readonly #clockReads = new ClockReads();
  #calledAtMs = 0;

  /** Rows take so long that the clock is read after each. */
  get isSlow(): boolean {
    return this.#clockReads.isSlow;
  }

  /** Call before the first row of a statement. */
  begin(): void {
    this.#clockReads.begin();
  }

  /** Call for each row. @throws AppError `stopped` */
  beat(): void {
    if (!this.#clockReads.isDue()) return;
    const now = performance.now();
    this.#clockReads.noteRead(now);
    if (now - this.#calledAtMs < CALL_EVERY_MS) return;
    this.#calledAtMs = now;
    if (this.handler?.() === true) throw stopped();
  }
}

function stopped(): AppError {
  return AppError.stopped('Stopped.', { sqlite: { result: 9, extended: 9, offset: -1 } });
}
