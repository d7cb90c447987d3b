// The kinds of tabs this window knows. Features define them, app/ registers them at startup; code that lists, stores or shows tabs looks
// them up here.
import type { ComponentType, ReactNode } from 'react';
import type { GenericSchema } from 'valibot';
import type { Tab } from './slices/tabs.ts';

export interface TabContentProps<T extends Tab> {
  readonly tab: T;
  /** What a dry run started in this tab would change, shown until it is kept or discarded. Null if there is none. */
  readonly dryRun: ReactNode;
}

/** Everything the window needs to know about a kind of tab. */
export interface TabKind<T extends Tab = Tab> {
  /** Stored with each tab of the kind: never rename. */
  readonly kind: T['kind'];
  /** `window`: it belongs to no database. Other tabs open and close with their database. */
  readonly belongsTo: 'database' | 'window';
  readonly icon: ComponentType<{ readonly size: number }>;
  /** Whether the details of the selected cell are shown beside the tab. A tab that shows values itself needs the space. */
  readonly hasDetails: boolean;
  title(tab: T): string;
  /** The fields a tab stores in addition to those of all tabs, as any version has stored them. A tab that does not match is dropped. */
  readonly fields: GenericSchema<unknown, Omit<T, keyof Tab>>;
  /** What changes in the tab when tables or views of its database get other names; absent if the tab names none. */
  followNames?(tab: T, nameNow: (name: string) => string): Partial<Omit<T, keyof Tab>>;
  /** `lazy` unless the first screen needs it. */
  readonly Content: ComponentType<TabContentProps<T>>;
}

/** Lets kinds of different tabs share one list: a tab is only ever passed to its own kind. */
export const defineTabKind = <T extends Tab>(kind: TabKind<T>): TabKind => kind as unknown as TabKind;

const kinds = new Map<string, TabKind>();

/** Call before opening or restoring tabs. */
export function registerTabKinds(all: readonly TabKind[]): void {
  for (const each of all) kinds.set(each.kind, each);
}

/** Null for a kind this version does not know. */
export const tabKindNamed = (kind: string): TabKind | null => kinds.get(kind) ?? null;

export function tabKindOf({ kind }: Tab): TabKind {
  const found = kinds.get(kind);
  if (!found) throw new Error(`Tabs of the kind “${kind}” are not registered.`);
  return found;
}

export const tabTitle = (tab: Tab): string => tabKindOf(tab).title(tab);
