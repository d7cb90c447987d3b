// Rows of INSERT … VALUES, written for SQLite with the help of what each column holds.
import { quoteNames } from '../../sql/quote.ts';
import { afterParentheses, endOf, isSign, isWord, splitAtCommas, type SqlToken } from './tokens.ts';
import type { InsertTarget } from './column-content.ts';

/** Null: the values of a table that is not known, in its order. */
export const targetsOf = (
  named: readonly string[] | null,
  known: readonly InsertTarget[] | undefined,
): readonly InsertTarget[] | null =>
  named?.map(
    (name) =>
      known?.find((column) => column.name.toLowerCase() === name.toLowerCase()) ?? {
        name,
        holds: null,
        isGenerated: false,
      },
  ) ??
  known ??
  null;

/** Those of a row with so many values: all, or the ones that are stored; null where SQLite will say what is wrong. */
export function targetsOfRow(targets: readonly InsertTarget[] | null, length: number): readonly InsertTarget[] | null {
  if (targets === null || targets.length === length) return targets;
  const stored = targets.filter(({ isGenerated }) => !isGenerated);
  return stored.length === length ? stored : null;
}

export interface ParsedRow {
  readonly values: readonly (readonly SqlToken[])[];
  /** Positions in the text: of its parenthesis, and after the one that closes it. */
  readonly from: number;
  readonly to: number;
}

export interface ParsedRows {
  readonly rows: readonly ParsedRow[];
  /** What follows the last row. */
  readonly after: readonly SqlToken[];
}

/** @param from of the parenthesis of the first row */
export function rowsFrom(tokens: readonly SqlToken[], from: number): ParsedRows {
  const rows: ParsedRow[] = [];
  let at = from;
  while (isSign(tokens[at], '(')) {
    const end = afterParentheses(tokens, at);
    const values = splitAtCommas(tokens.slice(at + 1, end - 1));
    rows.push({ values, from: tokens[at]!.at, to: endOf(tokens[end - 1]!) });
    at = isSign(tokens[end], ',') ? end + 1 : end;
  }
  return { rows, after: tokens.slice(at) };
}

export const isDefault = (value: readonly SqlToken[]): boolean => value.length === 1 && isWord(value[0], 'DEFAULT');

/**
 * SQLite knows no DEFAULT among values and takes none for generated columns: rows without them get a statement of their own.
 * @param into `INSERT INTO …`
 * @param rows values in SQL; null: DEFAULT
 */
export function insertSql(
  into: string,
  targets: readonly InsertTarget[] | null,
  rows: readonly (readonly (string | null)[])[],
  after: string,
): readonly string[] {
  const statements: string[] = [];
  const all = targets === null ? '' : ` (${quoteNames(targets.map(({ name }) => name))})`;
  const isPlain = targets?.every(({ isGenerated }) => !isGenerated) ?? true;
  let open = { columns: '', values: [] as string[] };
  const end = (): void => {
    if (open.values.length > 0)
      statements.push(`${into}${open.columns} VALUES ${open.values.join(', ')} ${after}`.trimEnd());
  };
  for (const row of rows) {
    let columns = all;
    let given: readonly (string | null)[] = row;
    const goal = targetsOfRow(targets, row.length);
    if (goal !== null && !(isPlain && !row.includes(null))) {
      const places = [...row.keys()].filter((place) => row[place] !== null && !goal[place]!.isGenerated);
      columns = ` (${quoteNames(places.map((place) => goal[place]!.name))})`;
      given = places.map((place) => row[place]!);
    }
    if (given.length === 0) {
      end();
      open = { columns, values: [] };
      statements.push(`${into} DEFAULT VALUES ${after}`.trimEnd());
      continue;
    }
    if (columns !== open.columns) {
      end();
      open = { columns, values: [] };
    }
    open.values.push(`(${given.map((value) => value ?? 'DEFAULT').join(', ')})`);
  }
  end();
  return statements;
}

/** Why a number of another program cannot be written for a column of numbers. */
export const BEYOND_REAL = 'One of its values is too large or too small for the numbers of SQLite.';

/** SQLite would store infinity, or zero. */
export function isBeyondReal(value: readonly SqlToken[]): boolean {
  const token = value.at(-1);
  if (token?.kind !== 'number' || (token.text.length < LONGEST_REAL && !/e[+-]?\d{3}/i.test(token.text))) return false;
  const number = Number(token.text);
  return !Number.isFinite(number) || (number === 0 && /[1-9]/.test(token.text.replace(/e.*/i, '')));
}

/** Integers of fewer digits are no infinity. */
const LONGEST_REAL = 309;

const DIGITS = /^[\d.]+(?:e[+-]?\d+)?$/i;

/** Digits of a number, with its sign, as text: a column of text would keep what remains of them in REAL. */
export function digitsOf(value: readonly SqlToken[]): string | null {
  const [first, second] = value;
  if (value.length === 1 && first!.kind === 'number' && DIGITS.test(first!.text)) return `'${first!.text}'`;
  if (value.length === 2 && isSign(first, '-') && second!.kind === 'number' && DIGITS.test(second!.text))
    return `'-${second!.text}'`;
  return null;
}
