// The thread of a connection to a server: learns from main which database it serves.
import type { Worker } from 'node:worker_threads';
import type { RemoteTarget } from '#shared/native-link.ts';
import { fail, toAppError, whatHappened } from '#shared/protocol/errors.ts';
import { tokenProblemOf } from '#shared/protocol/remote.ts';
import type { RemoteTest } from '#shared/protocol/remote.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { isForReading } from '../engines/remote/hrana/token.ts';
import { createRemoteEngine } from '../engines/remote/remote-engine.ts';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import { openScratchFile } from '../native/scratch-files.ts';
import { readingThread } from '../native/reading-threads.ts';
import { runServerThread } from '../native/server-thread.ts';
import { RemoteServer } from './remote-server.ts';

interface Threads {
  /** A thread that calls `serveReadingThread`. */
  readonly startReading: () => Worker;
  /** A thread that calls `serveNetworkThread`. */
  readonly startNetwork: () => Worker;
}

function nearIn(local: Engine): Connection {
  const { connection, dispose } = openScratchFile(local);
  const close = connection.close.bind(connection);
  connection.close = () => {
    connection.close = close;
    dispose();
  };
  return connection;
}

export function runRemoteThread({ startReading, startNetwork }: Threads): void {
  let target: RemoteTarget | null = null;
  let look: (() => void) | null = null;
  const reached = (): RemoteTarget => {
    if (target) return target;
    fail('not-found', 'This connection no longer exists. Connect again.');
  };
  let remote: Engine | null = null;
  runServerThread(
    async (parts, tell) => {
      // Engine for scratch files: exports, and files that are imported.
      const local = await createNativeEngine();
      const reach = () => ({ ...reached(), look: () => look?.() });
      const engine = await createRemoteEngine(reach, { startNetwork, openNear: () => nearIn(local) });
      remote = engine;
      useReadingThreads(() => readingThread(startReading()));
      const lookWhileOpening = (now: typeof look): void => void (look = now);
      const wrote = (index: string): void => tell({ t: 'wrote', index });
      return new RemoteServer({ engine, lookWhileOpening, local, target: reached(), wrote, ...parts });
    },
    async (message, server) => {
      if (message.t === 'reach') {
        target = message.target;
        server?.tokenChanged();
      }
      if (message.t === 'test') return { t: 'tested', result: test(remote, reached) };
      return null;
    },
  );
}

function test(engine: Engine | null, reached: () => RemoteTarget): RemoteTest {
  try {
    if (!engine) return { why: 'This installation cannot connect to servers: the database engine did not start.' };
    const connection = engine.open(reached().database, { durability: 'full' });
    try {
      return {
        facts: {
          sqliteVersion: engine.info.sqliteVersion,
          tables: Number(connection.one(TABLES)?.[0] ?? 0),
          whyReadOnly: (connection as { readonly whyReadOnly?: string | null }).whyReadOnly ?? whyTokenReads(reached()),
        },
      };
    } finally {
      connection.close();
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    const token = tokenProblemOf(error);
    // Next to this message, the field for the token is visible.
    return token === null ? { why: error.message } : { why: whatHappened(error), token };
  }
}

const whyTokenReads = ({ token }: RemoteTarget): string | null =>
  isForReading(token) ? 'The token is for reading only.' : null;

const TABLES = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
