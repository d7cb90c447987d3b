// The server side of a port: one handler per operation, streams that wait for credit, cancellation as a flag.
import { AppError, toErrorData } from '../protocol/errors.ts';
import type { ErrorData } from '../protocol/errors.ts';
import { STREAM_CREDITS } from '../protocol/envelope.ts';
import type { ClientMessage, ServerMessage } from '../protocol/envelope.ts';
import { PROTOCOL_VERSION } from '../protocol/version.ts';
import type { Port } from './port.ts';

/** Passed to a handler in addition to its parameters. */
export interface CallContext<Chunk = never, Session = unknown> {
  readonly session: Session;
  /** Id of the request; unique on its port. */
  readonly id: number;
  /**
   * Sends one chunk. Resolves at once while there is credit, otherwise when the client has consumed some chunks. Rejects with `stopped`
   * after a cancel.
   */
  emit(chunk: Chunk): Promise<void>;
  readonly canceled: boolean;
  /** Called once when the client cancels or goes away. */
  onCancel(listener: () => void): void;
}

/** What a handler returns: nothing where the reply is always null. */
export type Returned<Reply> = [Reply] extends [null] ? null | void : Reply;

type HandlerOf<O, Session> = O extends { readonly params: infer P; readonly reply: infer R; readonly chunk: infer C }
  ? (params: P, context: CallContext<C, Session>) => Returned<R> | Promise<Returned<R>>
  : never;

/** One function per operation: a missing handler or a wrong reply type does not compile. */
export type Handlers<Ops, Session = unknown> = { readonly [K in keyof Ops]: HandlerOf<Ops[K], Session> };

export interface Server<Events> {
  send<T extends keyof Events & string>(topic: T, value: Events[T]): void;
}

interface ServeOptions<Session> {
  readonly info: unknown;
  readonly session: Session;
  /** Returns the buffers of a reply or chunk that may be transferred instead of copied. */
  readonly transfers?: (value: unknown) => readonly ArrayBuffer[];
  /** Called before each reply: events it sends arrive before the reply does. */
  readonly beforeReply?: () => void;
  /** The other end is gone: closed, crashed or reloaded. */
  readonly onClose?: () => void;
}

interface Running {
  credits: number;
  canceled: boolean;
  wake: (() => void)[];
  cancelListeners: (() => void)[];
}

const stopped = (): AppError => AppError.stopped('Stopped. Nothing more was changed.');

/** Serves `port` with `handlers` until it closes. Operation names are checked to be own properties of `handlers`. */
export function serve<Ops, Events, Session>(
  port: Port,
  handlers: Handlers<Ops, Session>,
  options: ServeOptions<Session>,
): Server<Events> {
  const running = new Map<number, Running>();
  const outbox = new Outbox(port);
  const post = (message: Parameters<Outbox['post']>[0], value?: unknown): void =>
    outbox.post(message, options.transfers?.(value) ?? []);

  const reply = (message: Parameters<Outbox['post']>[0], value?: unknown): void => {
    options.beforeReply?.();
    post(message, value);
  };

  const run = async (id: number, op: string, params: unknown): Promise<void> => {
    const call: Running = { credits: STREAM_CREDITS, canceled: false, wake: [], cancelListeners: [] };
    running.set(id, call);
    const context: CallContext<unknown, Session> = {
      session: options.session,
      id,
      get canceled() {
        return call.canceled;
      },
      onCancel: (listener) => (call.canceled ? listener() : void call.cancelListeners.push(listener)),
      async emit(chunk) {
        while (call.credits === 0 && !call.canceled) await new Promise<void>((resolve) => call.wake.push(resolve));
        if (call.canceled) throw stopped();
        call.credits--;
        post({ t: 'chunk', id, value: chunk }, chunk);
      },
    };
    try {
      if (!Object.hasOwn(handlers as object, op)) throw AppError.invalid(`There is no operation “${op}”.`);
      const handler = handlers[op as keyof Ops] as (params: unknown, context: unknown) => unknown;
      const value = (await handler(params, context)) ?? null;
      reply({ t: 'ok', id, value }, value);
    } catch (thrown) {
      reply({ t: 'err', id, error: toErrorData(thrown) });
    } finally {
      running.delete(id);
    }
  };

  port.onClose(() => {
    for (const call of running.values()) cancel(call);
    options.onClose?.();
  });
  port.onMessage((raw) => {
    const message = raw as ClientMessage;
    const call = running.get(message.id);
    if (message.t === 'req') void run(message.id, message.op, message.params);
    else if (message.t === 'cancel' && call) cancel(call);
    else if (message.t === 'credit' && call) {
      call.credits += message.n;
      for (const wake of call.wake.splice(0)) wake();
    }
  });
  post({ t: 'hello', protocolVersion: PROTOCOL_VERSION, info: options.info });
  return { send: (topic, value) => post({ t: 'event', topic, value }, value) };
}

function cancel(call: Running): void {
  if (call.canceled) return;
  call.canceled = true;
  for (const wake of call.wake.splice(0)) wake();
  for (const listener of call.cancelListeners.splice(0)) listener();
}

/** Sends an error instead of `hello`, to tell a client why it cannot be served. */
export function refuse(port: Port, error: ErrorData): void {
  port.postMessage({ t: 'refused', error } satisfies ServerMessage);
}

type Single = Exclude<ServerMessage, { readonly t: 'batch' }>;

/** Microtasks to wait for more messages: a reply follows its last chunk within fewer steps than these. */
const QUIET_MICROTASKS = 12;

interface Waiting {
  readonly message: Single;
  readonly transfers: readonly ArrayBuffer[];
}

/**
 * Batches what a server sends within one task into one message: the last chunk of a call and its reply, the events of a commit.
 */
class Outbox {
  readonly #port: Port;
  #waiting: Waiting[] = [];

  constructor(port: Port) {
    this.#port = port;
  }

  /** Messages are sent before the task ends, because the next task may take long. */
  post(message: Single, transfers: readonly ArrayBuffer[]): void {
    this.#waiting.push({ message, transfers });
    if (this.#waiting.length === 1) void this.#flush();
  }

  async #flush(): Promise<void> {
    for (let quiet = 0, seen = 1; quiet < QUIET_MICROTASKS; quiet++) {
      await Promise.resolve();
      if (this.#waiting.length > seen) [quiet, seen] = [0, this.#waiting.length];
    }
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 1) return this.#postOne(batch[0]!);
    const messages = batch.map(({ message }) => message);
    try {
      this.#port.postMessage(
        { t: 'batch', messages } satisfies ServerMessage,
        batch.flatMap(({ transfers }) => transfers),
      );
    } catch {
      // The batch was not sent and no buffer was transferred, so retry one by one: one message that cannot be sent must not block the
      // others.
      for (const each of batch) this.#postOne(each);
    }
  }

  #postOne({ message, transfers }: Waiting): void {
    try {
      this.#port.postMessage(message, transfers);
    } catch (thrown) {
      // A value that cannot be cloned is a bug; the waiting caller gets an error instead of waiting forever.
      if (!('id' in message)) throw thrown;
      this.#port.postMessage({ t: 'err', id: message.id, error: toErrorData(thrown) } satisfies ServerMessage);
    }
  }
}
