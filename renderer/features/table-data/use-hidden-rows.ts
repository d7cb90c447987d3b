// Says when the filter hides a row that was just saved, and shows the row on request. Rows follow the data, also for other windows and
// programs, so a row that no longer matches leaves the list at once; only the person who saved it has to be told.
import { useEffect } from 'react';
import type { DatabaseId, Value } from '#shared/protocol/index.ts';
import type { HistorySlice } from '../../state/slices/history.ts';
import { dismissTopic, notify, useStore } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import { useSavedRows } from '../../workbench/rows/saved-rows.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { openTable, type TableTab } from '../../workbench/tabs/table.ts';

/** More rows than that are not looked for one by one. */
const MAX_ROWS = 100;

export function useHiddenRows(tab: TableTab, source: TableSource | null, isActive: boolean): void {
  const saved = useSavedRows(({ rows }) => rows);
  useEffect(() => {
    if (!saved || !source || !isActive) return;
    if (saved.database !== source.database || saved.table !== source.detail.name) return;
    useSavedRows.setState({ rows: null });
    const { filter, where } = source.view;
    if (filter.length === 0 && where === '') return;
    hiddenOf(source, saved.keys).then(
      (hidden) => hidden.length > 0 && tellHidden(tab, hidden, saved.keys.length > MAX_ROWS),
      () => undefined, // the rows are being read again
    );
  }, [saved, source, tab, isActive]);
}

async function hiddenOf(
  source: TableSource,
  keys: readonly (readonly Value[])[],
): Promise<readonly (readonly Value[])[]> {
  const looked = keys.slice(0, MAX_ROWS);
  const places = await Promise.all(looked.map((key) => source.find(key)));
  return looked.filter((_key, at) => places[at] === null);
}

/** @param isMore more rows were saved than were looked for */
export function tellHidden(
  { id, database, table, view }: TableTab,
  hidden: readonly (readonly Value[])[],
  isMore: boolean,
): void {
  const what = hidden.length === 1 ? 'the row that was' : `${isMore ? 'rows' : plural(hidden.length, 'row')} that were`;
  const topic = `hidden-rows ${id}`;
  notify({
    tone: 'info',
    topic,
    tabId: id,
    text: `The filter hides ${what} just saved.`,
    action: {
      label: hidden.length === 1 ? 'Show row' : 'Show rows',
      run() {
        openTable(database, table, { view: { filter: [], where: '' } });
        const revealed = { database, table, key: hidden[0]!, column: null, askedAtMs: performance.now() };
        useStore.setState({ revealedRow: revealed });
      },
    },
  });
  const { filter, where } = view;
  const stop = useStore.subscribe((now, before) => {
    const tab = now.tabs.find((one): one is TableTab => one.id === id && one.kind === 'table');
    const isFiltered = tab?.view.filter === filter && tab.view.where === where;
    if (!isFiltered || hasUndone(now, before, database)) dismissTopic(topic);
    if (!useStore.getState().notices.some((notice) => notice.topic === topic)) stop();
  });
}

/** Only Undo leaves something to redo. */
function hasUndone(
  now: Pick<HistorySlice, 'histories'>,
  before: Pick<HistorySlice, 'histories'>,
  database: DatabaseId,
): boolean {
  const redo = now.histories[database]?.redo?.step;
  return redo !== undefined && redo !== before.histories[database]?.redo?.step;
}
