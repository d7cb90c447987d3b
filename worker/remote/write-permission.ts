// Whether writes to a production database need to be asked about first.
import { AppError } from '#shared/protocol/errors.ts';
import type { Operations } from '#shared/protocol/index.ts';
import { ASKS_BEFORE_WRITING } from '#shared/protocol/session.ts';
import type { Connection } from '../engines/engine.ts';

/** Longer than anyone would want to leave it on. */
const MAX_MS = 3_600_000;

/** Operations that change a database, except SQL, which may or may not. They ask before they begin; the connection asks for all others. */
export const WRITING = [
  'edit.apply', 'edit.applyAll', 'edit.applyMade', 'cell.replaceRange', 'cell.load', 'schema.change', 'import.run',
  'import.again', 'transfer.move', 'publish.run', 'publish.remove', 'sampleRows.insert', 'health.setPragma',
  'comparison.apply', 'history.undo', 'history.redo', 'history.undoTo',
] as const satisfies readonly (keyof Operations)[]; // prettier-ignore

/** They try a change out and roll it back, so there is nothing to ask about. */
export const TRYING = [
  'schema.plan',
  'publish.preview',
  'schema.uses',
  'sampleRows.preview',
] as const satisfies readonly (keyof Operations)[];

export class WritePermission {
  readonly #now: () => number;
  #asks = false;
  #untilMs = 0;
  #running = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param asks it is a production database */
  require(asks: boolean): void {
    this.#asks = asks;
  }

  allowUntil(ms: number): void {
    this.#untilMs = Math.min(ms, this.#now() + MAX_MS);
  }

  get isNeeded(): boolean {
    return this.#asks && this.#now() >= this.#untilMs;
  }

  /** Allowed work continues after the time is over. Returns a function that says it has ended. */
  begin(): () => void {
    let isRunning = true;
    this.#running++;
    return () => {
      if (isRunning) this.#running--;
      isRunning = false;
    };
  }

  /** @throws AppError `refused` */
  assert(name: string): void {
    if (this.isNeeded) this.#refuse(name);
  }

  /** Checks each statement, whatever operation it belongs to. @throws as {@link assert} */
  assertStatement(name: string): void {
    if (this.isNeeded && this.#running === 0) this.#refuse(name);
  }

  #refuse(name: string): never {
    throw AppError.refused(
      `“${name}” is a production database, so Sidelite asks before it writes. Nothing was changed.`,
      { detail: { [ASKS_BEFORE_WRITING]: true } },
    );
  }
}

/** Whether a statement of `sql` can change the database, as far as SQLite can tell before anything has run. */
export function canWrite(connection: Connection, sql: string): boolean {
  const script = connection.script(sql, 'bound');
  try {
    for (let next = script.next(); next; next = script.next()) if (!next.readonly) return true;
    return false;
  } catch {
    // An error in the text is reported when it runs; what depends on an earlier statement comes after one that writes.
    return false;
  } finally {
    script.dispose();
  }
}
