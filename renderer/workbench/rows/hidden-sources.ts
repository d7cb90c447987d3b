// The rows of tables whose tabs were on screen until a moment ago: their readers stay open, so that Back, Forward, and a click on such a
// tab show rows without waiting for the engine. The engine reports changes to each of these readers.
import { capabilitiesOf, type DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { useStore } from '../../state/store.ts';
import { isPlain, isSameView, type RowsView } from './scan-consent.ts';
import type { TableSource } from './table-source.ts';

/** Enough for the tables that people go back and forth between. */
const KEPT = 3;
/** The engine keeps a list of all rows that a sort or filter has: 8 bytes for each. */
const MAX_LISTED_ROWS = 10_000_000;

export interface ShownTable {
  readonly id: string;
  readonly database: DatabaseId;
  readonly table: string;
  readonly view: RowsView;
}

/** Sources by tab, in order of hiding. */
const hidden = new Map<string, TableSource>();

/** The tab is no longer on screen: takes its rows, which the tab must no longer use or close. */
export function hideSource(tabId: string, source: TableSource): void {
  begin();
  drop(tabId);
  const isOpen = useStore.getState().tabs.some(({ id }) => id === tabId);
  if (!isOpen || !canBeKept(source)) return source.close();
  source.hide();
  hidden.set(tabId, source);
  for (const [oldest] of hidden) {
    if (hidden.size <= KEPT && listedRows() <= MAX_LISTED_ROWS) return;
    drop(oldest);
  }
}

/** The rows that the tab can begin with, which stay hidden until {@link takeSource}. */
export function hiddenSource({ id, database, table, view }: ShownTable): TableSource | null {
  const source = hidden.get(id);
  const isOfTable = source?.database === database && source.detail.name === table;
  return source && isOfTable && isSameView(source.view, view) ? source : null;
}

/** The tab shows `source`, or rows of another view, for which the hidden rows are of no use. Returns false if they were closed. */
export function takeSource(tabId: string, source: TableSource | null): boolean {
  const found = hidden.get(tabId);
  if (found === undefined || found !== source) {
    drop(tabId);
    return false;
  }
  hidden.delete(tabId);
  source.shownAgain();
  return true;
}

/** Rows of a server cost money, and change unnoticed; rows of a view are a copy of all of them. */
const canBeKept = ({ database, info, detail, isClosed }: TableSource): boolean =>
  !isClosed && capabilitiesOf(database).freeReads && info.key.kind !== 'none' && detail.kind !== 'view';

const listedRows = (): number =>
  Array.from(hidden.values(), ({ view, extent }) => (isPlain(view) ? 0 : extent.rows)).reduce((a, b) => a + b, 0);

function drop(tabId: string): void {
  hidden.get(tabId)?.close();
  hidden.delete(tabId);
}

function dropAll(isOutdated: (source: TableSource, tabId: string) => boolean): void {
  for (const [tabId, source] of hidden) if (isOutdated(source, tabId)) drop(tabId);
}

let hasBegun = false;

/** Tables open their rows again after a change of the schema and after a lost connection; here they are closed. */
function begin(): void {
  if (hasBegun) return;
  hasBegun = true;
  client.on('database.changed', ({ database, schema }) => schema && dropAll((source) => source.database === database));
  client.onReconnected(() => dropAll(() => true));
  useStore.subscribe(({ tabs }, before) => {
    if (tabs === before.tabs) return;
    const open = new Set(tabs.map(({ id }) => id));
    dropAll((_source, tabId) => !open.has(tabId));
  });
}
