// The kind of tab that searches all tables of a database.
import { Search } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { text } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import type { SearchTab } from '../../workbench/search-tabs.ts';

export const SEARCH_TAB = defineTabKind<SearchTab>({
  kind: 'search',
  belongsTo: 'database',
  icon: Search,
  hasDetails: false,
  title: () => 'Search',
  isSame: () => true,
  fields: v.object({ text }),
  Content: lazyComponent(async () => ({ default: (await import('./search-tab.tsx')).SearchTabContent })),
});
