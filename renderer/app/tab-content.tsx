// What the active tab shows.
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { commandKeyLabel } from '../workbench/commands.ts';
import { activeTab, useStore } from '../state/store.ts';
import { tabKindOf } from '../state/tab-kinds.ts';
import { DryRunPanel } from '../features/history/dry-run-panel.tsx';

export function TabContent(): ReactNode {
  const tab = useStore(activeTab);
  const dryRun = useStore((state) => (tab && state.dryRuns[tab.id]) ?? null);
  if (!tab) return <NoTab />;
  const { Content } = tabKindOf(tab);
  return (
    <Suspense>
      <Content key={tab.id} tab={tab} dryRun={dryRun && <DryRunPanel tabId={tab.id} dryRun={dryRun} />} />
    </Suspense>
  );
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
