// State: is the worker there, which engine is it, what is it busy with.
import type { EngineInfo, ErrorData, HelloInfo, Work } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';
import type { ConnectionStatus } from '../../connection/reconnecting-client.ts';

export interface ConnectionSlice {
  readonly connection: {
    readonly status: ConnectionStatus;
    readonly info: HelloInfo | null;
    readonly error: ErrorData | null;
  };
  /** Serves files in place; null until the first was opened. */
  readonly nativeEngine: EngineInfo | null;
  /** Work over 150 ms, in whichever window it was started, oldest first. */
  readonly works: readonly Work[];
}

export const createConnectionSlice: StateCreator<ConnectionSlice, [], [], ConnectionSlice> = () => ({
  connection: { status: 'connecting', info: null, error: null },
  nativeEngine: null,
  works: [],
});
