// Finds the rows of one table that belong to a row of another.
import type { FilterTerm, ForeignKey, TableDetail, Value } from '#shared/protocol/index.ts';
import { parentOf } from './foreign-keys.ts';

type Shape = Pick<TableDetail, 'name' | 'columns'>;

/**
 * Matches by a foreign key from one to the other, in either direction, or else by columns of the same name as the key. Null if nothing
 * links them, or where a value of the row is NULL.
 *
 * @param valueOf a value of the row of `from`; undefined while it is not loaded completely
 */
export function matchingTerms(
  from: Shape,
  to: Shape,
  valueOf: (column: string) => Value | undefined,
): readonly FilterTerm[] | null {
  const up = keyTo(from, to.name);
  if (up) return parentOf(up, valueOf)?.terms ?? null;
  const down = keyTo(to, from.name);
  if (down)
    return termsOf(
      down.columns.map(({ from: column, to: target }) => [column, target ?? ''] as const),
      valueOf,
    );
  const key = to.columns.filter(({ primaryKeyIndex }) => primaryKeyIndex > 0).map(({ name }) => [name, name] as const);
  return termsOf(key, valueOf);
}

const keyTo = ({ columns }: Shape, table: string): ForeignKey | null =>
  columns.find(({ references }) => references?.table.toLowerCase() === table.toLowerCase())?.references ?? null;

/** @param pairs a column that is searched, and the column of the row with its value */
function termsOf(
  pairs: readonly (readonly [column: string, source: string])[],
  valueOf: (column: string) => Value | undefined,
): readonly FilterTerm[] | null {
  const terms: FilterTerm[] = [];
  for (const [column, source] of pairs) {
    const value = valueOf(source);
    if (value === undefined || value === null) return null;
    terms.push({ column, operator: '=', value });
  }
  return terms.length === 0 ? null : terms;
}
