// Shows the active tab, or two tabs side by side.
import { ChevronsUpDown, Link2, X } from 'lucide-react';
import { Fragment, useRef } from 'react';
import type { ReactNode, RefObject } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { useShallow } from 'zustand/react/shallow';
import { visibleName } from '#shared/visible-text.ts';
import { sidesOf } from '../state/slices/tabs.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { activateTab, closeSplit, setLayout, updateSplit, useStore } from '../state/store.ts';
import { tabKindOf, titleAmong } from '../state/tab-kinds.ts';
import { IconButton } from '../ui/button.tsx';
import { PaneBoundary } from '../ui/pane-boundary.tsx';
import { commandKeyLabel } from '../workbench/commands/commands.ts';
import { driveSide, toggleScrolling } from '../workbench/relations/side-links.ts';
import { useFocusHandedOn } from '../workbench/commands/use-focus-handed-on.ts';
import { Restoring } from './connection-screens.tsx';
import { DryRunPanel } from '../features/history/dry-run-panel.tsx';
import './tab-sides.css';

export function TabSides(): ReactNode {
  const tabs = useStore(useShallow(sidesOf));
  const [left, right] = tabs;
  if (!left || !right) return <Side tab={left ?? null} isBeside={false} />;
  return (
    <div className="fill">
      <Group
        orientation="horizontal"
        onLayoutChanged={(layout, { isUserInteraction }) => {
          if (isUserInteraction && layout['left'] !== undefined) setLayout({ splitShare: layout['left'] / 100 });
        }}
      >
        {[left, right].map((tab, at) => (
          <Fragment key={tab.id}>
            {at === 1 && <Separator className="pane-separator" aria-label="Width of the left side" />}
            <Panel id={at === 0 ? 'left' : 'right'} minSize="20%" defaultSize={`${shareAtStart(at) * 100}%`}>
              <div className="stack shrink-x full-height">
                <SideHead tab={tab} isLast={at === 1} />
                <Side tab={tab} isBeside />
              </div>
            </Panel>
          </Fragment>
        ))}
      </Group>
    </div>
  );
}

function shareAtStart(at: number): number {
  const { splitShare } = useStore.getState().layout;
  return at === 0 ? splitShare : 1 - splitShare;
}

/** Any action in one of two sides makes its tab the active one. */
function Side({ tab, isBeside }: { readonly tab: Tab | null; readonly isBeside: boolean }): ReactNode {
  const isActive = useStore(({ activeTabId }) => activeTabId === (tab?.id ?? null));
  const side = useRef<HTMLDivElement>(null);
  const lead = (): void => {
    if (isBeside && tab) driveSide(tab.id);
  };
  const activate = (): void => {
    lead();
    if (isBeside && tab && !isActive) activateTab(tab.id);
  };
  return (
    <div
      ref={side}
      className={isActive ? 'fill shrink-x anchor app-content' : 'fill shrink-x anchor'}
      data-pane
      onPointerEnter={lead}
      onKeyDownCapture={lead}
      onPointerDownCapture={activate}
      onFocusCapture={activate}
    >
      <PaneBoundary key={tab?.id} name="This tab">
        <TabContent tab={tab} side={side} />
      </PaneBoundary>
    </div>
  );
}

function SideHead({ tab, isLast }: { readonly tab: Tab; readonly isLast: boolean }): ReactNode {
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const split = useStore((state) => state.split);
  const title = useStore(({ tabs }) => titleAmong(tab, tabs));
  return (
    <div className="row note ruled-bar gap-2 sunken app-side-head" data-active={isActive || undefined}>
      <span>{visibleName(title)}</span>
      {isLast && split && (
        <>
          <IconButton label="Scroll together" aria-pressed={split.scrolls} onClick={toggleScrolling}>
            <ChevronsUpDown size={13} />
          </IconButton>
          <IconButton
            label="Select matching rows"
            aria-pressed={split.selects}
            onClick={() => updateSplit({ selects: !split.selects })}
          >
            <Link2 size={13} />
          </IconButton>
          <IconButton label="Show one tab" shortcut={commandKeyLabel('view.split')} onClick={closeSplit}>
            <X size={13} />
          </IconButton>
        </>
      )}
    </div>
  );
}

interface TabContentProps {
  readonly tab: Tab | null;
  /** Element that the tab is shown in. */
  readonly side: RefObject<HTMLElement | null>;
}

/** Shows the content of a tab. The focus that leaves the window with it goes to the next one. */
function TabContent({ tab, side }: TabContentProps): ReactNode {
  useFocusHandedOn(side);
  const dryRun = useStore((state) => (tab && state.dryRuns[tab.id]) ?? null);
  if (!tab) return <NoTab />;
  const { Content } = tabKindOf(tab);
  return <Content key={tab.id} tab={tab} dryRun={dryRun && <DryRunPanel tabId={tab.id} dryRun={dryRun} />} />;
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
