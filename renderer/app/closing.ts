// Closes a tab as the user does: asks about typed text that is not stored yet.
import { tabTitle } from '../state/tab-kinds.ts';
import { hasUnsaved } from '../state/slices/status.ts';
import { closeTab, confirm, useStore } from '../state/store.ts';

export async function askAndCloseTab(id: string): Promise<void> {
  const { tabs, tabStatus, dryRuns } = useStore.getState();
  const tab = tabs.find((candidate) => candidate.id === id);
  if (!tab) return;
  if (hasUnsaved(tabStatus[id])) {
    const name = tabTitle(tab);
    const agreed = await confirm({
      title: `Close “${name}”?`,
      body: 'What you typed there is not saved yet and will be lost.',
      confirmLabel: 'Close',
      danger: true,
    });
    if (!agreed) return;
  }
  if (dryRuns[id]) {
    const agreed = await confirm({
      title: 'Discard the dry run?',
      body: `Its changes are not saved. Closing “${tabTitle(tab)}” discards them.`,
      confirmLabel: 'Discard and close',
      danger: true,
    });
    if (!agreed) return;
  }
  closeTab(id);
}
