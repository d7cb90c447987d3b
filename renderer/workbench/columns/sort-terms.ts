// Changes a sort order after a click on a column header, or a command. Tables name their columns, results number them.

export interface SortTermOf<C> {
  readonly column: C;
  readonly descending: boolean;
}

/** `column` comes last, ascending. */
export const withTerm = <C>(sort: readonly SortTermOf<C>[], column: C): readonly SortTermOf<C>[] => [
  ...sort.filter((term) => term.column !== column),
  { column, descending: false },
];

/** A click goes from ascending to descending to none; with a modifier it leaves the other terms alone. */
export function sortedBy<C>(sort: readonly SortTermOf<C>[], column: C, additive: boolean): readonly SortTermOf<C>[] {
  const present = sort.find((term) => term.column === column);
  const next: SortTermOf<C> | null = present?.descending ? null : { column, descending: present !== undefined };
  if (!additive) return next ? [next] : [];
  if (!present) return [...sort, { column, descending: false }];
  return next ? sort.map((term) => (term === present ? next : term)) : sort.filter((term) => term !== present);
}

/** The sort order in words, for screen readers. */
export function sortLabel<C>(terms: readonly SortTermOf<C>[], nameOf: (column: C) => string): string {
  if (terms.length === 0) return 'Not sorted';
  const each = terms.map(({ column, descending }) => `${nameOf(column)} ${descending ? 'descending' : 'ascending'}`);
  return `Sorted by ${each.join(', ')}`;
}
