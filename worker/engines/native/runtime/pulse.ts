// The progress handler of the native engine: better-sqlite3 is built without SQLite's, so it is called between two rows that are
// read, and from the triggers that report changed rows. Rows that come slowly (a generated column, a CHECK) are looked at one by one.
import { AppError } from '#shared/protocol/errors.ts';

/** Fast rows between two looks at the clock. */
const MAX_ROWS = 16;
const FIRST_ROWS = 2;
/** Time between two calls of the handler. */
const CALL_EVERY_MS = 1;

export class Pulse {
  handler: (() => boolean) | null = null;
  #rows = 0;
  #every = FIRST_ROWS;
  #lookedAtMs = 0;
  #calledAtMs = 0;

  /** A row takes so long that each is worth a look at the clock. */
  get isSlow(): boolean {
    return this.#every === 1;
  }

  /** Call before the first row of a statement. */
  begin(): void {
    this.#rows = 0;
    this.#every = FIRST_ROWS;
  }

  /** Call for each row. @throws AppError `stopped` */
  beat(): void {
    if (++this.#rows < this.#every) return;
    this.#rows = 0;
    const now = performance.now();
    const isSlow = now - this.#lookedAtMs >= CALL_EVERY_MS;
    this.#lookedAtMs = now;
    this.#every = isSlow ? 1 : Math.min(this.#every * 2, MAX_ROWS);
    if (now - this.#calledAtMs < CALL_EVERY_MS) return;
    this.#calledAtMs = now;
    if (this.handler?.() === true) throw stopped();
  }
}

function stopped(): AppError {
  return new AppError({ code: 'stopped', message: 'Stopped.', sqlite: { result: 9, extended: 9, offset: -1 } });
}
