// Result of an import of tables, in words.
import { formatDuration, plural } from '../../ui/format.ts';
import type { TransferOutcome } from './transfer-view.ts';

/** “3 tables with 3,204 rows imported into “shop”, 1 row not imported, in 1.2 s.” */
export function transferSummary({ tables, problems, databaseName, timeMs }: TransferOutcome): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const failed = problems > 0 ? `, ${plural(problems, 'row')} not imported` : '';
  return `${plural(tables.length, 'table')} with ${plural(rows, 'row')} imported into “${databaseName}”${failed}, in ${formatDuration(timeMs)}.`;
}
