// The commands of two tabs side by side.
import { useCommand } from '../workbench/commands/commands.ts';
import { focusContent } from '../workbench/commands/focus-content.ts';
import { freeTitle, hasText, sidesOf } from '../state/slices/tabs.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { activateTab, activeTab, closeSplit, notify, splitTabs, updateSplit, useStore } from '../state/store.ts';
import { toggleScrolling } from '../workbench/relations/side-links.ts';
import { tabKindOf } from '../state/tab-kinds.ts';

export function useSplitCommands(): void {
  const isSplit = useStore((state) => sidesOf(state).length === 2);
  const hasTab = useStore((state) => state.activeTabId !== null);
  useCommand('view.split', isSplit ? showOne : splitActive, hasTab);
  useCommand('view.otherSide', goToOtherSide, isSplit);
  const scrolls = useStore(({ split }) => split?.scrolls === true);
  const selects = useStore(({ split }) => split?.selects === true);
  useCommand('view.scrollTogether', toggleScrolling, isSplit, scrolls);
  useCommand('view.selectTogether', () => updateSplit({ selects: !selects }), isSplit, selects);
}

/** Shows `tab` at the right of the active one. */
export function showBeside(tab: Tab): void {
  const active = activeTab(useStore.getState());
  if (active && active.id !== tab.id) splitTabs(active.id, tab.id);
  focusContent();
}

function showOne(): void {
  closeSplit();
  focusContent();
}

/** The active tab twice; of a kind of which there is only one, the next tab beside it. */
function splitActive(): void {
  const state = useStore.getState();
  const active = activeTab(state);
  if (!active) return;
  if (tabKindOf(active).canRepeat) {
    const { id, ...fields } = active;
    const { preview: _preview, ...kept } = fields;
    const copy = hasText(active) ? { ...kept, title: freeTitle(state.tabs, 'Query') } : kept;
    splitTabs(id, state.openTab(copy));
  } else {
    const at = state.tabs.indexOf(active);
    const beside = state.tabs[at + 1] ?? state.tabs[at - 1];
    if (!beside) return notify({ tone: 'info', text: 'There is no other tab to show beside this one.' });
    splitTabs(active.id, beside.id);
  }
  focusContent();
}

function goToOtherSide(): void {
  const state = useStore.getState();
  const other = sidesOf(state).find(({ id }) => id !== state.activeTabId);
  if (!other) return;
  activateTab(other.id);
  focusContent();
}
