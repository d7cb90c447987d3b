// Which sorts and filters of a tab may read a whole table on a server: a person is asked once for each. Not kept when the window ends, so that
// no restored tab reads a table unasked.
import { toAppError, whatHappened, WHOLE_TABLE_ROWS } from '#shared/protocol/index.ts';
import { stringifyState } from '../../state/state-json.ts';
import type { TableView } from '../table-tabs.ts';
import type { TableSource } from './table-source.ts';

export type RowsView = Pick<TableView, 'sort' | 'filter' | 'where'>;

const consents = new Map<string, Set<string>>();

const textOf = ({ sort, filter, where }: RowsView): string => stringifyState([sort, filter, where]);

export function consentToScan(tabId: string, view: RowsView): void {
  const known = consents.get(tabId) ?? new Set();
  consents.set(tabId, known.add(textOf(view)));
}

/** The database has changed: what was agreed to would cost the table again, and would each time somebody changes something. */
export const withdrawConsents = (tabId: string): void => void consents.delete(tabId);

export const hasConsented = (tabId: string, view: RowsView): boolean => consents.get(tabId)?.has(textOf(view)) === true;

/** Whether all rows of the table are here, and are few, so that there is nothing to ask. */
export function isWholeTable({ view, extent }: TableSource): boolean {
  return view.filter.length === 0 && view.where === '' && extent.exact && extent.rows <= WHOLE_TABLE_ROWS;
}

export const isSameView = (a: RowsView, b: RowsView): boolean =>
  a.sort === b.sort && a.filter === b.filter && a.where === b.where;

export const isPlain = ({ sort, filter, where }: RowsView): boolean =>
  sort.length === 0 && filter.length === 0 && where === '';

/** What a server would read, in sentences; null when a view failed for another reason. */
export function scanOf(thrown: unknown): string | null {
  const error = toAppError(thrown);
  return error.detail?.['kind'] === 'whole-table' ? whatHappened(error) : null;
}
