// What a step of the history did, in words: SQL is shown on demand only.
import type { HistoryStep, TableCounts } from '#shared/protocol/index.ts';
import { plural } from '../../ui/format.ts';

/** “Edit Title in Album, 1 row”; of a statement, what it did: “Changed 2 rows of Customer, deleted 1 row of Invoice”. */
export function stepWords({ title, sql, tables }: Pick<HistoryStep, 'title' | 'sql' | 'tables'>): string {
  const rows = tables.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0);
  if (rows === 0) return title;
  if (sql === null) return `${title}, ${plural(rows, 'row')}`;
  const [first = '', ...others] = tables.flatMap(effects);
  const text = [first, ...others].join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const effects = ({ table, inserted, updated, deleted }: TableCounts): readonly string[] => [
  ...(updated > 0 ? [`changed ${plural(updated, 'row')} of ${table}`] : []),
  ...(inserted > 0 ? [`added ${plural(inserted, 'row')} to ${table}`] : []),
  ...(deleted > 0 ? [`deleted ${plural(deleted, 'row')} from ${table}`] : []),
];
