// Tells the user which rows prevent a deletion, and leads to them, or deletes them, too.
import { toAppError, type DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify, useStore } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import { openReferring } from './related-counts.ts';

/**
 * Shows the failure of a deletion. @param deleteToo deletes the rows that refer to the row as well, which the message then names; called
 * only if that is possible
 */
export function notifyReferring(
  database: DatabaseId,
  thrown: unknown,
  deleteToo: (others: string) => Promise<void>,
): void {
  const { message, referring, detail } = toAppError(thrown);
  const [first, ...rest] = referring ?? [];
  if (!referring || !first) return notifyFailure(thrown);
  const { activeTabId } = useStore.getState();
  const others = referring.map(({ table, rows }) => `${plural(rows, 'row')} of ${table}`).join(' and ');
  notify({
    tone: 'error',
    text: message,
    ...(activeTabId !== null && { tabId: activeTabId }),
    action: {
      label: rest.length === 0 ? 'Show them' : `Show rows of ${visibleName(first.table)}`,
      run: () => openReferring(database, first),
    },
    ...(detail?.['isDeletable'] === true && {
      secondAction: { label: 'Delete them, too', run: () => void deleteToo(others).catch(notifyFailure) },
    }),
  });
}
