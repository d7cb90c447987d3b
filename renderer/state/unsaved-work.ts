// Lists what would be lost if the window closed now, or one of its databases: a sentence for each, to be shown in a question.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { hasUnsaved } from './slices/status.ts';
import { useStore } from './store.ts';
import { titleAmong } from './tab-kinds.ts';

type Source = () => readonly string[];

const running = new Set<Source>();

/** `source` names the work that ends with the window. Returns a function that unregisters it. */
export function endsWithWindow(source: Source): () => void {
  running.add(source);
  return () => void running.delete(source);
}

/** @param windowId of this window, whose transactions count */
export function unsavedWork(windowId: string): readonly string[] {
  const { openDatabases } = useStore.getState();
  return [
    ...workOfTabs(null),
    ...Object.keys(openDatabases).flatMap((database) => transactionOf(database, windowId)),
    ...[...running].flatMap((source) => source()),
  ];
}

export const unsavedWorkIn = (database: DatabaseId, windowId: string): readonly string[] => [
  ...workOfTabs(database),
  ...transactionOf(database, windowId),
];

function workOfTabs(database: DatabaseId | null): string[] {
  const { tabs, tabStatus, dryRuns } = useStore.getState();
  const concerned = tabs.filter((tab) => database === null || tab.database === database);
  return concerned.flatMap((tab) => [
    ...(hasUnsaved(tabStatus[tab.id]) ? [`What you typed in “${titleAmong(tab, tabs)}” is not saved yet.`] : []),
    ...(dryRuns[tab.id] ? [`The dry run in “${titleAmong(tab, tabs)}” will be discarded.`] : []),
  ]);
}

function transactionOf(database: DatabaseId, windowId: string): string[] {
  const { openDatabases, tabs, dryRuns } = useStore.getState();
  const { entry, transaction } = openDatabases[database] ?? {};
  if (!transaction || transaction.windowId !== windowId) return [];
  if (!transaction.isUnderReview) return [`The open transaction on “${entry!.name}” will be rolled back.`];
  const isDryRun = tabs.some((tab) => tab.database === database && dryRuns[tab.id]);
  return isDryRun ? [] : [`A change to “${entry!.name}” that you have not kept yet will be discarded.`];
}
