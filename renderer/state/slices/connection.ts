// State: whether the worker is connected, which engine it runs, and what it is working on.
import type { EngineInfo, ErrorData, HelloInfo, Work } from '#shared/protocol/index.ts';
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
  /** Work over 150 ms, of all windows, oldest first. */
  readonly works: readonly Work[];
}

export const createConnectionSlice: StateCreator<ConnectionSlice, [], [], ConnectionSlice> = () => ({
  connection: { status: 'connecting', info: null, error: null },
  nativeEngine: null,
  works: [],
});
