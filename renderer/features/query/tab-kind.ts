// The kind of tab in which SQL is written and run.
import { SquareTerminal } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { above0, eachEntry, flag, forgiving, share } from '#shared/stored.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import { DEFAULT_SPLIT, LIVE_BY_ITSELF, PARAMETER_TYPES } from '../../workbench/query-tabs.ts';
import type { QueryTab } from '../../workbench/query-tabs.ts';
import { TEXT_ENCODINGS } from '../../workbench/text-encoding.ts';

const LIVE = forgiving({ pinned: flag(false), limitMs: v.fallback(v.nullable(above0), LIVE_BY_ITSELF.limitMs) });
const FILE = v.object({
  token: v.string(),
  fileName: v.string(),
  displayPath: v.string(),
  encoding: v.picklist(TEXT_ENCODINGS),
  lineEnds: v.picklist(['lf', 'crlf', 'mixed']),
  content: v.string(),
  isUnsaved: v.boolean(),
});
const PARAMETER = v.object({ type: v.picklist(PARAMETER_TYPES), text: v.string() });

const Content = lazyComponent(async () => ({ default: (await import('./query-tab.tsx')).QueryTab }));

export const QUERY_TAB = defineTabKind<QueryTab>({
  kind: 'query',
  belongsTo: 'database',
  icon: SquareTerminal,
  hasDetails: true,
  canRepeat: true,
  title: ({ title }) => title,
  fields: v.object({
    title: v.string(),
    sql: v.string(),
    split: share(DEFAULT_SPLIT),
    live: LIVE,
    parameters: eachEntry(PARAMETER),
    file: v.fallback(v.nullable(FILE), null),
  }),
  isUnsaved: ({ file }) => file?.isUnsaved === true,
  save: async (tab) => (await import('./query-session.ts')).querySessionOf(tab).file.save(),
  // The editor is a third of all code, and the first screen does not need it.
  Content,
  load: Content.load,
});
