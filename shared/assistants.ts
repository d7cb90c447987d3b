// What a window shows of the assistants that `sidelite mcp` serves and that the app has heard of: their connections, and changes they propose.
// All names and texts in it are the assistant's, with what cannot be seen as codes.
import type { DatabaseId } from './protocol/database-id.ts';

/**
 * `keeping`: a window is committing it. `withdrawn`: the assistant has taken it back, or is gone. `closed`: the file was closed. `unknown`:
 * the window went away while it was committing.
 */
export type ProposalState = 'waiting' | 'keeping' | 'kept' | 'discarded' | 'withdrawn' | 'closed' | 'unknown';

export interface AssistantProposal {
  readonly id: string;
  /** Where the file is open in this window; null: it is another window's. */
  readonly database: DatabaseId | null;
  readonly fileName: string;
  readonly state: ProposalState;
}

/** A running `sidelite mcp`. */
export interface AssistantSession {
  readonly id: number;
  /** Name and version of the client, as it calls itself. */
  readonly client: string;
  /** Names of its files. */
  readonly files: readonly string[];
  /** How often each tool was called. */
  readonly calls: Readonly<Record<string, number>>;
  /** Oldest first; of those that were decided, the last 100. */
  readonly proposals: readonly AssistantProposal[];
}

export interface ProposedChange {
  readonly client: string;
  readonly sql: string;
  /** Why, in the assistant's words; empty if it gave no reason. */
  readonly reason: string;
}

/** The words that start a server of one file: a program and its arguments. */
export interface AssistantServer {
  readonly command: string;
  readonly args: readonly string[];
}

export interface AssistantShell {
  /** Call once, at the start of a page. Oldest first. */
  begin(): Promise<readonly AssistantSession[]>;
  /** Called after each change, at most ten times a second. */
  onChanged(listener: (sessions: readonly AssistantSession[]) => void): void;
  /** Null: it no longer waits, or not in this window. */
  read(proposal: string): Promise<ProposedChange | null>;
  /**
   * Notes what the person has decided. `keeping` comes before the commit, which must not be made if this resolves with false: the proposal no
   * longer waits.
   */
  settle(proposal: string, state: 'waiting' | 'keeping' | 'kept' | 'discarded' | 'unknown'): Promise<boolean>;
  /** Ends the connection: the assistant gets no further answer from it. */
  end(session: number): Promise<void>;
  /** How a client starts a server of this file, which the window has open in place; null: it has not. */
  serverOf(locationId: string): Promise<AssistantServer | null>;
}
