// Name and location of a database in a list.
import type { ReactNode } from 'react';
import type { LibraryEntry } from '#shared/protocol/index.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { useStore } from '../../state/store.ts';
import { ConnectionDot } from '../../workbench/databases/color-dot.tsx';

/** The name, with the color of its connection if it is on a server. */
export function EntryName({ id, name }: LibraryEntry): ReactNode {
  return (
    <>
      <ConnectionDot database={id} />
      <span>{name}</span>
    </>
  );
}

/** The path of the file, or of the file it came from, or the address of its server. */
export function useLocationOf({ id, source }: LibraryEntry): string {
  const address = useStore((state) => connectionOf(state, id)?.address);
  return address ?? source?.displayPath ?? 'created in Sidelite';
}
