// HTTP for a thread that may block: an engine is synchronous, so it waits for the network's thread. It looks up every few milliseconds, so
// that work can be stopped at once, whatever the server does.
import { MessageChannel, receiveMessageOnPort, type MessagePort, type Worker } from 'node:worker_threads';
import { AppError } from '#shared/protocol/errors.ts';
import { malformed } from '../hrana/malformed.ts';
import { EAR_STATES, EAR_WORD, type EarState } from './event-stream.ts';
import type { FromNetwork, HttpRequest, ToNetwork } from './network-messages.ts';
import { lostConnection } from './network-error.ts';

/** Interval between checks for a stop. */
const LOOK_EVERY_MS = 25;
/** A server that sends nothing for this long is given up. */
const SILENCE_MS = 60_000;

export interface HttpReply {
  readonly status: number;
  readonly contentType: string;
  /** The next bytes, or null at the end. @throws AppError `stopped`, `unavailable` */
  next(): Uint8Array | null;
  /** Discards the rest of the reply. */
  cancel(): void;
}

/** Events from a server, for as long as the connection listens. */
export interface Listening {
  readonly state: EarState;
  /** Events so far. */
  readonly heard: number;
  end(): void;
}

export interface HttpOptions {
  /** Called every few milliseconds while waiting; an error it throws ends the request. */
  readonly look: () => void;
  /** Time (`performance.now()`) at which the request is given up, whatever the server has sent until then. */
  readonly endMs?: number;
}

/** The engine's end. Begins its thread with the first request. */
export class BlockingHttp {
  readonly #startThread: () => Worker;
  readonly #bell = new Int32Array(new SharedArrayBuffer(4));
  readonly #waiting = new Map<number, FromNetwork[]>();
  #thread: { readonly worker: Worker; readonly port: MessagePort } | null = null;
  #requests = 0;

  /** @param startThread starts a thread that calls `serveNetworkThread` */
  constructor(startThread: () => Worker) {
    this.#startThread = startThread;
  }

  /** Returns when the server begins to answer. @throws AppError `stopped`, `unavailable` */
  send(request: HttpRequest, options: HttpOptions): HttpReply {
    const id = ++this.#requests;
    this.#waiting.set(id, []);
    this.#post({ t: 'send', id, request });
    const head = this.#take(id, options);
    if (head.t !== 'head') throw malformed('it has no beginning');
    return {
      status: head.status,
      contentType: head.contentType,
      next: () => {
        const message = this.#take(id, options);
        return message.t === 'piece' ? message.bytes : null;
      },
      cancel: () => this.#forget(id),
    };
  }

  /** Does not wait for the answer, which does not matter. */
  post(request: HttpRequest): void {
    this.#post({ t: 'forget', request });
  }

  /** Returns at once; the reply is ignored. */
  listen(request: HttpRequest): Listening {
    const id = ++this.#requests;
    const ear = new Int32Array(new SharedArrayBuffer(Object.keys(EAR_WORD).length * 4));
    this.#post({ t: 'listen', id, request, ear });
    return {
      get state() {
        return EAR_STATES[Atomics.load(ear, EAR_WORD.state)]!;
      },
      get heard() {
        return Atomics.load(ear, EAR_WORD.heard);
      },
      end: () => this.#post({ t: 'abort', id }),
    };
  }

  end(): void {
    this.#thread?.port.close();
    void this.#thread?.worker.terminate();
    this.#thread = null;
  }

  #post(message: ToNetwork): void {
    this.#thread ??= this.#start();
    this.#thread.port.postMessage(message);
  }

  #start(): { readonly worker: Worker; readonly port: MessagePort } {
    const { port1, port2 } = new MessageChannel();
    const worker = this.#startThread();
    // Neither keeps the process alive.
    worker.unref();
    worker.postMessage({ t: 'init', bell: this.#bell, port: port2 } satisfies ToNetwork, [port2]);
    port1.unref();
    return { worker, port: port1 };
  }

  #take(id: number, { look, endMs = Infinity }: HttpOptions): FromNetwork {
    const queue = this.#waiting.get(id);
    if (queue === undefined) throw malformed('it has ended');
    try {
      if (performance.now() > endMs) throw lostConnection('SILENT', true);
      const message = queue.shift() ?? this.#wait(queue, look, Math.min(endMs, performance.now() + SILENCE_MS));
      if (message.t === 'failed') throw lostConnection(message.why, message.isSent);
      if (message.t === 'end') this.#waiting.delete(id);
      else if (message.t === 'piece' && queue.length === 0) this.#post({ t: 'more', id });
      return message;
    } catch (error) {
      this.#forget(id);
      throw error;
    }
  }

  #wait(queue: FromNetwork[], look: () => void, endMs: number): FromNetwork {
    for (;;) {
      // Read before the messages: what comes after that has counted it up again.
      const rung = Atomics.load(this.#bell, 0);
      this.#receive();
      const message = queue.shift();
      if (message !== undefined) return message;
      look();
      if (performance.now() > endMs) throw lostConnection('SILENT', true);
      Atomics.wait(this.#bell, 0, rung, LOOK_EVERY_MS);
    }
  }

  #receive(): void {
    const { port } = this.#thread!;
    for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port)) {
      const message = got.message as FromNetwork;
      this.#waiting.get(message.id)?.push(message);
    }
  }

  #forget(id: number): void {
    if (this.#waiting.delete(id)) this.#post({ t: 'abort', id });
  }
}

/** The whole reply as text. @throws AppError `too-big` when it is longer, and as {@link HttpReply.next} */
export function readText(reply: HttpReply, maxBytes: number): string {
  const text = new GatheredBytes();
  for (let bytes = reply.next(); bytes !== null; bytes = reply.next()) {
    if (text.length + bytes.length > maxBytes) {
      reply.cancel();
      throw AppError.tooBig(
        `The server’s response is longer than ${maxBytes >> 20} MB. Nothing was read. Read fewer rows at a time.`,
        { detail: { kind: 'reply', sent: true } },
      );
    }
    text.add(bytes);
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(text.bytes);
}

// The pieces of a reply as one, without an object for each: a server may send a byte at a time.

/** Room is at least doubled, so that each byte is moved a few times at most. */
export class GatheredBytes {
  #room = new Uint8Array(0);
  length = 0;

  add(piece: Uint8Array): void {
    const length = this.length + piece.length;
    if (length > this.#room.length) {
      const room = new Uint8Array(Math.max(length, 2 * this.#room.length));
      room.set(this.bytes);
      this.#room = room;
    }
    this.#room.set(piece, this.length);
    this.length = length;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }
}
