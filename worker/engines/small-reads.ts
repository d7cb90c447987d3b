// Small internal reads of an engine: every row as an array.
import type { Value } from '#shared/protocol/values.ts';
import type { Statement } from './engine.ts';

/** The two ways of reading that each {@link Connection} has for the product's own queries. */
export abstract class SmallReads {
  abstract prepare(sql: string): Statement;

  one(sql: string, params: readonly Value[] = []): readonly Value[] | null {
    return this.explaining(sql, () => firstRow(this.prepare(sql), params));
  }

  all(sql: string, params: readonly Value[] = []): readonly (readonly Value[])[] {
    return this.explaining(sql, () => allRows(this.prepare(sql), params));
  }

  /** Runs `work`, which runs `sql`, and adds to its error what the engine can find out about it. */
  protected explaining<T>(_sql: string, work: () => T): T {
    return work();
  }
}

/** Finalizes the statement. */
function firstRow(statement: Statement, params: readonly Value[]): readonly Value[] | null {
  try {
    statement.bind(params);
    return statement.step() ? rowOf(statement) : null;
  } finally {
    statement.finalize();
  }
}

/** Finalizes the statement. */
function allRows(statement: Statement, params: readonly Value[]): readonly (readonly Value[])[] {
  const rows: (readonly Value[])[] = [];
  try {
    statement.bind(params);
    while (statement.step()) rows.push(rowOf(statement));
    return rows;
  } finally {
    statement.finalize();
  }
}

function rowOf(statement: Statement): readonly Value[] {
  const row: Value[] = [];
  for (let column = 0; column < statement.columnCount; column++) row.push(statement.value(column));
  return row;
}
