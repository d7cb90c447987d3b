// Finds rows of a merge that leave a reference to nothing: deferred to the end, since the order of rows does not matter until then.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import { ForeignKeyCheck } from '../../history/foreign-keys.ts';
import type { Violation } from '../../history/foreign-keys.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';
import type { Refused } from './apply-rows.ts';
import type { MergeFile, PlannedRow } from './merge-file.ts';

/** Beyond these, it is enough to say that there are more. */
const MAX_TRACED = 200;

export interface Broken {
  /** Rows of the merge for which the user can decide otherwise. */
  readonly refused: readonly Refused[];
  /** Null when there is always such a row. */
  readonly untraced: string | null;
}

export class References {
  readonly #connection: Connection;
  readonly #check: ForeignKeyCheck;

  /** Create before anything is changed. */
  constructor(connection: Connection, touched: readonly string[]) {
    this.#connection = connection;
    this.#check = new ForeignKeyCheck(connection, touched);
  }

  broken(file: MergeFile, isTaken: (row: PlannedRow) => boolean): Broken {
    const refused = new Map<number, Refused>();
    let untraced: string | null = null;
    for (const violation of this.#check.broken().slice(0, MAX_TRACED)) {
      const message = `A row of “${violation.table}” would refer to a row of “${violation.parent}” that does not exist.`;
      const row = [this.#child(file, violation), this.#parent(file, violation)].find((each) => each && isTaken(each));
      if (row) refused.set(row.id, { row, message });
      else untraced ??= message;
    }
    return { refused: [...refused.values()], untraced };
  }

  #child(file: MergeFile, { table, rowid }: Violation): PlannedRow | null {
    return rowid === null ? null : file.find(table, [rowid]);
  }

  /** The row removed from the table it refers to, when that is known by its key. */
  #parent(file: MergeFile, { table, rowid, parent, key }: Violation): PlannedRow | null {
    if (rowid === null) return null;
    const columns = this.#connection
      .all('SELECT "from" FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq', [table, key])
      .map(([from]) => String(from));
    const values = this.#connection.one(`SELECT ${quoteNames(columns)} FROM main.${quoteName(table)} WHERE rowid = ?`, [
      rowid,
    ]) as readonly Value[] | null;
    return values && file.find(parent, values);
  }
}
