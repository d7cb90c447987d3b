// The kind of tab that shows what uses a table or column.
import { Waypoints } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { textOrNull } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import type { UsesTab } from '../../workbench/uses-tabs.ts';

export const USES_TAB = defineTabKind<UsesTab>({
  kind: 'uses',
  belongsTo: 'database',
  icon: Waypoints,
  hasDetails: false,
  title: ({ table, column }) => `Uses of ${column === null ? table : `${table}.${column}`}`,
  followNames: ({ table }, nameNow) => ({ table: nameNow(table) }),
  fields: v.object({ table: v.string(), column: textOrNull }),
  Content: lazyComponent(async () => ({ default: (await import('./uses-tab.tsx')).UsesTabContent })),
});
