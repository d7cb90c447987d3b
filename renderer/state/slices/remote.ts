// State: the connections to servers, what their processes have reported, and which of them is being edited.
import type { DatabaseId, EngineInfo, RemoteConnection, RemoteList } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';

export interface RowsTouched {
  /** Since the connection was opened. */
  readonly read: number;
  readonly written: number;
  /** By the last request alone. */
  readonly lastRead: number;
  readonly lastWritten: number;
}

export interface RemoteSlice {
  readonly connections: readonly RemoteConnection[];
  /** Tokens outlive the app. */
  readonly keepsTokens: boolean;
  readonly remoteEngines: Readonly<Record<DatabaseId, EngineInfo>>;
  readonly rowsTouched: Readonly<Record<DatabaseId, RowsTouched>>;
  /** Shown in a dialog: a connection that is edited, or a new one. */
  readonly editedConnection: RemoteConnection | 'new' | null;
  putConnections(list: RemoteList): void;
  countRows(database: DatabaseId, rows: { readonly read: number; readonly written: number }): void;
  editConnection(edited: RemoteConnection | 'new' | null): void;
}

export const createRemoteSlice: StateCreator<RemoteSlice, [], [], RemoteSlice> = (set) => ({
  connections: [],
  keepsTokens: false,
  remoteEngines: {},
  rowsTouched: {},
  editedConnection: null,
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
});

/** Null for a database that is not on a server. */
export const connectionOf = (
  { connections }: Pick<RemoteSlice, 'connections'>,
  database: DatabaseId | null,
): RemoteConnection | null => connections.find((each) => each.database === database) ?? null;
