// Which columns of two results are compared, and by which key: suggested from their origins and names. Pure.
import type { ComparedColumn, ResultColumn, TableColumns } from '#shared/protocol/index.ts';

/** Columns of a result in packed order, the leading ones that only carry a key included. */
interface Packed {
  readonly columns: readonly ResultColumn[];
  readonly hiddenColumns: number;
}

interface Comparable {
  readonly columns: readonly ComparedColumn[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

/** Columns are matched by name; if a name occurs twice, the first is matched with the first. */
export function comparable(before: Packed, after: Packed): Comparable {
  const free = shownIndexes(after);
  const columns: ComparedColumn[] = [];
  const onlyBefore: string[] = [];
  for (const place of shownIndexes(before)) {
    const { name } = before.columns[place]!;
    const match = free.findIndex((other) => after.columns[other]!.name.toLowerCase() === name.toLowerCase());
    if (match < 0) onlyBefore.push(name);
    else columns.push({ name, before: place, after: free.splice(match, 1)[0]! });
  }
  return { columns, onlyBefore, onlyAfter: free.map((place) => after.columns[place]!.name) };
}

const shownIndexes = ({ columns, hiddenColumns }: Packed): number[] =>
  columns.map((_, place) => place).slice(hiddenColumns);

/**
 * Indexes into `columns`: the complete primary keys of the tables that the columns come from; otherwise a column
 * called `id`, or the first column. Empty, for rows in their order, when there is only one column that is not a key.
 */
export function suggestedKey(
  columns: readonly ComparedColumn[],
  before: Packed,
  tables: readonly Pick<TableColumns, 'table' | 'primaryKey'>[],
): readonly number[] {
  const keys = tables.flatMap(({ table, primaryKey }) => {
    const places = primaryKey.map((name) =>
      columns.findIndex((column) => {
        const { origin } = before.columns[column.before]!;
        return (
          origin?.table.toLowerCase() === table.toLowerCase() && origin.column.toLowerCase() === name.toLowerCase()
        );
      }),
    );
    return places.every((place) => place >= 0) ? places : [];
  });
  if (keys.length > 0) return [...new Set(keys)].sort((a, b) => a - b);
  const named = columns.findIndex(({ name }) => /^(row)?id$/i.test(name));
  if (named >= 0) return [named];
  return columns.length > 1 ? [0] : [];
}
