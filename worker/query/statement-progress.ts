// How far a running statement is: by the rows it has visited, of those in the table where it is about one table only.
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { estimateRows } from '../schema/row-estimate.ts';

/** An index is made in two passes: rows are read, then written in order. */
const PASSES_OF_INDEX = 2;

export class StatementProgress {
  /** Of tables asked for once: a script names the same one thousands of times. */
  readonly #rows = new Map<string, number | null>();
  /** Of the statement before: the next one of a script often does the same, and then its tables are the same lists. */
  #last: { reads: unknown; written: unknown; readonly: boolean } | null = null;
  #lastTotal: number | null = null;
  #statement: Statement | null = null;
  /** One for all statements: a script has very many. */
  readonly #measure = (): Progress => {
    if (this.#statement) this.#measured = progressOf(this.#statement, this.#lastTotal);
    return this.#measured;
  };
  #measured: Progress = { phase: 'Reading', done: 0, total: null, unit: 'rows' };

  /** Null when the engine cannot tell. What it answers may be called while the statement runs. */
  of(connection: Connection, statement: Statement): (() => Progress) | null {
    // Not asked: that takes as long as some statements do.
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

  /** The statement may be destroyed now: what it was at stays. */
  end(): void {
    this.#statement = null;
  }

  /** Rows it visits; null when that cannot be known. */
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

/** Null for what is no table with rows of its own in this database. */
function countOf(connection: Connection, table: string): number | null {
  try {
    return estimateRows(connection, table, 'rowid')?.count ?? null;
  } catch {
    return null;
  }
}
