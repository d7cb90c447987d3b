// Work on two databases at once, of which both stay as they are in the meantime.
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import type { Connection } from '../engines/engine.ts';
import { detachedFrom, type DatabaseSession, type Pause, type Turn } from '../sessions/session.ts';
import type { TransferSession } from './transfer.ts';
import type { Scratch, ScratchStore } from '../transfer/scratch.ts';

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

// Private databases that last as long as one operation.

export class ScratchDatabases {
  readonly #store: ScratchStore;
  readonly #made: Scratch[] = [];
  readonly #open = new Map<Scratch, Connection>();

  constructor(store: ScratchStore) {
    this.#store = store;
  }

  async make(): Promise<Scratch> {
    const scratch = await this.#store.make();
    this.#made.push(scratch);
    return scratch;
  }

  open(scratch: Scratch, options: { readonly create?: boolean } = {}): Connection {
    const connection = this.#open.get(scratch) ?? scratch.open({ durability: 'balanced', scratch: true, ...options });
    this.#open.set(scratch, connection);
    return connection;
  }

  removeAll(): void {
    for (const connection of this.#open.values()) connection.close();
    for (const scratch of this.#made) scratch.remove();
  }
}
