// The kept state of a window: whatever was stored, by whichever version, becomes a state we can stand on.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { LIVE_BY_ITSELF, PLAIN_VIEW } from './slices/tabs.ts';
import type { ComparePart, LiveChoice, Tab, TableView } from './slices/tabs.ts';
import type { Layout, Theme } from './slices/ui.ts';

const PARTS: readonly ComparePart[] = ['rows', 'plans', 'times', 'engines'];

export interface WindowState {
  readonly databases: readonly DatabaseId[];
  readonly currentDatabase: DatabaseId | null;
  readonly tabs: readonly Tab[];
  readonly activeTabId: string | null;
  readonly layout: Layout;
}

export function readWindowState(stored: unknown): WindowState {
  const value = asRecord(stored);
  const layout = asRecord(value['layout']);
  return {
    databases: asArray(value['databases']).filter((id) => typeof id === 'string'),
    currentDatabase: asText(value['currentDatabase']),
    tabs: asArray(value['tabs']).flatMap((tab) => readTab(asRecord(tab)) ?? []),
    activeTabId: asText(value['activeTabId']),
    layout: {
      sidebarVisible: layout['sidebarVisible'] !== false,
      detailsVisible: layout['detailsVisible'] !== false,
      sidebarWidth: asSize(layout['sidebarWidth'], 232),
      detailsWidth: asSize(layout['detailsWidth'], 272),
    },
  };
}

function readTab(tab: Readonly<Record<string, unknown>>): Tab | null {
  const { id, database, kind, table, title, sql, split } = tab;
  if (typeof id !== 'string') return null;
  if (kind === 'benchmark') return { id, database: null, kind, choice: tab['choice'] ?? null };
  if (typeof database !== 'string') return null;
  if (kind === 'table' && typeof table === 'string') {
    return { id, database, kind, table, view: readView(asRecord(tab['view'])), preview: tab['preview'] === true };
  }
  if (kind === 'compare' && typeof title === 'string' && typeof sql === 'string') {
    const part = PARTS.find((known) => known === tab['part']) ?? 'rows';
    return { id, database, kind, title, sql, split: asShare(split, 0.24), part };
  }
  if (kind === 'history') return { id, database, kind };
  if (kind === 'query' && typeof title === 'string' && typeof sql === 'string') {
    return {
      id,
      database,
      kind,
      title,
      sql,
      split: asShare(split, 0.42),
      live: readLive(asRecord(tab['live'])),
    };
  }
  return null;
}

function readLive({ pinned, limitMs }: Readonly<Record<string, unknown>>): LiveChoice {
  const isLimit = limitMs === null || (typeof limitMs === 'number' && limitMs > 0);
  return { pinned: pinned === true, limitMs: isLimit ? limitMs : LIVE_BY_ITSELF.limitMs };
}

function readView(view: Readonly<Record<string, unknown>>): TableView {
  const isTerm = (term: unknown): boolean => typeof asRecord(term)['column'] === 'string';
  const widths = Object.entries(asRecord(view['widths'])).filter(([, width]) => typeof width === 'number' && width > 0);
  return {
    ...PLAIN_VIEW,
    sort: asArray(view['sort']).filter(isTerm) as unknown as TableView['sort'],
    filter: asArray(view['filter']).filter(isTerm) as unknown as TableView['filter'],
    where: asText(view['where']) ?? '',
    widths: Object.fromEntries(widths) as TableView['widths'],
    order: asArray(view['order']).filter((name) => typeof name === 'string'),
    topRow: asSize(view['topRow'], 0),
  };
}

export function readTheme(stored: unknown): Theme | null {
  const theme = asRecord(stored)['theme'];
  return theme === 'system' || theme === 'light' || theme === 'dark' ? theme : null;
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const asShare = (value: unknown, fallback: number): number =>
  typeof value === 'number' && value > 0 && value < 1 ? value : fallback;
const asSize = (value: unknown, fallback: number): number =>
  typeof value === 'number' && value >= 0 ? value : fallback;
