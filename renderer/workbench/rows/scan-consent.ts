// Sorts and filters of a table that may read all of it on a server: a person is asked once for each. Not kept when the window ends, so that
// no restored tab reads a table unasked.
import { foldName } from '#shared/ddl/names.ts';
import { toAppError, whatHappened, WHOLE_TABLE_ROWS, type DatabaseId } from '#shared/protocol/index.ts';
import { stringifyState } from '../../state/state-json.ts';
import type { TableView } from '../tabs/table.ts';
import type { TableSource } from './table-source.ts';

export type RowsView = Pick<TableView, 'sort' | 'filter' | 'where'>;

interface AskedTable {
  readonly database: DatabaseId;
  readonly table: string;
}

const consents = new Map<string, Set<string>>();

const keyOf = ({ database, table }: AskedTable): string => stringifyState([database, foldName(table)]);

const textOf = ({ sort, filter, where }: RowsView): string => stringifyState([sort, filter, where]);

export function consentToScan(asked: AskedTable, view: RowsView): void {
  const key = keyOf(asked);
  const known = consents.get(key) ?? new Set();
  consents.set(key, known.add(textOf(view)));
}

/** The database has changed: an agreed sort or filter would cost the table again, and once more after each change. */
export const withdrawConsents = (asked: AskedTable): void => void consents.delete(keyOf(asked));

export const hasConsented = (asked: AskedTable, view: RowsView): boolean =>
  consents.get(keyOf(asked))?.has(textOf(view)) === true;

/** Compares by text, unlike {@link isSameView}: for a view that was left and returned to. */
export const isOfSameText = (a: RowsView, b: RowsView): boolean => textOf(a) === textOf(b);

/** Whether all rows of the table are loaded, and are few, so that there is nothing to ask. */
export function isWholeTable({ view, extent }: TableSource): boolean {
  return view.filter.length === 0 && view.where === '' && extent.exact && extent.rows <= WHOLE_TABLE_ROWS;
}

/** Compares by identity, because a table waits for new rows as long as its rows belong to another view than the view of its tab. */
export const isSameView = (a: RowsView, b: RowsView): boolean =>
  a.sort === b.sort && a.filter === b.filter && a.where === b.where;

export const isPlain = ({ sort, filter, where }: RowsView): boolean =>
  sort.length === 0 && filter.length === 0 && where === '';

/** Rows that a server would read, in sentences; null when a view failed for another reason. */
export function scanOf(thrown: unknown): string | null {
  const error = toAppError(thrown);
  return error.detail?.['kind'] === 'whole-table' ? whatHappened(error) : null;
}
