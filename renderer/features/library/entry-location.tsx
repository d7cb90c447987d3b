// Location of a database in the list: in the library, in place, on a server, or in a temporary file.
import { Database, FileClock, FileSymlink, Server } from 'lucide-react';
import type { ReactNode } from 'react';
import { isInPlace, isRemote } from '#shared/protocol/index.ts';
import type { DatabaseId, LibraryEntry } from '#shared/protocol/index.ts';
import { isRestored } from '#shared/replicas.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { useStore } from '../../state/store.ts';
import { ConnectionDot } from '../../workbench/color-dot.tsx';

export function EntryIcon({ database }: { readonly database: DatabaseId }): ReactNode {
  if (isRestored(database)) return <FileClock size={15} aria-label="Restored from a replica" />;
  if (isInPlace(database)) return <FileSymlink size={15} aria-label="File in place" />;
  return isRemote(database) ? <Server size={15} aria-label="On a server" /> : <Database size={15} />;
}

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
