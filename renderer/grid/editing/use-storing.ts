// Storing what was typed in a cell editor: one attempt at a time.
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { AfterEdit, EditChoice, EditOutcome, EditSession, OfferedValue } from './cell-editing.ts';
import type { TypeAhead } from './type-ahead.ts';

interface Failure {
  readonly message: string;
  readonly choices: readonly EditChoice[];
}

interface StoringProps {
  readonly session: EditSession;
  readonly ahead: TypeAhead;
  /** An attempt begins. */
  onStoring(after: AfterEdit): void;
  onClose(after: AfterEdit, refocus: boolean): void;
  onLost(message: string, text: string): void;
}

export interface Storing {
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  /** Resolves with false if the text could not be stored. */
  store(after: AfterEdit, refocus: boolean): Promise<boolean>;
  /** Stores the text in every selected cell. */
  fill(commit: (text: string) => Promise<EditOutcome>): void;
  choose(choice: EditChoice): void;
  pick(offered: OfferedValue, after: AfterEdit): void;
  close(after: AfterEdit, refocus: boolean): void;
  /** The text was changed, so the failure no longer applies. */
  forgive(): void;
}

/** Stores the text, one attempt at a time, and closes the editor only on success. */
export function useStoring({ session, ahead, onStoring, onClose, onLost }: StoringProps, text: string): Storing {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isClosed = useRef(false);
  const isMounted = useRef(false);
  /** The attempt that is made now, or the last one. */
  const attempt = useRef(Promise.resolve(true));
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const close = (after: AfterEdit, refocus: boolean): void => {
    if (isClosed.current || isBusy) return;
    isClosed.current = true;
    onClose(after, refocus);
  };
  const settled = (outcome: EditOutcome, after: AfterEdit, refocus: boolean): void => {
    if (outcome.kind === 'failed') ahead.drop();
    if (!isMounted.current) return outcome.kind === 'failed' ? onLost(outcome.message, text) : undefined;
    setBusy(false);
    if (outcome.kind === 'failed') return setFailure(outcome);
    isClosed.current = true;
    onClose(after, refocus);
  };
  const settle = (work: Promise<EditOutcome>, after: AfterEdit, refocus: boolean): Promise<boolean> => {
    setBusy(true);
    onStoring(after);
    attempt.current = work.then((outcome) => {
      flushSync(() => settled(outcome, after, refocus));
      return outcome.kind !== 'failed';
    });
    // Later keys are handled when the grid has been updated.
    ahead.during(attempt.current);
    return attempt.current;
  };
  return {
    isBusy,
    failure,
    close,
    store: (after, refocus) =>
      isClosed.current || isBusy ? attempt.current : settle(session.commit(text), after, refocus),
    fill: (commit) => {
      if (!isClosed.current && !isBusy) void settle(commit(text), 'stay', true);
    },
    pick: (offered, after) => {
      if (!isClosed.current && !isBusy) void settle(offered.choose(), after, true);
    },
    choose: (choice) => {
      if (isBusy) return;
      const next = choice.run(text);
      if (next === 'revert') close('stay', true);
      else void settle(next, 'stay', true);
    },
    forgive: () => setFailure(null),
  };
}
