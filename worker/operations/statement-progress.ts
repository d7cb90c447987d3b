// How far a running statement is: by the rows it has visited, of those in the table where it reads only one.
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { estimateRows } from '../sql/row-estimate.ts';

export class StatementProgress {
  /** Of tables asked for once: a script names the same one thousands of times. */
  readonly #rows = new Map<string, number | null>();

  /** Null when the engine cannot tell. What it answers may be called while the statement runs. */
  of(connection: Connection, statement: Statement): (() => Progress) | null {
    if (statement.rowsVisited === undefined) return null;
    const [table, another] = statement.readTables;
    const total = table === undefined || another !== undefined ? null : this.#rowsIn(connection, table);
    return () => {
      const done = statement.rowsVisited ?? 0;
      // More than there are: it sorts, goes through an index too or reads the table twice, and nobody knows how often.
      return { phase: 'Reading', done, total: total !== null && done <= total ? total : null, unit: 'rows' };
    };
  }

  #rowsIn(connection: Connection, table: string): number | null {
    const known = this.#rows.get(table);
    if (known !== undefined) return known;
    const rows = countOf(connection, table);
    this.#rows.set(table, rows);
    return rows;
  }
}

/** Null for what is no table with rows of its own in this database. */
function countOf(connection: Connection, table: string): number | null {
  try {
    return estimateRows(connection, table, 'rowid')?.count ?? null;
  } catch {
    return null;
  }
}
