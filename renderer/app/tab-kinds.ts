// Every kind of tab the window has, with what it shows. Most contents are loaded when the first tab of their kind is shown.
import type { ComponentType } from 'react';
import { HistoryTab } from '../features/history/history-tab.tsx';
import { TableDataTab } from '../features/table-data/table-data-tab.tsx';
import type { Tab } from '../state/slices/tabs.ts';
import { tabKind } from '../state/tab-kinds.ts';
import type { TabContentProps, TabDescription, TabKind } from '../state/tab-kinds.ts';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { BENCHMARK_TAB } from '../workbench/tabs/benchmark.ts';
import { COMPARE_TAB } from '../workbench/tabs/compare.ts';
import { DESIGN_TAB } from '../workbench/tabs/design.ts';
import { DIAGRAM_TAB } from '../workbench/tabs/diagram.ts';
import { FORM_TAB } from '../workbench/tabs/form.ts';
import { HEALTH_TAB } from '../workbench/tabs/health.ts';
import { HISTORY_TAB } from '../workbench/tabs/history.ts';
import { IMPORT_TAB } from '../workbench/tabs/import.ts';
import { QUERY_TAB } from '../workbench/tabs/query.ts';
import { QUERY_LOG_TAB } from '../workbench/tabs/query-log.ts';
import { SAMPLE_ROWS_TAB } from '../workbench/tabs/sample-rows.ts';
import { SAVED_QUERIES_TAB } from '../workbench/tabs/saved-queries.ts';
import { SCHEMA_COMPARE_TAB } from '../workbench/tabs/schema-compare.ts';
import { SEARCH_TAB } from '../workbench/tabs/search.ts';
import { SETTINGS_TAB } from '../workbench/tabs/settings.ts';
import { TABLE_TAB } from '../workbench/tabs/table.ts';
import { USES_TAB } from '../workbench/tabs/uses.ts';

const lazily = <T extends Tab>(
  description: TabDescription<T>,
  load: () => Promise<ComponentType<TabContentProps<T>>>,
): TabKind => tabKind(description, { Content: lazyComponent(async () => ({ default: await load() })) });

// The editor is a third of all code, and the first screen does not need it; the statement reader comes with the first design.
const QueryTab = lazyComponent(async () => ({ default: (await import('../features/query/query-tab.tsx')).QueryTab }));
const DesignTab = lazyComponent(async () => ({
  default: (await import('../features/designer/design-tab.tsx')).DesignTabContent,
}));

export const TAB_KINDS: readonly TabKind[] = [
  tabKind(TABLE_TAB, { Content: TableDataTab }),
  lazily(FORM_TAB, async () => (await import('../features/row-form/form-tab.tsx')).FormTabContent),
  tabKind(QUERY_TAB, {
    Content: QueryTab,
    load: QueryTab.load,
    save: async (tab) => (await import('../features/query/query-session.ts')).querySessionOf(tab).file.save(),
  }),
  lazily(QUERY_LOG_TAB, async () => (await import('../features/query-log/query-log-tab.tsx')).QueryLogTabContent),
  lazily(
    SAVED_QUERIES_TAB,
    async () => (await import('../features/saved-queries/saved-queries-tab.tsx')).SavedQueriesTabContent,
  ),
  tabKind(HISTORY_TAB, { Content: HistoryTab }),
  lazily(COMPARE_TAB, async () => (await import('../features/compare/compare-tab.tsx')).CompareTab),
  lazily(BENCHMARK_TAB, async () => (await import('../features/benchmark/benchmark-tab.tsx')).BenchmarkTab),
  lazily(IMPORT_TAB, async () => (await import('../features/import/import-tab.tsx')).ImportTabContent),
  lazily(DIAGRAM_TAB, async () => (await import('../features/diagram/diagram-tab.tsx')).DiagramTabContent),
  tabKind(DESIGN_TAB, { Content: DesignTab, load: DesignTab.load }),
  lazily(HEALTH_TAB, async () => (await import('../features/health/health-tab.tsx')).HealthTabContent),
  lazily(SEARCH_TAB, async () => (await import('../features/search/search-tab.tsx')).SearchTabContent),
  lazily(
    SAMPLE_ROWS_TAB,
    async () => (await import('../features/sample-rows/sample-rows-tab.tsx')).SampleRowsTabContent,
  ),
  lazily(USES_TAB, async () => (await import('../features/uses/uses-tab.tsx')).UsesTabContent),
  lazily(
    SCHEMA_COMPARE_TAB,
    async () => (await import('../features/schema-compare/schema-compare-tab.tsx')).SchemaCompareTabContent,
  ),
  lazily(SETTINGS_TAB, async () => (await import('../features/settings/settings-tab.tsx')).SettingsTabContent),
];
