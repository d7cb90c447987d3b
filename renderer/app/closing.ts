// Closing a tab the way a person does: what was typed there and not stored is asked about.
import { closeTab, confirm, useStore } from '../client/store.ts';

export async function askAndCloseTab(id: string): Promise<void> {
  const { tabs, tabStatus } = useStore.getState();
  const tab = tabs.find((candidate) => candidate.id === id);
  if (!tab) return;
  if (tabStatus[id]?.unsaved) {
    const name = tab.kind === 'table' ? tab.table : tab.title;
    const agreed = await confirm({
      title: `Close “${name}”?`,
      body: 'What you typed there is not stored yet and will be lost.',
      confirmLabel: 'Close',
      danger: true,
    });
    if (!agreed) return;
  }
  closeTab(id);
}
