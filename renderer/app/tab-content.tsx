// Shows the content of a tab.
import { useLayoutEffect } from 'react';
import type { ReactNode, RefObject } from 'react';
import { commandKeyLabel } from '../workbench/commands/commands.ts';
import { focusContent } from '../workbench/commands/focus-content.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { useStore } from '../state/store.ts';
import { tabKindOf } from '../state/tab-kinds.ts';
import { Restoring } from './connection-screens.tsx';
import { DryRunPanel } from '../features/history/dry-run-panel.tsx';

interface TabContentProps {
  readonly tab: Tab | null;
  /** Element that the tab is shown in. */
  readonly side: RefObject<HTMLElement | null>;
}

export function TabContent({ tab, side }: TabContentProps): ReactNode {
  useFocusHandedOn(side);
  const dryRun = useStore((state) => (tab && state.dryRuns[tab.id]) ?? null);
  if (!tab) return <NoTab />;
  const { Content } = tabKindOf(tab);
  return <Content key={tab.id} tab={tab} dryRun={dryRun && <DryRunPanel tabId={tab.id} dryRun={dryRun} />} />;
}

/**
 * The focus that leaves the window with a tab goes to the next one. Without it, a button that opens another tab leaves the keyboard to
 * nobody. Cleanups of layout effects run before React removes the elements.
 */
function useFocusHandedOn(side: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = side.current;
    return () => {
      if (element?.contains(document.activeElement)) focusContent();
    };
  }, [side]);
}

function NoTab(): ReactNode {
  const isRestoring = useStore((state) => state.isRestoring);
  // Its tabs come in a moment: a message here would only flash.
  if (isRestoring) return <Restoring />;
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
