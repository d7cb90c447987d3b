// The first write to a file that was opened without a question: until the user has said that it may be changed, its writes are refused
// with the request to ask, and SQLite itself refuses whatever does not come as a write.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { ASKS_BEFORE_WRITING } from '#shared/protocol/session.ts';
import type { Connection } from '../engines/engine.ts';
import type { QueuedWork } from './queued-work.ts';

export class FirstWrite {
  readonly #connection: Pick<Connection, 'refuseWrites'>;
  #isAwaited: boolean;

  constructor(connection: Pick<Connection, 'refuseWrites'>, isAwaited: boolean) {
    this.#connection = connection;
    this.#isAwaited = isAwaited;
    if (isAwaited) connection.refuseWrites?.(true);
  }

  /** The user has not been asked yet. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /**
   * The file may be changed from now on, or the user is asked again, which needs a moment at which nothing runs. Returns true when that is
   * new.
   */
  allow(isAllowed: boolean): boolean {
    if (this.#isAwaited !== isAllowed) return false;
    this.#isAwaited = !isAllowed;
    if (!isAllowed) this.#connection.refuseWrites?.(true);
    return true;
  }

  /** Why this write has to wait for the user; null when it changes nothing, or may change the file. */
  refusal({ tries }: Pick<QueuedWork, 'tries'>, name: string): AppError | null {
    if (!this.#isAwaited || tries) return null;
    return AppError.refused(inParts(`“${name}” is read-only until your first edit.`, 'Nothing was changed.'), {
      detail: { [ASKS_BEFORE_WRITING]: true },
    });
  }

  /** Call before the turn of a write that may begin, and never else: SQLite ends what is half read when this setting changes. */
  beforeWrite(): void {
    this.#connection.refuseWrites?.(false);
  }

  /** Call after each turn of a write. */
  afterWrite(): void {
    if (this.#isAwaited) this.#connection.refuseWrites?.(true);
  }
}
