// Work on two databases at once, of which both stay as they are in the meantime.
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import type { Connection } from '../engines/engine.ts';
import { detachedFrom } from '../sessions/detached-window.ts';
import type { DatabaseSession, Pause, Turn } from '../sessions/session.ts';
import type { TransferSession } from './transfer.ts';

type Call = CallContext<Progress, TransferSession>;

const REPORT_EVERY_MS = 50;

export function reporter({ emit }: Call): (progress: Progress) => Promise<void> {
  let reportedAtMs = -Infinity;
  return async (progress) => {
    if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return;
    reportedAtMs = performance.now();
    await emit(progress);
  };
}

/** Runs `body` as a read of the first database while a read of the second waits for it, so that nothing is written to either. */
export async function together<T>(
  call: Call,
  [mine, theirs]: readonly [DatabaseSession, DatabaseSession],
  title: string,
  body: (turn: Turn, theirs: Connection) => Generator<Pause, T, undefined>,
): Promise<T> {
  const { session, id, onCancel } = call;
  const request = { kind: 'read', pausesReading: true, title, call: id, onCancel } as const;
  return theirs.enqueue({
    ...request,
    window: detachedFrom(session.window),
    *body(outer): Generator<Pause, T, undefined> {
      const { connection } = outer;
      const running = mine.enqueue({
        ...request,
        window: detachedFrom(session.window),
        body: (turn) => body(turn, connection),
      });
      let outcome: { readonly value: T } | { readonly error: unknown } | null = null;
      outer.pauseUntil(
        running.then(
          (value) => void (outcome = { value }),
          (error: unknown) => void (outcome = { error }),
        ),
      );
      while (outcome === null) yield 'reading';
      const ended = outcome as { readonly value: T } | { readonly error: unknown };
      if ('error' in ended) throw ended.error;
      return ended.value;
    },
  });
}
