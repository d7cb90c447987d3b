// State: whether the worker is connected, which engine it runs, and what it is working on.
import type { DatabaseId, EngineInfo, ErrorData, HelloInfo, Work } from '#shared/protocol/index.ts';
import { engineOf } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';
import type { ConnectionStatus } from '../../connection/reconnecting-client.ts';

export interface ConnectionSlice {
  readonly connection: {
    readonly status: ConnectionStatus;
    readonly info: HelloInfo | null;
    readonly error: ErrorData | null;
  };
  /** Serves files in place; null until the first one is opened. */
  readonly nativeEngine: EngineInfo | null;
  /** Engines of databases that a process of their own serves, by database. */
  readonly processEngines: Readonly<Record<DatabaseId, EngineInfo>>;
  /** Work over 150 ms, of all windows, oldest first. */
  readonly works: readonly Work[];
}

/** What is known of the engine that serves `database`; that of the library for null. */
export function engineInfo(state: ConnectionSlice, database: DatabaseId | null): EngineInfo | null {
  switch (database === null ? 'wasm' : engineOf(database)) {
    case 'wasm':
      return state.connection.info?.engine ?? null;
    case 'native':
      return state.processEngines[database!] ?? state.nativeEngine;
    default:
      return state.processEngines[database!] ?? null;
  }
}

export const createConnectionSlice: StateCreator<ConnectionSlice, [], [], ConnectionSlice> = () => ({
  connection: { status: 'connecting', info: null, error: null },
  nativeEngine: null,
  processEngines: {},
  works: [],
});
