// The kept state of a window: whatever was stored, by whichever version, becomes a state we can stand on.
import * as v from 'valibot';
import { each, eachEntry, flag, forgiving, oneOf, size, text, textOrNull } from './stored.ts';
import { LIVE_BY_ITSELF, PLAIN_VIEW } from './slices/tabs.ts';
import type { Tab, TableView } from './slices/tabs.ts';
import type { Theme } from './slices/ui.ts';

const share = (fallback: number) =>
  v.fallback(
    v.pipe(
      v.number(),
      v.check((value) => value > 0 && value < 1),
    ),
    fallback,
  );
const above0 = v.pipe(
  v.number(),
  v.check((value) => value > 0),
);

/** The worker looks at what else is in a term. */
const terms = each(v.looseObject({ column: v.string() }));

const VIEW = v.pipe(
  forgiving({
    sort: terms,
    filter: terms,
    where: text,
    widths: eachEntry(above0),
    order: each(v.string()),
    topRow: size(0),
  }),
  v.transform((view) => ({ ...PLAIN_VIEW, ...view }) as unknown as TableView),
);

const LIVE = forgiving({ pinned: flag(false), limitMs: v.fallback(v.nullable(above0), LIVE_BY_ITSELF.limitMs) });

const ofDatabase = { id: v.string(), database: v.string() };
const withSql = { ...ofDatabase, title: v.string(), sql: v.string() };

const TAB = v.variant('kind', [
  v.object({
    id: v.string(),
    database: v.fallback(v.null(), null),
    kind: v.literal('benchmark'),
    choice: v.nullish(v.unknown(), null),
  }),
  v.object({ ...ofDatabase, kind: v.literal('table'), table: v.string(), view: VIEW, preview: flag(false) }),
  v.object({
    ...withSql,
    kind: v.literal('compare'),
    split: share(0.24),
    part: oneOf(['rows', 'plans', 'times', 'engines'], 'rows'),
  }),
  v.object({ ...ofDatabase, kind: v.literal('history') }),
  v.object({ ...withSql, kind: v.literal('query'), split: share(0.42), live: LIVE }),
]) satisfies v.GenericSchema<unknown, Tab>;

const STATE = forgiving({
  databases: each(v.string()),
  currentDatabase: textOrNull,
  tabs: each(TAB),
  activeTabId: textOrNull,
  layout: forgiving({
    sidebarVisible: flag(true),
    detailsVisible: flag(true),
    sidebarWidth: size(232),
    detailsWidth: size(272),
  }),
});

export type WindowState = Readonly<v.InferOutput<typeof STATE>>;

export const readWindowState = (stored: unknown): WindowState => v.parse(STATE, stored);

const THEME = forgiving({ theme: v.fallback(v.nullable(v.picklist(['system', 'light', 'dark'])), null) });

export const readTheme = (stored: unknown): Theme | null => v.parse(THEME, stored).theme;
