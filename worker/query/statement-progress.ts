// Progress of a running statement: the rows it has visited, out of those in the table if it uses only one.
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { estimateRows } from '../schema/row-estimate.ts';

/** CREATE INDEX takes two passes: it reads the rows, then writes them in order. */
const PASSES_OF_INDEX = 2;

export class StatementProgress {
  /** Row counts by table, each read once, because a script may use the same table thousands of times. */
  readonly #rows = new Map<string, number | null>();
  /** Tables of the previous statement: the next one in a script is often similar and then has the same lists. */
  #last: { reads: unknown; written: unknown; readonly: boolean } | null = null;
  #lastTotal: number | null = null;
  #statement: Statement | null = null;
  /** Shared by all statements, because a script may have very many. */
  readonly #measure = (): Progress => {
    if (this.#statement) this.#measured = progressOf(this.#statement, this.#lastTotal);
    return this.#measured;
  };
  #measured: Progress = { phase: 'Reading', done: 0, total: null, unit: 'rows' };

  /** Null when the engine cannot tell. The returned function may be called while the statement runs. */
  of(connection: Connection, statement: Statement): (() => Progress) | null {
    // Checks only for the property: reading it takes as long as some statements do.
    if (!('rowsVisited' in statement)) return null;
    const { reads, writtenTables: written, readonly } = statement;
    const last = this.#last;
    if (reads !== last?.reads || written !== last.written || readonly !== last.readonly) {
      this.#last = { reads, written, readonly };
      this.#lastTotal = this.#totalOf(connection, statement);
    }
    this.#statement = statement;
    return this.#measure;
  }

  /** Call before the statement is destroyed: keeps its last progress. */
  end(): void {
    this.#statement = null;
  }

  /** Number of rows the statement visits; null when that is unknown. */
  #totalOf(connection: Connection, statement: Statement): number | null {
    const written = statement.writtenTables ?? [];
    const [table, another] = new Set([...statement.readTables, ...written]);
    const rows = table === undefined || another !== undefined ? null : this.#rowsIn(connection, table);
    const passes = statement.readonly || written.length > 0 ? 1 : PASSES_OF_INDEX;
    return rows === null ? null : rows * passes;
  }

  #rowsIn(connection: Connection, table: string): number | null {
    const known = this.#rows.get(table);
    if (known !== undefined) return known;
    const rows = countOf(connection, table);
    this.#rows.set(table, rows);
    return rows;
  }
}

function progressOf(statement: Statement, total: number | null): Progress {
  const done = statement.rowsVisited ?? 0;
  // More rows visited than there are: the statement sorts, also walks an index, or reads the table twice, so the total is unknown.
  return { phase: 'Reading', done, total: total !== null && done <= total ? total : null, unit: 'rows' };
}

/** Null for anything but a table with its own rows in this database. */
function countOf(connection: Connection, table: string): number | null {
  try {
    return estimateRows(connection, table, 'rowid')?.count ?? null;
  } catch {
    return null;
  }
}
