// Keeps changes that wait to be saved, in the catalogue: they outlive windows, crashes, and restarts.
import { AppError, fail } from '#shared/protocol/errors.ts';
import { parsedJson } from '#shared/stored.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { foldName } from '#shared/ddl/names.ts';
import { HELD_STEP_CHARS, type HeldRename, type HeldState } from '#shared/protocol/held.ts';
import { atomically } from '../engines/transaction.ts';
import type { Connection } from '../engines/engine.ts';

export class HeldChanges {
  readonly #connection: Connection;
  /** The windows that are saving changes now. Changes that none of them is saving were interrupted. */
  readonly #savers = new Map<DatabaseId, object>();

  /** The names that each database's changes have followed last, and when. */
  readonly #followed = new Map<DatabaseId, string>();
  #renames = 0;

  /** @param connection of the catalogue, which makes the tables */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  read(database: DatabaseId): HeldState {
    const [isOn, savingTo] = this.#connection.one('SELECT is_on, is_saving FROM held WHERE database = ?', [
      database,
    ]) ?? [0, 0];
    const steps = this.#connection
      .all('SELECT id, text FROM held_steps WHERE database = ? AND undone = 0 ORDER BY id', [database])
      .map(([id, text]) => ({ id: Number(id), text: String(text) }));
    const [undone] = this.#connection.one('SELECT count(*) FROM held_steps WHERE database = ? AND undone = 1', [
      database,
    ])!;
    const isInterrupted = savingTo !== 0 && !this.#savers.has(database);
    return {
      isOn: isOn === 1,
      interruptedAt: isInterrupted ? Number(savingTo) : null,
      steps,
      undone: Number(undone),
      renames: this.#renames,
    };
  }

  turn(database: DatabaseId, isOn: boolean): void {
    this.#connection.run('INSERT INTO held (database, is_on) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET is_on = ?2', [
      database,
      Number(isOn),
    ]);
  }

  /** @throws AppError `too-big` */
  add(database: DatabaseId, text: string): void {
    if (text.length > HELD_STEP_CHARS)
      fail(
        'too-big',
        'These values are too long to be held. Nothing was changed. Save each change at once, or choose fewer cells.',
      );
    this.#connection.run('DELETE FROM held_steps WHERE database = ? AND undone = 1', [database]);
    this.#connection.run('INSERT INTO held_steps (database, text) VALUES (?, ?)', [database, text]);
  }

  /** Returns whether there were changes of these tables. */
  rename(database: DatabaseId, schemaVersion: number, renamed: readonly HeldRename[]): boolean {
    const now = JSON.stringify([schemaVersion, renamed]);
    if (this.#followed.get(database) === now) return false;
    this.#followed.set(database, now);
    const names = new Map(renamed.map(({ from, to }) => [foldName(from), to]));
    const steps = this.#connection.all('SELECT id, text FROM held_steps WHERE database = ?', [database]);
    const changed = steps.flatMap(([id, text]) => {
      const after = withTables(String(text), (table) => names.get(foldName(table)) ?? table);
      return after === text ? [] : [{ id: Number(id), after }];
    });
    if (changed.length === 0) return false;
    atomically(this.#connection, () => {
      for (const { id, after } of changed)
        this.#connection.run('UPDATE held_steps SET text = ? WHERE id = ?', [after, id]);
    });
    this.#renames++;
    return true;
  }

  /** @throws AppError `refused` */
  undo(database: DatabaseId): void {
    this.#assertNotSaving(database);
    this.#connection.run(
      `UPDATE held_steps SET undone = 1
       WHERE id = (SELECT max(id) FROM held_steps WHERE database = ? AND undone = 0)`,
      [database],
    );
  }

  /** @throws AppError `refused` */
  redo(database: DatabaseId): void {
    this.#assertNotSaving(database);
    this.#connection.run(
      `UPDATE held_steps SET undone = 0
       WHERE id = (SELECT min(id) FROM held_steps WHERE database = ? AND undone = 1)`,
      [database],
    );
  }

  /** @param last of the steps that `window` is going to save. @throws AppError `refused` */
  beginSaving(database: DatabaseId, last: number, window: object): void {
    this.#assertNotSaving(database);
    const [newest] = this.#connection.one('SELECT max(id) FROM held_steps WHERE database = ? AND undone = 0', [
      database,
    ])!;
    if (newest !== last)
      throw AppError.refused('The held changes have just changed. Nothing was saved. Review them, then save again.');
    this.#noteSaving(database, last);
    this.#savers.set(database, window);
  }

  endSaving(database: DatabaseId): void {
    this.#noteSaving(database, 0);
    this.#savers.delete(database);
  }

  /** The window is gone, or does not know the outcome. Returns the databases whose changes it was saving. */
  leave(window: object): readonly DatabaseId[] {
    const left = [...this.#savers].flatMap(([database, saver]) => (saver === window ? [database] : []));
    for (const database of left) this.#savers.delete(database);
    return left;
  }

  clear(database: DatabaseId, last: number): void {
    this.#connection.run('DELETE FROM held_steps WHERE database = ? AND (id <= ? OR undone = 1)', [database, last]);
    this.endSaving(database);
  }

  /** The database is no longer in the library. */
  forget(database: DatabaseId): void {
    this.#connection.run('DELETE FROM held_steps WHERE database = ?', [database]);
    this.#connection.run('DELETE FROM held WHERE database = ?', [database]);
    this.#savers.delete(database);
  }

  /** @param last 0: none is being saved */
  #noteSaving(database: DatabaseId, last: number): void {
    this.#connection.run(
      'INSERT INTO held (database, is_saving) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET is_saving = ?2',
      [database, last],
    );
  }

  #assertNotSaving(database: DatabaseId): void {
    if (this.#savers.has(database))
      throw AppError.refused('The held changes are being saved. Try again when that has ended.');
  }
}

/** Leaves text in an unknown form unchanged. */
function withTables(text: string, nameNow: (table: string) => string): string {
  const changes = parsedJson(text);
  if (!Array.isArray(changes)) return text;
  const renamed = (changes as readonly unknown[]).map((change) => {
    const { table } = Object(change) as { readonly table?: unknown };
    return typeof table === 'string' ? { ...(change as object), table: nameNow(table) } : change;
  });
  const after = JSON.stringify(renamed);
  return after === JSON.stringify(changes) ? text : after;
}
