// Result of an import in words, and the way to its rows.
import { openDatabase } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { formatDuration, plural } from '../../ui/format.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import type { Outcome } from './import-view.ts';
import type { TransferOutcome } from './transfer-view.ts';

export async function showTable({ database, table }: Pick<Outcome, 'database' | 'table'>): Promise<void> {
  if (await openDatabase(database)) openTable(database, table);
}

/** “3,204 rows added to “sales”, 2 changed, 1 not imported, in 1.2 s.” */
export function summaryOf({ added, removed, changed, equal, skipped, problems, table, timeMs }: Outcome): string {
  const parts = [
    removed > 0 && `${plural(removed, 'row')} deleted`,
    changed > 0 && `${plural(changed, 'row')} changed`,
    equal > 0 && `${plural(equal, 'row')} already the same`,
    skipped > 0 && `${plural(skipped, 'row')} left unchanged`,
    problems > 0 && `${plural(problems, 'row')} not imported`,
  ].filter((part) => part !== false);
  return `${[`${plural(added, 'row')} added to “${table}”`, ...parts].join(', ')}, in ${formatDuration(timeMs)}.`;
}

/** Shown when the user has switched to another tab in the meantime. */
export function announce(outcome: Outcome): void {
  notify({
    tone: outcome.problems > 0 ? 'warning' : 'success',
    text: summaryOf(outcome),
    action: { label: 'Open table', run: () => void showTable(outcome) },
  });
}

/** “3 tables with 3,204 rows imported into “shop”, 1 row not imported, in 1.2 s.” */
export function transferSummary({ tables, problems, databaseName, timeMs }: TransferOutcome): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const failed = problems > 0 ? `, ${plural(problems, 'row')} not imported` : '';
  return `${plural(tables.length, 'table')} with ${plural(rows, 'row')} imported into “${databaseName}”${failed}, in ${formatDuration(timeMs)}.`;
}
