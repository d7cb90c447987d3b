// The kind of tab that shows a table.
import { Table2 } from 'lucide-react';
import * as v from 'valibot';
import { above0, each, eachEntry, forgiving, size, text } from '#shared/stored.ts';
import { STORED_FILTER_ENTRY } from '../../state/saved-filters.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import { STORED_COLOR_RULES } from '../../workbench/color-rules/color-rule.ts';
import { PLAIN_VIEW } from '../../workbench/table-tabs.ts';
import type { TableTab, TableView } from '../../workbench/table-tabs.ts';
import { TableDataTab } from './table-data-tab.tsx';

/** The worker validates the rest of a term. */
const term = v.looseObject({ column: v.string() });

const VIEW = v.pipe(
  forgiving({
    sort: each(term),
    filter: each(STORED_FILTER_ENTRY),
    where: text,
    widths: eachEntry(above0),
    order: each(v.string()),
    hidden: each(v.string()),
    frozen: size(0),
    colors: STORED_COLOR_RULES,
    topRow: size(0),
  }),
  v.transform((view) => ({ ...PLAIN_VIEW, ...view }) as unknown as TableView),
);

export const TABLE_TAB = defineTabKind<TableTab>({
  kind: 'table',
  belongsTo: 'database',
  icon: Table2,
  hasDetails: true,
  canRepeat: true,
  title: ({ table }) => table,
  isSame: (one, other) => one.table === other.table,
  followNames: ({ table }, nameNow) => ({ table: nameNow(table) }),
  fields: v.object({ table: v.string(), view: VIEW }),
  Content: TableDataTab,
});
