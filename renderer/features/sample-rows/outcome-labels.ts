// Describes the result of inserting sample rows.
import type { DatabaseId, SampleReply } from '#shared/protocol/index.ts';
import { notify } from '../../state/store.ts';
import { formatCount, formatDuration, plural } from '../../ui/format.ts';
import { openTable } from '../../workbench/tabs/table.ts';

/** With fewer rows, the rate means nothing: beginning and committing take most of the time. */
const MEASURED_ROWS = 10_000;

/** “1,000 rows were inserted into “customer” in 0.1 s.” */
export function outcomeText({ table, inserted, skipped, timeMs }: SampleReply): string {
  const verb = inserted === 1 ? 'was' : 'were';
  const rate = inserted >= MEASURED_ROWS ? ` (${perSecond(inserted, timeMs)})` : '';
  const text = `${plural(inserted, 'row')} ${verb} inserted into “${table}” in ${formatDuration(timeMs)}${rate}.`;
  return skipped > 0 ? `${text} A trigger or an ON CONFLICT clause skipped ${plural(skipped, 'row')}.` : text;
}

export const perSecond = (rows: number, timeMs: number): string =>
  `${formatCount(Math.round((rows / Math.max(timeMs, 1)) * 1000))} rows/s`;

/** Shown when the user has switched to another tab in the meantime. */
export function announce(database: DatabaseId, reply: SampleReply): void {
  const action = { label: 'Open table', run: () => void openTable(database, reply.table) };
  notify({ tone: 'success', text: outcomeText(reply), action });
}
