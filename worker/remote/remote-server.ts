// Serves windows for the database of one server, in a thread of its own that learns from main which one.
import type { Worker } from 'node:worker_threads';
import type { RemoteTarget } from '#shared/native-link.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { fail, toAppError, whatHappened, AppError, inParts } from '#shared/protocol/errors.ts';
import { ownReadersFrom, ownWorksFrom } from '#shared/protocol/own-process.ts';
import { tokenProblemOf, type RemoteTest } from '#shared/protocol/remote.ts';
import type { DatabaseState } from '#shared/protocol/session.ts';
import type { Port } from '#shared/rpc/port.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { isForReading } from '../engines/remote/hrana/token.ts';
import { createRemoteEngine } from '../engines/remote/remote-engine.ts';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import type { HistoryKeeper } from '../library/context.ts';
import { startReadersAt, watchedTablesOf } from '../live/reader-registry.ts';
import { endingWith, openScratchFile, scratchFiles } from '../native/transfer-files.ts';
import { readingThread } from '../native/reading-threads.ts';
import { runServerThread, type ServerParts } from '../native/server-thread.ts';
import { createClock, type Clock } from '../sessions/clock.ts';
import { OpenDatabases } from '../sessions/open-databases.ts';
import { SessionServer } from '../sessions/session-server.ts';
import type { ClientWindow } from '../sessions/window-session.ts';
import { WorkMonitor } from '../sessions/work-monitor.ts';
import { EditUndo } from './edit-undo.ts';
import { remoteHandlers } from './remote-operations.ts';
import { RemoteSession, type RemoteContext } from './remote-session.ts';
import { ServerWatch, type CountingConnection } from './server-watch.ts';
import { WritePermission } from './write-permission.ts';

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

interface Parts extends ServerParts {
  readonly engine: Engine;
  /** Sets a function that the engine calls while it opens a database; null removes it. */
  readonly lookWhileOpening: (look: (() => void) | null) => void;
  /** Engine for scratch files on this computer. */
  readonly local: Engine;
  readonly target: RemoteTarget;
  /** Called with the state after the last write, soon after it. */
  readonly wrote?: (index: string) => void;
}

interface GuardedConnection extends CountingConnection {
  /** Called before each statement that can write; an error it throws keeps the statement from running. */
  beforeWriting?: () => void;
}

/** Serves windows for one database on a server: owns the connection to it and the watch on it. */
export class RemoteServer {
  readonly #engine: Engine;
  readonly #lookWhileOpening: Parts['lookWhileOpening'];
  readonly #target: RemoteTarget;
  readonly #wrote: Parts['wrote'];
  readonly #clock: Clock = createClock();
  readonly #permission = new WritePermission();
  readonly #databases: OpenDatabases;
  readonly #server: SessionServer<RemoteSession>;
  readonly #shownIn = new Set<ClientWindow>();
  readonly #openedAtMs = Date.now();
  #watch: ServerWatch | null = null;
  #connection: CountingConnection | null = null;
  /** The window whose transaction is open. */
  #ownerId: string | null = null;
  #isOpeningStopped: (() => boolean) | null = null;

  constructor({ engine, lookWhileOpening, local, target, wrote, files, workStatus, onBusy }: Parts) {
    this.#wrote = wrote;
    this.#engine = engine;
    this.#lookWhileOpening = lookWhileOpening;
    this.#target = target;
    this.#permission.require(target.production);
    startReadersAt(ownReadersFrom(target.slot, Date.now()));
    const clock = this.#clock;
    const monitor = new WorkMonitor(workStatus, clock, onBusy, ownWorksFrom(target.slot));
    this.#databases = new OpenDatabases(
      {
        clock,
        monitor,
        entryOf: (id) => this.#entry(id),
        onChanges: (database, changes) => {
          this.#watch?.hurry();
          this.#server.broadcast('database.changed', { database, ...changes });
        },
        onStateChanged: (database, state) => {
          this.#server.broadcast('database.stateChanged', { database, state });
          this.#tellOfLoss(database, state);
        },
      },
      (id, isStopped) => this.#connect(id, isStopped),
    );
    const context: RemoteContext = {
      databases: this.#databases,
      engine: engine.info,
      catalogue: { entry: (id) => this.#entry(id) },
      isOf: (_windowId, id) => id === target.database,
      files,
      histories: noHistories,
      scratchStore: scratchFiles(local),
      monitor,
      clock,
      openScratch: () => openScratchFile(local),
      lockTimeoutMs: Infinity,
      opening: (isStopped) => (this.#isOpeningStopped = isStopped),
      walSizeOf: () => 0,
      lockHoldersOf: () => 'another client of the server',
      keepHistoryOf: () => undefined,
      forgetHistoryOf: () => undefined,
      setDurability: () => undefined,
      permission: this.#permission,
      undo: new EditUndo((state) => this.#server.broadcast('history.changed', { database: target.database, state })),
      nameOf: () => target.name,
      shows: (window, isShown) => this.#noteShown(window, isShown),
    };
    this.#server = new SessionServer<RemoteSession>(
      remoteHandlers,
      { engine: engine.info, crossOriginIsolated: false },
      (window) => new RemoteSession(window, context),
      // Rows are never shown before what reading them has cost.
      () => this.#watch?.count(),
    );
  }

  serve(windowId: string, port: Port): void {
    this.#server.serve(windowId, port);
  }

  /** Retries what could not be read or looked up with the previous token. */
  tokenChanged(): void {
    this.#watch?.tokenChanged();
    this.#databases.find(this.#target.database)?.noteForeignChange(true);
  }

  settle(): void {
    this.#server.endAll();
    this.#databases.closeAll();
  }

  #noteShown(window: ClientWindow, isShown: boolean): void {
    if (!isShown) return void this.#shownIn.delete(window);
    this.#shownIn.add(window);
    this.#watch?.hurry();
  }

  #connect(id: DatabaseId, isStopped: () => boolean): Connection {
    const connection = this.#reach(id, isStopped);
    // Checks every operation that writes, including one that forgets to ask.
    connection.beforeWriting = () => this.#permission.assertStatement(this.#target.name);
    const watch = new ServerWatch(connection, this.#clock, {
      isFree: () => this.#shownIn.size > 0 && this.#databases.find(id)?.busy === false && connection.autocommit,
      shownTables: () => this.#shownTables(id),
      changed: (schema) => this.#databases.find(id)?.noteForeignChange(schema),
      counted: (rows) => this.#server.broadcast('remote.rowsCounted', { database: id, ...rows }),
      wrote: (index) => this.#wrote?.(index),
      held: (why) => this.#databases.find(id)?.holdWrites(why),
    });
    this.#watch = watch;
    this.#connection = connection;
    return endingWith(connection, () => watch.end());
  }

  /** Whichever request has noticed: any window's, and of any kind. */
  #tellOfLoss(database: DatabaseId, { transaction }: DatabaseState): void {
    const [before, now] = [this.#ownerId, transaction?.windowId ?? null];
    this.#ownerId = now;
    const why = this.#connection?.whyLost?.message;
    if (before === null || now !== null || why === undefined) return;
    for (const window of this.#databases.find(database)?.windows ?? [])
      if (window.windowId === before) window.send('remote.transactionLost', { database, why });
  }

  #shownTables(id: DatabaseId): readonly string[] {
    const database = this.#shownIn.size > 0 ? this.#databases.find(id) : null;
    return database ? watchedTablesOf(database) : [];
  }

  /** A server may accept a connection and never answer. */
  #reach(id: DatabaseId, isStopped: () => boolean): GuardedConnection {
    this.#lookWhileOpening(() => {
      if (isStopped() || this.#isOpeningStopped?.() === true) throw stoppedOpening(this.#target.name);
    });
    try {
      return this.#engine.open(id, { durability: 'full', readOnly: this.#target.readOnly }) as GuardedConnection;
    } finally {
      this.#lookWhileOpening(null);
    }
  }

  #entry(id: DatabaseId) {
    const { database, name } = this.#target;
    if (id !== database) fail('not-found', 'This connection no longer exists. Connect again.');
    const atMs = this.#openedAtMs;
    return { id, name, lastUsedAtMs: atMs, durability: 'full' as const, source: null };
  }
}

const stoppedOpening = (name: string): AppError =>
  AppError.stopped(inParts(`Stopped while “${name}” was being opened.`, 'Nothing was changed.'));

/** A history keeper for operations that prepare a history, where none is kept. */
const noHistories: HistoryKeeper = {
  reserve: () => Promise.resolve(),
  setLimits() {
    fail('unavailable', 'No history is kept for databases on a server.');
  },
};
