// Finds the rows of a merge that leave a reference to nothing: at the end, since the order of rows does not matter until then.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import { ForeignKeyCheck, type Violation } from '../../history/foreign-keys.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';
import { sameRow } from '../../sql/same-value.ts';
import type { MergeFile, PlannedRow } from './merge-file.ts';
import type { PlannedTable } from './plan-rows.ts';
import type { Refused } from './row-applier.ts';

/** Beyond these, it is enough to say that there are more. */
const MAX_TRACED = 200;

interface Broken {
  /** Rows of the merge for which the user can decide otherwise. */
  readonly refused: readonly Refused[];
  /** Null when there is always such a row. */
  readonly untraced: string | null;
}

/** A row that refers to nothing, as far as it is known. */
interface Orphan {
  /** Its key as rows of the merge are found by it. */
  readonly key: readonly Value[];
  /** What it refers to. */
  readonly values: readonly Value[];
}

interface ForeignKeyColumns {
  readonly from: readonly string[];
  /** Columns of the table that it refers to. */
  readonly to: readonly string[];
}

/** By name in lower case. */
type KeyedTables = ReadonlyMap<string, Pick<PlannedTable, 'columns' | 'logged'>>;

export class References {
  readonly #connection: Connection;
  readonly #check: ForeignKeyCheck;
  readonly #tables: KeyedTables;

  /** Create before anything is changed. */
  constructor(connection: Connection, touched: readonly string[], tables: KeyedTables) {
    this.#connection = connection;
    this.#tables = tables;
    this.#check = new ForeignKeyCheck(connection, touched);
  }

  broken(file: MergeFile, isTaken: (row: PlannedRow) => boolean): Broken {
    const refused = new Map<number, Refused>();
    let untraced: string | null = null;
    for (const violation of this.#check.broken().slice(0, MAX_TRACED)) {
      const message = `A row of “${violation.table}” would refer to a row of “${violation.parent}” that does not exist.`;
      const rows = this.#orphans(violation).flatMap((orphan) => {
        const child = file.find(violation.table, orphan.key);
        if (child && isTaken(child)) return [child];
        const parent = this.#parent(file, violation, orphan.values);
        return parent && isTaken(parent) ? [parent] : [];
      });
      for (const row of rows) refused.set(row.id, { row, message });
      if (rows.length === 0) untraced ??= message;
    }
    return { refused: [...refused.values()], untraced };
  }

  #columnsOf({ table, key }: Violation): ForeignKeyColumns {
    const rows = this.#connection.all(
      'SELECT "from", coalesce("to", (SELECT name FROM temp.pragma_table_info(f."table") WHERE pk = f.seq + 1)) FROM temp.pragma_foreign_key_list(?) f WHERE id = ? ORDER BY seq',
      [table, key],
    );
    return { from: rows.map(([from]) => String(from)), to: rows.map(([, to]) => String(to)) };
  }

  /** SQLite does not say which row of a table without row ids it is: all such rows of the table, then. */
  #orphans(violation: Violation): readonly Orphan[] {
    const { table, rowid, parent } = violation;
    const { from, to } = this.#columnsOf(violation);
    const key = this.#tables.get(table.toLowerCase())?.logged.key;
    const keys = key?.kind === 'primary-key' ? key.columns : [];
    if (rowid === null && keys.length === 0) return [];
    const same = from.map((name, at) => `p.${quoteName(to[at]!)} = c.${quoteName(name)}`).join(' AND ');
    const refers = from.map((name) => `c.${quoteName(name)} IS NOT NULL`).join(' AND ');
    const where =
      rowid === null
        ? `${refers} AND NOT EXISTS (SELECT 1 FROM main.${quoteName(parent)} AS p WHERE ${same}) LIMIT ${MAX_TRACED}`
        : 'c.rowid = ?';
    const rows = this.#connection.all(
      `SELECT ${quoteNames([...keys, ...from])} FROM main.${quoteName(table)} AS c WHERE ${where}`,
      rowid === null ? [] : [rowid],
    );
    return rows.map((row) => ({
      key: keys.length > 0 ? row.slice(0, keys.length) : [rowid],
      values: row.slice(keys.length),
    }));
  }

  /** The row removed from the table it refers to. */
  #parent(file: MergeFile, violation: Violation, values: readonly Value[]): PlannedRow | null {
    const name = violation.parent.toLowerCase();
    const found = file.find(name, values);
    if (found) return found;
    const { to } = this.#columnsOf(violation);
    const columns = this.#tables.get(name)?.columns ?? [];
    const places = to.map((column) => columns.indexOf(column));
    for (const row of file.rows(['deleted', 'updated']))
      if (
        row.table === name &&
        row.base &&
        sameRow(
          places.map((at) => row.base![at] ?? null),
          values,
        )
      )
        return row;
    return null;
  }
}
