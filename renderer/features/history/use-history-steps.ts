// The steps of a database, newest first, read page by page and again when the history changes.
import { useCallback, useEffect, useRef, useState } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { AppError, DatabaseId, HistoryStep } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';

const PAGE_STEPS = 200;
/** Number of steps to read again at once after a change; later ones are read when the user scrolls to them. */
const KEPT_STEPS = 2000;

export interface HistorySteps {
  /** Null until the first ones have arrived. */
  readonly steps: readonly HistoryStep[] | null;
  readonly more: boolean;
  readonly error: AppError | null;
  readMore(): void;
}

interface Read {
  readonly steps: readonly HistoryStep[];
  readonly more: boolean;
}

export function useHistorySteps(database: DatabaseId): HistorySteps {
  const [read, setRead] = useState<Read | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const latest = useRef<Read | null>(null);
  const isReading = useRef(false);
  const isStale = useRef(false);

  const run = useCallback(async (work: () => Promise<Read>): Promise<void> => {
    isReading.current = true;
    try {
      latest.current = await work();
      setRead(latest.current);
      setError(null);
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      isReading.current = false;
    }
  }, []);

  const readAgain = useCallback(async (): Promise<void> => {
    isStale.current = true;
    while (isStale.current && !isReading.current) {
      isStale.current = false;
      const limit = Math.max(PAGE_STEPS, Math.min(KEPT_STEPS, latest.current?.steps.length ?? 0));
      await run(() => client.call('history.list', { database, before: null, limit }));
    }
  }, [database, run]);

  useEffect(() => {
    void readAgain();
    const offs = [
      client.on('history.changed', (event) => void (event.database === database && readAgain())),
      client.onReconnected(() => void readAgain()),
    ];
    return () => offs.forEach((off) => off());
  }, [database, readAgain]);

  const readMore = (): void => {
    const known = latest.current;
    const before = known?.steps.at(-1)?.id;
    if (!known?.more || before === undefined || isReading.current) return;
    void run(async () => {
      const { steps, more } = await client.call('history.list', { database, before, limit: PAGE_STEPS });
      return { steps: [...known.steps, ...steps], more };
    }).then(() => (isStale.current ? readAgain() : undefined));
  };
  return { steps: read?.steps ?? null, more: read?.more ?? false, error, readMore };
}
