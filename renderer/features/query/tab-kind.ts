// The kind of tab in which SQL is written and run.
import { SquareTerminal } from 'lucide-react';
import { lazy } from 'react';
import * as v from 'valibot';
import { above0, eachEntry, flag, forgiving, share } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import { DEFAULT_SPLIT, LIVE_BY_ITSELF, PARAMETER_TYPES } from '../../workbench/query-tabs.ts';
import type { QueryTab } from '../../workbench/query-tabs.ts';

const LIVE = forgiving({ pinned: flag(false), limitMs: v.fallback(v.nullable(above0), LIVE_BY_ITSELF.limitMs) });
const PARAMETER = v.object({ type: v.picklist(PARAMETER_TYPES), text: v.string() });

export const QUERY_TAB = defineTabKind<QueryTab>({
  kind: 'query',
  belongsTo: 'database',
  icon: SquareTerminal,
  hasDetails: true,
  title: ({ title }) => title,
  fields: v.object({
    title: v.string(),
    sql: v.string(),
    split: share(DEFAULT_SPLIT),
    live: LIVE,
    parameters: eachEntry(PARAMETER),
  }),
  // The editor is a third of all code and the first screen does without it.
  Content: lazy(async () => ({ default: (await import('./query-tab.tsx')).QueryTab })),
});
