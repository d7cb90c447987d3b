// Operations on results of benchmarks: the kept ones, and files.
import type { BenchmarkOperations } from '#shared/protocol/benchmark.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { readDatabase } from '../library/export.ts';
import type { ClientSession } from './client-session.ts';
import { readWholeFile } from './whole-files.ts';

/** The limit for reading results. */
const RESULT_LIMIT = { what: 'a benchmark result', bytes: 256 * 2 ** 20 };

export const benchmarkHandlers: Handlers<BenchmarkOperations, ClientSession> = {
  'benchmark.list': (_params, { session }) => session.library.catalogue.benchmarkRuns.list(),
  'benchmark.read': ({ id }, { session }) => session.library.catalogue.benchmarkRuns.read(id),
  'benchmark.save'({ id, run }, { session }) {
    const saved = session.library.catalogue.benchmarkRuns.save(id, run);
    session.announceRun(saved.id);
    return saved;
  },

  'benchmark.rename'({ id, title }, { session }) {
    session.library.catalogue.benchmarkRuns.rename(id, title);
    session.announceRun(id);
  },

  'benchmark.delete'({ id }, { session }) {
    session.library.catalogue.benchmarkRuns.remove(id);
    session.announceRun(id);
  },

  'benchmark.databaseFile': ({ database }, { session, ...call }) =>
    readDatabase(session.library, session.window, database, call),

  'benchmark.import': ({ source }, { session }) => readWholeFile(session.library.files, source, RESULT_LIMIT),
};
