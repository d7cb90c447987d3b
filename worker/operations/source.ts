// Operations on a library copy and the file it came from, and on where its bytes lie.
import { fail } from '#shared/protocol/errors.ts';
import type { SourceOperations, SourceState } from '#shared/protocol/source.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { applyMerge, beginMerge, endMerge, mergeQuestions } from '../library/merge/merge-source.ts';
import { compareSource } from '../library/source/compare-source.ts';
import { reloadSource } from '../library/source/reload-source.ts';
import { saveSource } from '../library/source/save-source.ts';
import { keepMine, sourceState } from '../library/source/baseline.ts';
import type { ClientSession } from './client-session.ts';

const MAX_ROWS = 1000;

export const sourceHandlers: Handlers<SourceOperations, ClientSession> = {
  'source.state': ({ database }, { session }) => sourceState(session.library, database),

  async 'source.keepMine'({ database }, { session }) {
    return session.announce(known(await keepMine(session.library, database)));
  },

  async 'source.compare'({ database }, context) {
    const { session } = context;
    return session.announce(await compareSource(session.library, session.window, database, context));
  },

  async 'source.reload'(params, context) {
    const { session } = context;
    return session.announce(known(await reloadSource(session.library, session.window, params, context)));
  },

  async 'source.save'(params, context) {
    const { session } = context;
    return session.announce(await saveSource(session.library, session.window, params, context));
  },

  async 'source.merge'({ database }, context) {
    const { session } = context;
    return session.announce(await beginMerge(session.library, session.window, database, context));
  },

  async 'source.mergeQuestions'(params, { session }) {
    const range = { ...params, count: Math.min(params.count, MAX_ROWS) };
    return { questions: await mergeQuestions(session.library, session.window, range) };
  },

  async 'source.mergeApply'(params, context) {
    const { session } = context;
    return session.announce(await applyMerge(session.library, session.window, params, context));
  },

  'source.mergeEnd': ({ database }, { session }) => endMerge(session.window, database),

  'database.file'({ database: id }, { session }) {
    const { pool, catalogue } = session.library;
    const database = session.library.databases.of(session.window, id);
    const log = `${catalogue.file(id)}-wal`;
    return {
      sizeBytes: database.entry.sizeBytes,
      walSizeBytes: pool.has(log) ? pool.sizeOf(log) : 0,
      ...database.checkpoints,
      windows: [...new Set([...database.windows].map(({ windowTitle }) => windowTitle))].sort(),
    };
  },
};

function known(state: SourceState | null): SourceState {
  if (state) return state;
  fail('not-found', 'This database did not come from a file that can be found again.');
}
