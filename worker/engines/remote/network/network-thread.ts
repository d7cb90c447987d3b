// The thread that talks to servers: it sends requests and hands on the bytes of the answers, at most a few pieces ahead. It never follows a
// redirect, because the token would go wherever the server says.
import { subscribe } from 'node:diagnostics_channel';
import tls from 'node:tls';
import type { MessagePort } from 'node:worker_threads';
import { listen } from './event-stream.ts';
import type { FromNetwork, HttpRequest, ToNetwork } from './network-messages.ts';

/** Pieces that are sent before they are used. */
const PIECES_AHEAD = 16;
/** A request whose answer is not awaited. */
const FORGET_MS = 10_000;
/** Failures of setting up a connection, encryption included: nothing was sent, so nothing was done. */
const whileConnecting = new WeakSet<object>();

/** A certificate of an authority that Node does not know, which may be a company's own. */
const UNKNOWN_AUTHORITY: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]); // prettier-ignore
let trustsSystem = false;

interface Running {
  readonly abort: AbortController;
  ahead: number;
  /** Waits until pieces are used. */
  resume: (() => void) | null;
}

/** @param parent where the first message comes from; the rest comes over the port in it */
export function serveNetworkThread(parent: MessagePort): void {
  // `fetch` rejects with the same object as its cause.
  subscribe('undici:client:connectError', (message) =>
    whileConnecting.add((message as { readonly error: Error }).error),
  );
  parent.once('message', (message: ToNetwork) => {
    if (message.t === 'init') new Network(message.port as MessagePort, message.bell);
  });
}

class Network {
  readonly #port: MessagePort;
  readonly #bell: Int32Array;
  readonly #running = new Map<number, Running>();
  readonly #listening = new Map<number, AbortController>();

  constructor(port: MessagePort, bell: Int32Array) {
    this.#port = port;
    this.#bell = bell;
    port.on('message', (message: ToNetwork) => this.#receive(message));
  }

  #receive(message: ToNetwork): void {
    if (message.t === 'send') void this.#send(message.id, message.request);
    else if (message.t === 'forget') void sendAndForget(message.request);
    else if (message.t === 'more') this.#continue(message.id);
    else if (message.t === 'listen') void this.#listen(message.id, message);
    else if (message.t === 'abort') (this.#running.get(message.id)?.abort ?? this.#listening.get(message.id))?.abort();
  }

  async #listen(
    id: number,
    { request, ear }: { readonly request: HttpRequest; readonly ear: Int32Array },
  ): Promise<void> {
    const abort = new AbortController();
    this.#listening.set(id, abort);
    await listen(begin, request, { ear, abort });
    this.#listening.delete(id);
  }

  async #send(id: number, request: HttpRequest): Promise<void> {
    const running: Running = { abort: new AbortController(), ahead: 0, resume: null };
    this.#running.set(id, running);
    const { signal } = running.abort;
    signal.addEventListener('abort', () => running.resume?.());
    try {
      const response = await begin(request, signal);
      const contentType = response.headers.get('content-type') ?? '';
      this.#post({ t: 'head', id, status: response.status, contentType });
      for await (const bytes of response.body ?? []) {
        this.#post({ t: 'piece', id, bytes });
        if (++running.ahead < PIECES_AHEAD) continue;
        await new Promise<void>((resolve) => (running.resume = resolve));
        if (signal.aborted) return;
      }
      this.#post({ t: 'end', id });
    } catch (error) {
      this.#post({ t: 'failed', id, ...describe(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  #continue(id: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.ahead = 0;
    running.resume?.();
    running.resume = null;
  }

  #post(message: FromNetwork): void {
    this.#port.postMessage(message);
    Atomics.add(this.#bell, 0, 1);
    Atomics.notify(this.#bell, 0);
  }
}

/** The authorities that the system trusts are looked up only where Node's own list is not enough: that takes a while on some systems. */
async function begin({ url, method, headers, body }: HttpRequest, signal: AbortSignal): Promise<Response> {
  const options = { method, headers, body, redirect: 'manual', signal } as const;
  try {
    return await fetch(url, options);
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    // Nothing was sent, so it can be sent now.
    if (!UNKNOWN_AUTHORITY.has(cause?.code) || !trustSystem()) throw error;
    return await fetch(url, options);
  }
}

/** Returns false if that makes no difference. */
function trustSystem(): boolean {
  if (trustsSystem) return false;
  trustsSystem = true;
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]);
    return true;
  } catch {
    // Versions of Node before 22.19 cannot be configured this way.
    return false;
  }
}

/** Nothing of the answer is read, and a server that says nothing keeps no connection. */
async function sendAndForget(request: HttpRequest): Promise<void> {
  try {
    const response = await begin(request, AbortSignal.timeout(FORGET_MS));
    await response.body?.cancel();
  } catch {
    // The server frees the stream automatically after a while.
  }
}

function describe(error: unknown): { readonly why: string; readonly isSent: boolean } {
  const { cause } = error as { readonly cause?: unknown };
  const { code, name, message } = (cause ?? error) as {
    readonly code?: unknown;
    readonly name?: unknown;
    readonly message?: unknown;
  };
  const isSent = !(typeof cause === 'object' && cause !== null && whileConnecting.has(cause));
  if (typeof code === 'string') return { why: code, isSent };
  return { why: name === 'HTTPParserError' ? name : String(message), isSent };
}
