// The rows of a table or result, with their map beside them while it is shown.
import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { setLayout, useStore } from '../../state/store.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import type { MapPaneProps } from './map-pane.tsx';
import { useMapChoice } from './map-state.ts';

/** Loaded on demand: most tables have no geometries. */
const MapPane = lazyComponent(async () => ({ default: (await import('./map-pane.tsx')).MapPane }));

const MAP = 'map';
const LEAST = '140px';

interface WithMapProps extends Omit<MapPaneProps, 'choice'> {
  readonly children: ReactNode;
}

export function WithMap({ children, ...rows }: WithMapProps): ReactNode {
  const choice = useMapChoice(rows.tabId);
  return (
    <Group
      orientation="horizontal"
      className="fill"
      onLayoutChanged={(shares, { isUserInteraction }) => {
        if (isUserInteraction && shares[MAP] !== undefined) setLayout({ mapShare: shares[MAP] / 100 });
      }}
    >
      <Panel id="rows" minSize={LEAST} className="stack shrink-x full-height">
        {children}
      </Panel>
      {choice && <Separator className="pane-separator" aria-label="Width of the rows" />}
      {choice && (
        <Panel id={MAP} minSize={LEAST} defaultSize={`${useStore.getState().layout.mapShare * 100}%`}>
          <MapPane {...rows} choice={choice} />
        </Panel>
      )}
    </Group>
  );
}
