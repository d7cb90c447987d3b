// Small internal reads of an engine: every row as an array.
import type { Value } from '#shared/protocol/values.ts';
import type { Statement } from './engine.ts';

/** Returns the first row or null. Finalizes the statement. */
export function firstRow(statement: Statement, params: readonly Value[]): readonly Value[] | null {
  try {
    statement.bind(params);
    return statement.step() ? rowOf(statement) : null;
  } finally {
    statement.finalize();
  }
}

/** Finalizes the statement. */
export function allRows(statement: Statement, params: readonly Value[]): readonly (readonly Value[])[] {
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
