// The three panes: objects, tabs, details. The outer two keep their width when the window changes its own.
import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { visibleName } from '#shared/visible-text.ts';
import { currentDetail } from '../state/slices/detail.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { areDetailsVisible } from '../state/slices/ui.ts';
import { activeTab, setLayout, useStore } from '../state/store.ts';
import type { AppState } from '../state/store.ts';
import { tabKindOf, tabTitle } from '../state/tab-kinds.ts';
import { DetailsPanel } from '../features/details/details-panel.tsx';
import { HeldBar } from '../features/held-changes/held-bar.tsx';
import { SchemaTree } from '../features/schema-tree/schema-tree.tsx';
import { PaneBoundary } from '../ui/pane-boundary.tsx';
import { TabSides } from './tab-sides.tsx';
import { TabStrip } from './tab-strip.tsx';

/** In a small window the tabs keep about half of it. */
const SIDE_SHARE = 0.26;
const MAX_SHARE = 0.45;
const SIDE = { maxSize: `${MAX_SHARE * 100}%`, groupResizeBehavior: 'preserve-pixel-size' } as const;

/** The heading of the page, for users who cannot see which tab is active. */
function headingOf(state: AppState, database: string | null): string {
  const tab = activeTab(state);
  const name = database && state.openDatabases[database]?.entry.name;
  return [tab && visibleName(tabTitle(tab)), name && visibleName(name)].filter(Boolean).join(', ');
}

/** A small window makes the outer panes narrower for as long as it is small: only what a person chose is kept. */
function keepWidths({ objects, details }: Partial<Record<string, number>>): void {
  const { sidebarWidth, detailsWidth } = useStore.getState().layout;
  const chosen = (percentage: number | undefined, before: number): number => {
    const now = percentage === undefined ? before : Math.round((window.innerWidth * percentage) / 100);
    return Math.abs(now - widthAtStart(before)) > 1 ? now : before;
  };
  setLayout({ sidebarWidth: chosen(objects, sidebarWidth), detailsWidth: chosen(details, detailsWidth) });
}

function widthAtStart(wanted: number): number {
  const share = useStore.getState().isNarrow ? SIDE_SHARE : MAX_SHARE;
  return Math.min(wanted, Math.round(window.innerWidth * share));
}

const hasDetails = (tab: Tab | null): boolean => tab === null || tabKindOf(tab).hasDetails;

/** @param database whose objects are shown; null when no database is open */
export function Panes({ database }: { readonly database: string | null }): ReactNode {
  // Use only the start values: following each pixel of a drag would render every pane again.
  const { layout } = useStore.getState();
  const tabs = useStore((state) => state.tabs);
  const detail = useStore(currentDetail);
  const heading = useStore((state) => headingOf(state, database));
  const isWanted = useStore((state) => state.layout.sidebarVisible);
  const sidebarVisible = isWanted && database !== null;
  const detailsVisible = useStore((state) => areDetailsVisible(state) && hasDetails(activeTab(state)));
  return (
    <Group
      orientation="horizontal"
      className="app-panes"
      onLayoutChanged={(shares, { isUserInteraction }) => isUserInteraction && keepWidths(shares)}
    >
      {sidebarVisible && (
        <Panel {...SIDE} id="objects" defaultSize={widthAtStart(layout.sidebarWidth)} minSize={140}>
          <PaneBoundary name="The list of objects" of={database}>
            <SchemaTree key={database} database={database} />
          </PaneBoundary>
        </Panel>
      )}
      {sidebarVisible && <Separator className="app-separator" aria-label="Width of the objects" />}
      <Panel id="tabs" minSize={240}>
        <div className="app-center">
          <h1 className="visually-hidden">{heading}</h1>
          <PaneBoundary name="The list of tabs" variant="line" of={tabs}>
            <TabStrip />
          </PaneBoundary>
          <TabSides />
          <PaneBoundary name="The held changes" variant="line" of={database}>
            <HeldBar database={database} />
          </PaneBoundary>
        </div>
      </Panel>
      {detailsVisible && <Separator className="app-separator" aria-label="Width of the details" />}
      {detailsVisible && (
        <Panel {...SIDE} id="details" defaultSize={widthAtStart(layout.detailsWidth)} minSize={180}>
          <PaneBoundary name="The details" of={detail}>
            <DetailsPanel />
          </PaneBoundary>
        </Panel>
      )}
    </Group>
  );
}
