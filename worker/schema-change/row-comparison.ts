// SQL that compares the rows of a table with the rows they were made from, as SQLite stores them: by class and byte for byte. An INTEGER and a
// REAL that are equal count as equal; a column whose type stays the same stores a number one way.
import type { ColumnProof } from '#shared/protocol/schema-change.ts';
import { quoteName } from '../sql/quote.ts';
import type { ColumnPair, RowPairs } from './row-pairs.ts';

export interface Compared {
  readonly pairs: RowPairs;
  /** Names of the tables, written as SQL. */
  readonly from: string;
  readonly to: string;
}

/** A few expressions per column stay below the most values of a SELECT (sqlite.org/limits.html#max_column). */
const MAX_COMPARED = 500;

/**
 * Counts rows that were found again with the same values, in as many statements as the columns need. Empty where no key finds them: then
 * {@link otherRowsSql} compares.
 * @param condition on the pair of rows `o`, the old one, and `n`
 */
export function equalRowsSql(compared: Compared, condition: string): readonly string[] {
  const { join, same } = compared.pairs;
  if (join === null) return [];
  // The last column first: SQLite then finds all columns of a row in one pass over its header, which takes a sixth off.
  return inGroups(same).map(
    (group) =>
      `SELECT count(*) FROM ${rowsOf(compared, condition)}${group
        .map((pair) => ` AND ${isEqual(pair)}`)
        .reverse()
        .join('')}`,
  );
}

/** Counts, for each converted column, the values that are others now. Null counts as none. */
export function changedValuesSql(compared: Compared, condition: string): readonly string[] {
  const { join, converted } = compared.pairs;
  if (join === null || converted.length === 0) return [];
  return inGroups(converted).map(
    (group) => `SELECT ${group.map((pair) => `sum(${isOther(pair)})`).join(', ')} FROM ${rowsOf(compared, condition)}`,
  );
}

/** Returns a row if a pair of rows has two values in that column. */
export function otherValueSql(compared: Compared, condition: string, pair: ColumnPair): string {
  return `SELECT 1 FROM ${rowsOf(compared, condition)} AND ${isOther(pair)} LIMIT 1`;
}

/** Without a key to look up rows: returns a row if some row occurs more often on one side. Null where a key finds them. */
export function otherRowsSql({ pairs, from, to }: Compared): string | null {
  if (pairs.join !== null || pairs.same.length === 0) return null;
  const list = (names: readonly string[]): string => names.map((name, at) => `${quoteName(name)} AS c${at}`).join(', ');
  const groups = pairs.same.map((_, at) => `c${at} COLLATE BINARY`).join(', ');
  return `SELECT 1 FROM (SELECT 1 AS side, ${list(pairs.same.map((pair) => pair.from))} FROM ${from}
      UNION ALL SELECT -1, ${list(pairs.same.map((pair) => pair.to))} FROM ${to}) GROUP BY ${groups} HAVING sum(side) <> 0 LIMIT 1`;
}

/** @param changed values, by converted column */
export function provedColumns(pairs: RowPairs, changed: readonly number[]): readonly ColumnProof[] {
  return pairs.columns.map((column) => {
    const at = pairs.converted.findIndex(({ to }) => to === column.name);
    return at < 0 ? column : { ...column, changed: changed[at]! };
  });
}

function rowsOf({ pairs: { join }, from, to }: Compared, condition: string): string {
  const on = join!.on.map(({ o, n, collation }) => {
    const suffix = collation === null ? '' : ` COLLATE ${quoteName(collation)}`;
    const [inner, outer] =
      join!.outer === 'o' ? [`n.${quoteName(n)}`, `o.${quoteName(o)}`] : [`o.${quoteName(o)}`, `n.${quoteName(n)}`];
    return `${inner} = ${outer}${suffix}`;
  });
  // CROSS JOIN keeps the order (sqlite.org/optoverview.html#crossjoin).
  const [first, second] = join!.outer === 'o' ? [`${from} AS o`, `${to} AS n`] : [`${to} AS n`, `${from} AS o`];
  return `${first} CROSS JOIN ${second} ON ${on.join(' AND ')} WHERE ${condition}`;
}

/** One group at least: rows without another column are compared, too. */
function inGroups(pairs: readonly ColumnPair[]): readonly (readonly ColumnPair[])[] {
  const groups: (readonly ColumnPair[])[] = [];
  for (let at = 0; at < Math.max(1, pairs.length); at += MAX_COMPARED) groups.push(pairs.slice(at, at + MAX_COMPARED));
  return groups;
}

/** A unary plus removes the affinity, so that '007' and 7 are two values. */
const isEqual = ({ from, to }: ColumnPair): string => `+o.${quoteName(from)} IS +n.${quoteName(to)} COLLATE BINARY`;
const isOther = ({ from, to }: ColumnPair): string => `+o.${quoteName(from)} IS NOT +n.${quoteName(to)} COLLATE BINARY`;
