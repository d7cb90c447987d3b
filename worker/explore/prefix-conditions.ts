// Conditions that an index can serve, for values that begin with a text.
import type { Value } from '#shared/protocol/values.ts';
import type { Condition } from '../readers/filter-condition.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';

const TEXT_TYPE = /CHAR|CLOB|TEXT/i;
/** More digits than that are typed in full. */
const MORE_DIGITS = 9;
const LAST_CHARACTER = '\u{10FFFF}';

/** Conditions in the order in which rows are wanted: those equal to the text, then those that extend it. */
export function prefixConditions(
  { columns }: TableShape,
  names: readonly string[],
  text: string,
): readonly Condition[] {
  const types = names.map((name) => columns.find((column) => column.name === name)?.declaredType ?? '');
  const typed = text.trim();
  const number = /^-?\d{1,18}$/.test(typed) ? BigInt(typed) : null;
  const equal = names.flatMap((name, at) => {
    const isText = isTextType(types[at]!);
    const values: Value[] = [text, ...(number !== null && !isText ? [asInteger(number)] : [])];
    return values.map((value) => ({ sql: `${quoteName(name)} = ?`, params: [value] }));
  });
  const longer = names.flatMap((name, at) =>
    isTextType(types[at]!)
      ? spellings(text).map((prefix) => textRange(name, prefix))
      : number !== null && number > 0n
        ? digitRanges(name, number)
        : [],
  );
  return [...equal, ...longer];
}

/** INT takes precedence (sqlite.org/datatype3.html). */
const isTextType = (type: string): boolean => TEXT_TYPE.test(type) && !/INT/i.test(type);

const textRange = (name: string, prefix: string): Condition => ({
  sql: `${quoteName(name)} >= ? AND ${quoteName(name)} < ?`,
  params: [prefix, prefix + LAST_CHARACTER],
});

/** 12: 120 … 129, 1200 … 1299, … */
function digitRanges(name: string, number: bigint): readonly Condition[] {
  const ranges: Condition[] = [];
  for (let unit = 10n; ranges.length < MORE_DIGITS && number * unit < 10n ** 18n; unit *= 10n)
    ranges.push({
      sql: `${quoteName(name)} BETWEEN ? AND ?`,
      params: [asInteger(number * unit), asInteger(number * unit + unit - 1n)],
    });
  return ranges;
}

const asInteger = (number: bigint): Value =>
  number >= BigInt(Number.MIN_SAFE_INTEGER) && number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number;

/** An index of the usual collation distinguishes upper from lower case. */
function spellings(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const capital = lower.slice(0, 1).toUpperCase() + lower.slice(1);
  return [...new Set([text, capital, lower, text.toUpperCase()])];
}
