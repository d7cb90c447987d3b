// Rows for an existing table whose numbers are text, because they have more digits than a number of SQLite: a column of integers or decimals
// would make a REAL of them, so these rows are not added.
import type { TransferProblem } from '#shared/protocol/transfer.ts';
import type { Connection } from '../engines/engine.ts';
import { affinityOf } from '../import/affinity.ts';
import type { Column } from '#shared/protocol/schema.ts';
import { quoteName } from '../sql/quote.ts';

/** No REAL has more digits that count. */
const REAL_DIGITS = 17;
const MAX_KEPT = 1000;

export interface LostDigits {
  /** True for the rows that keep their digits, in SQL. */
  readonly condition: string;
  readonly count: number;
  /** The first 1,000. */
  readonly rows: readonly TransferProblem[];
}

/**
 * @param pairs columns of the source by those of the target that they go into
 * @returns null where all rows keep their digits
 */
export function lostDigits(
  source: Connection,
  { name, into }: { readonly name: string; readonly into: string },
  pairs: readonly (readonly [from: string, to: Column])[],
): LostDigits | null {
  const numeric = pairs.filter(([, { declaredType }]) => /^(?:INTEGER|NUMERIC)$/.test(affinityOf(declaredType)));
  if (numeric.length === 0) return null;
  const losing = numeric.map(([from]) => losesDigits(quoteName(from)));
  const condition = losing.join(' OR ');
  const table = `main.${quoteName(name)}`;
  const count = Number(source.one(`SELECT count(*) FROM ${table} WHERE ${condition}`)![0]);
  if (count === 0) return null;
  const column = `CASE ${losing.map((lost, at) => `WHEN ${lost} THEN ${at}`).join(' ')} END`;
  const rows = source.all(
    `SELECT row, place FROM (SELECT row_number() OVER () AS row, ${column} AS place FROM ${table}) WHERE place IS NOT NULL LIMIT ${MAX_KEPT}`,
  ) as [number, number][];
  return {
    condition: `NOT (${condition})`,
    count,
    rows: rows.map(([row, place]) => ({
      table: into,
      row,
      reason: `The column “${numeric[place]![1].name}” would lose digits of its number.`,
    })),
  };
}

const losesDigits = (column: string): string =>
  `(typeof(${column}) = 'text' AND ${column} GLOB '*[0-9]*' AND ${column} NOT GLOB '*[^0-9.-]*' AND typeof(CAST(${column} AS NUMERIC)) = 'real'` +
  ` AND length(replace(ltrim(${column}, '-0.'), '.', '')) > ${REAL_DIGITS})`;
