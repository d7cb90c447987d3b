// What the active tab shows.
import { lazy, Suspense } from 'react';
import type { ReactNode } from 'react';
import { commandKeyLabel } from '../workbench/commands.ts';
import { activeTab, useStore } from '../state/store.ts';
import { DryRunPanel } from '../features/history/dry-run-panel.tsx';
import { HistoryTab } from '../features/history/history-tab.tsx';
import { TableDataTab } from '../features/table-data/table-data-tab.tsx';

// The editor is a third of all code and the first screen does without it.
const QueryTab = lazy(() => import('../features/query/query-tab.tsx').then((module) => ({ default: module.QueryTab })));

const CompareTab = lazy(() =>
  import('../features/compare/compare-tab.tsx').then((module) => ({ default: module.CompareTab })),
);
const BenchmarkTab = lazy(() =>
  import('../features/benchmark/benchmark-tab.tsx').then((module) => ({ default: module.BenchmarkTab })),
);

export function TabContent(): ReactNode {
  const tab = useStore(activeTab);
  const dryRun = useStore((state) => (tab && state.dryRuns[tab.id]) ?? null);
  if (!tab) return <NoTab />;
  return (
    <Suspense>
      {tab.kind === 'table' && <TableDataTab key={tab.id} tab={tab} />}
      {tab.kind === 'query' && (
        <QueryTab key={tab.id} tab={tab} dryRun={dryRun && <DryRunPanel tabId={tab.id} dryRun={dryRun} />} />
      )}
      {tab.kind === 'compare' && <CompareTab key={tab.id} tab={tab} />}
      {tab.kind === 'history' && <HistoryTab key={tab.id} tab={tab} />}
      {tab.kind === 'benchmark' && <BenchmarkTab key={tab.id} tab={tab} />}
    </Suspense>
  );
}

function NoTab(): ReactNode {
  return (
    <div className="center-message">
      <p>Choose a table on the left, or begin with one of these.</p>
      <div className="hint-list">
        <kbd>{commandKeyLabel('palette.show')}</kbd> Go to any table
        <kbd>{commandKeyLabel('query.new')}</kbd> New SQL tab
        <kbd>{commandKeyLabel('file.open')}</kbd> Open a file
      </div>
    </div>
  );
}
