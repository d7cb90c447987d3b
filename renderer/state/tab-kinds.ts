// The kinds of tabs this window knows. `workbench/tabs/` describes them, app/ registers them with their contents at startup; code that
// lists, stores or shows tabs looks them up here.
import type { ComponentType, ReactNode } from 'react';
import type { GenericSchema } from 'valibot';
import { hasUnsaved } from './slices/status.ts';
import type { TabStatus } from './slices/status.ts';
import type { Tab } from './slices/tabs.ts';

export interface TabContentProps<T extends Tab> {
  readonly tab: T;
  /** Changes that a dry run started in this tab would make, shown until it is kept or discarded. Null if there is none. */
  readonly dryRun: ReactNode;
}

/** A kind of tab but for its content: what whoever opens such a tab knows, too. */
export interface TabDescription<T extends Tab> {
  /** Stored with each tab of the kind: never rename. */
  readonly kind: T['kind'];
  /** `window`: the tab belongs to no database. Other tabs open and close with their database. */
  readonly belongsTo: 'database' | 'window';
  readonly icon: ComponentType<{ readonly size: number }>;
  /** Whether the details of the selected cell are shown beside the tab. A tab that shows values itself needs the space. */
  readonly hasDetails: boolean;
  /** Whether the same tab can be open twice. Not set where both tabs would share an object that lives with the tab. */
  readonly canRepeat?: boolean;
  title(tab: T): string;
  /** The fields a tab stores in addition to those of all tabs, as any version has stored them. A tab that does not match is dropped. */
  readonly fields: GenericSchema<unknown, Omit<T, keyof Tab>>;
  /** Whether two tabs of the same database show the same, so that one of them is enough; absent if two tabs never show the same. */
  isSame?(one: T, other: T): boolean;
  /** Changes to the tab when tables or views of its database get other names; absent if the tab names none. */
  followNames?(tab: T, nameNow: (name: string) => string): Partial<Omit<T, keyof Tab>>;
  /** Changes to the tab as it is stored for an encrypted database; absent if none of its fields can have values of the database. */
  withoutValues?(tab: T): Partial<Omit<T, keyof Tab>>;
  /** Whether the tab holds text that is not in its file yet; absent if tabs of the kind have no files. */
  isUnsaved?(tab: T): boolean;
}

interface TabContents<T extends Tab> {
  /** Saves a text that is not in its file yet. Resolves with false if it was not saved, in which case the user knows why. */
  save?(tab: T): Promise<boolean>;
  /** A `lazyComponent` unless the first screen needs it. */
  readonly Content: ComponentType<TabContentProps<T>>;
  /** Loads the code of `Content`, for kinds that most people open: their first tab is then as quick as the next. */
  readonly load?: () => Promise<unknown>;
}

/** Everything the window needs to know about a kind of tab. */
export type TabKind = TabDescription<Tab> & TabContents<Tab>;

/** Lets kinds of different tabs share one list: a tab is only ever passed to its own kind. */
export const tabKind = <T extends Tab>(description: TabDescription<T>, contents: TabContents<T>): TabKind =>
  ({ ...description, ...contents }) as unknown as TabKind;

const kinds = new Map<string, TabKind>();

/** Call before opening or restoring tabs. */
export function registerTabKinds(all: readonly TabKind[]): void {
  for (const each of all) kinds.set(each.kind, each);
}

/** Call when the window has nothing better to do. */
export function loadTabKinds(): void {
  // A failure to load is reported by the tab that needs it.
  for (const { load } of kinds.values()) load?.().catch(() => undefined);
}

/** Null for a kind this version does not know. */
export const tabKindNamed = (kind: string): TabKind | null => kinds.get(kind) ?? null;

export function tabKindOf({ kind }: Tab): TabKind {
  const found = kinds.get(kind);
  if (!found) throw new Error(`Tabs of the kind “${kind}” are not registered.`);
  return found;
}

/** Text typed in the tab is not stored yet, or not in its file: shown as a dot on the tab, and asked about before it is closed. */
export const isTabUnsaved = (tab: Tab, status: TabStatus | undefined): boolean =>
  hasUnsaved(status) || tabKindOf(tab).isUnsaved?.(tab) === true;

/** The tab among `tabs` that shows the same as `tab`. */
export const tabShowingSame = (tab: Tab, tabs: readonly Tab[]): Tab | undefined =>
  tabs.find(
    (other) =>
      other.kind === tab.kind &&
      other.database === tab.database &&
      tabKindNamed(tab.kind)?.isSame?.(tab, other) === true,
  );

export const tabTitle = (tab: Tab): string => tabKindOf(tab).title(tab);

/** “Album”, and “Album (2)” of the second tab with that title: one table may be in several. */
export function titleAmong(tab: Tab, tabs: readonly Tab[]): string {
  const title = tabTitle(tab);
  // oxlint-disable-next-line sidelite/text-decisions -- titles that read alike are what is told apart
  const alike = tabs.filter((each) => each.database === tab.database && tabTitle(each) === title);
  const at = alike.findIndex(({ id }) => id === tab.id);
  return at > 0 ? `${title} (${at + 1})` : title;
}
