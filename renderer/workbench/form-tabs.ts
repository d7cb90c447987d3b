// The shared part of form tabs: which row of which table they show, and how they are opened.
import type { DatabaseId, Value } from '#shared/protocol/index.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { activateTab, openTab, updateTab, useStore } from '../state/store.ts';
import type { TableView } from './table-tabs.ts';

/** The rows among which the form goes to the next and the previous one. */
export type FormRows = Pick<TableView, 'sort' | 'filter' | 'where'>;

/** One row of a table as a form. */
export interface FormTab extends Tab {
  readonly kind: 'form';
  readonly database: DatabaseId;
  readonly table: string;
  readonly view: FormRows;
  /** Null: the first row. */
  readonly key: readonly Value[] | null;
}

export const ALL_ROWS: FormRows = { sort: [], filter: [], where: '' };

const isFormTab = (tab: Tab): tab is FormTab => tab.kind === 'form';

/** Activates the form of the table, or opens one, at this row. Returns the tab's id. */
export function openForm(
  database: DatabaseId,
  table: string,
  { view = ALL_ROWS, key }: { readonly view?: FormRows; readonly key: FormTab['key'] },
): string {
  const existing = useStore
    .getState()
    .tabs.filter(isFormTab)
    .find((tab) => tab.database === database && tab.table === table);
  if (!existing) return openTab<FormTab>({ kind: 'form', database, table, view, key });
  updateTab<FormTab>(existing.id, { view, key });
  activateTab(existing.id);
  return existing.id;
}
