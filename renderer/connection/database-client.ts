// Combines the window's connections into one client: to the library's worker, and to the native engine for files in place. Only this file
// knows which of the two serves a request.
import { isInPlace, NATIVE_READERS_FROM, NATIVE_WORKS_FROM } from '#shared/protocol/index.ts';
import type { DatabaseId, ReaderId, Work } from '#shared/protocol/index.ts';
import { connectHost, connectNative } from './connect.ts';
import { ReconnectingClient } from './reconnecting-client.ts';
import type { Reconnection } from './reconnecting-client.ts';
import { shell } from './shell.ts';

const identify = () => shell.windowInfo();
const library = new ReconnectingClient(connectHost, identify);
/** Connects when the first file is opened in place. */
export const nativeClient = new ReconnectingClient(connectNative, identify);

interface Params {
  readonly database?: DatabaseId;
  readonly reader?: ReaderId;
}

/** The list of files in place is part of the library, which also serves all requests that name neither a database nor a reader. */
const LIST_OPERATIONS: readonly string[] = ['library.addFile', 'library.keepDurability', 'library.removeFile'];

function serverOf(op: string, { database, reader }: Params): ReconnectingClient {
  if (LIST_OPERATIONS.includes(op)) return library;
  const isNative = database === undefined ? (reader ?? 0) >= NATIVE_READERS_FROM : isInPlace(database);
  return isNative ? nativeClient : library;
}

export const isNativeWork = ({ id }: Pick<Work, 'id'>): boolean => id >= NATIVE_WORKS_FROM;

class DatabaseClient {
  /** The library's first connection, which the window needs to work at all. Never rejects. */
  readonly ready = library.ready;

  readonly call: ReconnectingClient['call'] = (op, params, options) =>
    serverOf(op, params as Params).call(op, params, options);

  /** Tells each engine which of its databases the window shows. @throws errors of reopening a database that was closed meanwhile */
  async show(databases: readonly DatabaseId[]): Promise<void> {
    await Promise.all([
      library.show(databases.filter((id) => !isInPlace(id))),
      nativeClient.show(databases.filter((id) => isInPlace(id))),
    ]);
  }

  /** Asks the engine that runs `work` to stop it, even while it is busy. */
  stopWork(work: Work): Promise<unknown> {
    return this.#runnerOf(work).control('work.stop', { id: work.id });
  }

  /** Restarts the engine that runs `work`. */
  restartEngineOf(work: Work): Promise<unknown> {
    return this.#runnerOf(work).control('host.restart', {});
  }

  /** Listens to events of both engines. Survives reconnects. Returns a function that removes the listener. */
  readonly on: ReconnectingClient['on'] = (topic, listener) => {
    const offs = [library.on(topic, listener), nativeClient.on(topic, listener)];
    return () => offs.forEach((off) => off());
  };

  /** For either engine: readers and transactions of its databases are gone. */
  onReconnected(listener: (reconnection: Reconnection) => void): () => void {
    const offs = [library.onReconnected(listener), nativeClient.onReconnected(listener)];
    return () => offs.forEach((off) => off());
  }

  /** Status of the library's connection. */
  readonly onStatus: ReconnectingClient['onStatus'] = (listener) => library.onStatus(listener);

  /** The connection that serves `database`. */
  serverOf(database: DatabaseId): ReconnectingClient {
    return isInPlace(database) ? nativeClient : library;
  }

  #runnerOf(work: Work): ReconnectingClient {
    return isNativeWork(work) ? nativeClient : library;
  }
}

export const client = new DatabaseClient();
export { library as libraryClient };
