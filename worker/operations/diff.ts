// Operations that write how one database differs from another.
import type { DiffOperations } from '#shared/protocol/diff.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import { runDiff } from '../diff/run-diff.ts';
import { runScript } from '../diff/run-script.ts';
import type { Connection } from '../engines/engine.ts';
import { FileSink } from '../library/files.ts';
import { detachedFrom } from '../sessions/detached-window.ts';
import type { DatabaseSession, Pause, Turn } from '../sessions/session.ts';
import { copyWhole } from '../schema-compare/try-changes.ts';
import type { Scratch, ScratchStore } from '../transfer/scratch.ts';
import type { TransferSession } from './transfer.ts';

type Call = CallContext<Progress, TransferSession>;

const REPORT_EVERY_MS = 50;

export const diffHandlers: Handlers<DiffOperations, TransferSession> = {
  async 'diff.write'({ from, to, options, sink: token }, call) {
    const { session } = call;
    const [mine, theirs] = [session.database(from), session.database(to)];
    const file = new FileSink(session.library.files, token);
    const sink = { write: (bytes: Uint8Array) => file.write(bytes), finish: () => Promise.resolve() };
    const job = { options, sink, report: reporter(call) };
    const scratch = new ScratchDatabases(session.scratchStore);
    try {
      const [first, second] = [await scratch.make(), await scratch.make()];
      const reply = await together(call, mine, theirs, function* (turn, connection) {
        const empty = (): Connection => scratch.open(first, { create: true });
        if (options.form !== 'sql')
          return yield* runDiff(turn, { mine: turn.connection, theirs: connection, scratch: empty }, job);
        yield* copyWhole(turn, second);
        return yield* runScript(
          turn,
          { copy: scratch.open(second, { create: true }), theirs: connection, scratch: empty() },
          job,
        );
      });
      await file.commit();
      return reply;
    } catch (error) {
      await file.abort();
      throw error;
    } finally {
      scratch.removeAll();
    }
  },
};

/** Private databases that last as long as a comparison. */
class ScratchDatabases {
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

function reporter({ emit }: Call): (progress: Progress) => Promise<void> {
  let reportedAtMs = -Infinity;
  return async (progress) => {
    if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return;
    reportedAtMs = performance.now();
    await emit(progress);
  };
}

/** Runs `body` as a read of the first database while a read of the second waits for it, so that nothing is written to either. */
async function together<T>(
  call: Call,
  mine: DatabaseSession,
  theirs: DatabaseSession,
  body: (turn: Turn, theirs: Connection) => Generator<Pause, T, undefined>,
): Promise<T> {
  const title = `Comparison of ${mine.entry.name} with ${theirs.entry.name}`;
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
