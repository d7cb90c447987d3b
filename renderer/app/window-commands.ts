// The commands of the window itself: tabs, panes, theme.
import { useEffect } from 'react';
import { openBenchmark } from '../workbench/tabs/benchmark.ts';
import { useCommand } from '../workbench/commands/commands.ts';
import { setSetting } from '../workbench/set-setting.ts';
import { focusContent } from '../workbench/commands/focus-content.ts';
import { designedTable, openDesign, openNewRTree, openNewTable, openNewView } from '../workbench/tabs/design.ts';
import { newFullText, newIndex, newTrigger } from '../workbench/objects/new-objects.ts';
import { openSampleRows } from '../workbench/tabs/sample-rows.ts';
import { openQuery } from '../workbench/tabs/query.ts';
import { chooseAndOpenSqlFiles } from '../workbench/files/sql-files.ts';
import { reopenClosedTab } from '../state/closed-tabs.ts';
import { notifyFailure } from '../state/databases.ts';
import { knownSchema, readSchema } from '../state/schema.ts';
import { isTableTab } from '../workbench/tabs/table.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { useSetting } from '../state/settings.ts';
import { activateTab, activeTab, notify, setLayout, showLibrary, toggleDetails, useStore } from '../state/store.ts';
import { askAndCloseTab } from './closing.ts';
import { useSplitCommands } from './split-commands.ts';
import { followNavigation, goBack, goForward, useNavigationHistory } from '../workbench/navigation-history.ts';

const PANE = '[data-pane]';
const FOCUSABLE =
  ':is(button, input, select, textarea):not(:disabled), summary, [contenteditable="true"], [tabindex]:not([role="separator"])';
/** Better than whatever comes first; the first of these before the second. */
const BEGINNINGS = [
  '[role="tree"], [role="grid"], [role="listbox"], .cm-content',
  '[role="tab"][aria-selected="true"], [role="radio"][aria-checked="true"]',
];

const lastFocused = new WeakMap<Element, Element>();

/** Remembers where the focus was in each pane. Returns what ends it. */
function followPaneFocus(): () => void {
  const remember = ({ target }: FocusEvent): void => {
    const pane = target instanceof Element ? target.closest(PANE) : null;
    if (pane) lastFocused.set(pane, target as Element);
  };
  window.addEventListener('focusin', remember);
  return () => window.removeEventListener('focusin', remember);
}

/** Panes with nothing to focus in them are passed over. A dialog keeps the focus. */
function focusPane(step: 1 | -1): void {
  if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
  const panes = [...document.querySelectorAll(PANE)];
  const at = panes.indexOf(document.activeElement?.closest(PANE) as Element);
  const from = at < 0 && step < 0 ? 0 : at;
  for (let count = 1; count <= panes.length; count++) {
    const pane = panes[(from + step * count + panes.length) % panes.length]!;
    const target = targetIn(pane);
    if (!target) continue;
    target.focus();
    return;
  }
}

function targetIn(pane: Element): HTMLElement | undefined {
  // Elements of a pane within this one belong to that pane.
  const focusable = [...pane.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.closest(PANE) === pane && element.tabIndex >= 0 && element.getClientRects().length > 0,
  );
  const last = focusable.find((element) => element === lastFocused.get(pane));
  const beginnings = BEGINNINGS.map((selector) => focusable.find((element) => element.matches(selector)));
  return [last, ...beginnings, focusable[0]].find(Boolean);
}

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
      reopenClosedTab();
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
  useNavigationCommands();
  useSplitCommands();
  useCommand('view.nextPane', () => focusPane(1));
  useCommand('view.previousPane', () => focusPane(-1));
  useCommand('view.refresh', () => database && void readSchema(database), database !== null);
  useCommand('benchmark.show', () => {
    showLibrary(false);
    openBenchmark();
    focusContent();
  });
  const theme = useSetting('theme');
  useCommand('view.themeSystem', () => setSetting('theme', 'system'), true, theme === 'system');
  useCommand('view.themeLight', () => setSetting('theme', 'light'), true, theme === 'light');
  useCommand('view.themeDark', () => setSetting('theme', 'dark'), true, theme === 'dark');
  const table = useStore((state) => tableOf(activeTab(state)));
  const designed = useStore((state) => designedTable(activeTab(state)));
  useNewObjectCommands(database, table ?? designed);
  useCommand('table.design', () => void (database && table !== null && designTable(database, table)), table !== null);
  useCommand('table.sampleRows', () => database && table !== null && openSampleRows(database, table), table !== null);
  useCommand('query.openFile', () => void chooseAndOpenSqlFiles(), database !== null);
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

function useNavigationCommands(): void {
  useEffect(followNavigation, []);
  const { back, forward } = useNavigationHistory();
  useCommand('go.back', goBack, back.length > 0);
  useCommand('go.forward', goForward, forward.length > 0);
}

function useNewObjectCommands(database: DatabaseId | null, table: string | null): void {
  const create = (open: (database: DatabaseId) => void | Promise<void>): void => {
    if (!database) return;
    showLibrary(false);
    Promise.resolve(open(database)).catch(notifyFailure);
  };
  useCommand('table.new', () => create(openNewTable), database !== null);
  useCommand('index.new', () => create((id) => newIndex(id, table)), database !== null);
  useCommand('view.new', () => create((id) => openNewView(id, table)), database !== null);
  useCommand('trigger.new', () => create((id) => newTrigger(id, table)), database !== null);
  useCommand('fullText.new', () => create((id) => newFullText(id, table)), database !== null);
  useCommand('rtree.new', () => create(openNewRTree), database !== null);
}

/** The table the tab in front shows; null: none. */
function tableOf(tab: Tab | null): string | null {
  return isTableTab(tab) ? tab.table : null;
}

async function designTable(database: DatabaseId, table: string): Promise<void> {
  const schema = await knownSchema(database);
  const object = schema?.objects.find(({ kind, name }) => kind === 'table' && name === table);
  if (object?.sql != null) return openDesign(database, table, object.sql);
  notify({ tone: 'info', text: `“${table}” is not a table that can be designed.` });
}

function stepTab(step: 1 | -1): void {
  const { tabs, activeTabId } = useStore.getState();
  const at = tabs.findIndex(({ id }) => id === activeTabId);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  if (!next) return;
  activateTab(next.id);
  focusContent();
}
