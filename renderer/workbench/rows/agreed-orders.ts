// Rows of a server in an order that someone has agreed to pay for: their readers stay open behind another order or another tab, so that
// returning to them does not read the table again. Each reader follows edits of single rows; any other change closes it.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { useStore } from '../../state/store.ts';
import { isOfSameText, withdrawConsents, type RowsView } from './scan-consent.ts';
import type { TableSource } from './table-source.ts';

/** Number of readers: the engine keeps a list of all rows for each. */
const KEPT = 3;

interface AgreedOrder {
  readonly tabId: string;
  readonly source: TableSource;
}

/** Orders, in the sequence in which they were left. */
let kept: readonly AgreedOrder[] = [];

/** Takes the rows, which the tab must no longer use or close. */
export function keepOrder(tabId: string, source: TableSource): void {
  begin();
  if (source.isClosed || !useStore.getState().tabs.some(({ id }) => id === tabId)) return source.close();
  source.hide();
  const others = kept.filter((order) => !isOf(order, tabId, source.view));
  for (const order of kept) if (!others.includes(order)) order.source.close();
  const all = [...others, { tabId, source }];
  for (const { source: oldest } of all.slice(0, -KEPT)) oldest.close();
  kept = all.slice(-KEPT);
}

/** The rows of this view, if they were kept for this tab. */
export function takeOrder(tabId: string, database: DatabaseId, table: string, view: RowsView): TableSource | null {
  const found = kept.find((order) => isOf(order, tabId, view) && isOfTable(order.source, database, table));
  if (!found) return null;
  kept = kept.filter((order) => order !== found);
  const { source } = found;
  // Both views say the same; from here on the rows have the tab's own view object.
  source.view = view;
  source.shownAgain();
  return source;
}

const isOf = ({ tabId, source }: AgreedOrder, id: string, view: RowsView): boolean =>
  tabId === id && isOfSameText(source.view, view);

const isOfTable = ({ database, detail }: TableSource, id: DatabaseId, table: string): boolean =>
  database === id && detail.name === table;

function drop(isOutdated: (order: AgreedOrder) => boolean): void {
  const outdated = kept.filter(isOutdated);
  if (outdated.length === 0) return;
  kept = kept.filter((order) => !outdated.includes(order));
  for (const { source } of outdated) source.close();
}

let hasBegun = false;

function begin(): void {
  if (hasBegun) return;
  hasBegun = true;
  client.on('database.changed', ({ database, schema, manyRows, tables }) =>
    drop(({ source: { database: own, detail } }) => {
      const isChanged = schema || (manyRows === true && (tables?.includes(detail.name) ?? true));
      if (database !== own || !isChanged) return false;
      withdrawConsents({ database, table: detail.name });
      return true;
    }),
  );
  client.onReconnected(() => drop(() => true));
  useStore.subscribe(({ tabs }, before) => {
    if (tabs !== before.tabs) drop(({ tabId }) => !tabs.some(({ id }) => id === tabId));
  });
}
