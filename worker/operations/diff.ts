// Operations that write how one database differs from another.
import type { DiffOperations } from '#shared/protocol/diff.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { runDiff } from '../diff/run-diff.ts';
import { runScript } from '../diff/run-script.ts';
import type { Connection } from '../engines/engine.ts';
import { FileSink } from '../library/files.ts';
import { copyWhole } from '../schema-compare/try-changes.ts';
import { ScratchDatabases, reporter, together } from './together.ts';
import type { TransferSession } from './transfer.ts';

export const diffHandlers: Handlers<DiffOperations, TransferSession> = {
  async 'diff.write'({ from, to, options, sink: token }, call) {
    const { session } = call;
    const [mine, theirs] = [session.database(from), session.database(to)];
    const file = new FileSink(session.library.files, token);
    const sink = { write: (bytes: Uint8Array) => file.write(bytes), finish: () => Promise.resolve() };
    const job = { options, sink, report: reporter(call) };
    const scratch = new ScratchDatabases(session.scratchStore);
    const title = `Comparison of ${mine.entry.name} with ${theirs.entry.name}`;
    try {
      const [first, second] = [await scratch.make(), await scratch.make()];
      const reply = await together(call, [mine, theirs], title, function* (turn, connection) {
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
