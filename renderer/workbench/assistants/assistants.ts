// State: the assistants that are connected to the app, as main tells this window, and the proposal and the dialog that are shown.
import { create } from 'zustand';
import type { AssistantProposal, AssistantSession, ProposedChange } from '#shared/assistants.ts';
import type { DatabaseId, DryRunReply, LibraryEntry } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';

export interface WaitingHere extends AssistantProposal {
  readonly database: DatabaseId;
  readonly session: number;
}

export interface Review {
  readonly proposal: WaitingHere;
  readonly change: ProposedChange;
  /** `open`: its transaction waits to be kept or discarded. `failed`: there is none. */
  readonly phase: 'running' | 'open' | 'finishing' | 'failed';
  readonly reply: DryRunReply | null;
  /** Why it could not be tried or kept, or why the rows are new ones. */
  readonly said: string | null;
}

interface Assistants {
  readonly sessions: readonly AssistantSession[];
  readonly review: Review | null;
  /** The dialog says how an assistant reaches this database. */
  readonly connecting: LibraryEntry | null;
}

export const useAssistants = create<Assistants>()(() => ({ sessions: [], review: null, connecting: null }));

export const connectAssistant = (connecting: LibraryEntry | null): void => useAssistants.setState({ connecting });

/** Oldest first. */
export const waitingIn = ({ sessions }: Pick<Assistants, 'sessions'>): readonly WaitingHere[] =>
  sessions.flatMap(({ id: session, proposals }) =>
    proposals.flatMap((proposal) =>
      proposal.state === 'waiting' && proposal.database !== null
        ? [{ ...proposal, database: proposal.database, session }]
        : [],
    ),
  );

/** Neither decided nor taken back. */
export const isAsked = ({ sessions }: Pick<Assistants, 'sessions'>, id: string): boolean =>
  sessions.some(({ proposals }) =>
    proposals.some((one) => one.id === id && (one.state === 'waiting' || one.state === 'keeping')),
  );

/** Call once. */
export function startAssistants(): void {
  const take = (sessions: readonly AssistantSession[]): void => useAssistants.setState({ sessions });
  shell.assistants.onChanged(take);
  shell.assistants.begin().then(take, notifyFailure);
}
