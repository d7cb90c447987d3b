// The kinds of tabs this window knows. Features describe them, app/ hands them over at the start: code that lists, stores or shows tabs asks here.
import type { ComponentType, ReactNode } from 'react';
import type { GenericSchema } from 'valibot';
import type { Tab } from './slices/tabs.ts';

export interface TabContentProps<T extends Tab> {
  readonly tab: T;
  /** What a dry run begun in this tab would change, to be shown until it is kept or discarded. Null: there is none. */
  readonly dryRun: ReactNode;
}

/** Everything the window has to know about a kind of tab. */
export interface TabKind<T extends Tab = Tab> {
  /** Stored with each tab of the kind: never rename. */
  readonly kind: T['kind'];
  /** `window`: it belongs to no database. The others come back and go with theirs. */
  readonly belongsTo: 'database' | 'window';
  readonly icon: ComponentType<{ readonly size: number }>;
  /** Whether the details of the selected cell stand beside it. A tab that shows values itself needs the room. */
  readonly hasDetails: boolean;
  title(tab: T): string;
  /** What the tab keeps beside what all tabs have, as some version has stored it. One that does not fit is left out. */
  readonly fields: GenericSchema<unknown, Omit<T, keyof Tab>>;
  /** `lazy` where the first screen can do without it. */
  readonly Content: ComponentType<TabContentProps<T>>;
}

/** Lets kinds of different tabs lie in one list: a tab is given to none but its own kind. */
export const defineTabKind = <T extends Tab>(kind: TabKind<T>): TabKind => kind as unknown as TabKind;

const kinds = new Map<string, TabKind>();

/** Call before tabs are opened or read. */
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
