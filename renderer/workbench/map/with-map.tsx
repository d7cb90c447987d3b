// The rows of a table or result, with their map beside them while it is shown.
import type { ReactNode } from 'react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import type { MapPaneProps } from './map-pane.tsx';
import { useShowsMap } from './map-state.ts';
import './with-map.css';

/** Loaded on demand: most tables have no geometries. */
const MapPane = lazyComponent(async () => ({ default: (await import('./map-pane.tsx')).MapPane }));

interface WithMapProps extends MapPaneProps {
  /** The grid. */
  readonly children: ReactNode;
}

export function WithMap({ children, ...map }: WithMapProps): ReactNode {
  const isShown = useShowsMap(map.tabId);
  return (
    <div className="with-map">
      <div className="stack shrink-x shrink-y">{children}</div>
      {isShown && <MapPane {...map} />}
    </div>
  );
}
