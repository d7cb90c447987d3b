// The operation that merges what two databases changed since both were the same.
import { AppError } from '#shared/protocol/errors.ts';
import type { MergeOperations } from '#shared/protocol/merge.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { copyCommitted } from '../compare/comparison-copies.ts';
import type { Connection } from '../engines/engine.ts';
import { CHUNK_BYTES, FileSink } from '../library/files.ts';
import { VERSION_BYTES } from '../library/export.ts';
import { runMerge, type MergeResult } from '../merge/run-merge.ts';
import { detachedFrom, type Pause, type Turn } from '../sessions/session.ts';
import type { Scratch } from '../transfer/scratch.ts';
import { ScratchDatabases, reporter, together } from './together.ts';
import type { TransferSession } from './transfer.ts';

export const mergeHandlers: Handlers<MergeOperations, TransferSession> = {
  async 'merge.write'({ base, ours, theirs, options, sink: token }, call) {
    const { session } = call;
    const [was, here, there] = [session.database(base), session.database(ours), session.database(theirs)];
    const file = new FileSink(session.library.files, token);
    const scratch = new ScratchDatabases(session.scratchStore);
    const title = `Merge of ${here.entry.name} with ${there.entry.name}`;
    try {
      const [store, sorted, merged, ...others] = await makeAll(scratch);
      const head = await here.enqueue({
        window: detachedFrom(session.window),
        kind: 'read',
        pausesReading: true,
        title,
        call: call.id,
        onCancel: call.onCancel,
        *body(turn): Generator<Pause, Uint8Array> {
          yield* copyCommitted(turn, merged, merged.file);
          return turn.connection.readFile(VERSION_BYTES[0], VERSION_BYTES.length);
        },
      });
      const empty = { create: true } as const;
      const copy = scratch.open(merged, empty);
      const result = await together(call, [was, there], title, function* (turn, connection): Generator<Pause, MergeResult> {
        const privateCopy = function* (of: Connection): Generator<Pause, Connection> {
          const free = others.pop()!;
          yield* copyCommitted(inPlaceOf(turn, of), free, free.file);
          return scratch.open(free, empty);
        };
        const marks = [turn.connection.commitMark, connection.commitMark];
        const databases = {
          base: turn.connection,
          theirs: connection,
          copy,
          privateCopy,
          store: scratch.open(store, empty),
          scratch: () => scratch.open(sorted, empty),
        };
        const found = yield* runMerge(turn, databases, { options, report: reporter(call) });
        if (turn.connection.commitMark !== marks[0] || connection.commitMark !== marks[1]) throw changedMeanwhile();
        return found;
      }); // prettier-ignore
      await writeFile(copy, session.scratchStore.isEncrypted === true ? null : head, file);
      return result;
    } catch (error) {
      await file.abort();
      throw error;
    } finally {
      scratch.removeAll();
    }
  },
};

const changedMeanwhile = (): AppError =>
  AppError.conflict('Another program changed one of the databases while they were merged. Nothing was written. Merge them again.'); // prettier-ignore

/** For what is found, for rows to sort, for the result, and for a copy of each of the others. */
async function makeAll(scratch: ScratchDatabases): Promise<readonly [Scratch, Scratch, Scratch, ...Scratch[]]> {
  const [store, sorted, merged] = [await scratch.make(), await scratch.make(), await scratch.make()];
  return [store, sorted, merged, await scratch.make(), await scratch.make()];
}

/** The same turn, to read another database. */
const inPlaceOf = (turn: Turn, connection: Connection): Turn => ({
  ...turn,
  connection,
  get deadlineMs() {
    return turn.deadlineMs;
  },
  get stopRequested() {
    return turn.stopRequested;
  },
  get isPastLimit() {
    return turn.isPastLimit;
  },
});

/** @param version whether `ours` uses a WAL, which a private copy never does; null where the first page is encrypted */
async function writeFile(copy: Connection, version: Uint8Array | null, file: FileSink): Promise<void> {
  copy.checkpoint();
  const total = copy.fileSizeBytes;
  for (let offset = 0; offset < total; offset += CHUNK_BYTES) {
    const chunk = copy.readFile(offset, CHUNK_BYTES);
    if (offset === 0 && version !== null)
      for (const [at, place] of VERSION_BYTES.entries()) chunk[place] = version[at]!;
    await file.write(chunk);
  }
  await file.settle();
}
