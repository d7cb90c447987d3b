// The part of a filter that applies to one column alone, as a field of the filter row shows and replaces it.
import { isFilterGroup, type FilterEntry } from '#shared/protocol/rows.ts';

const isAbout = (entry: FilterEntry, column: string | null): boolean =>
  isFilterGroup(entry)
    ? entry.any.length > 0 && entry.any.every((terms) => terms.every((term) => term.column === column))
    : entry.column === column;

export const entriesOf = (filter: readonly FilterEntry[], column: string | null): readonly FilterEntry[] =>
  filter.filter((entry) => isAbout(entry, column));

/** Puts `entries` where the first entry about the column was, or at the end. */
export function withEntries(
  filter: readonly FilterEntry[],
  column: string | null,
  entries: readonly FilterEntry[],
): readonly FilterEntry[] {
  const at = filter.findIndex((entry) => isAbout(entry, column));
  if (at < 0) return [...filter, ...entries];
  const isOther = (entry: FilterEntry): boolean => !isAbout(entry, column);
  return [...filter.slice(0, at), ...entries, ...filter.slice(at).filter(isOther)];
}
