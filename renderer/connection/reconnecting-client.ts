// A client that lives as long as the window, over ports that are replaced when the host restarts.
import { AppError, toAppError } from '#shared/protocol/index.ts';
import type {
  ControlEvents,
  ControlOperations,
  DatabaseId,
  DatabaseState,
  ErrorData,
  Events,
  HelloInfo,
  Operations,
} from '#shared/protocol/index.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { AbortSignalLike, Client } from '#shared/rpc/client.ts';
import type { HostPorts } from './connect.ts';

export type ConnectionStatus = 'connecting' | 'connected' | 'disconnected' | 'refused';

interface ConnectionChange {
  readonly status: ConnectionStatus;
  readonly info: HelloInfo | null;
  /** Why the worker does not serve this window (`library-elsewhere`), or why the connection was lost. */
  readonly error: ErrorData | null;
}

/** The state after the host was restarted. Earlier readers and transactions are gone. */
export interface Reconnection {
  readonly states: readonly DatabaseState[];
  readonly failures: readonly { readonly database: DatabaseId; readonly error: ErrorData }[];
}

export interface WindowIdentity {
  readonly windowTitle: string;
}

interface Connection {
  readonly generation: number;
  readonly data: Client<Operations, Events>;
  readonly control: Client<ControlOperations, ControlEvents>;
}

type AllEvents = Events & ControlEvents;
type Topic = keyof AllEvents & string;
type Listener = (value: never) => void;
type Call = Client<Operations, Events>['call'];
type Control = Client<ControlOperations, ControlEvents>['call'];

const notConnected = (): AppError =>
  AppError.disconnected('The database is restarting. Committed changes are safe; try again in a moment.');

export class ReconnectingClient {
  /** Resolves with the first connection that succeeds, even if others were refused before. Never rejects. */
  readonly ready: Promise<void>;
  readonly #identify: () => Promise<WindowIdentity>;
  /** What each database was opened with. */
  readonly #opened = new Map<DatabaseId, Operations['database.open']['params']>();
  #shown: readonly DatabaseId[] = [];
  readonly #listeners = new Map<Topic, Set<Listener>>();
  readonly #reconnectedListeners = new Set<(reconnection: Reconnection) => void>();
  readonly #statusListeners = new Set<(change: ConnectionChange) => void>();
  #becomeReady!: () => void;
  /** Calls waiting for the server to accept or refuse this window. */
  #waiting: { resolve(): void; reject(error: AppError): void }[] = [];
  #newest: Connection | null = null;
  /** The newest connection, once the session has begun and the databases are open again. */
  #usable: Connection | null = null;
  /** Why there is no connection and none is being made. */
  #refusal: AppError | null = null;
  #wasReady = false;

  constructor(connect: (onPorts: (ports: HostPorts) => void) => void, identify: () => Promise<WindowIdentity>) {
    this.#identify = identify;
    this.ready = new Promise((resolve) => (this.#becomeReady = resolve));
    connect((ports) => this.#onPorts(ports));
  }

  /**
   * Resolves once requests are served; at once if they already are.
   * @throws AppError why the server refuses this window; a later connection can still succeed
   */
  answered(): Promise<void> {
    if (this.#usable) return Promise.resolve();
    if (this.#refusal) return Promise.reject(this.#refusal);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Waits for the first connection or refusal; later fails with `disconnected` while there is no connection. */
  readonly call: Call = async (op, params, options) => {
    const { database } = params as { readonly database: DatabaseId };
    // The reply may be lost, because the process of a file ends with it: the next one is not to open the file again.
    if (op === 'database.close') this.#opened.delete(database);
    if (!this.#wasReady) await this.answered();
    if (!this.#usable) throw this.#refusal ?? notConnected();
    const { data, control } = this.#usable;
    const reply = await data.call(op, params, {
      ...options,
      onId: (id) => options?.signal && stopToo(control, id, options.signal),
    });
    if (op === 'database.open') this.#opened.set(database, params as Operations['database.open']['params']);
    if (op === 'database.close' || op === 'library.delete') this.#opened.delete(database);
    return reply;
  };

  /** Sent again after each reconnection. */
  async show(databases: readonly DatabaseId[]): Promise<void> {
    this.#shown = databases;
    if (this.#usable) await this.#usable.data.call('session.show', { databases });
  }

  /** Calls the host page, which also answers while the worker is busy. */
  readonly control: Control = async (op, params, options) => {
    if (!this.#newest) await this.answered();
    if (!this.#newest) throw notConnected();
    return this.#newest.control.call(op, params, options);
  };

  /** Survives reconnects. Returns a function that removes the listener. */
  on<T extends Topic>(topic: T, listener: (value: AllEvents[T]) => void): () => void {
    const known = this.#listeners.get(topic);
    const set = known ?? new Set<Listener>();
    set.add(listener as Listener);
    if (!known) {
      this.#listeners.set(topic, set);
      if (this.#newest) this.#hear(this.#newest, topic);
    }
    return () => void set.delete(listener as Listener);
  }

  onReconnected(listener: (reconnection: Reconnection) => void): () => void {
    this.#reconnectedListeners.add(listener);
    return () => void this.#reconnectedListeners.delete(listener);
  }

  onStatus(listener: (change: ConnectionChange) => void): () => void {
    this.#statusListeners.add(listener);
    return () => void this.#statusListeners.delete(listener);
  }

  #onPorts(ports: HostPorts): void {
    const previous = this.#newest;
    if (previous && ports.generation <= previous.generation) return;
    const connection: Connection = {
      generation: ports.generation,
      data: createClient<Operations, Events>(ports.data),
      control: createClient<ControlOperations, ControlEvents>(ports.control),
    };
    this.#newest = connection;
    // The new ports may arrive before the old ones are known to be closed: reports the end of the former engine before any message of the
    // next one.
    if (this.#usable) this.#report('disconnected', null, notConnected());
    this.#usable = null;
    this.#refusal = null;
    previous?.data.close();
    previous?.control.close();
    for (const topic of this.#listeners.keys()) this.#hear(connection, topic);
    connection.data.onClose(() => {
      if (connection !== this.#newest || !this.#usable) return;
      this.#usable = null;
      this.#report('disconnected', null, notConnected());
    });
    void this.#adopt(connection);
  }

  async #adopt(connection: Connection): Promise<void> {
    try {
      const info = (await connection.data.ready) as HelloInfo;
      const { windowTitle } = await this.#identify();
      await connection.data.call('session.begin', { windowTitle });
      const reconnection = await this.#reopen(connection);
      if (connection !== this.#newest) return;
      this.#usable = connection;
      // A database that cannot be shown again reports that with the next request for it.
      if (this.#shown.length > 0) this.show(this.#shown).catch(() => undefined);
      this.#report('connected', info, null);
      if (this.#wasReady) for (const listener of this.#reconnectedListeners) listener(reconnection);
      this.#wasReady = true;
      this.#becomeReady();
      for (const { resolve } of this.#waiting.splice(0)) resolve();
    } catch (thrown) {
      const error = toAppError(thrown);
      // Lost again before it was usable: new ports will follow.
      if (connection !== this.#newest || error.code === 'disconnected') return;
      this.#refusal = error;
      this.#report('refused', null, error);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
  }

  async #reopen(connection: Connection): Promise<Reconnection> {
    const states: DatabaseState[] = [];
    const failures: { database: DatabaseId; error: ErrorData }[] = [];
    for (const [database, opening] of this.#opened) {
      try {
        states.push(await connection.data.call('database.open', opening));
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.code === 'disconnected') throw error;
        this.#opened.delete(database);
        failures.push({ database, error });
      }
    }
    return { states, failures };
  }

  #hear(connection: Connection, topic: Topic): void {
    const tell = (value: unknown): void => {
      for (const listener of this.#listeners.get(topic) ?? []) listener(value as never);
    };
    connection.data.on(topic as keyof Events, tell);
    connection.control.on(topic as keyof ControlEvents, tell);
  }

  #report(status: ConnectionStatus, info: HelloInfo | null, error: ErrorData | null): void {
    for (const listener of this.#statusListeners) listener({ status, info, error });
  }
}

/** A busy worker does not receive the cancel on the data port; the host page reaches it through shared memory. */
function stopToo(control: Connection['control'], call: number, signal: AbortSignalLike): void {
  signal.addEventListener('abort', () => void control.call('call.stop', { call }).catch(() => undefined));
}
