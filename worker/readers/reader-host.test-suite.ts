// A host for readers, without a session.
import type { Connection } from '../engines/engine.ts';
import type { ReaderHost } from './reader.ts';

/** The part of a session that readers use: work runs at once. */
export function hostOf(connection: Connection): ReaderHost {
  const run = (body: (turn: object) => unknown): unknown => {
    const result = body({ connection, deadlineMs: Infinity, stopRequested: false });
    if (typeof result !== 'object' || result === null || !('next' in result)) return result;
    const work = result as Generator;
    for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
  };
  const nothing = (): void => undefined;
  return {
    database: { enqueue: async ({ body }: { body: (turn: object) => unknown }) => run(body) },
    window: null,
    rowsChanged: nothing,
    extentChanged: nothing,
    liveChanged: nothing,
  } as unknown as ReaderHost;
}
