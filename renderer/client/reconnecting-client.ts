// One client for the life of the window, over ports that come and go with the host.
import { AppError } from '#shared/protocol/index.ts';
import type {
  ControlOperations,
  DatabaseId,
  DatabaseState,
  ErrorData,
  Events,
  HelloInfo,
  Operations,
} from '#shared/protocol/index.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/client.ts';
import type { HostPorts } from './connect.ts';

export type ConnectionStatus = 'connecting' | 'connected' | 'disconnected' | 'refused';

export interface ConnectionChange {
  readonly status: ConnectionStatus;
  readonly info: HelloInfo | null;
  /** Why the worker does not serve this window (`library-elsewhere`), or why the connection was lost. */
  readonly error: ErrorData | null;
}

/** What came back after the host was restarted. Readers and transactions of the time before are gone. */
export interface Reconnection {
  readonly states: readonly DatabaseState[];
  readonly failures: readonly { readonly database: DatabaseId; readonly error: ErrorData }[];
}

export interface WindowIdentity {
  readonly windowId: string;
  readonly windowTitle: string;
}

export interface ReconnectingClient {
  /** Resolves with the first connection; rejects when the worker refuses this window. */
  readonly ready: Promise<void>;
  /** Waits for the first connection; afterwards fails with `disconnected` while there is none. */
  readonly call: Client<Operations, Events>['call'];
  readonly control: Client<ControlOperations, Record<string, never>>['call'];
  /** Survives reconnects. Answers the function that stops listening. */
  on<T extends keyof Events & string>(topic: T, listener: (value: Events[T]) => void): () => void;
  onReconnected(listener: (reconnection: Reconnection) => void): () => void;
  onStatus(listener: (change: ConnectionChange) => void): () => void;
}

interface Connection {
  readonly generation: number;
  readonly data: Client<Operations, Events>;
  readonly control: Client<ControlOperations, Record<string, never>>;
}

type Topic = keyof Events & string;
type Listener = (value: never) => void;

const notConnected = (): AppError =>
  new AppError({ code: 'disconnected', message: 'The database is restarting. What was committed is safe; try again in a moment.' });

export function createReconnectingClient(connect: (onPorts: (ports: HostPorts) => void) => void, identify: () => Promise<WindowIdentity>): ReconnectingClient {
  const opened = new Set<DatabaseId>();
  const listeners = new Map<Topic, Set<Listener>>();
  const reconnectedListeners = new Set<(reconnection: Reconnection) => void>();
  const statusListeners = new Set<(change: ConnectionChange) => void>();
  let newest: Connection | null = null;
  let usable: Connection | null = null;
  let wasReady = false;
  let settleReady!: { resolve(): void; reject(error: unknown): void };
  const ready = new Promise<void>((resolve, reject) => (settleReady = { resolve, reject }));
  ready.catch(() => undefined);

  const report = (status: ConnectionStatus, info: HelloInfo | null, error: ErrorData | null): void => {
    for (const listener of statusListeners) listener({ status, info, error });
  };

  const reopen = async (connection: Connection): Promise<Reconnection> => {
    const states: DatabaseState[] = [];
    const failures: { database: DatabaseId; error: ErrorData }[] = [];
    for (const database of opened) {
      try {
        states.push(await connection.data.call('database.open', { database }));
      } catch (thrown) {
        opened.delete(database);
        failures.push({ database, error: thrown as AppError });
      }
    }
    return { states, failures };
  };

  const adopt = async (connection: Connection): Promise<void> => {
    try {
      const info = (await connection.data.ready) as HelloInfo;
      const { windowId, windowTitle } = await identify();
      await connection.data.call('session.begin', { windowId, windowTitle });
      const reconnection = await reopen(connection);
      if (connection !== newest) return;
      usable = connection;
      report('connected', info, null);
      if (wasReady) for (const listener of reconnectedListeners) listener(reconnection);
      wasReady = true;
      settleReady.resolve();
    } catch (thrown) {
      if (connection !== newest) return;
      const error = thrown as AppError;
      if (error.code === 'disconnected') return;
      report('refused', null, error);
      settleReady.reject(error);
    }
  };

  const hear = (connection: Connection, topic: Topic): void => {
    connection.data.on(topic, (value) => {
      for (const listener of listeners.get(topic) ?? []) listener(value as never);
    });
  };

  connect((ports: HostPorts) => {
    if (newest && ports.generation <= newest.generation) return;
    const previous = newest;
    const connection: Connection = {
      generation: ports.generation,
      data: createClient<Operations, Events>(ports.data),
      control: createClient<ControlOperations>(ports.control),
    };
    newest = connection;
    usable = null;
    previous?.data.close();
    previous?.control.close();
    for (const topic of listeners.keys()) hear(connection, topic);
    connection.data.onClose(() => {
      if (connection !== newest || usable === null) return;
      usable = null;
      report('disconnected', null, notConnected());
    });
    void adopt(connection);
  });

  const call: ReconnectingClient['call'] = async (op, params, options) => {
    if (!wasReady) await ready;
    if (!usable) throw notConnected();
    const reply = await usable.data.call(op, params, options);
    if (op === 'database.open') opened.add((params as { database: DatabaseId }).database);
    if (op === 'database.close' || op === 'library.delete') opened.delete((params as { database: DatabaseId }).database);
    return reply;
  };

  return {
    ready,
    call,
    control: async (op, params, options) => {
      if (!newest) await ready;
      if (!newest) throw notConnected();
      return newest.control.call(op, params, options);
    },
    on(topic, listener) {
      const known = listeners.get(topic);
      const set = known ?? new Set<Listener>();
      set.add(listener as Listener);
      if (!known) {
        listeners.set(topic, set);
        if (newest) hear(newest, topic);
      }
      return () => void set.delete(listener as Listener);
    },
    onReconnected(listener) {
      reconnectedListeners.add(listener);
      return () => void reconnectedListeners.delete(listener);
    },
    onStatus(listener) {
      statusListeners.add(listener);
      return () => void statusListeners.delete(listener);
    },
  };
}
