// Turns a reading that the user has chosen for a column into the expression that computes its values. A value that does not fit stays as it
// is written.
import type { ColumnFacts, ColumnType, Reading } from '../protocol/index.ts';
import { inTable } from './column-choices.ts';
import type { ColumnChoice } from './column-choices.ts';

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

// The expression that reads dates, with or without a time, as ISO 8601. A value that does not fit stays as it is written.

type DateReading = Extract<Reading, { readonly kind: 'dates' }>;

const DIGIT = '[0-9]';
const TWO = DIGIT.repeat(2);

/**
 * One row from one row. SQLite merges subqueries into the query around them, and repeats their expressions wherever their columns are
 * named, but none with an OFFSET (sqlite.org/optoverview.html#flattening): with it a
 * time takes 4 to 7 µs instead of 50 to 250.
 */
const step = (columns: string, from: string): string => `(SELECT ${columns} FROM ${from} LIMIT 1 OFFSET 0)`;

/**
 * A subquery for each step, so that nothing is computed twice. SQLite moves a day that does not exist to the next month, so `date` says
 * whether a date is one.
 */
function dateSql({ first, separator: mark, yearDigits, clock }: DateReading): string {
  const year = DIGIT.repeat(yearDigits);
  const pattern = first === 'year' ? `${year}${mark}${TWO}${mark}${TWO}` : `${TWO}${mark}${TWO}${mark}${year}`;
  const parts = clock === 'none' ? '(SELECT value AS p)' : partsSql;
  const days = first === 'year' ? step('*, p AS d', parts) : paddedSql(parts, mark);
  const times = clock === 'none' ? days : step(`*, ${clock === 24 ? hours('t') : hoursOfHalves} AS c`, days);
  const withTime = `CASE WHEN t IS NULL THEN iso WHEN ${isClock} THEN iso || ' ' || c ELSE value END`;
  const read = clock === 'none' ? 'iso' : withTime;
  const isDate = `d GLOB '${pattern}' AND date(iso) = iso`;
  return step(
    `CASE WHEN ${isDate} THEN ${read} ELSE value END`,
    step(`*, ${isoSql(first, mark, yearDigits)} AS iso`, times),
  );
}

/** The date before the first space, and the time after it. Browsers write a comma as well, and a narrow space before AM. */
const partsSql = step(
  `substr(v, 1, s - 1) AS p, CASE WHEN s <= length(v) THEN substr(v, s + 1) END AS t`,
  step(`v, instr(v || ' ', ' ') AS s`, step(`replace(replace(value, char(8239), ' '), ', ', ' ') AS v`, '(SELECT 1)')),
);

/** Day and month with two digits each. */
function paddedSql(parts: string, mark: string): string {
  const one = step(`*, CASE WHEN p GLOB '${DIGIT}${mark}*' THEN '0' || p ELSE p END AS q`, parts);
  const two = `CASE WHEN q GLOB '${TWO}${mark}${DIGIT}${mark}*' THEN substr(q, 1, 3) || '0' || substr(q, 4) ELSE q END`;
  return step(`*, ${two} AS d`, one);
}

function isoSql(first: DateReading['first'], mark: string, yearDigits: 2 | 4): string {
  if (first === 'year') return `replace(d, '${mark}', '-')`;
  const [day, month] = first === 'day' ? [1, 4] : [4, 1];
  const century = yearDigits === 2 ? `CASE WHEN substr(d, 7) < '70' THEN '20' ELSE '19' END || ` : '';
  return `${century}substr(d, 7) || '-' || substr(d, ${month}, 2) || '-' || substr(d, ${day}, 2)`;
}

/** The hour with two digits. */
const hours = (text: string): string => `CASE WHEN ${text} GLOB '${DIGIT}:*' THEN '0' || ${text} ELSE ${text} END`;

/** NULL where AM or PM is missing, or where the hour is none of the twelve. */
const hoursOfHalves = step(
  `CASE WHEN substr(h, 1, 2) BETWEEN '01' AND '12' AND length(t) - length(b) <= 3 THEN format('%02d', substr(h, 1, 2) % 12 + CASE upper(substr(t, -2)) WHEN 'AM' THEN 0 WHEN 'PM' THEN 12 END) || substr(h, 3) END`,
  step(`b, ${hours('b')} AS h`, step(`rtrim(substr(t, 1, length(t) - 2)) AS b`, '(SELECT 1)')),
);

const MINUTES = `${TWO}:[0-5]${DIGIT}`;
const SECONDS = `${MINUTES}:[0-5]${DIGIT}`;
const isClock = `c < '24' AND (c GLOB '${MINUTES}' OR c GLOB '${SECONDS}' OR c GLOB '${SECONDS}.${DIGIT}*' AND NOT substr(c, 10) GLOB '*[^0-9]*')`;
