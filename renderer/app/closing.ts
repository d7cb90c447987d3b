// Closes a tab as the user does: asks about typed text that is not stored yet.
import { tabKindOf, tabTitle } from '../state/tab-kinds.ts';
import { hasUnsaved } from '../state/slices/status.ts';
import { choose, closeTab, confirm, useStore } from '../state/store.ts';

export async function askAndCloseTab(id: string): Promise<void> {
  const { tabs, tabStatus, dryRuns } = useStore.getState();
  const tab = tabs.find((candidate) => candidate.id === id);
  if (!tab) return;
  if (hasUnsaved(tabStatus[id])) {
    const name = tabTitle(tab);
    const agreed = await confirm({
      title: `Close “${name}”?`,
      body: 'What you typed there is not saved yet and will be lost.',
      asks: 'confirm.close',
      confirmLabel: 'Close',
      danger: true,
    });
    if (!agreed) return;
  }
  const kind = tabKindOf(tab);
  if (kind.save && kind.isUnsaved?.(tab)) {
    const way = await choose({
      title: `Save “${tabTitle(tab)}” before closing?`,
      body: 'The file does not have the changes you made in this tab.',
      choices: [
        { id: 'close', label: 'Close without saving', variant: 'danger' },
        { id: 'save', label: 'Save', variant: 'primary' },
      ],
    });
    if (way === null || (way === 'save' && !(await kind.save(tab)))) return;
  }
  if (dryRuns[id]) {
    const agreed = await confirm({
      title: 'Discard the dry run?',
      body: `Its changes are not saved. Closing “${tabTitle(tab)}” discards them.`,
      asks: 'confirm.close',
      confirmLabel: 'Discard and close',
      danger: true,
    });
    if (!agreed) return;
  }
  closeTab(id);
}
