// The stored state of a window: turns whatever any version has stored into a valid state.
import * as v from 'valibot';
import type { Tab } from './slices/tabs.ts';
import { each, flag, forgiving, share, size, textOrNull } from '#shared/stored.ts';
import { tabKindNamed } from './tab-kinds.ts';

const ANY_TAB = v.object({ id: v.string(), kind: v.string(), database: textOrNull, preview: flag(false) });

/** The fields of all tabs, then those of the tab's kind. */
function readTab(stored: unknown): Tab | null {
  const tab = v.safeParse(ANY_TAB, stored);
  const known = tab.success ? tabKindNamed(tab.output.kind) : null;
  if (!tab.success || !known) return null;
  const { id, kind, preview } = tab.output;
  const database = known.belongsTo === 'database' ? tab.output.database : null;
  const own = v.safeParse(known.fields, stored);
  if (!own.success || (known.belongsTo === 'database' && database === null)) return null;
  return { id, kind, database, ...(preview && { preview }), ...own.output };
}

const tabs = v.pipe(
  v.fallback(v.array(v.unknown()), []),
  v.transform((items): readonly Tab[] => items.flatMap((item) => readTab(item) ?? [])),
);

const STATE = forgiving({
  databases: each(v.string()),
  currentDatabase: textOrNull,
  tabs,
  closedTabs: tabs,
  activeTabId: textOrNull,
  split: v.fallback(
    v.nullable(v.object({ left: v.string(), right: v.string(), scrolls: flag(false), selects: flag(false) })),
    null,
  ),
  layout: forgiving({
    sidebarVisible: flag(true),
    detailsVisible: flag(true),
    sidebarWidth: size(232),
    detailsWidth: size(272),
    filterRowVisible: flag(false),
    splitShare: share(0.5),
    mapShare: share(0.5),
  }),
});

export type WindowState = Readonly<v.InferOutput<typeof STATE>>;

export const readWindowState = (stored: unknown): WindowState => v.parse(STATE, stored);
