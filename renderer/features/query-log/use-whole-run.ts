// The whole text of a run, read when it is shown.
import { useEffect, useState } from 'react';
import { toAppError, type AppError, type LoggedRun, type WholeLoggedRun } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';

/** What is known of the run so far; null until it has been read. */
export function useWholeRun({ id, outcome }: LoggedRun): WholeLoggedRun | AppError | null {
  const [read, setRead] = useState<{ readonly id: number; readonly whole: WholeLoggedRun | AppError } | null>(null);
  useEffect(() => {
    let isOver = false;
    const show = (whole: WholeLoggedRun | AppError): void => {
      if (!isOver) setRead({ id, whole });
    };
    client.call('queryLog.read', { id }).then(show, (thrown: unknown) => show(toAppError(thrown)));
    return () => {
      isOver = true;
    };
  }, [id, outcome]);
  return read?.id === id ? read.whole : null;
}
