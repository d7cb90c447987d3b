// Turns a reading that the user has chosen for a column into the expression that computes its values. A value that does not fit stays as it
// is written.
import type { ColumnFacts, ColumnType, Reading } from '../protocol/index.ts';
import { inTable } from './column-choices.ts';
import type { ColumnChoice } from './column-choices.ts';
import { dateSql } from './date-reading.ts';

type NumberReading = Extract<Reading, { readonly kind: 'numbers' }>;

export const readingSql = (reading: Reading): string =>
  reading.kind === 'numbers' ? numberSql(reading) : dateSql(reading);

/** A number in place of each text that is one; the numbers of a column with decimals are integers where they are whole. */
const readingType = (reading: Reading): ColumnType => {
  if (reading.kind === 'dates') return 'TEXT';
  return reading.isWhole ? 'INTEGER' : 'NUMERIC';
};

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * SQLite compares a number with a text as numbers only if the whole text is one, and groups digits itself to tell whether the separators
 * are where they belong: 1,2,3 is not 123.
 */
function numberSql({ thousands, point }: NumberReading): string {
  const mark = thousands === null ? null : literal(thousands);
  const bare = mark === null ? 'value' : `replace(value, ${mark}, '')`;
  const plain = point === ',' ? `replace(${bare}, ',', '.')` : bare;
  const isNumber = 'CAST(n AS NUMERIC) = n';
  const fits = mark === null ? isNumber : `${isNumber} AND (instr(value, ${mark}) = 0 OR ${areGrouped(mark, point)})`;
  return `(SELECT CASE WHEN ${fits} THEN CAST(n AS NUMERIC) ELSE value END FROM (SELECT ${plain} AS n))`;
}

function areGrouped(mark: string, point: ',' | '.'): string {
  const whole = mark === "','" ? "format('%,d', n)" : `replace(format('%,d', n), ',', ${mark})`;
  return `value || '${point}' GLOB ${whole} || '${point}*' AND instr(substr(value, instr(value || '${point}', '${point}')), ${mark}) = 0`;
}

/** @param reading null: as the values are written */
export function withReading(
  choice: ColumnChoice,
  reading: Reading | null,
  { suggested }: ColumnFacts,
  isStrict: boolean,
): ColumnChoice {
  const type = reading === null ? suggested : readingType(reading);
  const expression = reading === null ? '' : readingSql(reading);
  return inTable({ ...choice, type, expression, isTypeChosen: reading !== null }, isStrict);
}
