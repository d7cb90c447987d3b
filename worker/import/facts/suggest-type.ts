// The type of a column under which every number keeps its value and every other field its text, and the sentence that says why.
import { EMPTY, QUOTED_EMPTY } from '#shared/import/null-tokens.ts';
import type { ColumnFacts, ColumnType, ImportOptions } from '#shared/protocol/import.ts';

export type FactOptions = Pick<ImportOptions, 'decimalComma' | 'nullTokens'>;

type Shown = Omit<ColumnFacts, 'name' | 'longest' | 'suggested' | 'reason'>;

export interface Counts extends Shown {
  readonly records: number;
  /** Those of the reals that are like `1.0`. */
  readonly wholeReals: number;
  /** Those of the inexact reals that have more digits than a double has. */
  readonly longReals: number;
  /** Those of the inexact reals that are like `2E10`. */
  readonly wholeExponents: number;
  /** Those of the booleans that belong to the format itself and are not words. */
  readonly trueFalse: number;
}

export interface Suggestion {
  readonly suggested: ColumnType;
  readonly reason: string;
}

export function suggestType(counts: Counts, { decimalComma, nullTokens }: FactOptions): Suggestion {
  const numbers = counts.integers + counts.reals + counts.inexactReals;
  const keptAsText = againstNumbers(counts, nullTokens);
  const known = numbers + counts.trueFalse;
  if (known > 0 && keptAsText.length === 0) return numeric(counts, decimalComma);
  const content = contentOf(counts);
  if (counts.blobs > 0 && content.length === 0)
    return { suggested: 'BLOB', reason: `${counted(counts.blobs, 'blob')}: BLOB` };
  if (content.length === 0) {
    const words = counts.empty + counts.quotedEmpty > 0 ? 'only empty cells' : 'only NULL';
    return { suggested: 'TEXT', reason: counts.records === 0 ? 'no rows: TEXT' : `${words}: TEXT` };
  }
  const dates = counted(sumOf(counts.dates), 'date');
  if (known === 0 && sumOf(counts.dates) > 0 && content.length === 1)
    return {
      suggested: 'TEXT',
      reason: `${dates} (${Object.keys(counts.dates).join(', ')}): TEXT, as they are written`,
    };
  if (known === 0) return { suggested: 'TEXT', reason: `${content.join(', ')}: TEXT${because(counts)}` };
  return {
    suggested: 'TEXT',
    reason: `${[...numbersOf(counts), ...keptAsText].join(', ')}: TEXT${because(counts)}`,
  };
}

/** Values that a number would not give back. */
function againstNumbers(counts: Counts, nullTokens: readonly string[]): readonly string[] {
  const { reals, inexactReals, longReals, wholeExponents } = counts;
  const empty = nullTokens.includes(EMPTY) ? 0 : counts.empty;
  const quotedEmpty = nullTokens.includes(QUOTED_EMPTY) ? 0 : counts.quotedEmpty;
  return list([
    [counts.leadingZeros, `${amount(counts.leadingZeros)} with leading zeros`],
    [counts.plusSigns, `${amount(counts.plusSigns)} with a plus sign`],
    [counts.beyond64, `${amount(counts.beyond64)} beyond 64 bits`],
    [counts.hex, `${amount(counts.hex)} in hexadecimal`],
    [longReals, `${amount(longReals)} with more than 15 digits`],
    [wholeExponents, `${amount(wholeExponents)} like 2E10`],
    [sumOf(counts.dates), counted(sumOf(counts.dates), 'date')],
    [counts.booleans - counts.trueFalse, `${amount(counts.booleans - counts.trueFalse)} true or false`],
    // A real column would make 1 of true 1.0.
    [reals + inexactReals > 0 ? counts.trueFalse : 0, `${amount(counts.trueFalse)} true or false`],
    [counts.texts, counted(counts.texts, 'other text')],
    [counts.json, counted(counts.json, 'object or array', 'objects or arrays')],
    [counts.blobs, counted(counts.blobs, 'blob')],
    [empty, counted(empty, 'empty text')],
    [quotedEmpty, `${counted(quotedEmpty, 'empty text')} in quotes ("")`],
  ]);
}

function numeric(counts: Counts, decimalComma: boolean): Suggestion {
  const { integers, reals, wholeReals, inexactReals, trueFalse, beyond53 } = counts;
  const content = numbersOf(counts);
  if (reals + inexactReals === 0) {
    if (integers === 0)
      return { suggested: 'INTEGER', reason: `${amount(trueFalse)} true or false: INTEGER, as 1 and 0` };
    const large = beyond53 > 0 ? [`${amount(beyond53)} beyond 2^53 (exact here, not in a spreadsheet)`] : [];
    return { suggested: 'INTEGER', reason: `${[...content, ...large].join(', ')}: INTEGER` };
  }
  if (decimalComma) return { suggested: 'REAL', reason: `${content.join(', ')}: REAL, so 1,5 is stored as 1.5` };
  if (integers === 0) {
    const respelled = inexactReals > 0 ? `, ${amount(inexactReals)} of them rewritten, as 1.50 becomes 1.5` : '';
    return { suggested: 'REAL', reason: `${content.join(', ')}: REAL${respelled}` };
  }
  const shorter = inexactReals + wholeReals;
  const kept = shorter > 0 ? `, ${amount(shorter)} spelled anew, as 1.0 becomes 1` : ', so 1 stays 1 and 1.5 stays 1.5';
  return { suggested: 'NUMERIC', reason: `${content.join(', ')}: NUMERIC${kept}` };
}

function numbersOf({ integers, reals, inexactReals, longReals, wholeExponents, trueFalse }: Counts): readonly string[] {
  const shown = reals + inexactReals - longReals - wholeExponents;
  return list([
    [integers, counted(integers, 'integer')],
    [shown, counted(shown, 'real')],
    [integers + shown > 0 ? 0 : trueFalse, `${amount(trueFalse)} true or false`],
  ]);
}

/** Everything the column holds, each kind with its count. */
function contentOf(counts: Counts): readonly string[] {
  return [
    ...numbersOf(counts),
    ...list([
      [counts.texts, counted(counts.texts, 'text')],
      [sumOf(counts.dates), counted(sumOf(counts.dates), 'date')],
      [counts.booleans - counts.trueFalse, `${amount(counts.booleans - counts.trueFalse)} true or false`],
      [counts.leadingZeros, `${amount(counts.leadingZeros)} with leading zeros`],
      [counts.plusSigns, `${amount(counts.plusSigns)} with a plus sign`],
      [counts.beyond64, `${amount(counts.beyond64)} beyond 64 bits`],
      [counts.hex, `${amount(counts.hex)} in hexadecimal`],
      [counts.json, counted(counts.json, 'object or array', 'objects or arrays')],
    ]),
  ];
}

/** The benefit of the type, where one example shows it. */
function because(counts: Counts): string {
  if (counts.leadingZeros > 0) return ', so 007 stays 007';
  if (counts.plusSigns > 0) return ', so +49 stays +49';
  if (counts.beyond64 > 0) return ', so that no digit is lost';
  if (counts.longReals > 0) return ', so that no digit is lost';
  if (counts.wholeExponents > 0 && counts.texts === 0) return ', so 2E10 stays 2E10';
  return '';
}

const amount = (count: number): string => count.toLocaleString('en-US');
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${amount(count)} ${count === 1 ? one : many}`;
const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
const list = (parts: readonly (readonly [number, string])[]): readonly string[] =>
  parts.flatMap(([count, words]) => (count > 0 ? [words] : []));
