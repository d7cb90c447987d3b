// The color of a connection to a server, wherever its database is named.
import type { ReactNode } from 'react';
import type { ConnectionColor, DatabaseId } from '#shared/protocol/index.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { useStore } from '../../state/store.ts';
import './color-dot.css';

/** Shows nothing for a database that is not on a server. */
export function ConnectionDot({ database }: { readonly database: DatabaseId | null }): ReactNode {
  const color = useStore((state) => connectionOf(state, database)?.color ?? null);
  return color && <ColorDot color={color} />;
}

export function ColorDot({ color }: { readonly color: ConnectionColor }): ReactNode {
  return <i className="fixed color-dot" data-color={color} aria-hidden="true" />;
}
