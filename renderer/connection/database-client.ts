// Combines the window's connections into one client: to the library's worker, to the native engine for files in place, and to the process of
// each database on a server and of each file that is encrypted or has extensions. Only this file knows which of them serves a request.
import {
  capabilitiesOf,
  ASKS_BEFORE_WRITING,
  engineOf,
  NATIVE_READERS_FROM,
  NATIVE_WORKS_FROM,
  slotOfWork,
  toAppError,
  tokenProblemOf,
} from '#shared/protocol/index.ts';
import type { InPlaceReply, PlacedFile } from '#shared/shell-api.ts';
import type { AppError, DatabaseId, ReaderId, TokenProblem, Work } from '#shared/protocol/index.ts';
import { connectHost, connectNative } from './connect.ts';
import { ReconnectingClient } from './reconnecting-client.ts';
import type { Reconnection } from './reconnecting-client.ts';
import { ProcessClients } from './process-clients.ts';
import { shell } from './shell.ts';

const identify = () => shell.windowInfo();
const library = new ReconnectingClient(connectHost, identify);
/** Connects when the first file is opened in place. */
export const nativeClient = new ReconnectingClient(connectNative, identify);
export const processClients = new ProcessClients(identify);

interface Params {
  readonly database?: DatabaseId;
  readonly reader?: ReaderId;
}

/** The list of files in place is part of the library, which also serves all requests that name neither a database nor a reader. */
const LIST_OPERATIONS: readonly string[] = [
  'library.addFile',
  'library.keepDurability',
  'library.keepEditing',
  'library.removeFile',
];

function serverOf(op: string, { database, reader = 0 }: Params): ReconnectingClient {
  if (LIST_OPERATIONS.includes(op)) return library;
  if (database !== undefined) return serverOfDatabase(database);
  return processClients.ofReader(reader) ?? (reader >= NATIVE_READERS_FROM ? nativeClient : library);
}

function serverOfDatabase(database: DatabaseId): ReconnectingClient {
  const engine = engineOf(database);
  if (engine === 'remote' || engine === 'cipher' || processClients.isApart(database))
    return processClients.of(database);
  return engine === 'native' ? nativeClient : library;
}

/** The process of the native engine serves it, and not one of its own. */
export const isInNativeEngine = (database: DatabaseId): boolean => serverOfDatabase(database) === nativeClient;

/** Has main open a file in place, and notes which process serves it. */
export async function openInPlace(file: PlacedFile): Promise<InPlaceReply> {
  const reply = await shell.openInPlace(file);
  if ('file' in reply) processClients.setApart(reply.file.database, reply.hasOwnProcess === true);
  return reply;
}

export const isNativeWork = ({ id }: Pick<Work, 'id'>): boolean => id >= NATIVE_WORKS_FROM;
export const isLibraryWork = (work: Pick<Work, 'id'>): boolean => !isNativeWork(work) && slotOfWork(work.id) === null;

/** The request is to be made in another database, which `arrived` shows once that has succeeded. */
interface Elsewhere {
  readonly database: DatabaseId;
  arrived(): void;
}

/** This request may write, every request may for that many milliseconds, no request may, or this one is for another database. */
export type WriteAnswer = 'once' | number | null | Elsewhere;
/** @throws AppError what the request fails with */
type AskToWrite = (database: DatabaseId, op: string, params: object) => Promise<WriteAnswer>;
type TellOfToken = (database: DatabaseId, problem: TokenProblem) => void;
type TellOfDamage = (database: DatabaseId, error: AppError) => void;
/** A request that was let through begins at once. */
const ONCE_MS = 60_000;

class DatabaseClient {
  /** The library's first connection, which the window needs to work at all. Never rejects. */
  readonly ready = library.ready;
  #askToWrite: AskToWrite = () => Promise.resolve(null);
  #askBeforeFirstEdit: AskToWrite = () => Promise.resolve(null);
  #tellOfToken: TellOfToken = () => undefined;
  #tellOfDamage: TellOfDamage = () => undefined;

  readonly call: ReconnectingClient['call'] = async (op, params, options) => {
    const server = serverOf(op, params as Params);
    const { database = processClients.databaseOf(server) } = params as Params;
    if (database === null) return server.call(op, params, options);
    try {
      return await this.#callAsking(server, database)(op, params, options);
    } catch (thrown) {
      const error = toAppError(thrown);
      const problem = tokenProblemOf(error);
      if (problem !== null) this.#tellOfToken(database, problem);
      if (error.code === 'corrupt' && capabilitiesOf(database).inPlace) this.#tellOfDamage(database, error);
      throw thrown;
    }
  };

  /** Asks the user before a write to a production database, and before the first one to a file in place. */
  #callAsking =
    (server: ReconnectingClient, database: DatabaseId): ReconnectingClient['call'] =>
    async (op, params, options) => {
      try {
        return await server.call(op, params, options);
      } catch (thrown) {
        if (toAppError(thrown).detail?.[ASKS_BEFORE_WRITING] !== true) throw thrown;
        const answer = await (capabilitiesOf(database).inPlace ? this.#askBeforeFirstEdit : this.#askToWrite)(
          database,
          op,
          params as object,
        );
        if (answer === null) throw thrown;
        if (typeof answer === 'object') {
          const reply = await this.call(op, Object.assign({}, params, { database: answer.database }), options);
          // In the next task: first whoever asked notes that what was typed is stored.
          setTimeout(() => answer.arrived());
          return reply;
        }
        const untilMs = Date.now() + (answer === 'once' ? ONCE_MS : answer);
        await server.call('database.allowWriting', { database, untilMs });
        try {
          // Nothing has been written or shown yet, so the request is sent again.
          return await server.call(op, params, options);
        } finally {
          if (answer === 'once')
            void server.call('database.allowWriting', { database, untilMs: 0 }).catch(() => undefined);
        }
      }
    };

  /** Sets who asks the user before a write to a production database. */
  onAskToWrite(ask: AskToWrite): void {
    this.#askToWrite = ask;
  }

  /** Sets who asks the user before the first write to a file in place. */
  onFirstEdit(ask: AskToWrite): void {
    this.#askBeforeFirstEdit = ask;
  }

  /** Sets who tells the user that a server has rejected a request because of the token. */
  onTokenProblem(tell: TellOfToken): void {
    this.#tellOfToken = tell;
  }

  /** Sets who tells the user what can be done about a damaged file in place. A library copy is checked when it is made. */
  onDamage(tell: TellOfDamage): void {
    this.#tellOfDamage = tell;
  }

  /** Tells each engine which of its databases the window shows. @throws errors of reopening a database that was closed in the meantime */
  async show(databases: readonly DatabaseId[]): Promise<void> {
    await Promise.all([
      library.show(databases.filter((id) => engineOf(id) === 'wasm')),
      nativeClient.show(databases.filter(isInNativeEngine)),
      processClients.show(databases),
    ]);
  }

  /** Asks the engine that runs `work` to stop it, even while it is busy. */
  stopWork(work: Work): Promise<unknown> {
    return this.#runnerOf(work).control('work.stop', { id: work.id });
  }

  restartEngineOf(work: Work): Promise<unknown> {
    return this.#runnerOf(work).control('host.restart', {});
  }

  /** Listens to events of all engines. Survives reconnects. Returns a function that removes the listener. */
  readonly on: ReconnectingClient['on'] = (topic, listener) => {
    const offs = [
      library.on(topic, listener),
      nativeClient.on(topic, listener),
      processClients.followAll((process) => process.client.on(topic, listener)),
    ];
    return () => offs.forEach((off) => off());
  };

  /** Called after any engine has reconnected: readers and transactions of its databases are gone. */
  onReconnected(listener: (reconnection: Reconnection) => void): () => void {
    const offs = [
      library.onReconnected(listener),
      nativeClient.onReconnected(listener),
      processClients.followAll((process) => process.client.onReconnected(listener)),
    ];
    return () => offs.forEach((off) => off());
  }

  /** Status of the library's connection. */
  readonly onStatus: ReconnectingClient['onStatus'] = (listener) => library.onStatus(listener);

  /** The connection that serves `database`. */
  serverOf(database: DatabaseId): ReconnectingClient {
    return serverOfDatabase(database);
  }

  /** Whether `work` runs in the engine of `database`, so that work on `database` may have to wait. */
  runsBeside(work: Work, database: DatabaseId): boolean {
    return this.#runnerOf(work) === serverOfDatabase(database);
  }

  #runnerOf(work: Work): ReconnectingClient {
    return processClients.ofWork(work) ?? (isNativeWork(work) ? nativeClient : library);
  }
}

export const client = new DatabaseClient();
export { library as libraryClient };
