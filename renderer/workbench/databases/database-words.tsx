// The words and the icon for each kind of database: where it is, and what that means for its changes.
import { Database, FileArchive, FileClock, FileLock, FileSymlink, Server } from 'lucide-react';
import type { ReactNode } from 'react';
// oxlint-disable-next-line no-restricted-imports -- the words are what a kind is for
import { kindOf } from '#shared/protocol/index.ts';
import type {
  DatabaseId,
  DatabaseKind,
  DatabaseState,
  LibraryEntry,
  RemoteConnection,
} from '#shared/protocol/index.ts';

interface DatabaseWords {
  readonly icon: ReactNode;
  /** Beside its location in a list; null in the library, where most databases are. */
  readonly place: string | null;
  /** Where its data is, and who can see a commit. `address` of its server, if it is on one. */
  data(entry: LibraryEntry, address: string): string;
  /** Answers a person who saves out of habit. */
  saved(name: string): string;
  /** Why a setting of its connection cannot be changed. */
  readonly whyFixed: string;
  /** Beside its name; null if there is nothing to say. */
  origin(state: DatabaseState, connection: RemoteConnection | null): string | null;
}

/** @param drive see `LibrarySource.networkDrive` */
export function networkDriveText(drive: string): string {
  return `It is on a network drive (${drive}), where file locks are not always reliable and a WAL cannot be shared: while it is open here, do not open it on another computer. A library copy is safe, and faster.`;
}

const savedAtOnce = (name: string): string => `Changes are saved to “${name}” immediately.`;
const SHARED_FILE = 'Other programs share this file. Change it in an SQL tab while none of them has it open.';

const WORDS: Readonly<Record<DatabaseKind, DatabaseWords>> = {
  library: {
    icon: <Database size={15} />,
    place: null,
    data: () => 'In Sidelite’s library, inside your profile. Every commit is saved there immediately.',
    saved: (name) => `Changes are saved to the library immediately. Use Back Up Now to create a file from “${name}”.`,
    whyFixed: 'Sidelite relies on this for databases in the library.',
    origin: ({ entry: { source } }) => source && `library copy of ${source.fileName}`,
  },
  file: {
    icon: <FileSymlink size={15} aria-label="File in place" />,
    place: 'in place',
    data: ({ name, source }) => {
      const drive = source?.networkDrive;
      const file = `In the file itself: ${source?.displayPath ?? name}\nEvery commit is written to it immediately, and other programs may use it too.`;
      return drive === undefined ? file : `${file}\n${networkDriveText(drive)}`;
    },
    saved: savedAtOnce,
    whyFixed: SHARED_FILE,
    origin: ({ entry: { source }, readOnly }) => source && (readOnly ? 'in place, read-only' : 'in place'),
  },
  encrypted: {
    icon: <FileLock size={15} aria-label="Encrypted file in place" />,
    place: 'in place, encrypted',
    data: ({ name, source }) => {
      const drive = source?.networkDrive;
      const file = `In the file itself, which is encrypted: ${source?.displayPath ?? name}\nEvery commit is written to it immediately, and other programs may use it too. The history is encrypted with the same key. SQL that you type is stored with the window and in the query history, without encryption.`;
      return drive === undefined ? file : `${file}\n${networkDriveText(drive)}`;
    },
    saved: savedAtOnce,
    whyFixed: SHARED_FILE,
    origin: ({ entry: { source }, readOnly }) => source && (readOnly ? 'encrypted, read-only' : 'encrypted, in place'),
  },
  restored: {
    icon: <FileClock size={15} aria-label="Earlier state" />,
    place: 'temporary',
    data: ({ source }) =>
      `In a temporary file, ${source?.displayPath ?? ''}\nIt is read-only, and is removed when this database is closed. Export it to keep it.`,
    saved: (name) => `“${name}” is a temporary copy and read-only. Use Back Up Now to keep it.`,
    whyFixed: SHARED_FILE,
    origin: ({ entry: { source } }) => source && 'read-only',
  },
  unpacked: {
    icon: <FileArchive size={15} aria-label="Unpacked from an archive" />,
    place: 'temporary',
    data: ({ source }) =>
      `In a temporary file, ${source?.displayPath ?? ''}\nIt is read-only, and is removed when this database is closed. Your first edit makes a library copy.`,
    saved: (name) => `“${name}” is a temporary copy and read-only. Your first edit makes a library copy.`,
    whyFixed: 'The file is temporary. Change it in a library copy.',
    origin: ({ entry: { source } }) => source && 'read-only',
  },
  server: {
    icon: <Server size={15} aria-label="On a server" />,
    place: 'on a server',
    data: (_entry, address) =>
      `On a server: ${address}\nEvery commit is written there immediately, and other clients may use it too.`,
    saved: savedAtOnce,
    whyFixed: 'The server decides this.',
    origin: ({ readOnly }, connection) => {
      const care = readOnly ? 'read-only' : connection?.production ? 'production' : null;
      return connection && (care === null ? 'on a server' : `on a server, ${care}`);
    },
  },
};

export const wordsOf = (database: DatabaseId): DatabaseWords => WORDS[kindOf(database)];
