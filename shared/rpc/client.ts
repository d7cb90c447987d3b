// The asking side of a port: requests, streams with credits, cancellation, events.
import { AppError } from '../protocol/errors.ts';
import type { ErrorData } from '../protocol/errors.ts';
import type { ClientMessage, ServerMessage } from '../protocol/envelope.ts';
import { PROTOCOL_VERSION } from '../protocol/version.ts';
import type { Port } from './port.ts';

type Params<Ops, K extends keyof Ops> = Ops[K] extends { readonly params: infer P } ? P : never;
type Reply<Ops, K extends keyof Ops> = Ops[K] extends { readonly reply: infer R } ? R : never;
type Chunk<Ops, K extends keyof Ops> = Ops[K] extends { readonly chunk: infer C } ? C : never;

export interface CallOptions<C> {
  /** Receives each chunk of a stream. When it returns a promise, credit is given once that settles. */
  readonly onChunk?: (chunk: C) => void | Promise<void>;
  /** Aborting asks the server to cancel; the call then fails with `stopped` (unless it was already done). */
  readonly signal?: AbortSignalLike;
}

interface AbortSignalLike {
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
  /** Returns the function that stops listening. */
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
  message: 'The connection to the database was lost. What was committed is safe; unfinished work was rolled back.',
};

/** @throws AppError from `call`, rebuilt from the server's {@link ErrorData}. */
export function createClient<Ops, Events = Record<string, never>>(port: Port): Client<Ops, Events> {
  const pending = new Map<number, Pending>();
  const listeners = new Map<string, Set<(value: never) => void>>();
  const closeListeners: (() => void)[] = [];
  const queued: ClientMessage[] = [];
  let nextId = 1;
  let state: 'waiting' | 'open' | 'dead' = 'waiting';
  let deathCause = DISCONNECTED;
  let settleReady!: { resolve(info: unknown): void; reject(error: AppError): void };
  const ready = new Promise<unknown>((resolve, reject) => (settleReady = { resolve, reject }));
  ready.catch(() => undefined); // whoever calls learns of it from the call

  const send = (message: ClientMessage): void => {
    if (state === 'open') port.postMessage(message);
    else if (state === 'waiting') queued.push(message);
  };

  const die = (cause: ErrorData): void => {
    if (state === 'dead') return;
    state = 'dead';
    deathCause = cause;
    settleReady.reject(new AppError(cause));
    for (const call of pending.values()) call.reject(new AppError(cause));
    pending.clear();
    for (const listener of closeListeners) listener();
  };

  const take = (id: number): Pending | undefined => {
    const call = pending.get(id);
    pending.delete(id);
    return call;
  };

  port.onMessage((raw) => {
    if (state === 'dead') return;
    const message = raw as ServerMessage;
    switch (message.t) {
      case 'hello':
        if (message.protocolVersion !== PROTOCOL_VERSION) {
          die({ code: 'unavailable', message: 'This window belongs to another version of Sidelite. Restart the app.' });
          port.close();
          return;
        }
        state = 'open';
        settleReady.resolve(message.info);
        for (const waiting of queued.splice(0)) port.postMessage(waiting);
        return;
      case 'refused':
        return die(message.error);
      case 'ok':
        return take(message.id)?.resolve(message.value as never);
      case 'err':
        return take(message.id)?.reject(new AppError(message.error));
      case 'chunk': {
        const credit = (): void => send({ t: 'credit', id: message.id, n: 1 });
        void Promise.resolve(pending.get(message.id)?.onChunk?.(message.value as never)).then(credit, credit);
        return;
      }
      case 'event':
        for (const listener of listeners.get(message.topic) ?? []) listener(message.value as never);
    }
  });
  port.onClose(() => die(DISCONNECTED));

  return {
    ready,
    call(op, params, options = {}) {
      if (state === 'dead') return Promise.reject(new AppError(deathCause));
      const id = nextId++;
      if (options.signal?.aborted)
        return Promise.reject(new AppError({ code: 'stopped', message: 'Stopped before it began.' }));
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject, ...(options.onChunk && { onChunk: options.onChunk }) } as Pending);
        options.signal?.addEventListener('abort', () => pending.has(id) && send({ t: 'cancel', id }));
        send({ t: 'req', id, op, params });
      });
    },
    on(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set);
      set.add(listener as never);
      return () => void set.delete(listener as never);
    },
    onClose: (listener) => void closeListeners.push(listener),
    close() {
      port.close();
      die(DISCONNECTED);
    },
  };
}
