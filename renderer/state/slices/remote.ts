// State: the connections to servers, the rows that they have touched, which connection is being edited, and which database is being
// published.
import type { DatabaseId, LibraryEntry, RemoteConnection, RemoteList } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';

export interface RowsTouched {
  /** Rows touched since the connection was opened. */
  readonly read: number;
  readonly written: number;
  /** Rows touched by the last request alone. */
  readonly lastRead: number;
  readonly lastWritten: number;
}

export interface RemoteSlice {
  readonly connections: readonly RemoteConnection[];
  /** Tokens are kept when the app ends. */
  readonly keepsTokens: boolean;
  readonly rowsTouched: Readonly<Record<DatabaseId, RowsTouched>>;
  /** Shown in a dialog: a connection that is edited, or a new one. */
  readonly editedConnection: RemoteConnection | 'new' | null;
  /** Shown in a dialog: a local database that is to be published to a server. */
  readonly publishedDatabase: LibraryEntry | null;
  putConnections(list: RemoteList): void;
  countRows(database: DatabaseId, rows: { readonly read: number; readonly written: number }): void;
  editConnection(edited: RemoteConnection | 'new' | null): void;
  publishDatabase(entry: LibraryEntry | null): void;
}

export const createRemoteSlice: StateCreator<RemoteSlice, [], [], RemoteSlice> = (set) => ({
  connections: [],
  keepsTokens: false,
  rowsTouched: {},
  editedConnection: null,
  publishedDatabase: null,
  putConnections: ({ connections, keepsTokens }) => set({ connections, keepsTokens }),
  countRows: (database, { read, written }) =>
    set(({ rowsTouched }) => {
      const before = rowsTouched[database];
      // A process that was started again counts from 0.
      const from = before && before.read <= read && before.written <= written ? before : { read: 0, written: 0 };
      const counted = { read, written, lastRead: read - from.read, lastWritten: written - from.written };
      return { rowsTouched: { ...rowsTouched, [database]: counted } };
    }),
  editConnection: (editedConnection) => set({ editedConnection }),
  publishDatabase: (publishedDatabase) => set({ publishedDatabase }),
});

/** Null for a database that is not on a server. */
export const connectionOf = (
  { connections }: Pick<RemoteSlice, 'connections'>,
  database: DatabaseId | null,
): RemoteConnection | null => connections.find((each) => each.database === database) ?? null;
