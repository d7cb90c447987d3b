// The kind of tab that shows tables and what refers to what.
import { Workflow } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { each, flag, textOrNull } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import type { DiagramTab } from '../../workbench/diagram-tabs.ts';

export const DIAGRAM_TAB = defineTabKind<Omit<DiagramTab, 'database'> & { readonly database: string }>({
  kind: 'diagram',
  belongsTo: 'database',
  icon: Workflow,
  hasDetails: false,
  followNames: ({ table, expanded, around }, nameNow) => ({
    table: table === null ? null : nameNow(table),
    expanded: expanded.map(nameNow),
    around: around === null ? null : nameNow(around),
  }),
  title: ({ table }) => (table === null ? 'Diagram' : `Diagram: ${table}`),
  fields: v.object({
    database: v.string(),
    table: textOrNull,
    steps: v.fallback(v.picklist([1, 2]), 1),
    likely: flag(true),
    views: flag(false),
    list: flag(false),
    expanded: each(v.string()),
    around: textOrNull,
  }),
  Content: lazyComponent(async () => ({ default: (await import('./diagram-tab.tsx')).DiagramTabContent })),
});
