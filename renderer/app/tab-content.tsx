// What a tab shows.
import type { ReactNode } from 'react';
import { commandKeyLabel } from '../workbench/commands.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { useStore } from '../state/store.ts';
import { tabKindOf } from '../state/tab-kinds.ts';
import { DryRunPanel } from '../features/history/dry-run-panel.tsx';

export function TabContent({ tab }: { readonly tab: Tab | null }): ReactNode {
  const dryRun = useStore((state) => (tab && state.dryRuns[tab.id]) ?? null);
  if (!tab) return <NoTab />;
  const { Content } = tabKindOf(tab);
  return <Content key={tab.id} tab={tab} dryRun={dryRun && <DryRunPanel tabId={tab.id} dryRun={dryRun} />} />;
}

function NoTab(): ReactNode {
  return (
    <div className="center-message">
      <p>Select a table on the left, or start with one of these.</p>
      <div className="hint-list">
        <kbd>{commandKeyLabel('palette.show')}</kbd> Go to any table
        <kbd>{commandKeyLabel('query.new')}</kbd> New SQL tab
        <kbd>{commandKeyLabel('file.open')}</kbd> Open a file
      </div>
    </div>
  );
}
