// The kind of tab that shows one row of a table as a form.
import { RectangleEllipsis } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { text } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import type { FormRows, FormTab } from '../../workbench/form-tabs.ts';

/** The worker validates the contents of the terms. */
const ALL_ROWS = { sort: [], filter: [], where: '' };
const VIEW = v.pipe(
  v.fallback(v.object({ sort: v.array(v.looseObject({})), filter: v.array(v.looseObject({})), where: text }), ALL_ROWS),
  v.transform((view) => view as unknown as FormRows),
);
const KEY = v.pipe(
  v.fallback(v.nullable(v.array(v.unknown())), null),
  v.transform((key) => key as FormTab['key']),
);

export const FORM_TAB = defineTabKind<FormTab>({
  kind: 'form',
  belongsTo: 'database',
  icon: RectangleEllipsis,
  hasDetails: true,
  canRepeat: true,
  title: ({ table }) => `${table} form`,
  followNames: ({ table }, nameNow) => ({ table: nameNow(table) }),
  fields: v.object({ table: v.string(), view: VIEW, key: KEY }),
  Content: lazyComponent(async () => ({ default: (await import('./form-tab.tsx')).FormTabContent })),
});
