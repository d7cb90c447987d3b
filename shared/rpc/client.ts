// The client side of a port: requests, streams with credits, cancellation, events.
import { AppError } from '../protocol/errors.ts';
import type { ErrorData } from '../protocol/errors.ts';
import type { ClientMessage, ServerMessage } from '../protocol/envelope.ts';
import { PROTOCOL_VERSION } from '../protocol/version.ts';
import type { Port } from './port.ts';

type Params<Ops, K extends keyof Ops> = Ops[K] extends { readonly params: infer P } ? P : never;
type Reply<Ops, K extends keyof Ops> = Ops[K] extends { readonly reply: infer R } ? R : never;
type Chunk<Ops, K extends keyof Ops> = Ops[K] extends { readonly chunk: infer C } ? C : never;

export interface CallOptions<C> {
  /** Called with each chunk of a stream. If it returns a promise, credit is sent when that settles. */
  readonly onChunk?: (chunk: C) => void | Promise<void>;
  /** Aborting asks the server to cancel; the call then fails with `stopped`, unless it had already finished. */
  readonly signal?: AbortSignalLike;
  /** Called with the request's id before the request is sent. */
  readonly onId?: (id: number) => void;
}

export interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

export interface Client<Ops, Events> {
  /** Resolves with the server's `hello.info`; rejects when it refuses or the versions differ. */
  readonly ready: Promise<unknown>;
  call<K extends keyof Ops & string>(
    op: K,
    params: Params<Ops, K>,
    options?: CallOptions<Chunk<Ops, K>>,
  ): Promise<Reply<Ops, K>>;
  /** Returns a function that removes the listener. */
  on<T extends keyof Events & string>(topic: T, listener: (value: Events[T]) => void): () => void;
  onClose(listener: () => void): void;
  close(): void;
}

interface Pending {
  resolve(value: never): void;
  reject(error: AppError): void;
  onChunk?: (chunk: never) => void | Promise<void>;
}

const DISCONNECTED: ErrorData = {
  code: 'disconnected',
  message: 'The connection to the database was lost. Committed changes are safe; unfinished work was rolled back.',
};

/** @throws AppError from `call`, rebuilt from the server's {@link ErrorData}. */
export function createClient<Ops, Events = Record<string, never>>(port: Port): Client<Ops, Events> {
  return new PortClient<Ops, Events>(port);
}

class PortClient<Ops, Events> implements Client<Ops, Events> {
  readonly ready: Promise<unknown>;
  readonly #port: Port;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<(value: never) => void>>();
  readonly #closeListeners: (() => void)[] = [];
  readonly #queued: ClientMessage[] = [];
  #nextId = 1;
  #state: 'waiting' | 'open' | 'dead' = 'waiting';
  #deathCause = DISCONNECTED;
  #settleReady!: { resolve(info: unknown): void; reject(error: AppError): void };

  constructor(port: Port) {
    this.#port = port;
    this.ready = new Promise<unknown>((resolve, reject) => (this.#settleReady = { resolve, reject }));
    this.ready.catch(() => undefined); // callers get the rejection from `call`
    port.onMessage((raw) => {
      if (this.#state !== 'dead') this.#receive(raw as ServerMessage);
    });
    port.onClose(() => this.#die(DISCONNECTED));
  }

  call<K extends keyof Ops & string>(
    op: K,
    params: Params<Ops, K>,
    options: CallOptions<Chunk<Ops, K>> = {},
  ): Promise<Reply<Ops, K>> {
    if (this.#state === 'dead') return Promise.reject(new AppError(this.#deathCause));
    if (options.signal?.aborted) return Promise.reject(AppError.stopped('Stopped before it began.'));
    const id = this.#nextId++;
    options.onId?.(id);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, ...(options.onChunk && { onChunk: options.onChunk }) } as Pending);
      options.signal?.addEventListener('abort', () => this.#pending.has(id) && this.#send({ t: 'cancel', id }));
      this.#send({ t: 'req', id, op, params });
    });
  }

  on<T extends keyof Events & string>(topic: T, listener: (value: Events[T]) => void): () => void {
    const set = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, set);
    set.add(listener as never);
    return () => void set.delete(listener as never);
  }

  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  close(): void {
    this.#port.close();
    this.#die(DISCONNECTED);
  }

  #receive(message: ServerMessage): void {
    switch (message.t) {
      case 'hello':
        return this.#open(message.protocolVersion, message.info);
      case 'refused':
        return this.#die(message.error);
      case 'ok':
        return this.#take(message.id)?.resolve(message.value as never);
      case 'err':
        return this.#take(message.id)?.reject(new AppError(message.error));
      case 'chunk': {
        // The server needs no more credit once it has sent the reply.
        const credit = (): void => {
          if (this.#pending.has(message.id)) this.#send({ t: 'credit', id: message.id, n: 1 });
        };
        // A chunk counts as consumed even if its consumer threw: without credit the stream would stall.
        const consume = async (): Promise<void> => this.#pending.get(message.id)?.onChunk?.(message.value as never);
        void consume().then(credit, credit);
        return;
      }
      case 'event':
        for (const listener of this.#listeners.get(message.topic) ?? []) listener(message.value as never);
        return;
      case 'batch':
        for (const each of message.messages) if (this.#state !== 'dead') this.#receive(each);
    }
  }

  #open(protocolVersion: number, info: unknown): void {
    if (protocolVersion !== PROTOCOL_VERSION) {
      this.#die({
        code: 'unavailable',
        message: 'This window belongs to another version of Sidelite. Restart the app.',
      });
      return this.#port.close();
    }
    this.#state = 'open';
    this.#settleReady.resolve(info);
    for (const waiting of this.#queued.splice(0)) this.#port.postMessage(waiting);
  }

  #send(message: ClientMessage): void {
    if (this.#state === 'open') this.#port.postMessage(message);
    else if (this.#state === 'waiting') this.#queued.push(message);
  }

  #take(id: number): Pending | undefined {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    return call;
  }

  #die(cause: ErrorData): void {
    if (this.#state === 'dead') return;
    this.#state = 'dead';
    this.#deathCause = cause;
    this.#settleReady.reject(new AppError(cause));
    for (const call of this.#pending.values()) call.reject(new AppError(cause));
    this.#pending.clear();
    for (const listener of this.#closeListeners) listener();
  }
}
