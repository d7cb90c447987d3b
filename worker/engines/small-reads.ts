// Small internal reads of an engine: every row as an array.
import { AppError } from '#shared/protocol/errors.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import type { Statement } from './engine.ts';

/** The two ways of reading that each {@link Connection} has for the product's own queries. */
export abstract class SmallReads {
  /** How much {@link all} may read, in bytes. */
  protected readonly mostBytes: number = Infinity;

  abstract prepare(sql: string): Statement;

  one(sql: string, params: readonly Value[] = []): readonly Value[] | null {
    return this.explaining(sql, () => firstRow(this.prepare(sql), params));
  }

  all(sql: string, params: readonly Value[] = []): readonly (readonly Value[])[] {
    return this.explaining(sql, () => allRows(this.prepare(sql), params, this.mostBytes));
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
function allRows(statement: Statement, params: readonly Value[], mostBytes: number): readonly (readonly Value[])[] {
  const rows: (readonly Value[])[] = [];
  let bytes = 0;
  try {
    statement.bind(params);
    while (statement.step()) {
      const row = rowOf(statement);
      rows.push(row);
      if (mostBytes !== Infinity) bytes += bytesOf(row);
      if (bytes > mostBytes) throw tooLong(mostBytes);
    }
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

/** What a row, and each of its values, takes in memory beside long values. */
const [ROW_BYTES, VALUE_BYTES] = [32, 16];

const bytesOf = (row: readonly Value[]): number =>
  row.reduce<number>((sum, value) => sum + VALUE_BYTES + longPartOf(value), ROW_BYTES);

function longPartOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || isReal(value)) return 0;
  return isRawText(value) ? value.textBytes.length : value.length;
}

const tooLong = (mostBytes: number): AppError =>
  AppError.tooBig(`The response is longer than ${mostBytes >> 20} MB. Nothing was read. Read fewer rows at a time.`);
