// State: is the worker there, which engine is it, what is it busy with.
import type { ErrorData, HelloInfo, Work } from '#shared/protocol/index.ts';
import type { StateCreator } from 'zustand';
import type { ConnectionStatus } from '../reconnecting-client.ts';

export interface ConnectionSlice {
  readonly connection: {
    readonly status: ConnectionStatus;
    readonly info: HelloInfo | null;
    readonly error: ErrorData | null;
  };
  /** Work over 150 ms, in whichever window it was started, oldest first. */
  readonly works: readonly Work[];
}

export const createConnectionSlice: StateCreator<ConnectionSlice, [], [], ConnectionSlice> = () => ({
  connection: { status: 'connecting', info: null, error: null },
  works: [],
});
