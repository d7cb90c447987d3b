// The kind of tab that shows one row of a table as a form.
import type { DatabaseId, Value } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab, updateTab } from '../../state/store.ts';
import type { TableView } from './table.ts';
import { RectangleEllipsis } from 'lucide-react';
import * as v from 'valibot';
import { text } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

/** The rows among which the form goes to the next and the previous one. */
type FormRows = Pick<TableView, 'sort' | 'filter' | 'where'>;

export interface FormTab extends Tab {
  readonly kind: 'form';
  readonly database: DatabaseId;
  readonly table: string;
  readonly view: FormRows;
  /** Null: the first row. */
  readonly key: readonly Value[] | null;
}

export const ALL_ROWS: FormRows = { sort: [], filter: [], where: '' };

/** Activates the form of the table, or opens one, at this row. Returns the tab's id. */
export function openForm(
  database: DatabaseId,
  table: string,
  { view = ALL_ROWS, key }: { readonly view?: FormRows; readonly key: FormTab['key'] },
): string {
  const id = openSingleTab<FormTab>({ kind: 'form', database, table, view, key }, 'table');
  updateTab<FormTab>(id, { view, key });
  return id;
}

/** The worker validates the contents of the terms. */
const VIEW = v.pipe(
  v.fallback(v.object({ sort: v.array(v.looseObject({})), filter: v.array(v.looseObject({})), where: text }), {
    sort: [],
    filter: [],
    where: '',
  }),
  v.transform((view) => view as unknown as FormRows),
);
const KEY = v.pipe(
  v.fallback(v.nullable(v.array(v.unknown())), null),
  v.transform((key) => key as FormTab['key']),
);

export const FORM_TAB: TabDescription<FormTab> = {
  kind: 'form',
  belongsTo: 'database',
  icon: RectangleEllipsis,
  hasDetails: true,
  canRepeat: true,
  title: ({ table }) => `${table} form`,
  followNames: ({ table }, nameNow) => ({ table: nameNow(table) }),
  withoutValues: ({ view }) => ({ view: { ...view, filter: [], where: '' }, key: null }),
  fields: v.object({ table: v.string(), view: VIEW, key: KEY }),
};
