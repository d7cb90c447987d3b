// The commands of the window itself: tabs, panes, theme.
import { useEffect } from 'react';
import { openBenchmark } from '../features/benchmark/tab-kind.ts';
import { useCommand } from '../workbench/commands.ts';
import { focusContent } from '../workbench/focus-content.ts';
import { openQuery } from '../workbench/query-tabs.ts';
import { readSchema } from '../state/schema.ts';
import { activateTab, reopenTab, setLayout, setTheme, showLibrary, toggleDetails, useStore } from '../state/store.ts';
import { askAndCloseTab } from './closing.ts';
import { focusPane, followPaneFocus } from './pane-focus.ts';

export function useWindowCommands(): void {
  const activeTabId = useStore((state) => state.activeTabId);
  const tabCount = useStore((state) => state.tabs.length);
  const closedCount = useStore((state) => state.closedTabs.length);
  const database = useStore((state) => state.currentDatabase);

  useCommand(
    'tab.close',
    () => activeTabId && void askAndCloseTab(activeTabId).then(focusContent),
    activeTabId !== null,
  );
  useCommand(
    'tab.reopen',
    () => {
      reopenTab();
      focusContent();
    },
    closedCount > 0,
  );
  useCommand('view.nextTab', () => stepTab(1), tabCount > 1);
  useCommand('view.previousTab', () => stepTab(-1), tabCount > 1);
  useCommand(
    'view.sidebar',
    () => setLayout({ sidebarVisible: !useStore.getState().layout.sidebarVisible }),
    database !== null,
  );
  useCommand('view.details', toggleDetails, database !== null);
  useEffect(followPaneFocus, []);
  useCommand('view.nextPane', () => focusPane(1));
  useCommand('view.previousPane', () => focusPane(-1));
  useCommand('view.refresh', () => database && void readSchema(database), database !== null);
  useCommand('benchmark.show', () => {
    showLibrary(false);
    openBenchmark();
    focusContent();
  });
  useCommand('view.themeSystem', () => setTheme('system'));
  useCommand('view.themeLight', () => setTheme('light'));
  useCommand('view.themeDark', () => setTheme('dark'));
  useCommand(
    'query.new',
    () => {
      if (!database) return;
      showLibrary(false);
      openQuery(database);
    },
    database !== null,
  );
}

function stepTab(step: 1 | -1): void {
  const { tabs, activeTabId } = useStore.getState();
  const at = tabs.findIndex(({ id }) => id === activeTabId);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  if (!next) return;
  activateTab(next.id);
  focusContent();
}
